"""Kinds of training and batch operators: JobSet, Ray, Kubeflow, SageMaker HyperPod.

Beside each row: where its fields were read, as repository@commit:path, or the corpus folder that has such objects.
"""

from __future__ import annotations

from dralign.kinds.row import BATCH, NO_CLASS, SERVING, TRAINING, PodTemplate, ResourceBlock, WorkloadKind


def _jobset(*spec: str) -> PodTemplate:
    """Return the pods of a JobSet spec: as many jobs as replicas, as many pods in each as its parallelism."""
    job = (*spec, "replicatedJobs", "*")
    return PodTemplate(
        (*job, "template", "spec", "template"), replicas=((*job, "replicas"), (*job, "template", "spec", "parallelism"))
    )


def _ray_cluster(*spec: str) -> tuple[PodTemplate, ...]:
    """Return head and workers of a RayClusterSpec; an autoscaler may change the number of workers later."""
    worker = (*spec, "workerGroupSpecs", "*")
    return (
        PodTemplate((*spec, "headGroupSpec", "template")),
        PodTemplate((*worker, "template"), replicas=((*worker, "replicas"), (*worker, "numOfHosts"))),
    )


def _ray_job(*spec: str) -> tuple[PodTemplate, ...]:
    return (*_ray_cluster(*spec, "rayClusterSpec"), PodTemplate((*spec, "submitterPodTemplate")))


def _replica_specs(kind: str, field: str) -> WorkloadKind:
    """Return a job of the training operator: a map from role to ReplicaSpec."""
    role = ("spec", field, "*")
    return WorkloadKind(
        "kubeflow.org", kind, TRAINING, (PodTemplate((*role, "template"), replicas=((*role, "replicas"),)),)
    )


KINDS = (
    # kubernetes-sigs/jobset@0336a8fd api/jobset/v1alpha2/jobset_types.go: ReplicatedJob.
    # Corpus: kubernetes-sigs__jobset.
    WorkloadKind("jobset.x-k8s.io", "JobSet", TRAINING, (_jobset("spec"),)),
    # ray-project/kuberay@026f1433 ray-operator/apis/ray/v1/raycluster_types.go. Corpus: ray-project__kuberay.
    WorkloadKind("ray.io", "RayCluster", NO_CLASS, _ray_cluster("spec")),
    # …@0057210e rayjob_types.go; the field is called rayClusterSpec
    WorkloadKind("ray.io", "RayJob", BATCH, _ray_job("spec")),
    # …@027ccaf8 raycronjob_types.go: jobTemplate is a RayJobSpec
    WorkloadKind("ray.io", "RayCronJob", BATCH, _ray_job("spec", "jobTemplate")),
    # …@00741298 rayservice_types.go; here the field is called rayClusterConfig
    WorkloadKind("ray.io", "RayService", SERVING, _ray_cluster("spec", "rayClusterConfig")),
    # kubeflow/training-operator@186ac6c6 pkg/apis/kubeflow.org/v1/common_types.go (ReplicaSpec), *_types.go (fields).
    # Corpus: aws-samples__awsome-distributed-training.
    _replica_specs("PyTorchJob", "pytorchReplicaSpecs"),
    _replica_specs("TFJob", "tfReplicaSpecs"),
    _replica_specs("XGBoostJob", "xgbReplicaSpecs"),
    _replica_specs("PaddleJob", "paddleReplicaSpecs"),
    _replica_specs("MXJob", "mxReplicaSpecs"),
    _replica_specs("JAXJob", "jaxReplicaSpecs"),
    # kubeflow/mpi-operator@013fa15b pkg/apis/kubeflow/v2beta1/types.go. Corpus: kubernetes-sigs__dranet.
    _replica_specs("MPIJob", "mpiReplicaSpecs"),
    # kubeflow/trainer@0015772c pkg/apis/trainer/v1alpha1/trainjob_types.go: pods come from the runtime; patches
    # hold neither resources nor claims, the trainer block does.
    WorkloadKind(
        "trainer.kubeflow.org",
        "TrainJob",
        TRAINING,
        resources=(ResourceBlock(("spec", "trainer", "resourcesPerNode")),),
    ),
    # …@022656ac trainingruntime_types.go: spec.template is a JobSet, completed by each TrainJob that refers to it
    *(
        WorkloadKind(
            "trainer.kubeflow.org",
            kind,
            TRAINING,
            (_jobset("spec", "template", "spec").replace(replicas=None, written=False),),
        )
        for kind in ("TrainingRuntime", "ClusterTrainingRuntime")
    ),
    # Corpus: aws-samples__awsome-distributed-training (llama3_1_8b-fsdp-hpto.yaml): replicaSpecs is a list here.
    WorkloadKind(
        "sagemaker.amazonaws.com",
        "HyperPodPyTorchJob",
        TRAINING,
        (
            PodTemplate(
                ("spec", "replicaSpecs", "*", "template"), replicas=(("spec", "replicaSpecs", "*", "replicas"),)
            ),
        ),
    ),
)
