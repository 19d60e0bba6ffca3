"""Field tables of resource.k8s.io in all its versions; written by tests/admission/make_schema.py, see ``schema.py``."""

from __future__ import annotations

TABLE = """\
[resource.v1]
AllocatedDeviceStatus driver=string! pool=string! device=string! shareID=*string conditions=[]meta.Condition!
  data=*RawExtension networkData=*NetworkDeviceData
AllocationResult devices=DeviceAllocationResult nodeSelector=*core.NodeSelector allocationTimestamp=*Time
CELDeviceSelector expression=string!
CapacityRequestPolicy default=*Quantity! validValues=[]Quantity validRange=*CapacityRequestPolicyRange
CapacityRequestPolicyRange min=*Quantity max=*Quantity step=*Quantity
CapacityRequirements requests={QualifiedName}Quantity
Counter value=Quantity!
CounterSet name=string! counters={}Counter
Device name=string! attributes={QualifiedName}DeviceAttribute capacity={QualifiedName}DeviceCapacity
  consumesCounters=[]DeviceCounterConsumption nodeName=*string nodeSelector=*core.NodeSelector allNodes=*bool
  taints=[]DeviceTaint bindsToNode=*bool bindingConditions=[]string bindingFailureConditions=[]string
  allowMultipleAllocations=*bool
  nodeAllocatableResourceMappings={core.ResourceName}NodeAllocatableResourceMapping@36-36
  nodeAllocatableResources={core.ResourceName}NodeAllocatableResource@37
DeviceAllocationConfiguration source=AllocationConfigSource! requests=[]string
  opaque=*OpaqueDeviceConfiguration^DeviceConfiguration
DeviceAllocationResult results=[]DeviceRequestAllocationResult config=[]DeviceAllocationConfiguration
DeviceAttribute int=*int64 bool=*bool string=*string version=*string ints=[]int64@36 bools=[]bool@36
  strings=[]string@36 versions=[]string@36
DeviceCapacity value=Quantity! requestPolicy=*CapacityRequestPolicy
DeviceClaim requests=[]DeviceRequest! constraints=[]DeviceConstraint config=[]DeviceClaimConfiguration
DeviceClaimConfiguration requests=[]string opaque=*OpaqueDeviceConfiguration^DeviceConfiguration
DeviceClass kind=string apiVersion=string metadata=meta.ObjectMeta spec=DeviceClassSpec!
DeviceClassConfiguration opaque=*OpaqueDeviceConfiguration^DeviceConfiguration
DeviceClassSpec selectors=[]DeviceSelector config=[]DeviceClassConfiguration extendedResourceName=*string
DeviceConstraint requests=[]string matchAttribute=*FullyQualifiedName distinctAttribute=*FullyQualifiedName
DeviceCounterConsumption counterSet=string! counters={}Counter compatibilityGroups=[]string@37
DeviceDerivedAttribute name=FullyQualifiedName! expression=string!
DeviceRequest name=string! exactly=*ExactDeviceRequest firstAvailable=[]DeviceSubRequest
DeviceRequestAllocationResult request=string! driver=string! pool=string! device=string! adminAccess=*bool
  tolerations=[]DeviceToleration bindingConditions=[]string bindingFailureConditions=[]string shareID=*UID
  consumedCapacity={QualifiedName}Quantity skipNodeOperations=[]SkipNodeOperation@37
DeviceSelector cel=*CELDeviceSelector
DeviceSubRequest name=string! deviceClassName=string! selectors=[]DeviceSelector allocationMode=DeviceAllocationMode
  count=int64 tolerations=[]DeviceToleration capacity=*CapacityRequirements
  derivedAttributes=[]DeviceDerivedAttribute@37
DeviceTaint key=string! value=string effect=DeviceTaintEffect! timeAdded=*Time
DeviceTaintRule kind=string apiVersion=string metadata=meta.ObjectMeta spec=DeviceTaintRuleSpec!
  status=DeviceTaintRuleStatus
DeviceTaintRuleSpec deviceSelector=*DeviceTaintSelector taint=DeviceTaint
DeviceTaintRuleStatus conditions=[]meta.Condition
DeviceTaintSelector driver=*string pool=*string device=*string
DeviceToleration key=string operator=DeviceTolerationOperator value=string effect=DeviceTaintEffect
  tolerationSeconds=*int64
ExactDeviceRequest deviceClassName=string! selectors=[]DeviceSelector allocationMode=DeviceAllocationMode
  count=int64 adminAccess=*bool tolerations=[]DeviceToleration capacity=*CapacityRequirements
  derivedAttributes=[]DeviceDerivedAttribute@37
NetworkDeviceData interfaceName=string ips=[]string hardwareAddress=string
NodeAllocatableMapping capacityKey=*QualifiedName capacityMultiplier=*Quantity deviceMultiplier=*Quantity
NodeAllocatableOverhead perPod=*Quantity perContainer=*Quantity
NodeAllocatableResource mapping=*NodeAllocatableMapping overhead=*NodeAllocatableOverhead
NodeAllocatableResourceMapping capacityKey=*QualifiedName allocationMultiplier=*Quantity
OpaqueDeviceConfiguration driver=string! parameters=RawExtension!
ResourceClaim kind=string apiVersion=string metadata=meta.ObjectMeta spec=ResourceClaimSpec!
  status=ResourceClaimStatus
ResourceClaimConsumerReference apiGroup=string resource=string! name=string! uid=UID!
ResourceClaimSpec devices=DeviceClaim!
ResourceClaimStatus allocation=*AllocationResult reservedFor=[]ResourceClaimConsumerReference
  devices=[]AllocatedDeviceStatus
ResourceClaimTemplate kind=string apiVersion=string metadata=meta.ObjectMeta spec=ResourceClaimTemplateSpec!
ResourceClaimTemplateSpec metadata=meta.ObjectMeta spec=ResourceClaimSpec!
ResourcePool name=string! generation=int64! resourceSliceCount=int64!
ResourceSlice kind=string apiVersion=string metadata=meta.ObjectMeta spec=ResourceSliceSpec!
ResourceSliceSpec driver=string! pool=ResourcePool! nodeName=*string nodeSelector=*core.NodeSelector allNodes=*bool
  devices=[]Device!@-34 devices=[]Device@35 perDeviceNodeSelection=*bool sharedCounters=[]CounterSet
  partitionTypeAttribute=*FullyQualifiedName@37 skipNodeOperations=[]SkipNodeOperation@37
AllocationConfigSource:string
DeviceAllocationMode:string
DeviceTaintEffect:string
DeviceTolerationOperator:string
FullyQualifiedName:string
QualifiedName:string
SkipNodeOperation:string
[resource.v1beta2]
AllocatedDeviceStatus driver=string! pool=string! device=string! conditions=[]meta.Condition! data=*RawExtension
  networkData=*NetworkDeviceData shareID=*string@34
AllocationResult devices=DeviceAllocationResult nodeSelector=*core.NodeSelector allocationTimestamp=*Time@34
Device name=string! attributes={QualifiedName}DeviceAttribute capacity={QualifiedName}DeviceCapacity
  consumesCounters=[]DeviceCounterConsumption nodeName=*string nodeSelector=*core.NodeSelector allNodes=*bool
  taints=[]DeviceTaint bindsToNode=*bool@34 bindingConditions=[]string@34 bindingFailureConditions=[]string@34
  allowMultipleAllocations=*bool@34
  nodeAllocatableResourceMappings={core.ResourceName}NodeAllocatableResourceMapping@36-36
  nodeAllocatableResources={core.ResourceName}NodeAllocatableResource@37
DeviceCapacity value=Quantity! requestPolicy=*CapacityRequestPolicy@34
DeviceClassSpec selectors=[]DeviceSelector config=[]DeviceClassConfiguration extendedResourceName=*string@34
DeviceConstraint requests=[]string matchAttribute=*FullyQualifiedName distinctAttribute=*FullyQualifiedName@34
DeviceRequestAllocationResult request=string! driver=string! pool=string! device=string! adminAccess=*bool!@-33
  adminAccess=*bool@34 tolerations=[]DeviceToleration bindingConditions=[]string@34
  bindingFailureConditions=[]string@34 shareID=*UID@34 consumedCapacity={QualifiedName}Quantity@34
  skipNodeOperations=[]SkipNodeOperation@37
DeviceSubRequest name=string! deviceClassName=string! selectors=[]DeviceSelector allocationMode=DeviceAllocationMode
  count=int64 tolerations=[]DeviceToleration capacity=*CapacityRequirements@34
  derivedAttributes=[]DeviceDerivedAttribute@37
ExactDeviceRequest deviceClassName=string! selectors=[]DeviceSelector allocationMode=DeviceAllocationMode
  count=int64 adminAccess=*bool tolerations=[]DeviceToleration capacity=*CapacityRequirements@34
  derivedAttributes=[]DeviceDerivedAttribute@37
[resource.v1beta1]
AllocatedDeviceStatus driver=string! pool=string! device=string! conditions=[]meta.Condition! data=RawExtension@-32
  data=*RawExtension@33 networkData=*NetworkDeviceData shareID=*string@34
BasicDevice attributes={QualifiedName}DeviceAttribute capacity={QualifiedName}DeviceCapacity
  consumesCounters=[]DeviceCounterConsumption@33 nodeName=*string@33 nodeSelector=*core.NodeSelector@33
  allNodes=*bool@33 taints=[]DeviceTaint@33 bindsToNode=*bool@34 bindingConditions=[]string@34
  bindingFailureConditions=[]string@34 allowMultipleAllocations=*bool@34
  nodeAllocatableResourceMappings={core.ResourceName}NodeAllocatableResourceMapping@36-36
  nodeAllocatableResources={core.ResourceName}NodeAllocatableResource@37
Device name=string! basic=*BasicDevice
DeviceRequest name=string! deviceClassName=string! selectors=[]DeviceSelector allocationMode=DeviceAllocationMode
  count=int64 adminAccess=*bool firstAvailable=[]DeviceSubRequest@33 tolerations=[]DeviceToleration@33
  capacity=*CapacityRequirements@34 derivedAttributes=[]DeviceDerivedAttribute@37
DeviceRequestAllocationResult request=string! driver=string! pool=string! device=string! adminAccess=*bool!@-33
  adminAccess=*bool@34 tolerations=[]DeviceToleration@33 bindingConditions=[]string@34
  bindingFailureConditions=[]string@34 shareID=*UID@34 consumedCapacity={QualifiedName}Quantity@34
  skipNodeOperations=[]SkipNodeOperation@37
ResourceSliceSpec driver=string! pool=ResourcePool! nodeName=string nodeSelector=*core.NodeSelector allNodes=bool
  devices=[]Device!@-34 devices=[]Device@35 perDeviceNodeSelection=*bool@33 sharedCounters=[]CounterSet@33
  partitionTypeAttribute=*FullyQualifiedName@37 skipNodeOperations=[]SkipNodeOperation@37
[resource.v1alpha3]
DeviceTaintRule kind=string apiVersion=string metadata=meta.ObjectMeta spec=DeviceTaintRuleSpec!
  status=DeviceTaintRuleStatus@35
DeviceTaintSelector deviceClassName=*string@-34 driver=*string pool=*string device=*string
  selectors=[]DeviceSelector@-34
"""
