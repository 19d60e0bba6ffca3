"""Kinds of inference operators: LeaderWorkerSet, KServe, Dynamo, Grove, NIM, vLLM production stack.

Beside each row: where its fields were read, as repository@commit:path, or the corpus folder that has such objects.
"""

from __future__ import annotations

from dralign.kinds.row import AMOUNTS, GPU_COUNT, SERVING, PodTemplate, ResourceBlock, WorkloadKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.kinds.row import Pattern


def _leader_worker(*spec: str) -> tuple[PodTemplate, ...]:
    """Return leader and workers of a LeaderWorkerSet spec.

    A group has ``size`` pods with the leader; without a leader template the workers' stands for it too.
    """
    replicas, template = (*spec, "replicas"), (*spec, "leaderWorkerTemplate")
    return (
        PodTemplate((*template, "leaderTemplate"), replicas=(replicas,)),
        PodTemplate((*template, "workerTemplate"), replicas=(replicas, (*template, "size"))),
    )


_FRAMEWORKS = (
    *("model", "sklearn", "xgboost", "tensorflow", "pytorch", "triton"),
    *("onnx", "huggingface", "pmml", "lightgbm", "paddle"),
)
"""Fields of a predictor that inline a container, filled up from a ServingRuntime."""


def _kserve_component(name: str, *frameworks: str) -> PodTemplate:
    """Return a component of an InferenceService: pod spec, container overrides and scaling in one object."""
    path = ("spec", name)
    return PodTemplate(
        path,
        spec=(),
        metadata=(),
        replicas=((*path, "minReplicas"),),
        containers=(("containers", "*"), *((framework,) for framework in frameworks)),
        written=False,
    )


def _serving_runtime(kind: str) -> WorkloadKind:
    """Return the pod spec that InferenceServices are built from: a subset of a pod spec, without resource claims."""
    runtime = PodTemplate(("spec",), spec=(), metadata=(), replicas=None, written=False, takes_claims=False)
    return WorkloadKind("serving.kserve.io", kind, SERVING, (runtime, runtime.replace(path=("spec", "workerSpec"))))


def _roles(*spec: str) -> PodTemplate:
    """Return the pods of AIBrix's roles: as many instances as replicas, of ``podGroupSize`` pods each, in each set."""
    role = (*spec, "roles", "*")
    sets = () if spec == ("spec",) else (("spec", "replicas"),)
    return PodTemplate((*role, "template"), replicas=(*sets, (*role, "replicas"), (*role, "podGroupSize")))


def _llm_pods(path: Pattern, *names: str) -> tuple[PodTemplate, ...]:
    """Return pod specs of an LLM workload: bare, merged with presets, labels and annotations beside them."""
    replicas = ((*path, "replicas"),)
    return tuple(PodTemplate(path, spec=(name,), metadata=(), replicas=replicas, written=False) for name in names)


_LLM_TEMPLATES = (
    *_llm_pods(("spec",), "template", "worker"),
    *_llm_pods(("spec", "prefill"), "template", "worker"),
    *_llm_pods(("spec", "router", "scheduler"), "template"),
)


def _dynamo(component: Pattern) -> tuple[PodTemplate, ...]:
    """Return both shapes of a Dynamo component: extraPodSpec (v1alpha1) and podTemplate (v1beta1)."""
    replicas = ((*component, "replicas"), (*component, "multinode", "nodeCount"))
    return (
        PodTemplate(
            component,
            spec=("extraPodSpec",),
            metadata=("extraPodMetadata",),
            replicas=replicas,
            containers=(("mainContainer",), ("containers", "*")),
            claims=(("resources", "claims", "*"),),
            written=False,
        ),
        PodTemplate((*component, "podTemplate"), replicas=replicas, written=False),
    )


def _dynamo_resources(component: Pattern) -> tuple[ResourceBlock, ...]:
    """Return what a Dynamo component takes outside its pod: ``resources`` (v1alpha1) and ``device`` (v1beta1)."""
    sections = [(*component, "resources", section) for section in ("limits", "requests")]
    return (
        *(ResourceBlock(section, GPU_COUNT) for section in sections),
        *(ResourceBlock((*section, "custom"), AMOUNTS) for section in sections),
        ResourceBlock((*component, "device", "resources"), AMOUNTS),
    )


_V1ALPHA1_COMPONENTS = ("spec", "services", "*")
_V1BETA1_COMPONENTS = ("spec", "components", "*")
_CLIQUES = ("spec", "template", "cliques", "*")

