"""Kinds: each row of the tables on a small manifest of its kind, and on all objects of the corpus."""

import os
from pathlib import Path

import pytest
import yaml

from dralign import kinds
from dralign.kinds.row import BATCH, NO_CLASS, SERVING, TRAINING

CORPUS = Path(os.environ.get("DRALIGN_TRUTH", Path(__file__).parents[2] / "shared")) / "corpus"

needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")


def dotted(path):
    return ".".join(str(step) for step in path)


def row_of(data):
    (row,) = kinds.rows_for(data["apiVersion"], data["kind"])
    return row


def summary(data):
    """Return what the table finds in an object, one line each: pod spec, number of pods, containers."""
    lines = []
    for found in kinds.find_templates(row_of(data), data):
        blocks = [*kinds.containers(found), *kinds.init_containers(found)]
        names = "+".join(container.get("name", "?") for _, container in blocks)
        lines.append(f"{dotted(found.spec_path)} x{kinds.replicas(found, data)} {names}")
    return lines


ORDINARY = (
    ("v1", "ReplicationController", SERVING),
    ("apps/v1", "Deployment", SERVING),
    ("apps/v1beta2", "Deployment", SERVING),
    ("apps/v1", "StatefulSet", SERVING),
    ("apps/v1", "ReplicaSet", SERVING),
    ("argoproj.io/v1alpha1", "Rollout", SERVING),
    ("apps.kruise.io/v1alpha1", "CloneSet", SERVING),
    ("apps.kruise.io/v1beta1", "CloneSet", SERVING),
)
"""Kinds that are all alike: spec.replicas and spec.template."""


@pytest.mark.parametrize(("api_version", "kind", "workload_class"), ORDINARY)
def test_ordinary_template(api_version, kind, workload_class):
    pod = {"initContainers": [{"name": "i"}], "containers": [{"name": "c"}]}
    data = {"apiVersion": api_version, "kind": kind, "spec": {"replicas": 3, "template": {"spec": pod}}}
    row = row_of(data)
    assert row.workload_class == workload_class
    assert list(kinds.pod_templates(row, data)) == [(("spec", "template"), ("spec", "template", "spec"), pod)]
    assert summary(data) == ["spec.template.spec x3 c+i"]


