"""Field tables of the kinds that hold pod templates; written by tests/admission/make_schema.py, see ``schema.py``."""

from __future__ import annotations

TABLE = """\
[apps]
DaemonSet kind=string apiVersion=string metadata=meta.ObjectMeta spec=DaemonSetSpec status=DaemonSetStatus
DaemonSetCondition type=DaemonSetConditionType! status=core.ConditionStatus! lastTransitionTime=Time reason=string
  message=string
DaemonSetSpec selector=*meta.LabelSelector! template=core.PodTemplateSpec! updateStrategy=DaemonSetUpdateStrategy
  minReadySeconds=int32 revisionHistoryLimit=*int32
DaemonSetStatus currentNumberScheduled=int32! numberMisscheduled=int32! desiredNumberScheduled=int32!
  numberReady=int32! observedGeneration=int64 updatedNumberScheduled=int32 numberAvailable=int32
  numberUnavailable=int32 collisionCount=*int32 conditions=[]DaemonSetCondition
DaemonSetUpdateStrategy type=DaemonSetUpdateStrategyType rollingUpdate=*RollingUpdateDaemonSet
Deployment kind=string apiVersion=string metadata=meta.ObjectMeta spec=DeploymentSpec status=DeploymentStatus
DeploymentCondition type=DeploymentConditionType! status=core.ConditionStatus! lastUpdateTime=Time
  lastTransitionTime=Time reason=string message=string
DeploymentSpec replicas=*int32 selector=*meta.LabelSelector! template=core.PodTemplateSpec!
  strategy=DeploymentStrategy minReadySeconds=int32 revisionHistoryLimit=*int32 paused=bool
  progressDeadlineSeconds=*int32
DeploymentStatus observedGeneration=int64 replicas=int32 updatedReplicas=int32 readyReplicas=int32
  availableReplicas=int32 unavailableReplicas=int32 conditions=[]DeploymentCondition collisionCount=*int32
  terminatingReplicas=*int32@33
DeploymentStrategy type=DeploymentStrategyType rollingUpdate=*RollingUpdateDeployment
ReplicaSet kind=string apiVersion=string metadata=meta.ObjectMeta spec=ReplicaSetSpec status=ReplicaSetStatus
ReplicaSetCondition type=ReplicaSetConditionType! status=core.ConditionStatus! lastTransitionTime=Time reason=string
  message=string
ReplicaSetSpec replicas=*int32 minReadySeconds=int32 selector=*meta.LabelSelector! template=core.PodTemplateSpec
ReplicaSetStatus replicas=int32! fullyLabeledReplicas=int32 readyReplicas=int32 availableReplicas=int32
  observedGeneration=int64 conditions=[]ReplicaSetCondition terminatingReplicas=*int32@33
RollingUpdateDaemonSet maxUnavailable=*IntOrString maxSurge=*IntOrString
RollingUpdateDeployment maxUnavailable=*IntOrString maxSurge=*IntOrString
RollingUpdateStatefulSetStrategy partition=*int32 maxUnavailable=*IntOrString
StatefulSet kind=string apiVersion=string metadata=meta.ObjectMeta spec=StatefulSetSpec status=StatefulSetStatus
StatefulSetCondition type=StatefulSetConditionType! status=core.ConditionStatus! lastTransitionTime=Time
  reason=string message=string
StatefulSetOrdinals start=int32!
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted=PersistentVolumeClaimRetentionPolicyType
  whenScaled=PersistentVolumeClaimRetentionPolicyType
StatefulSetSpec replicas=*int32 selector=*meta.LabelSelector! template=core.PodTemplateSpec!
  volumeClaimTemplates=[]core.PersistentVolumeClaim serviceName=string! podManagementPolicy=PodManagementPolicyType
  updateStrategy=StatefulSetUpdateStrategy revisionHistoryLimit=*int32 minReadySeconds=int32
  persistentVolumeClaimRetentionPolicy=*StatefulSetPersistentVolumeClaimRetentionPolicy
  ordinals=*StatefulSetOrdinals
StatefulSetStatus observedGeneration=int64 replicas=int32! readyReplicas=int32 currentReplicas=int32
  updatedReplicas=int32 currentRevision=string updateRevision=string collisionCount=*int32
  conditions=[]StatefulSetCondition availableReplicas=int32!
StatefulSetUpdateStrategy type=StatefulSetUpdateStrategyType rollingUpdate=*RollingUpdateStatefulSetStrategy
DaemonSetConditionType:string
DaemonSetUpdateStrategyType:string
DeploymentConditionType:string
DeploymentStrategyType:string
PersistentVolumeClaimRetentionPolicyType:string
PodManagementPolicyType:string
ReplicaSetConditionType:string
StatefulSetConditionType:string
StatefulSetUpdateStrategyType:string
[batch]
CronJob kind=string apiVersion=string metadata=meta.ObjectMeta spec=CronJobSpec status=CronJobStatus
CronJobSpec schedule=string! timeZone=*string startingDeadlineSeconds=*int64 concurrencyPolicy=ConcurrencyPolicy
  suspend=*bool jobTemplate=JobTemplateSpec! successfulJobsHistoryLimit=*int32 failedJobsHistoryLimit=*int32
CronJobStatus active=[]core.ObjectReference lastScheduleTime=*Time lastSuccessfulTime=*Time
Job kind=string apiVersion=string metadata=meta.ObjectMeta spec=JobSpec status=JobStatus
JobCondition type=JobConditionType! status=core.ConditionStatus! lastProbeTime=Time lastTransitionTime=Time
  reason=string message=string
JobSchedulingConfiguration schedulingPolicy=*scheduling.WorkloadPodGroupSchedulingPolicy
  schedulingConstraints=*scheduling.WorkloadPodGroupSchedulingConstraints
  disruptionMode=*scheduling.WorkloadPodGroupDisruptionMode
  resourceClaims=[]scheduling.WorkloadPodGroupResourceClaim
JobSpec parallelism=*int32 completions=*int32 activeDeadlineSeconds=*int64 podFailurePolicy=*PodFailurePolicy
  successPolicy=*SuccessPolicy backoffLimit=*int32 backoffLimitPerIndex=*int32 maxFailedIndexes=*int32
  selector=*meta.LabelSelector manualSelector=*bool template=core.PodTemplateSpec! ttlSecondsAfterFinished=*int32
  completionMode=*CompletionMode suspend=*bool podReplacementPolicy=*PodReplacementPolicy managedBy=*string
  scheduling=*JobSchedulingConfiguration@37
JobStatus conditions=[]JobCondition startTime=*Time completionTime=*Time active=int32 succeeded=int32 failed=int32
  terminating=*int32 completedIndexes=string failedIndexes=*string uncountedTerminatedPods=*UncountedTerminatedPods
  ready=*int32
JobTemplateSpec metadata=meta.ObjectMeta spec=JobSpec
PodFailurePolicy rules=[]PodFailurePolicyRule!
PodFailurePolicyOnExitCodesRequirement containerName=*string operator=PodFailurePolicyOnExitCodesOperator!
  values=[]int32!
PodFailurePolicyOnPodConditionsPattern type=core.PodConditionType! status=core.ConditionStatus!
PodFailurePolicyRule action=PodFailurePolicyAction! onExitCodes=*PodFailurePolicyOnExitCodesRequirement
  onPodConditions=[]PodFailurePolicyOnPodConditionsPattern
SuccessPolicy rules=[]SuccessPolicyRule!
SuccessPolicyRule succeededIndexes=*string succeededCount=*int32
UncountedTerminatedPods succeeded=[]UID failed=[]UID
CompletionMode:string
ConcurrencyPolicy:string
JobConditionType:string
PodFailurePolicyAction:string
PodFailurePolicyOnExitCodesOperator:string
PodReplacementPolicy:string
[scheduling]
TopologyConstraint key=string!
WorkloadPodGroupAllDisruptionMode
WorkloadPodGroupBasicSchedulingPolicy
WorkloadPodGroupDisruptionMode single=*WorkloadPodGroupSingleDisruptionMode all=*WorkloadPodGroupAllDisruptionMode
WorkloadPodGroupGangSchedulingPolicy minCount=*int32
WorkloadPodGroupResourceClaim name=string! resourceClaimName=*string resourceClaimTemplateName=*string
WorkloadPodGroupSchedulingConstraints topology=[]TopologyConstraint
WorkloadPodGroupSchedulingPolicy basic=*WorkloadPodGroupBasicSchedulingPolicy
  gang=*WorkloadPodGroupGangSchedulingPolicy
WorkloadPodGroupSingleDisruptionMode
"""
