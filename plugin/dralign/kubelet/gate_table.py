"""All feature gates that kubelets 1.34 to 1.37 know, what each release does with them, and which need others.

``GATES``: ``name:letters``, a letter for each of 1.32, 1.33, 1.34, 1.35, 1.36, 1.37. ``a`` alpha, ``b`` beta, ``g`` general
availability, ``d`` deprecated; ``l`` (general availability) and ``x`` (deprecated) are locked; a capital is on by
default. ``.`` is a gate that this release does not know, ``?`` one that no record tells of.
``NEEDS``: ``name>gates`` that must be on where this one is; ``@36`` counts from 1.36 on.
Source: the registry of ``k8s.io/kubernetes/pkg/features`` in 1.34.4, 1.35.4, 1.36.3 and 1.37.2; for 1.32 and 1.33 what the
registry of 1.34.4 remembers of them.
"""

from __future__ import annotations

FIRST_MINOR = 32

GATES = """
APIResponseCompression:BBBBBB APIServerIdentity:BBBBBB APIServerTracing:BBLLL.
APIServerWebhookAuthenticationToken:??...a APIServingWithRoutine:aaaaaa AggregatedDiscoveryRemoveBetaType:gDDXXX
AllAlpha:aaaaaa AllBeta:bbbbbb AllowDNSOnlyNodeCSR:dddddd AllowInsecureKubeletCertificateSigningRequests:dddddd
AllowOverwriteTerminationGracePeriodSeconds:dddxxx AllowParsingUserUIDFromCertAuth:.BBBBB
AllowServiceExternalIPs:??..GG AllowServiceLBStatusOnNonLB:xxx... AllowUnsafeMalformedObjectDeletion:aaaaaB
AnonymousAuthConfigurableEndpoints:BBLLL. AnyVolumeDataSource:BLLLL. AtomicFIFO:??..BB
AtomicWriteVolumeUserFields:??...a AuthorizeNodeWithSelectors:BBLLL.
AuthorizePodWebsocketUpgradeCreatePermission:??.BBB AuthorizeWithSelectors:BBLLL. BtreeWatchCache:BLLLL.
CBORServingAndStorage:aaaaaa CPUManagerPolicyAlphaOptions:aaaaaa CPUManagerPolicyBetaOptions:BBBBBB
CPUManagerPolicyOptions:BLLLLL CRDObservedGenerationTracking:??.bBB CRDValidationRatcheting:BLLLLL
CRIListStreaming:??..aa CSIMigrationPortworx:BLLL.. CSIServiceAccountTokenSecrets:??.BLL CSIVolumeHealth:aaaaaa
ChangeContainerStatusOnKubeletRestart:??.ddd ClearingNominatedNodeNameAfterBinding:..aBBB
ClientsAllowCARotation:??..BB ClientsAllowCBOR:aaaaaa ClientsAllowTLSCacheGC:??..BB ClientsPreferCBOR:aaaaaa
CloudControllerManagerWatchBasedRoutesReconciliation:??.aaa CloudControllerManagerWebhook:aaaaaa
ClusterTrustBundle:abbbbG ClusterTrustBundleProjection:abbbbG ComponentFlagz:aaaaBB ComponentStatusz:aaaaBB
CompositePodGroup:??...a ConcurrentWatchObjectDecode:bbbbbB ConsistentListFromCache:BBLLL.
ConsistentListFromCacheSkipTimeoutFallback:??...a ConstrainedImpersonation:??.aBB ContainerCheckpoint:BBBBBB
ContainerRestartRules:..aBBB ContainerStopSignals:.aaaaa ContextualLogging:BBBBBB CoordinatedLeaderElection:abbbbb
CronJobsScheduledAnnotation:LLL... CrossNamespaceVolumeDataSource:aaaaaa CustomCPUCFSQuotaPeriod:aaaaGG
CustomResourceFieldSelectors:LLLLLL DRAAdminAccess:aaBBLL DRAConsumableCapacity:..aaBB DRADerivedAttributes:??...a
DRADeviceBindingConditions:..aaBB DRADeviceCompatibilityGroups:??...a DRADeviceTaintRules:??.abG
DRADeviceTaints:.aaaBG DRAExtendedResource:..aaBL DRAFractionalCapacityRange:??...b DRAListTypeAttributes:??..aa
DRANodeAllocatableResources:??..aa DRAOptionalNodeOperations:??...a DRAPartitionableDevices:.aaaBB
DRAPartitionableDevicesType:??...a DRAPrioritizedList:.aBBGL DRAResourceClaimDeviceStatus:aBBBBL
DRAResourceClaimGranularStatusAuthorization:??..BB DRAResourcePoolStatus:??..aa DRASchedulerFilterTimeout:..BBBB
DRAWorkloadResourceClaims:??..ab DeclarativeValidation:.BBBLL DeclarativeValidationBeta:??..BB
DeclarativeValidationTakeover:.bbbdx DefaultPodSysctls:??...a DeploymentReplicaSetTerminatingReplicas:.aaBBB
DetectCacheInconsistency:..BBBB DisableAllocatorDualWrite:abGLLL DisableCPUQuotaWithExclusiveCPUs:.BBBDX
DisableNodeKubeProxyVersion:dDDDXX DynamicResourceAllocation:bbGLLL EmptyDirVolumeMode:??...a EnvFiles:..aBBB
EtcdRangeStream:??...B EventedPLEG:aaaaaa EvictionRequestAPI:??...a ExcludeAdmissionWebhookVirtualResources:??...B
ExecProbeTimeout:GGGLLL ExtendWebSocketsToKubelet:??..BB ExternalServiceAccountTokenSigner:aaBBLL
GRPCContainerProbeTLS:??...a GangScheduling:??.aa. GenericWorkload:??.aab GitRepoVolumeDriver:Gdddxx
GracefulNodeShutdown:BBBBBB GracefulNodeShutdownBasedOnPodPriority:BBBBBB H2CContainerProbe:??...a
HPAConfigurableTolerance:.aaBBL HPAGeneration:??...B HPAOptimizedSelectorStore:??...B HPAScaleToZero:aaaaaB
HonorPVReclaimPolicy:BLLL.. HostnameOverride:..aBBL HugepageAwareEviction:??...B ImageMaximumGCAge:BBBLLL
ImageVolume:abbBLL ImageVolumeWithDigest:??..aa InOrderInformers:BBBBLL InOrderInformersBatchProcess:??.BBB
InPlacePodLevelResourcesVerticalScaling:??.aBB InPlacePodVerticalScaling:aBBLLL
InPlacePodVerticalScalingAllocatedStatus:addd.. InPlacePodVerticalScalingExclusiveCPUs:aaaaaa
InPlacePodVerticalScalingExclusiveMemory:..aaaa InPlacePodVerticalScalingInitContainers:??..BL
InPlacePodVerticalScalingMemoryBackedVolumes:??...a InPlacePodVerticalScalingSchedulerPreemption:??...a
InTreePluginPortworxUnregister:aaaa.. InformerResourceVersion:aaaGGG InterPodAffinityHostnameFastPath:??...a
JobBackoffLimitPerIndex:BLLLL. JobManagedBy:BBBLLL JobPodReplacementPolicy:BBLLL. JobSuccessPolicy:BLLLL.
KMSv1:dddddd KubeProxyIPVS:??...D KubeProxyNFTablesLocalhostNodePorts:??...a KubeletAllocatedPodsEndpoint:??...a
KubeletCgroupDriverFromCRI:BBLLLL KubeletCrashLoopBackOffMax:aaaBBB KubeletEnsureSecretPulledImages:.aaBBB
KubeletFineGrainedAuthz:aBBBLL KubeletInUserNamespace:aaaaaB KubeletPSI:.aBBLL
KubeletPodResourcesDynamicResources:aaBBLL KubeletPodResourcesGet:aaBBLL KubeletPodResourcesListUseActivePods:ggDDDD
KubeletRegistrationGetOnExistsOnly:dddddd KubeletSeparateDiskGC:BBBBBB
KubeletServiceAccountTokenForCredentialProviders:.aBBBB KubeletTracing:BBLLLL ListFromCacheSnapshot:.aBBBB
LoadBalancerIPMode:LLL... LocalStorageCapacityIsolationFSQuotaMonitoring:bbbbbb LogarithmicScaleDown:LLLLL.
LoggingAlphaOptions:aaaaaa LoggingBetaOptions:BBBBBB ManifestBasedAdmissionControlConfig:??..aB
MatchLabelKeysInPodAffinity:BLLLLL MatchLabelKeysInPodTopologySpread:BBBBBB
MatchLabelKeysInPodTopologySpreadSelectorMerge:..BBBB MaxUnavailableStatefulSet:aaabbB MemoryManager:LLLL..
MemoryQoS:aaaaaB MultiCIDRServiceAllocator:bGLLLL MutableCSINodeAllocatableCount:.abBLL MutablePVNodeAffinity:??.aaa
MutablePodResourcesForSuspendedJobs:??.aBB MutableSchedulingDirectivesForSuspendedJobs:??.aBB
MutatingAdmissionPolicy:aabbGG NFTablesNetlink:??...B NFTablesProxyMode:BLLLLL
NodeControllerLeaseCircuitBreaker:??...B NodeDeclaredFeatures:??.aBL NodeInclusionPolicyInPodTopologySpread:BLLLLL
NodeLifecycleConditions:??...a NodeLogQuery:bbbbLL NodeSwap:BBLLLL NominatedNodeNameForExpectation:..aBBB
OpenAPIEnums:BBBBBB OpportunisticBatching:??.BBB OrderedNamespaceDeletion:bBLLL. PLEGOnDemandRelist:??..BL
PersistentVolumeClaimUnusedSinceTime:??..aB PodAndContainerStatsFromCRI:aaaaab PodCertificateRequest:..abbG
PodDeletionCost:BBBBBB PodGroupPreemptionPolicy:??...a PodIndexLabel:LLL... PodLevelResourceManagers:??..ab
PodLevelResources:aaBBBB PodLevelResourcesFixDefaulting:??...B PodLevelResourcesFixKubeletQOSClass:??...B
PodLifecycleSleepAction:BBLLL. PodLifecycleSleepActionAllowZero:aBLLL. PodLogsQuerySplitStreams:aaaaaa
PodObservedGenerationTracking:.aBLLL PodReadyToStartContainersCondition:BBBBBL PodSchedulingReadiness:LLLLLL
PodTopologyLabelsAdmission:.aaBBB PodsAPI:??..aB PortForwardWebsockets:BBBBBB PreferSameTrafficDistribution:.aBLLL
PreventStaticPodAPIReferences:..BBB. ProbeHostPodSecurityStandards:..L... ProcMountType:bBBBLL QOSReserved:aaaaaa
RecoverVolumeExpansionFailure:BBLLLL RecursiveReadOnlyMounts:BLLLLL ReduceDefaultCrashLoopBackOffDecay:.aaaaa
RelaxedDNSSearchValidation:aBLLL. RelaxedEnvironmentVariableValidation:BBLLLL RelaxedServiceNameValidation:..aaBL
ReloadKubeletClientCAFile:??..BB ReloadKubeletServerCertificateFile:BBBBBB RemoteRequestHeaderUID:aBBBBB
ResilientWatchCacheInitialization:BBLLL. ResourceHealthStatus:aaaaBB ResourceHealthStatusMessage:??..BB
RestartAllContainersOnContainerExits:??.aBB RetryGenerateName:LLLLL. RotateKubeletServerCertificate:BBBBBB
RuntimeClassInImageCriApi:aaaaaa SELinuxChangePolicy:aBBBLL SELinuxMount:abbbbG SELinuxMountReadWriteOncePod:BBBBLL
SchedulerAsyncAPICalls:..bbbb SchedulerAsyncPreemption:aBBBBB SchedulerPopFromBackoffQ:.BBBBB
SchedulerPreQueueingHints:??...a SchedulerQueueingHints:BBLLL. SeparateCacheWatchRPC:Bdddxx
SeparateTaintEvictionController:BBLLLL ServiceAccountNodeAudienceRestriction:bBBBBB ServiceAccountTokenJTI:LLLLLL
ServiceAccountTokenNodeBinding:BLLLLL ServiceAccountTokenNodeBindingValidation:LLLLLL
ServiceAccountTokenPodNodeInfo:LLLLLL ServiceCIDRStatusFieldWiping:??..DD ServiceTrafficDistribution:BLLL..
ShardedListAndWatch:??..aa SidecarContainers:BLLLL. SizeBasedListCostEstimate:..BBBB SizeMemoryBackedVolumes:LLL...
StaleControllerConsistencyDaemonSet:??..BB StaleControllerConsistencyHPA:??...B StaleControllerConsistencyJob:??..BB
StaleControllerConsistencyReplicaSet:??..BB StaleControllerConsistencyStatefulSet:??..BB
StatefulSetAutoDeletePVC:LLL... StatefulSetRecreateStrategy:??...a StatefulSetSemanticRevisionComparison:BBBBBB
StorageCapacityScoring:.aaaaB StorageNamespaceIndex:BDDDDD StorageVersionAPI:aaaaaa StorageVersionHash:BBBBBB
StorageVersionMigrator:aaabbG StreamingCollectionEncodingToJSON:.BLLL. StreamingCollectionEncodingToProtobuf:.BLLL.
StrictCostEnforcementForVAP:LLL... StrictCostEnforcementForWebhooks:LLL... StrictIPCIDRValidation:.aaaBB
StructuredAuthenticationConfiguration:BBLLL. StructuredAuthenticationConfigurationEgressSelector:..BBBB
StructuredAuthenticationConfigurationJWKSMetrics:??.BBB StructuredAuthorizationConfiguration:LLLL..
SupplementalGroupsPolicy:aBBLLL SystemdWatchdog:BBBLLL TaintTolerationComparisonOperators:??.aaa
TokenRequestServiceAccountUIDValidation:..BBBB TopologyAwareHints:BLLL.. TopologyAwareWorkloadScheduling:??..aa
TopologyManagerPolicyAlphaOptions:aaaaaa TopologyManagerPolicyBetaOptions:BBBBBB TopologyManagerPolicyOptions:GGGGLL
TranslateStreamCloseWebsocketRequests:BBBBBB UnauthenticatedHTTP2DOSMitigation:BBBBBB
UnknownVersionInteroperabilityProxy:aaaaBB UnlockWhileProcessingFIFO:??..BB UserNamespacesHostNetworkSupport:??.aaa
UserNamespacesPodSecurityStandards:aaa... UserNamespacesSupport:bBBBLL VolumeAttributesClass:bbGGLL
VolumeBindMountOptions:??...a VolumeLimitScaling:??.aaB WatchCacheInitializationPostStartHook:bbbbBL
WatchFromStorageWithoutResourceVersion:bxxx.. WatchList:BbBBBB WatchListClient:bbbBBB WatchListCompression:??...B
WebhookRoundTripLoadBalancing:??...B WinDSR:aBLLLL WinOverlay:BBLLLL WindowsCPUAndMemoryAffinity:aaaaaa
WindowsGracefulNodeShutdown:aaBBBB WindowsHostNetwork:addddd WorkloadAwarePreemption:??..a. WorkloadWithJob:??..aa
"""