KINDS = (
    # kubernetes-sigs/lws@024af084 api/leaderworkerset/v1/leaderworkerset_types.go.
    # Corpus: kubernetes-sigs__lws, llm-d__llm-d.
    WorkloadKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet", SERVING, _leader_worker("spec")),
    # …@11638ef2 api/disaggregatedset/v1/disaggregatedset_types.go: each role inlines a LeaderWorkerSet template
    WorkloadKind(
        "disaggregatedset.x-k8s.io", "DisaggregatedSet", SERVING, _leader_worker("spec", "roles", "*", "spec")
    ),
    # kserve/kserve@0217bdab pkg/apis/serving/v1beta1/{predictor,explainer,component,podspec}.go
    WorkloadKind(
        "serving.kserve.io",
        "InferenceService",
        SERVING,
        (
            _kserve_component("predictor", *_FRAMEWORKS),
            PodTemplate(
                ("spec", "predictor", "workerSpec"),
                spec=(),
                metadata=(),
                replicas=(
                    ("spec", "predictor", "minReplicas"),
                    ("spec", "predictor", "workerSpec", "pipelineParallelSize"),
                ),
                written=False,
            ),
            _kserve_component("transformer"),
            _kserve_component("explainer", "art", "alibi"),
        ),
    ),
    # …@0217bdab pkg/apis/serving/v1alpha1/servingruntime_types.go: ServingRuntimePodSpec
    _serving_runtime("ServingRuntime"),
    _serving_runtime("ClusterServingRuntime"),
    # …@01bfd238 pkg/apis/serving/v1alpha1/llm_inference_service_types.go: WorkloadSpec, SchedulerSpec.
    # Corpus: kserve__kserve.
    WorkloadKind("serving.kserve.io", "LLMInferenceService", SERVING, _LLM_TEMPLATES),
    WorkloadKind(
        "serving.kserve.io",
        "LLMInferenceServiceConfig",
        SERVING,
        tuple(template.replace(replicas=None) for template in _LLM_TEMPLATES),
    ),
    # ai-dynamo/dynamo@0fddc01b deploy/operator/api/v1alpha1/dynamographdeployment_types.go (services),
    # @00686d64 …/dynamocomponentdeployment_types.go and @015d780b …/common.go (resources, extraPodSpec),
    # @006b6e10 …/v1beta1/dynamocomponentdeployment_types.go (podTemplate). Corpus: ai-dynamo__dynamo.
    WorkloadKind(
        "nvidia.com",
        "DynamoGraphDeployment",
        SERVING,
        (*_dynamo(_V1ALPHA1_COMPONENTS), *_dynamo(_V1BETA1_COMPONENTS)),
        (*_dynamo_resources(_V1ALPHA1_COMPONENTS), *_dynamo_resources(_V1BETA1_COMPONENTS)),
    ),
    WorkloadKind("nvidia.com", "DynamoComponentDeployment", SERVING, _dynamo(("spec",)), _dynamo_resources(("spec",))),
    # ai-dynamo/grove@13415b4b operator/api/core/v1alpha1/podcliqueset.go and @1bf619bb …/podclique.go. Scaling groups
    # multiply the cliques that they name, so that the number of pods is not a product of fixed fields.
    WorkloadKind(
        "grove.io",
        "PodCliqueSet",
        SERVING,
        (PodTemplate(_CLIQUES, spec=("spec", "podSpec"), metadata=(), replicas=None),),
    ),
    WorkloadKind(
        "grove.io", "PodClique", SERVING, (PodTemplate((), spec=("spec", "podSpec"), replicas=(("spec", "replicas"),)),)
    ),
    # vllm-project/aibrix@0a53a25f api/orchestration/v1alpha1/roleset_types.go (RoleSpec), @0066fbd7 …/stormservice_types.go
    WorkloadKind("orchestration.aibrix.ai", "StormService", SERVING, (_roles("spec", "template", "spec"),)),
    WorkloadKind("orchestration.aibrix.ai", "RoleSet", SERVING, (_roles("spec"),)),
    # NVIDIA/k8s-nim-operator api/apps/v1alpha1/nimservice_types.go: the pod is the operator's own.
    WorkloadKind("apps.nvidia.com", "NIMService", SERVING, resources=(ResourceBlock(("spec", "resources")),)),
    # Corpus: vllm-project__production-stack (production-stack_v1alpha1_vllmruntime.yaml)
    WorkloadKind(
        "production-stack.vllm.ai",
        "VLLMRuntime",
        SERVING,
        resources=(ResourceBlock(("spec", "deploymentConfig", "resources"), GPU_COUNT),),
    ),
)
