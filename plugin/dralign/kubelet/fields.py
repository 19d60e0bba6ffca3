"""The fields of KubeletConfiguration (``kubelet.config.k8s.io/v1beta1``, 1.37) and of what it holds.

A row is a struct: its name in Go, then ``field=shape``. A shape is a scalar (``string bool int32 int64 uint32 float64``), a
value with a reader of its own (``Duration Quantity Time`` and ``Flush``: a duration as text or in nanoseconds), a struct,
``[]shape``, ``{}shape`` for a map with text keys, or ``*shape`` where absent and zero are different things.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = "v1beta1.KubeletConfiguration"
SCALARS = frozenset(("string", "bool", "int32", "int64", "uint32", "float64"))

_TABLE = """
v1beta1.KubeletConfiguration
 kind=string apiVersion=string
 enableServer=*bool staticPodPath=string podLogsDir=string syncFrequency=Duration fileCheckFrequency=Duration
 httpCheckFrequency=Duration staticPodURL=string staticPodURLHeader={}[]string address=string port=int32
 readOnlyPort=int32 tlsCertFile=string tlsPrivateKeyFile=string tlsCipherSuites=[]string tlsCurvePreferences=[]int32
 tlsMinVersion=string rotateCertificates=bool serverTLSBootstrap=bool authentication=v1beta1.KubeletAuthentication
 authorization=v1beta1.KubeletAuthorization registryPullQPS=*int32 registryBurst=int32
 imagePullCredentialsVerificationPolicy=string preloadedImagesVerificationAllowlist=[]string eventRecordQPS=*int32
 eventBurst=int32 enableDebuggingHandlers=*bool enableContentionProfiling=bool healthzPort=*int32
 healthzBindAddress=string oomScoreAdj=*int32 clusterDomain=string clusterDNS=[]string
 streamingConnectionIdleTimeout=Duration nodeStatusUpdateFrequency=Duration nodeStatusReportFrequency=Duration
 nodeLeaseDurationSeconds=int32 imageMinimumGCAge=Duration imageMaximumGCAge=Duration
 imageGCHighThresholdPercent=*int32 imageGCLowThresholdPercent=*int32 volumeStatsAggPeriod=Duration
 kubeletCgroups=string systemCgroups=string cgroupRoot=string cgroupsPerQOS=*bool cgroupDriver=string
 cpuManagerPolicy=string singleProcessOOMKill=*bool cpuManagerPolicyOptions={}string
 cpuManagerReconcilePeriod=Duration memoryManagerPolicy=string topologyManagerPolicy=string
 topologyManagerScope=string topologyManagerPolicyOptions={}string qosReserved={}string
 runtimeRequestTimeout=Duration hairpinMode=string maxPods=int32 podCIDR=string podPidsLimit=*int64
 resolvConf=*string runOnce=bool cpuCFSQuota=*bool cpuCFSQuotaPeriod=*Duration nodeStatusMaxImages=*int32
 maxOpenFiles=int64 contentType=string kubeAPIQPS=*int32 kubeAPIBurst=int32 serializeImagePulls=*bool
 maxParallelImagePulls=*int32 evictionHard={}string evictionSoft={}string evictionSoftGracePeriod={}string
 evictionPressureTransitionPeriod=Duration evictionMaxPodGracePeriod=int32 evictionMinimumReclaim={}string
 mergeDefaultEvictionSettings=*bool podsPerCore=int32 enableControllerAttachDetach=*bool protectKernelDefaults=bool
 makeIPTablesUtilChains=*bool iptablesMasqueradeBit=*int32 iptablesDropBit=*int32 featureGates={}bool failSwapOn=*bool
 memorySwap=v1beta1.MemorySwapConfiguration containerLogMaxSize=string containerLogMaxFiles=*int32
 containerLogMaxWorkers=*int32 containerLogMonitorInterval=*Duration
 configMapAndSecretChangeDetectionStrategy=string systemReserved={}string kubeReserved={}string
 reservedSystemCPUs=string showHiddenMetricsForVersion=string systemReservedCgroup=string kubeReservedCgroup=string
 enforceNodeAllocatable=[]string allowedUnsafeSysctls=[]string defaultPodSysctls={}string volumePluginDir=string
 providerID=string kernelMemcgNotification=bool logging=v1.LoggingConfiguration enableSystemLogHandler=*bool
 enableSystemLogQuery=*bool shutdownGracePeriod=Duration shutdownGracePeriodCriticalPods=Duration
 shutdownGracePeriodByPodPriority=[]v1beta1.ShutdownGracePeriodByPodPriority
 crashLoopBackOff=v1beta1.CrashLoopBackOffConfig reservedMemory=[]v1beta1.MemoryReservation
 enableProfilingHandler=*bool enableDebugFlagsHandler=*bool seccompDefault=*bool memoryThrottlingFactor=*float64
 memoryReservationPolicy=string registerWithTaints=[]v1.Taint registerNode=*bool tracing=*v1.TracingConfiguration
 localStorageCapacityIsolation=*bool containerRuntimeEndpoint=string imageServiceEndpoint=string failCgroupV1=*bool
 userNamespaces=*v1beta1.UserNamespaces
v1beta1.KubeletAuthentication
 x509=v1beta1.KubeletX509Authentication webhook=v1beta1.KubeletWebhookAuthentication
 anonymous=v1beta1.KubeletAnonymousAuthentication
v1beta1.KubeletX509Authentication clientCAFile=string
v1beta1.KubeletWebhookAuthentication enabled=*bool cacheTTL=Duration
v1beta1.KubeletAnonymousAuthentication enabled=*bool
v1beta1.KubeletAuthorization mode=string webhook=v1beta1.KubeletWebhookAuthorization
v1beta1.KubeletWebhookAuthorization cacheAuthorizedTTL=Duration cacheUnauthorizedTTL=Duration
v1beta1.MemorySwapConfiguration swapBehavior=string
v1beta1.ShutdownGracePeriodByPodPriority priority=int32 shutdownGracePeriodSeconds=int64
v1beta1.CrashLoopBackOffConfig maxContainerRestartPeriod=*Duration
v1beta1.MemoryReservation numaNode=int32 limits={}Quantity
v1beta1.UserNamespaces idsPerPod=*int64
v1.Taint key=string value=string effect=string timeAdded=*Time
v1.TracingConfiguration endpoint=*string samplingRatePerMillion=*int32
v1.LoggingConfiguration
 format=string flushFrequency=Flush verbosity=uint32 vmodule=[]v1.VModuleItem options=v1.FormatOptions
v1.VModuleItem filePattern=string verbosity=uint32
v1.FormatOptions text=v1.TextOptions json=v1.JSONOptions
v1.TextOptions splitStream=bool infoBufferSize=Quantity
v1.JSONOptions splitStream=bool infoBufferSize=Quantity
"""

_structs: dict[str, dict[str, str]] = {}


def fields_of(struct: str) -> Mapping[str, str]:
    """Return the fields of a struct with their shapes; KeyError if there is no such struct."""
    if not _structs:
        name = ""
        for word in _TABLE.split():
            field, equals, shape = word.partition("=")
            if equals:
                _structs[name][field] = shape
            else:
                name = word
                _structs[name] = {}
    return _structs[struct]


def go_name(shape: str) -> str:
    """Return what messages call a shape: ``map[string]string``, ``[]v1beta1.MemoryReservation``."""
    return shape.lstrip("*").replace("{}", "map[string]")