NEEDS = """
AuthorizeNodeWithSelectors>AuthorizeWithSelectors ClusterTrustBundleProjection>ClusterTrustBundle
CompositePodGroup>GenericWorkload,TopologyAwareWorkloadScheduling DRAAdminAccess>DynamicResourceAllocation
DRAConsumableCapacity>DynamicResourceAllocation DRADerivedAttributes>DynamicResourceAllocation
DRADeviceBindingConditions>DRAResourceClaimDeviceStatus,DynamicResourceAllocation
DRADeviceCompatibilityGroups>DRAPartitionableDevices,DynamicResourceAllocation DRADeviceTaintRules>DRADeviceTaints
DRADeviceTaints>DynamicResourceAllocation DRAExtendedResource>DynamicResourceAllocation
DRAFractionalCapacityRange>DRAConsumableCapacity DRAListTypeAttributes>DynamicResourceAllocation
DRANodeAllocatableResources>DynamicResourceAllocation
DRAOptionalNodeOperations>DynamicResourceAllocation,NodeDeclaredFeatures
DRAPartitionableDevices>DynamicResourceAllocation
DRAPartitionableDevicesType>DRAPartitionableDevices,DRAResourcePoolStatus,DynamicResourceAllocation
DRAPrioritizedList>DynamicResourceAllocation
DRAResourceClaimGranularStatusAuthorization>DRAResourceClaimDeviceStatus,DynamicResourceAllocation
DRAResourcePoolStatus>DynamicResourceAllocation DRASchedulerFilterTimeout>DynamicResourceAllocation
DRAWorkloadResourceClaims>DynamicResourceAllocation,GenericWorkload DeclarativeValidationBeta>DeclarativeValidation
DeclarativeValidationTakeover>DeclarativeValidation DisableAllocatorDualWrite>MultiCIDRServiceAllocator
EventedPLEG>PLEGOnDemandRelist@37 ExtendWebSocketsToKubelet>NodeDeclaredFeatures GangScheduling>GenericWorkload
GracefulNodeShutdownBasedOnPodPriority>GracefulNodeShutdown H2CContainerProbe>NodeDeclaredFeatures
ImageVolumeWithDigest>ImageVolume
InPlacePodLevelResourcesVerticalScaling>InPlacePodVerticalScaling,NodeDeclaredFeatures,PodLevelResources
InPlacePodVerticalScalingAllocatedStatus>InPlacePodVerticalScaling
InPlacePodVerticalScalingExclusiveCPUs>InPlacePodVerticalScaling
InPlacePodVerticalScalingExclusiveMemory>InPlacePodVerticalScaling,MemoryManager
InPlacePodVerticalScalingInitContainers>InPlacePodVerticalScaling,NodeDeclaredFeatures
InPlacePodVerticalScalingMemoryBackedVolumes>InPlacePodVerticalScaling,NodeDeclaredFeatures
InPlacePodVerticalScalingSchedulerPreemption>InPlacePodVerticalScaling
KubeletAllocatedPodsEndpoint>InPlacePodVerticalScaling
MatchLabelKeysInPodTopologySpreadSelectorMerge>MatchLabelKeysInPodTopologySpread
NodeControllerLeaseCircuitBreaker>AtomicFIFO PodCertificateRequest>AuthorizeNodeWithSelectors
PodGroupPreemptionPolicy>GenericWorkload PodLevelResourceManagers>PodLevelResources
PodLevelResourcesFixDefaulting>PodLevelResources PodLevelResourcesFixKubeletQOSClass>PodLevelResources
PodLifecycleSleepActionAllowZero>PodLifecycleSleepAction ProcMountType>UserNamespacesSupport
ResourceHealthStatus>DynamicResourceAllocation ResourceHealthStatusMessage>ResourceHealthStatus
RestartAllContainersOnContainerExits>ContainerRestartRules,NodeDeclaredFeatures
ServiceAccountTokenNodeBinding>ServiceAccountTokenNodeBindingValidation
StaleControllerConsistencyDaemonSet>AtomicFIFO StaleControllerConsistencyHPA>AtomicFIFO
StaleControllerConsistencyJob>AtomicFIFO StaleControllerConsistencyReplicaSet>AtomicFIFO
StaleControllerConsistencyStatefulSet>AtomicFIFO StorageVersionAPI>APIServerIdentity
StructuredAuthenticationConfigurationEgressSelector>StructuredAuthenticationConfiguration
StructuredAuthenticationConfigurationJWKSMetrics>StructuredAuthenticationConfiguration
TopologyAwareWorkloadScheduling>GenericWorkload UnknownVersionInteroperabilityProxy>APIServerIdentity
UserNamespacesHostNetworkSupport>NodeDeclaredFeatures@36,UserNamespacesSupport
WindowsCPUAndMemoryAffinity>MemoryManager WindowsGracefulNodeShutdown>GracefulNodeShutdown
WorkloadAwarePreemption>GangScheduling WorkloadWithJob>GenericWorkload
"""