MANIFESTS = (
    pytest.param(
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}",
        NO_CLASS,
        ["spec x1 c"],
        id="a Pod is its own template",
    ),
    pytest.param(
        "{apiVersion: v1, kind: PodTemplate, template: {spec: {containers: [{name: c}]}}}",
        NO_CLASS,
        ["template.spec xNone c"],
        id="PodTemplate has no spec of its own",
    ),
    pytest.param(
        "{apiVersion: apps/v1, kind: DaemonSet, spec: {template: {spec: {containers: [{name: c}]}}}}",
        NO_CLASS,
        ["spec.template.spec xNone c"],
        id="DaemonSet runs one per node",
    ),
    pytest.param(
        "{apiVersion: batch/v1, kind: Job, spec: {parallelism: 4, template: {spec: {containers: [{name: c}]}}}}",
        BATCH,
        ["spec.template.spec x4 c"],
        id="Job counts by parallelism",
    ),
    pytest.param(
        """
        apiVersion: batch/v1
        kind: CronJob
        spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: c}]}}}}}
        """,
        BATCH,
        ["spec.jobTemplate.spec.template.spec x1 c"],
        id="CronJob wraps a Job",
    ),
    *(
        pytest.param(
            f"""
            apiVersion: argoproj.io/v1alpha1
            kind: {kind}
            spec:
              templates:
              - name: steps
                steps: [[{{name: a, template: train}}]]
              - name: train
                container: {{name: main, resources: {{limits: {{nvidia.com/gpu: 1}}}}}}
                sidecars: [{{name: s}}]
              - name: script
                script: {{name: py, source: print()}}
              - name: set
                containerSet: {{containers: [{{name: a}}, {{name: b}}]}}
                initContainers: [{{name: i}}]
            """,
            BATCH,
            [
                "spec.templates.0 xNone ",
                "spec.templates.1 xNone main+s",
                "spec.templates.2 xNone py",
                "spec.templates.3 xNone a+b+i",
            ],
            id=f"{kind} keeps containers in fields of their own",
        )
        for kind in ("Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate")
    ),
    pytest.param(
        """
        apiVersion: argoproj.io/v1alpha1
        kind: CronWorkflow
        spec: {schedule: "* * * * *", workflowSpec: {templates: [{name: t, container: {name: c}}]}}
        """,
        BATCH,
        ["spec.workflowSpec.templates.0 xNone c"],
        id="CronWorkflow wraps a Workflow",
    ),
    *(
        pytest.param(
            f"""
            apiVersion: serving.knative.dev/v1
            kind: {kind}
            spec: {{template: {{metadata: {{annotations: {{}}}}, spec: {{containers: [{{name: c}}]}}}}}}
            """,
            SERVING,
            ["spec.template.spec xNone c"],
            id=f"Knative {kind} is autoscaled",
        )
        for kind in ("Service", "Configuration")
    ),
    pytest.param(
        "{apiVersion: serving.knative.dev/v1, kind: Revision, spec: {containers: [{name: c}]}}",
        SERVING,
        ["spec xNone c"],
        id="Knative Revision is a pod spec",
    ),
    pytest.param(
        """
        apiVersion: batch.volcano.sh/v1alpha1
        kind: Job
        spec:
          tasks:
          - {name: m, replicas: 1, template: {spec: {containers: [{name: m}]}}}
          - {name: w, replicas: 7, template: {spec: {containers: [{name: w}]}}}
        """,
        BATCH,
        ["spec.tasks.0.template.spec x1 m", "spec.tasks.1.template.spec x7 w"],
        id="Volcano's Job is not the Job of Kubernetes",
    ),
    pytest.param(
        """
        apiVersion: workload.codeflare.dev/v1beta2
        kind: AppWrapper
        spec:
          components:
          - template: {apiVersion: v1, kind: Service, spec: {}}
          - podSets: [{path: template.spec.template}]
            template:
              apiVersion: kubeflow.org/v1
              kind: PyTorchJob
              spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: c}]}}}}}
        """,
        NO_CLASS,
        ["spec.components.1.template.spec.pytorchReplicaSpecs.Worker.template.spec x2 c"],
        id="AppWrapper holds whole objects",
    ),
    pytest.param(
        """
        apiVersion: workload.codeflare.dev/v1beta1
        kind: AppWrapper
        spec:
          resources:
            GenericItems:
            - replicas: 1
              generictemplate:
                apiVersion: apps/v1
                kind: Deployment
                spec: {replicas: 2, template: {spec: {containers: [{name: c}]}}}
        """,
        NO_CLASS,
        ["spec.resources.GenericItems.0.generictemplate.spec.template.spec x2 c"],
        id="AppWrapper before v1beta2",
    ),
    pytest.param(
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        spec:
          replicatedJobs:
          - name: driver
            template: {spec: {template: {spec: {containers: [{name: d}]}}}}
          - name: workers
            replicas: 2
            template: {spec: {parallelism: 4, completions: 4, template: {spec: {containers: [{name: w}]}}}}
        """,
        TRAINING,
        [
            "spec.replicatedJobs.0.template.spec.template.spec x1 d",
            "spec.replicatedJobs.1.template.spec.template.spec x8 w",
        ],
        id="JobSet multiplies jobs and pods",
    ),
    pytest.param(
        """
        apiVersion: ray.io/v1
        kind: RayCluster
        spec:
          headGroupSpec: {template: {spec: {containers: [{name: h}]}}}
          workerGroupSpecs:
          - {groupName: a, replicas: 2, numOfHosts: 4, template: {spec: {containers: [{name: a}]}}}
          - {groupName: b, replicas: 3, template: {spec: {containers: [{name: b}]}}}
        """,
        NO_CLASS,
        [
            "spec.headGroupSpec.template.spec x1 h",
            "spec.workerGroupSpecs.0.template.spec x8 a",
            "spec.workerGroupSpecs.1.template.spec x3 b",
        ],
        id="RayCluster has a head and groups of workers",
    ),
    pytest.param(
        """
        apiVersion: ray.io/v1
        kind: RayJob
        spec:
          rayClusterSpec: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}}
          submitterPodTemplate: {spec: {containers: [{name: s}]}}
        """,
        BATCH,
        ["spec.rayClusterSpec.headGroupSpec.template.spec x1 h", "spec.submitterPodTemplate.spec x1 s"],
        id="RayJob has a submitter too",
    ),
    pytest.param(
        """
        apiVersion: ray.io/v1
        kind: RayCronJob
        spec: {jobTemplate: {rayClusterSpec: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}}}}
        """,
        BATCH,
        ["spec.jobTemplate.rayClusterSpec.headGroupSpec.template.spec x1 h"],
        id="RayCronJob wraps a RayJob spec",
    ),
    pytest.param(
        """
        apiVersion: ray.io/v1
        kind: RayService
        spec: {rayClusterConfig: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}}}
        """,
        SERVING,
        ["spec.rayClusterConfig.headGroupSpec.template.spec x1 h"],
        id="RayService calls it rayClusterConfig",
    ),
    *(
        pytest.param(
            f"""
            apiVersion: kubeflow.org/{version}
            kind: {kind}
            spec:
              {field}:
                Master: {{template: {{spec: {{containers: [{{name: m}}]}}}}}}
                Worker: {{replicas: 3, template: {{spec: {{containers: [{{name: w}}]}}}}}}
            """,
            TRAINING,
            [f"spec.{field}.Master.template.spec x1 m", f"spec.{field}.Worker.template.spec x3 w"],
            id=f"{kind} {version} maps roles to templates",
        )
        for kind, version, field in (
            ("PyTorchJob", "v1", "pytorchReplicaSpecs"),
            ("TFJob", "v1", "tfReplicaSpecs"),
            ("XGBoostJob", "v1", "xgbReplicaSpecs"),
            ("PaddleJob", "v1", "paddleReplicaSpecs"),
            ("MXJob", "v1", "mxReplicaSpecs"),
            ("JAXJob", "v1", "jaxReplicaSpecs"),
            ("MPIJob", "v1", "mpiReplicaSpecs"),
            ("MPIJob", "v2beta1", "mpiReplicaSpecs"),
        )
    ),
    pytest.param(
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, spec: {trainer: {numNodes: 2}}}",
        TRAINING,
        [],
        id="TrainJob has no pod template",
    ),
    *(
        pytest.param(
            f"""
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: {kind}
            spec:
              template:
                spec:
                  replicatedJobs:
                  - {{name: node, template: {{spec: {{template: {{spec: {{containers: [{{name: node}}]}}}}}}}}}}
            """,
            TRAINING,
            ["spec.template.spec.replicatedJobs.0.template.spec.template.spec xNone node"],
            id=f"{kind} is a JobSet for others to fill",
        )
        for kind in ("TrainingRuntime", "ClusterTrainingRuntime")
    ),
    pytest.param(
        """
        apiVersion: sagemaker.amazonaws.com/v1
        kind: HyperPodPyTorchJob
        spec: {replicaSpecs: [{name: pods, replicas: 8, template: {spec: {containers: [{name: p}]}}}]}
        """,
        TRAINING,
        ["spec.replicaSpecs.0.template.spec x8 p"],
        id="HyperPodPyTorchJob lists its roles",
    ),
    pytest.param(
        """
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        spec:
          replicas: 2
          leaderWorkerTemplate:
            size: 4
            leaderTemplate: {spec: {containers: [{name: l}]}}
            workerTemplate: {spec: {containers: [{name: w}]}}
        """,
        SERVING,
        ["spec.leaderWorkerTemplate.leaderTemplate.spec x2 l", "spec.leaderWorkerTemplate.workerTemplate.spec x8 w"],
        id="LeaderWorkerSet multiplies groups and size",
    ),
    pytest.param(
        """
        apiVersion: disaggregatedset.x-k8s.io/v1
        kind: DisaggregatedSet
        spec:
          roles:
          - {name: prefill, spec: {leaderWorkerTemplate: {workerTemplate: {spec: {containers: [{name: p}]}}}}}
          - name: decode
            spec: {replicas: 2, leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: d}]}}}}
        """,
        SERVING,
        [
            "spec.roles.0.spec.leaderWorkerTemplate.workerTemplate.spec x1 p",
            "spec.roles.1.spec.leaderWorkerTemplate.workerTemplate.spec x4 d",
        ],
        id="DisaggregatedSet has a LeaderWorkerSet per role",
    ),
    pytest.param(
        """
        apiVersion: orchestration.aibrix.ai/v1alpha1
        kind: StormService
        spec:
          replicas: 2
          template:
            spec:
              roles:
              - {name: prefill, replicas: 3, template: {spec: {containers: [{name: p}]}}}
              - {name: decode, podGroupSize: 4, template: {spec: {containers: [{name: d}]}}}
        """,
        SERVING,
        ["spec.template.spec.roles.0.template.spec x6 p", "spec.template.spec.roles.1.template.spec x8 d"],
        id="StormService, sets of roles",
    ),
    pytest.param(
        """
        apiVersion: orchestration.aibrix.ai/v1alpha1
        kind: RoleSet
        spec: {roles: [{name: all, replicas: 2, template: {spec: {containers: [{name: a}]}}}]}
        """,
        SERVING,
        ["spec.roles.0.template.spec x2 a"],
        id="RoleSet",
    ),
    pytest.param(
        """
        apiVersion: serving.kserve.io/v1beta1
        kind: InferenceService
        spec:
          predictor:
            minReplicas: 2
            model: {name: kserve-container, resources: {limits: {nvidia.com/gpu: 1}}}
            containers: [{name: pre}]
            workerSpec: {pipelineParallelSize: 2, containers: [{name: worker}]}
          transformer: {containers: [{name: t}]}
          explainer: {art: {name: e}}
        """,
        SERVING,
        [
            "spec.predictor x2 pre+kserve-container",
            "spec.predictor.workerSpec x4 worker",
            "spec.transformer x1 t",
            "spec.explainer x1 e",
        ],
        id="InferenceService mixes pod spec, model container and scaling",
    ),
    *(
        pytest.param(
            f"""
            apiVersion: serving.kserve.io/v1alpha1
            kind: {kind}
            spec: {{containers: [{{name: kserve-container}}], workerSpec: {{containers: [{{name: w}}]}}}}
            """,
            SERVING,
            ["spec xNone kserve-container", "spec.workerSpec xNone w"],
            id=f"{kind} is a pod spec for others to fill",
        )
        for kind in ("ServingRuntime", "ClusterServingRuntime")
    ),
    *(
        pytest.param(
            f"""
            apiVersion: serving.kserve.io/v1alpha2
            kind: {kind}
            spec:
              replicas: 2
              template: {{containers: [{{name: main}}]}}
              worker: {{containers: [{{name: w}}]}}
              prefill: {{replicas: 3, template: {{containers: [{{name: p}}]}}, worker: {{containers: [{{name: pw}}]}}}}
              router: {{scheduler: {{template: {{containers: [{{name: epp}}]}}}}}}
            """,
            SERVING,
            [
                f"spec.template x{decode} main",
                f"spec.worker x{decode} w",
                f"spec.prefill.template x{prefill} p",
                f"spec.prefill.worker x{prefill} pw",
                f"spec.router.scheduler.template x{router} epp",
            ],
            id=f"{kind} has bare pod specs",
        )
        for kind, decode, prefill, router in (
            ("LLMInferenceService", 2, 3, 1),
            ("LLMInferenceServiceConfig", None, None, None),
        )
    ),
    pytest.param(
        """
        apiVersion: nvidia.com/v1alpha1
        kind: DynamoGraphDeployment
        spec:
          services:
            Frontend: {replicas: 1}
            Decode:
              replicas: 2
              multinode: {nodeCount: 2}
              extraPodSpec: {mainContainer: {name: main}, containers: [{name: side}]}
        """,
        SERVING,
        ["spec.services.Decode.extraPodSpec x4 main+side"],
        id="DynamoGraphDeployment v1alpha1 maps services",
    ),
    pytest.param(
        """
        apiVersion: nvidia.com/v1beta1
        kind: DynamoGraphDeployment
        spec: {components: [{name: Decode, replicas: 2, podTemplate: {spec: {containers: [{name: main}]}}}]}
        """,
        SERVING,
        ["spec.components.0.podTemplate.spec x2 main"],
        id="DynamoGraphDeployment v1beta1 lists components",
    ),
    pytest.param(
        """
        apiVersion: nvidia.com/v1beta1
        kind: DynamoComponentDeployment
        spec: {name: d, podTemplate: {spec: {containers: [{name: main}]}}}
        """,
        SERVING,
        ["spec.podTemplate.spec x1 main"],
        id="DynamoComponentDeployment is one component",
    ),
    pytest.param(
        """
        apiVersion: grove.io/v1alpha1
        kind: PodCliqueSet
        spec: {template: {cliques: [{name: a, spec: {replicas: 2, podSpec: {containers: [{name: a}]}}}]}}
        """,
        SERVING,
        ["spec.template.cliques.0.spec.podSpec xNone a"],
        id="PodCliqueSet scales in groups",
    ),
    pytest.param(
        "{apiVersion: grove.io/v1alpha1, kind: PodClique, spec: {replicas: 2, podSpec: {containers: [{name: a}]}}}",
        SERVING,
        ["spec.podSpec x2 a"],
        id="PodClique calls it podSpec",
    ),
    pytest.param(
        "{apiVersion: apps.nvidia.com/v1alpha1, kind: NIMService, spec: {resources: {limits: {nvidia.com/gpu: 1}}}}",
        SERVING,
        [],
        id="NIMService has no pod template",
    ),
    pytest.param(
        "{apiVersion: production-stack.vllm.ai/v1alpha1, kind: VLLMRuntime, spec: {deploymentConfig: {replicas: 2}}}",
        SERVING,
        [],
        id="VLLMRuntime has no pod template",
    ),
)


@pytest.mark.parametrize(("text", "workload_class", "expected"), MANIFESTS)
def test_minimal_manifest(text, workload_class, expected):
    data = yaml.safe_load(text)
    assert summary(data) == expected
    assert row_of(data).workload_class == workload_class


def test_every_row_has_a_manifest():
    seen = {(api_version.rpartition("/")[0], kind) for api_version, kind, _ in ORDINARY}
    objects = [yaml.safe_load(case.values[0]) for case in MANIFESTS]
    seen |= {(data["apiVersion"].rpartition("/")[0], data["kind"]) for data in objects}
    assert seen == {(row.group, row.kind) for row in kinds.WORKLOADS}
    assert len(kinds.WORKLOADS) == len(seen)


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        pytest.param("v1", "Deployment", id="core has no Deployment"),
        pytest.param("batch/v1", "JobSet", id="JobSet is not in batch"),
        pytest.param("scheduling.k8s.io/v1alpha2", "PodGroup", id="a PodGroup makes no pods"),
        pytest.param("resource.k8s.io/v1", "ResourceClaim", id="a claim is no workload"),
        pytest.param("v1", "pod", id="kinds are case-sensitive"),
        pytest.param(None, "Pod", id="no version"),
        pytest.param("v1", None, id="no kind"),
        pytest.param({}, [], id="strange types"),
    ],
)
def test_no_row(api_version, kind):
    assert kinds.rows_for(api_version, kind) == ()


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(None, id="no spec"),
        pytest.param([], id="a list for a map"),
        pytest.param({"template": None}, id="no template"),
        pytest.param({"template": {"spec": "x"}}, id="a text for a pod spec"),
        pytest.param({"template": [{"spec": {}}]}, id="a list of templates"),
    ],
)
def test_strange_shapes_hold_no_pods(spec):
    data = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}
    assert list(kinds.pod_templates(row_of(data), data)) == []


def test_strange_containers_are_left_out():
    data = {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [None, "c", {"name": "c"}], "initContainers": {}}}
    assert summary(data) == ["spec x1 c"]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        pytest.param(0, 0, id="scaled to zero"),
        pytest.param("$NUM_NODES", None, id="a placeholder"),
        pytest.param(True, None, id="a bool is no number"),
        pytest.param(-1, None, id="negative"),
        pytest.param(1.5, None, id="half a pod"),
    ],
)
def test_replicas_that_are_no_plain_count(count, expected):
    data = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": count, "template": {"spec": {}}}}
    (found,) = kinds.find_templates(row_of(data), data)
    assert kinds.replicas(found, data) == expected


@pytest.mark.parametrize(
    ("kind", "written", "takes_claims"),
    [
        pytest.param(("apps/v1", "Deployment"), True, True, id="Deployment"),
        pytest.param(("serving.knative.dev/v1", "Service"), True, False, id="Knative drops the field"),
        pytest.param(("argoproj.io/v1alpha1", "Workflow"), True, False, id="Argo has no such field"),
        pytest.param(("serving.kserve.io/v1beta1", "InferenceService"), False, True, id="KServe fills the pod up"),
        pytest.param(("serving.kserve.io/v1alpha1", "ServingRuntime"), False, False, id="a runtime is a subset"),
        pytest.param(("nvidia.com/v1beta1", "DynamoGraphDeployment"), False, True, id="Dynamo merges defaults"),
        pytest.param(("trainer.kubeflow.org/v1alpha1", "TrainingRuntime"), False, True, id="TrainJobs fill it up"),
    ],
)
def test_who_writes_the_pod(kind, written, takes_claims):
    (row,) = kinds.rows_for(*kind)
    assert {(template.written, template.takes_claims) for template in row.templates} == {(written, takes_claims)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            spec: {trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 4}, requests: {cpu: 8}}}}
            """,
            [
                ("spec.trainer.resourcesPerNode.limits.nvidia.com/gpu", "nvidia.com/gpu", 4),
                ("spec.trainer.resourcesPerNode.requests.cpu", "cpu", 8),
            ],
            id="TrainJob, as a container has them",
        ),
        pytest.param(
            """
            apiVersion: nvidia.com/v1alpha1
            kind: DynamoGraphDeployment
            spec:
              services:
                A: {resources: {limits: {gpu: "2", cpu: "4"}, requests: {custom: {rdma/ib: "1"}}}}
                B: {resources: {limits: {gpu: "1", gpuType: gpu.intel.com/xe}}}
            """,
            [
                ("spec.services.A.resources.limits.gpu", "nvidia.com/gpu", "2"),
                ("spec.services.B.resources.limits.gpu", "gpu.intel.com/xe", "1"),
                ("spec.services.A.resources.requests.custom.rdma/ib", "rdma/ib", "1"),
            ],
            id="Dynamo v1alpha1, gpu and gpuType",
        ),
        pytest.param(
            """
            apiVersion: nvidia.com/v1beta1
            kind: DynamoGraphDeployment
            spec: {components: [{name: a, device: {resources: {nvidia.com/gpu: "1", nvidia.com/gpumem: "3000"}}}]}
            """,
            [
                ("spec.components.0.device.resources.nvidia.com/gpu", "nvidia.com/gpu", "1"),
                ("spec.components.0.device.resources.nvidia.com/gpumem", "nvidia.com/gpumem", "3000"),
            ],
            id="Dynamo v1beta1, device",
        ),
        pytest.param(
            "{apiVersion: apps.nvidia.com/v1, kind: NIMService, spec: {resources: {limits: {nvidia.com/gpu: 2}}}}",
            [("spec.resources.limits.nvidia.com/gpu", "nvidia.com/gpu", 2)],
            id="NIMService, as a container has them",
        ),
        pytest.param(
            """
            apiVersion: production-stack.vllm.ai/v1alpha1
            kind: VLLMRuntime
            spec: {deploymentConfig: {resources: {cpu: "5", gpu: "1", gpuType: nvidia.com/gpu}}}
            """,
            [("spec.deploymentConfig.resources.gpu", "nvidia.com/gpu", "1")],
            id="VLLMRuntime, gpu and gpuType",
        ),
        pytest.param(
            "{apiVersion: v1, kind: Pod, spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}}",
            [],
            id="a Pod has none outside of containers",
        ),
        pytest.param(
            "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, spec: {trainer: {resourcesPerNode: [4]}}}",
            [],
            id="a list for a map",
        ),
    ],
)
def test_loose_resources(text, expected):
    data = yaml.safe_load(text)
    found = kinds.loose_resources(row_of(data), data)
    assert [(dotted(path), name, amount) for path, name, amount in found] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            """
            apiVersion: resource.nvidia.com/v1beta1
            kind: ComputeDomain
            metadata: {name: d}
            spec: {numNodes: 2, channel: {resourceClaimTemplate: {name: d-channel}}}
            """,
            [("ResourceClaimTemplate", "d-channel", "spec.channel.resourceClaimTemplate.name")],
            id="ComputeDomain says the name",
        ),
        pytest.param(
            """
            apiVersion: serving.kserve.io/v1alpha2
            kind: LLMInferenceService
            metadata: {name: qwen, annotations: {serving.kserve.io/exp-dra-device-class: gpu.nvidia.com}}
            """,
            [("ResourceClaimTemplate", "qwen-managed-dra", "metadata.name")],
            id="KServe makes one if asked by annotation",
        ),
        pytest.param(
            "{apiVersion: serving.kserve.io/v1alpha2, kind: LLMInferenceService, metadata: {name: qwen}}",
            [],
            id="KServe makes none unasked",
        ),
        pytest.param(
            f"""
            apiVersion: serving.kserve.io/v1alpha2
            kind: LLMInferenceService
            metadata: {{name: {"q" * 60}, annotations: {{serving.kserve.io/exp-dra-device-class: gpu.nvidia.com}}}}
            """,
            [],
            id="a name that will be hashed",
        ),
        pytest.param(
            "{apiVersion: resource.nvidia.com/v1, kind: ComputeDomain, spec: {channel: {resourceClaimTemplate: 1}}}",
            [],
            id="no name",
        ),
        pytest.param("{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}", [], id="a workload makes none"),
    ],
)
def test_made_claims(text, expected):
    data = yaml.safe_load(text)
    made = kinds.made_claims(data["apiVersion"], data["kind"], data)
    assert [(kind, name, dotted(path)) for kind, name, path in made] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            """
            apiVersion: scheduling.k8s.io/v1alpha2
            kind: PodGroup
            spec: {resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]}
            """,
            [("spec.resourceClaims.0", "one-gpu")],
            id="PodGroup",
        ),
        pytest.param(
            """
            apiVersion: scheduling.k8s.io/v1alpha3
            kind: Workload
            spec: {podGroupTemplates: [{name: g, resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]}]}
            """,
            [("spec.podGroupTemplates.0.resourceClaims.0", "t")],
            id="Workload",
        ),
        pytest.param(
            """
            apiVersion: apps.nvidia.com/v1alpha1
            kind: NIMService
            spec: {draResources: [{resourceClaimTemplateName: t}, {claimSpec: {devices: []}}]}
            """,
            [("spec.draResources.0", "t"), ("spec.draResources.1", None)],
            id="NIMService",
        ),
        pytest.param(
            """
            apiVersion: kubevirt.io/v1
            kind: VirtualMachine
            spec: {template: {spec: {resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]}}}
            """,
            [("spec.template.spec.resourceClaims.0", "t")],
            id="VirtualMachine",
        ),
        pytest.param(
            """
            apiVersion: kubevirt.io/v1
            kind: VirtualMachineInstance
            spec: {resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]}
            """,
            [("spec.resourceClaims.0", "t")],
            id="VirtualMachineInstance",
        ),
        pytest.param("{apiVersion: v1, kind: Pod, spec: {resourceClaims: [{name: a}]}}", [], id="pods apart"),
    ],
)
def test_claim_entries(text, expected):
    data = yaml.safe_load(text)
    entries = kinds.claim_entries(data["apiVersion"], data["kind"], data)
    assert [(dotted(path), entry.get("resourceClaimTemplateName")) for path, entry in entries] == expected


