"""Field tables of Pods and what Pods are made of; written by tests/admission/make_schema.py, see ``schema.py``."""

from __future__ import annotations

TABLE = """\
[core]
AWSElasticBlockStoreVolumeSource volumeID=string! fsType=string partition=int32 readOnly=bool
Affinity nodeAffinity=*NodeAffinity podAffinity=*PodAffinity podAntiAffinity=*PodAntiAffinity
AppArmorProfile type=AppArmorProfileType! localhostProfile=*string
AzureDiskVolumeSource diskName=string! diskURI=string! cachingMode=*AzureDataDiskCachingMode fsType=*string
  readOnly=*bool kind=*AzureDataDiskKind
AzureFileVolumeSource secretName=string! shareName=string! readOnly=bool
CSIVolumeSource driver=string! readOnly=*bool fsType=*string volumeAttributes={}string
  nodePublishSecretRef=*LocalObjectReference
Capabilities add=[]Capability drop=[]Capability
CephFSVolumeSource monitors=[]string! path=string user=string secretFile=string secretRef=*LocalObjectReference
  readOnly=bool
CinderVolumeSource volumeID=string! fsType=string readOnly=bool secretRef=*LocalObjectReference
ClusterTrustBundleProjection name=*string signerName=*string labelSelector=*meta.LabelSelector optional=*bool
  path=string! user=*int64@37
ConfigMapEnvSource name=string^LocalObjectReference optional=*bool
ConfigMapKeySelector name=string^LocalObjectReference key=string! optional=*bool
ConfigMapProjection name=string^LocalObjectReference items=[]KeyToPath optional=*bool
ConfigMapVolumeSource name=string^LocalObjectReference items=[]KeyToPath defaultMode=*int32 optional=*bool
  defaultUser=*int64@37
Container name=string! image=string command=[]string args=[]string workingDir=string ports=[]ContainerPort
  envFrom=[]EnvFromSource env=[]EnvVar resources=ResourceRequirements resizePolicy=[]ContainerResizePolicy
  restartPolicy=*ContainerRestartPolicy volumeMounts=[]VolumeMount volumeDevices=[]VolumeDevice livenessProbe=*Probe
  readinessProbe=*Probe startupProbe=*Probe lifecycle=*Lifecycle terminationMessagePath=string
  terminationMessagePolicy=TerminationMessagePolicy imagePullPolicy=PullPolicy securityContext=*SecurityContext
  stdin=bool stdinOnce=bool tty=bool restartPolicyRules=[]ContainerRestartRule@34
ContainerExtendedResourceRequest containerName=string! resourceName=string! requestName=string!
ContainerPort name=string hostPort=int32 containerPort=int32! protocol=Protocol hostIP=string
ContainerResizePolicy resourceName=ResourceName! restartPolicy=ResourceResizeRestartPolicy!
ContainerRestartRule action=ContainerRestartRuleAction exitCodes=*ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator=ContainerRestartRuleOnExitCodesOperator values=[]int32
ContainerState waiting=*ContainerStateWaiting running=*ContainerStateRunning terminated=*ContainerStateTerminated
ContainerStateRunning startedAt=Time
ContainerStateTerminated exitCode=int32! signal=int32 reason=string message=string startedAt=Time finishedAt=Time
  containerID=string
ContainerStateWaiting reason=string message=string
ContainerStatus name=string! state=ContainerState lastState=ContainerState ready=bool! restartCount=int32!
  image=string! imageID=string! containerID=string started=*bool allocatedResources=ResourceList
  resources=*ResourceRequirements volumeMounts=[]VolumeMountStatus user=*ContainerUser
  allocatedResourcesStatus=[]ResourceStatus stopSignal=*Signal@33
ContainerUser linux=*LinuxContainerUser
DownwardAPIProjection items=[]DownwardAPIVolumeFile
DownwardAPIVolumeFile path=string! fieldRef=*ObjectFieldSelector resourceFieldRef=*ResourceFieldSelector mode=*int32
  user=*int64@37
DownwardAPIVolumeSource items=[]DownwardAPIVolumeFile defaultMode=*int32 defaultUser=*int64@37
EmptyDirVolumeSource medium=StorageMedium sizeLimit=*Quantity mode=*int32@37
EnvFromSource prefix=string configMapRef=*ConfigMapEnvSource secretRef=*SecretEnvSource
EnvVar name=string! value=string valueFrom=*EnvVarSource
EnvVarSource fieldRef=*ObjectFieldSelector resourceFieldRef=*ResourceFieldSelector
  configMapKeyRef=*ConfigMapKeySelector secretKeyRef=*SecretKeySelector fileKeyRef=*FileKeySelector@34
EphemeralContainer name=string!^EphemeralContainerCommon image=string^EphemeralContainerCommon
  command=[]string^EphemeralContainerCommon args=[]string^EphemeralContainerCommon
  workingDir=string^EphemeralContainerCommon ports=[]ContainerPort^EphemeralContainerCommon
  envFrom=[]EnvFromSource^EphemeralContainerCommon env=[]EnvVar^EphemeralContainerCommon
  resources=ResourceRequirements^EphemeralContainerCommon
  resizePolicy=[]ContainerResizePolicy^EphemeralContainerCommon
  restartPolicy=*ContainerRestartPolicy^EphemeralContainerCommon volumeMounts=[]VolumeMount^EphemeralContainerCommon
  volumeDevices=[]VolumeDevice^EphemeralContainerCommon livenessProbe=*Probe^EphemeralContainerCommon
  readinessProbe=*Probe^EphemeralContainerCommon startupProbe=*Probe^EphemeralContainerCommon
  lifecycle=*Lifecycle^EphemeralContainerCommon terminationMessagePath=string^EphemeralContainerCommon
  terminationMessagePolicy=TerminationMessagePolicy^EphemeralContainerCommon
  imagePullPolicy=PullPolicy^EphemeralContainerCommon securityContext=*SecurityContext^EphemeralContainerCommon
  stdin=bool^EphemeralContainerCommon stdinOnce=bool^EphemeralContainerCommon tty=bool^EphemeralContainerCommon
  targetContainerName=string restartPolicyRules=[]ContainerRestartRule^EphemeralContainerCommon@34
EphemeralVolumeSource volumeClaimTemplate=*PersistentVolumeClaimTemplate
EvictionResponder name=string! priority=*int32!
ExecAction command=[]string
FCVolumeSource targetWWNs=[]string lun=*int32 fsType=string readOnly=bool wwids=[]string
FileKeySelector volumeName=string! path=string! key=string! optional=*bool
FlexVolumeSource driver=string! fsType=string secretRef=*LocalObjectReference readOnly=bool options={}string
FlockerVolumeSource datasetName=string datasetUUID=string
GCEPersistentDiskVolumeSource pdName=string! fsType=string partition=int32 readOnly=bool
GRPCAction port=int32! service=*string! mode=*GRPCProbeMode@37
GitRepoVolumeSource repository=string! revision=string directory=string
GlusterfsVolumeSource endpoints=string! path=string! readOnly=bool
HTTPGetAction path=string port=IntOrString! host=string scheme=URIScheme httpHeaders=[]HTTPHeader
  protocol=*HTTPProtocol@37
HTTPHeader name=string! value=string!
HostAlias ip=string! hostnames=[]string
HostIP ip=string!
HostPathVolumeSource path=string! type=*HostPathType
ISCSIVolumeSource targetPortal=string! iqn=string! lun=int32! iscsiInterface=string fsType=string readOnly=bool
  portals=[]string chapAuthDiscovery=bool chapAuthSession=bool secretRef=*LocalObjectReference initiatorName=*string
ImageVolumeSource reference=string pullPolicy=PullPolicy
ImageVolumeStatus imageRef=string
KeyToPath key=string! path=string! mode=*int32 user=*int64@37
Lifecycle postStart=*LifecycleHandler preStop=*LifecycleHandler stopSignal=*Signal@33
LifecycleHandler exec=*ExecAction httpGet=*HTTPGetAction tcpSocket=*TCPSocketAction sleep=*SleepAction
LinuxContainerUser uid=int64! gid=int64! supplementalGroups=[]int64
LocalObjectReference name=string
ModifyVolumeStatus targetVolumeAttributesClassName=string status=PersistentVolumeClaimModifyVolumeStatus!
NFSVolumeSource server=string! path=string! readOnly=bool
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution=*NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution=[]PreferredSchedulingTerm
NodeAllocatableMappedResources name=ResourceName! quantity=*Quantity!
NodeAllocatableOverheadResources name=ResourceName! perPod=*Quantity perContainer=*Quantity
NodeAllocatableResourceClaimStatus resourceClaimName=string! containers=[]string
  resources={ResourceName}Quantity!@-36 mapping=[]NodeAllocatableMappedResources@37
  overhead=[]NodeAllocatableOverheadResources@37
NodeSelector nodeSelectorTerms=[]NodeSelectorTerm!
NodeSelectorRequirement key=string! operator=NodeSelectorOperator! values=[]string
NodeSelectorTerm matchExpressions=[]NodeSelectorRequirement matchFields=[]NodeSelectorRequirement
ObjectFieldSelector apiVersion=string fieldPath=string!
ObjectReference kind=string namespace=string name=string uid=UID apiVersion=string resourceVersion=string
  fieldPath=string
PersistentVolumeClaim kind=string apiVersion=string metadata=meta.ObjectMeta spec=PersistentVolumeClaimSpec
  status=PersistentVolumeClaimStatus
PersistentVolumeClaimCondition type=PersistentVolumeClaimConditionType! status=ConditionStatus! lastProbeTime=Time
  lastTransitionTime=Time reason=string message=string
PersistentVolumeClaimSpec accessModes=[]PersistentVolumeAccessMode selector=*meta.LabelSelector
  resources=VolumeResourceRequirements volumeName=string storageClassName=*string volumeMode=*PersistentVolumeMode
  dataSource=*TypedLocalObjectReference dataSourceRef=*TypedObjectReference volumeAttributesClassName=*string
PersistentVolumeClaimStatus phase=PersistentVolumeClaimPhase accessModes=[]PersistentVolumeAccessMode
  capacity=ResourceList conditions=[]PersistentVolumeClaimCondition allocatedResources=ResourceList
  allocatedResourceStatuses={ResourceName}ClaimResourceStatus currentVolumeAttributesClassName=*string
  modifyVolumeStatus=*ModifyVolumeStatus healthStatus=*VolumeHealthStatus@37
PersistentVolumeClaimTemplate metadata=meta.ObjectMeta spec=PersistentVolumeClaimSpec!
PersistentVolumeClaimVolumeSource claimName=string! readOnly=bool
PhotonPersistentDiskVolumeSource pdID=string! fsType=string
Pod kind=string apiVersion=string metadata=meta.ObjectMeta spec=PodSpec status=PodStatus
PodAffinity requiredDuringSchedulingIgnoredDuringExecution=[]PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution=[]WeightedPodAffinityTerm
PodAffinityTerm labelSelector=*meta.LabelSelector namespaces=[]string topologyKey=string!
  namespaceSelector=*meta.LabelSelector matchLabelKeys=[]string mismatchLabelKeys=[]string
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution=[]PodAffinityTerm
  preferredDuringSchedulingIgnoredDuringExecution=[]WeightedPodAffinityTerm
PodCertificateProjection signerName=string keyType=string maxExpirationSeconds=*int32 credentialBundlePath=string
  keyPath=string certificateChainPath=string userAnnotations={}string@35 user=*int64@37
PodCondition type=PodConditionType! status=ConditionStatus! lastProbeTime=Time lastTransitionTime=Time reason=string
  message=string observedGeneration=int64@33
PodDNSConfig nameservers=[]string searches=[]string options=[]PodDNSConfigOption
PodDNSConfigOption name=string value=*string
PodExtendedResourceClaimStatus requestMappings=[]ContainerExtendedResourceRequest! resourceClaimName=string!
PodIP ip=string!
PodOS name=OSName!
PodReadinessGate conditionType=PodConditionType!
PodResourceClaim name=string! resourceClaimName=*string resourceClaimTemplateName=*string
PodResourceClaimStatus name=string! resourceClaimName=*string
PodSchedulingGate name=string!
PodSchedulingGroup podGroupName=*string
PodSecurityContext seLinuxOptions=*SELinuxOptions windowsOptions=*WindowsSecurityContextOptions runAsUser=*int64
  runAsGroup=*int64 runAsNonRoot=*bool supplementalGroups=[]int64 supplementalGroupsPolicy=*SupplementalGroupsPolicy
  fsGroup=*int64 sysctls=[]Sysctl fsGroupChangePolicy=*PodFSGroupChangePolicy seccompProfile=*SeccompProfile
  appArmorProfile=*AppArmorProfile seLinuxChangePolicy=*PodSELinuxChangePolicy
PodSpec volumes=[]Volume initContainers=[]Container containers=[]Container! ephemeralContainers=[]EphemeralContainer
  restartPolicy=RestartPolicy terminationGracePeriodSeconds=*int64 activeDeadlineSeconds=*int64 dnsPolicy=DNSPolicy
  nodeSelector={}string serviceAccountName=string serviceAccount=string automountServiceAccountToken=*bool
  nodeName=string hostNetwork=bool hostPID=bool hostIPC=bool shareProcessNamespace=*bool
  securityContext=*PodSecurityContext imagePullSecrets=[]LocalObjectReference hostname=string subdomain=string
  affinity=*Affinity schedulerName=string tolerations=[]Toleration hostAliases=[]HostAlias priorityClassName=string
  priority=*int32 dnsConfig=*PodDNSConfig readinessGates=[]PodReadinessGate runtimeClassName=*string
  enableServiceLinks=*bool preemptionPolicy=*PreemptionPolicy overhead=ResourceList
  topologySpreadConstraints=[]TopologySpreadConstraint setHostnameAsFQDN=*bool os=*PodOS hostUsers=*bool
  schedulingGates=[]PodSchedulingGate resourceClaims=[]PodResourceClaim resources=*ResourceRequirements
  hostnameOverride=*string@34 workloadRef=*WorkloadReference@35-35 schedulingGroup=*PodSchedulingGroup@36
  evictionResponders=[]EvictionResponder@37
PodStatus phase=PodPhase conditions=[]PodCondition message=string reason=string nominatedNodeName=string
  hostIP=string hostIPs=[]HostIP podIP=string podIPs=[]PodIP startTime=*Time initContainerStatuses=[]ContainerStatus
  containerStatuses=[]ContainerStatus qosClass=PodQOSClass ephemeralContainerStatuses=[]ContainerStatus
  resize=PodResizeStatus resourceClaimStatuses=[]PodResourceClaimStatus observedGeneration=int64@33
  extendedResourceClaimStatus=*PodExtendedResourceClaimStatus@34 allocatedResources=ResourceList@35
  resources=*ResourceRequirements@35 nodeAllocatableResourceClaimStatuses=[]NodeAllocatableResourceClaimStatus@36
  volumeHealth=[]PodVolumeHealth@37
PodTemplate kind=string apiVersion=string metadata=meta.ObjectMeta template=PodTemplateSpec
PodTemplateSpec metadata=meta.ObjectMeta spec=PodSpec
PodVolumeHealth name=string! healthConditions=[]VolumeHealthCondition lastTransitionTime=Time
PortworxVolumeSource volumeID=string! fsType=string readOnly=bool
PreferredSchedulingTerm weight=int32! preference=NodeSelectorTerm!
Probe exec=*ExecAction^ProbeHandler httpGet=*HTTPGetAction^ProbeHandler tcpSocket=*TCPSocketAction^ProbeHandler
  grpc=*GRPCAction^ProbeHandler initialDelaySeconds=int32 timeoutSeconds=int32 periodSeconds=int32
  successThreshold=int32 failureThreshold=int32 terminationGracePeriodSeconds=*int64
ProjectedVolumeSource sources=[]VolumeProjection! defaultMode=*int32 defaultUser=*int64@37
QuobyteVolumeSource registry=string! volume=string! readOnly=bool user=string group=string tenant=string
RBDVolumeSource monitors=[]string! image=string! fsType=string pool=string user=string keyring=string
  secretRef=*LocalObjectReference readOnly=bool
ReplicationController kind=string apiVersion=string metadata=meta.ObjectMeta spec=ReplicationControllerSpec
  status=ReplicationControllerStatus
ReplicationControllerCondition type=ReplicationControllerConditionType! status=ConditionStatus!
  lastTransitionTime=Time reason=string message=string
ReplicationControllerSpec replicas=*int32 minReadySeconds=int32 selector={}string template=*PodTemplateSpec
ReplicationControllerStatus replicas=int32! fullyLabeledReplicas=int32 readyReplicas=int32 availableReplicas=int32
  observedGeneration=int64 conditions=[]ReplicationControllerCondition
ResourceClaim name=string! request=string
ResourceFieldSelector containerName=string resource=string! divisor=Quantity
ResourceHealth resourceID=ResourceID! health=ResourceHealthStatus message=*string@36
ResourceRequirements limits=ResourceList requests=ResourceList claims=[]ResourceClaim
ResourceStatus name=ResourceName! resources=[]ResourceHealth
SELinuxOptions user=string role=string type=string level=string
ScaleIOVolumeSource gateway=string! system=string! secretRef=*LocalObjectReference! sslEnabled=bool
  protectionDomain=string storagePool=string storageMode=string volumeName=string fsType=string readOnly=bool
SeccompProfile type=SeccompProfileType! localhostProfile=*string
SecretEnvSource name=string^LocalObjectReference optional=*bool
SecretKeySelector name=string^LocalObjectReference key=string! optional=*bool
SecretProjection name=string^LocalObjectReference items=[]KeyToPath optional=*bool
SecretVolumeSource secretName=string items=[]KeyToPath defaultMode=*int32 optional=*bool defaultUser=*int64@37
SecurityContext capabilities=*Capabilities privileged=*bool seLinuxOptions=*SELinuxOptions
  windowsOptions=*WindowsSecurityContextOptions runAsUser=*int64 runAsGroup=*int64 runAsNonRoot=*bool
  readOnlyRootFilesystem=*bool allowPrivilegeEscalation=*bool procMount=*ProcMountType
  seccompProfile=*SeccompProfile appArmorProfile=*AppArmorProfile
ServiceAccountTokenProjection audience=string expirationSeconds=*int64 path=string! user=*int64@37
SleepAction seconds=int64!
StorageOSVolumeSource volumeName=string volumeNamespace=string fsType=string readOnly=bool
  secretRef=*LocalObjectReference
Sysctl name=string! value=string!
TCPSocketAction port=IntOrString! host=string
Toleration key=string operator=TolerationOperator value=string effect=TaintEffect tolerationSeconds=*int64
TopologySpreadConstraint maxSkew=int32! topologyKey=string! whenUnsatisfiable=UnsatisfiableConstraintAction!
  labelSelector=*meta.LabelSelector minDomains=*int32 nodeAffinityPolicy=*NodeInclusionPolicy
  nodeTaintsPolicy=*NodeInclusionPolicy matchLabelKeys=[]string
TypedLocalObjectReference apiGroup=*string! kind=string! name=string!
TypedObjectReference apiGroup=*string! kind=string! name=string! namespace=*string
Volume name=string! hostPath=*HostPathVolumeSource^VolumeSource emptyDir=*EmptyDirVolumeSource^VolumeSource
  gcePersistentDisk=*GCEPersistentDiskVolumeSource^VolumeSource
  awsElasticBlockStore=*AWSElasticBlockStoreVolumeSource^VolumeSource gitRepo=*GitRepoVolumeSource^VolumeSource
  secret=*SecretVolumeSource^VolumeSource nfs=*NFSVolumeSource^VolumeSource iscsi=*ISCSIVolumeSource^VolumeSource
  glusterfs=*GlusterfsVolumeSource^VolumeSource
  persistentVolumeClaim=*PersistentVolumeClaimVolumeSource^VolumeSource rbd=*RBDVolumeSource^VolumeSource
  flexVolume=*FlexVolumeSource^VolumeSource cinder=*CinderVolumeSource^VolumeSource
  cephfs=*CephFSVolumeSource^VolumeSource flocker=*FlockerVolumeSource^VolumeSource
  downwardAPI=*DownwardAPIVolumeSource^VolumeSource fc=*FCVolumeSource^VolumeSource
  azureFile=*AzureFileVolumeSource^VolumeSource configMap=*ConfigMapVolumeSource^VolumeSource
  vsphereVolume=*VsphereVirtualDiskVolumeSource^VolumeSource quobyte=*QuobyteVolumeSource^VolumeSource
  azureDisk=*AzureDiskVolumeSource^VolumeSource photonPersistentDisk=*PhotonPersistentDiskVolumeSource^VolumeSource
  projected=*ProjectedVolumeSource^VolumeSource portworxVolume=*PortworxVolumeSource^VolumeSource
  scaleIO=*ScaleIOVolumeSource^VolumeSource storageos=*StorageOSVolumeSource^VolumeSource
  csi=*CSIVolumeSource^VolumeSource ephemeral=*EphemeralVolumeSource^VolumeSource
  image=*ImageVolumeSource^VolumeSource
VolumeDevice name=string! devicePath=string!
VolumeHealthCondition status=VolumeHealthStatusType! reason=string! message=string
VolumeHealthStatus healthConditions=[]VolumeHealthCondition lastTransitionTime=Time
VolumeMount name=string! readOnly=bool recursiveReadOnly=*RecursiveReadOnlyMode mountPath=string! subPath=string
  mountPropagation=*MountPropagationMode subPathExpr=string bindMountOptions=[]string@37
VolumeMountStatus name=string! mountPath=string! readOnly=bool recursiveReadOnly=*RecursiveReadOnlyMode
  volumeStatus=*VolumeStatus@36
VolumeProjection secret=*SecretProjection downwardAPI=*DownwardAPIProjection configMap=*ConfigMapProjection
  serviceAccountToken=*ServiceAccountTokenProjection clusterTrustBundle=*ClusterTrustBundleProjection
  podCertificate=*PodCertificateProjection@34
VolumeResourceRequirements limits=ResourceList requests=ResourceList
VolumeStatus image=*ImageVolumeStatus
VsphereVirtualDiskVolumeSource volumePath=string! fsType=string storagePolicyName=string storagePolicyID=string
WeightedPodAffinityTerm weight=int32! podAffinityTerm=PodAffinityTerm!
WindowsSecurityContextOptions gmsaCredentialSpecName=*string gmsaCredentialSpec=*string runAsUserName=*string
  hostProcess=*bool
WorkloadReference name=string! podGroup=string! podGroupReplicaKey=string
AppArmorProfileType:string
AzureDataDiskCachingMode:string
AzureDataDiskKind:string
Capability:string
ClaimResourceStatus:string
ConditionStatus:string
ContainerRestartPolicy:string
ContainerRestartRuleAction:string
ContainerRestartRuleOnExitCodesOperator:string
DNSPolicy:string
GRPCProbeMode:string
HTTPProtocol:string
HostPathType:string
MountPropagationMode:string
NodeInclusionPolicy:string
NodeSelectorOperator:string
OSName:string
PersistentVolumeAccessMode:string
PersistentVolumeClaimConditionType:string
PersistentVolumeClaimModifyVolumeStatus:string
PersistentVolumeClaimPhase:string
PersistentVolumeMode:string
PodConditionType:string
PodFSGroupChangePolicy:string
PodPhase:string
PodQOSClass:string
PodResizeStatus:string
PodSELinuxChangePolicy:string
PreemptionPolicy:string
ProcMountType:string
Protocol:string
PullPolicy:string
RecursiveReadOnlyMode:string
ReplicationControllerConditionType:string
ResourceHealthStatus:string
ResourceID:string
ResourceList:{ResourceName}Quantity
ResourceName:string
ResourceResizeRestartPolicy:string
RestartPolicy:string
SeccompProfileType:string
Signal:string
StorageMedium:string
SupplementalGroupsPolicy:string
TaintEffect:string
TerminationMessagePolicy:string
TolerationOperator:string
URIScheme:string
UnsatisfiableConstraintAction:string
VolumeHealthStatusType:string
"""