def test_paths_lead_to_what_was_found():
    for case in MANIFESTS:
        data = yaml.safe_load(case.values[0])
        for path, spec_path, spec in kinds.pod_templates(row_of(data), data):
            at = data
            for step in spec_path:
                at = at[step]
            assert at is spec
            assert spec_path[: len(path)] == path


def corpus_objects():
    """Yield file and object of everything in the corpus that is YAML; its templates of charts are not."""
    for file in sorted(CORPUS.rglob("*.yaml")):
        try:
            documents = list(yaml.load_all(file.read_bytes(), Loader=yaml.CSafeLoader))
        except yaml.YAMLError:
            continue
        for document in documents:
            if isinstance(document, dict):
                items = document.get("items") if document.get("kind") == "List" else [document]
                yield from ((file, item) for item in items or () if isinstance(item, dict))


def pod_specs(data, at=()):
    """Yield the path of every map that has a list of containers."""
    if isinstance(data, dict):
        if isinstance(data.get("containers"), list):
            yield at
        for key, value in data.items():
            yield from pod_specs(value, (*at, key))
    elif isinstance(data, list):
        for i, value in enumerate(data):
            yield from pod_specs(value, (*at, i))


@needs_corpus
def test_no_pod_of_the_corpus_is_missed():
    missed, templates = [], 0
    for file, data in corpus_objects():
        if not data.get("apiVersion"):
            continue  # fragments of documentation
        rows = kinds.rows_for(data.get("apiVersion"), data.get("kind"))
        found = {spec_path for row in rows for _, spec_path, _ in kinds.pod_templates(row, data)}
        templates += len(found)
        missed += [(file.name, data.get("kind"), dotted(path)) for path in pod_specs(data) if path not in found]
    assert missed == []
    assert templates > 250


@needs_corpus
def test_every_workload_of_the_corpus_has_pods_or_resources():
    empty, seen = [], set()
    for file, data in corpus_objects():
        for row in kinds.rows_for(data.get("apiVersion"), data.get("kind")):
            seen.add(row.kind)
            if not any(kinds.find_templates(row, data)) and not any(kinds.loose_resources(row, data)):
                empty.append((file.name, row.kind))
    assert empty == []
    assert len(seen) == 16
