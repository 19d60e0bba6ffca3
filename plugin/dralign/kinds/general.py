"""Kinds of Kubernetes itself, and of controllers that run pods of any sort.

Beside each row: where its fields were read, as repository@commit:path, or the corpus folder that has such objects.
"""

from __future__ import annotations

from dralign.kinds.row import BATCH, NO_CLASS, SERVING, PodTemplate, WorkloadKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.kinds.row import Pattern

_TEMPLATE = ("spec", "template")
_REPLICAS = (("spec", "replicas"),)


def _argo_templates(*spec: str) -> tuple[PodTemplate, ...]:
    """Templates of an Argo workflow spec: each is a pod whose container, script or container set is its own field.

    How many pods run is decided by steps, loops and retries. A pod spec can be reached only through the text of
    ``podSpecPatch``, so that no claim can be written into it.
    """
    return (
        PodTemplate(
            (*spec, "templates", "*"),
            spec=(),
            replicas=None,
            containers=(("container",), ("script",), ("containerSet", "containers", "*"), ("sidecars", "*")),
            takes_claims=False,
        ),
    )


def _knative(path: Pattern) -> tuple[PodTemplate, ...]:
    """Return the pod of a Knative revision: autoscaled, and only of the fields that Knative's mask lets through."""
    return (PodTemplate(path, replicas=None, takes_claims=False),)


KINDS = (
    # Kubernetes: core/v1, apps/v1, batch/v1 types. Corpus: nearly every folder.
    WorkloadKind("", "Pod", NO_CLASS, (PodTemplate(()),)),
    WorkloadKind("", "PodTemplate", NO_CLASS, (PodTemplate(("template",), replicas=None),)),
    WorkloadKind("", "ReplicationController", SERVING, (PodTemplate(_TEMPLATE, replicas=_REPLICAS),)),
    WorkloadKind("apps", "Deployment", SERVING, (PodTemplate(_TEMPLATE, replicas=_REPLICAS),)),
    WorkloadKind("apps", "StatefulSet", SERVING, (PodTemplate(_TEMPLATE, replicas=_REPLICAS),)),
    WorkloadKind("apps", "ReplicaSet", SERVING, (PodTemplate(_TEMPLATE, replicas=_REPLICAS),)),
    WorkloadKind("apps", "DaemonSet", NO_CLASS, (PodTemplate(_TEMPLATE, replicas=None),)),
    WorkloadKind("batch", "Job", BATCH, (PodTemplate(_TEMPLATE, replicas=(("spec", "parallelism"),)),)),
    WorkloadKind(
        "batch",
        "CronJob",
        BATCH,
        (
            PodTemplate(
                ("spec", "jobTemplate", "spec", "template"), replicas=(("spec", "jobTemplate", "spec", "parallelism"),)
            ),
        ),
    ),
    # argoproj/argo-rollouts pkg/apis/rollouts/v1alpha1/types.go: spec.template, or spec.workloadRef instead.
    WorkloadKind("argoproj.io", "Rollout", SERVING, (PodTemplate(_TEMPLATE, replicas=_REPLICAS),)),
    # argoproj/argo-workflows pkg/apis/workflow/v1alpha1/workflow_types.go (v3.4 and later): Template.
    WorkloadKind("argoproj.io", "Workflow", BATCH, _argo_templates("spec")),
    WorkloadKind("argoproj.io", "WorkflowTemplate", BATCH, _argo_templates("spec")),
    WorkloadKind("argoproj.io", "ClusterWorkflowTemplate", BATCH, _argo_templates("spec")),
    WorkloadKind("argoproj.io", "CronWorkflow", BATCH, _argo_templates("spec", "workflowSpec")),
    # openkruise/kruise@02e91aeb apis/apps/v1alpha1/cloneset_types.go
    WorkloadKind("apps.kruise.io", "CloneSet", SERVING, (PodTemplate(_TEMPLATE, replicas=_REPLICAS),)),
    # knative/serving@0299664a pkg/apis/serving/fieldmask.go: PodSpecMask; RevisionSpec inlines the pod spec.
    WorkloadKind("serving.knative.dev", "Service", SERVING, _knative(_TEMPLATE)),
    WorkloadKind("serving.knative.dev", "Configuration", SERVING, _knative(_TEMPLATE)),
    WorkloadKind("serving.knative.dev", "Revision", SERVING, _knative(())),
    # volcano-sh/apis@032c8b66 pkg/apis/batch/v1alpha1/job.go: TaskSpec. Corpus: volcano-sh__volcano.
    WorkloadKind(
        "batch.volcano.sh",
        "Job",
        BATCH,
        (PodTemplate(("spec", "tasks", "*", "template"), replicas=(("spec", "tasks", "*", "replicas"),)),),
    ),
    # project-codeflare/appwrapper@019a3d39 api/v1beta2/appwrapper_types.go: a component holds a whole object.
    # Its v1beta1 had generic items (project-codeflare/multi-cluster-app-dispatcher doc/usage/tutorial.md).
    WorkloadKind(
        "workload.codeflare.dev",
        "AppWrapper",
        NO_CLASS,
        objects=(
            ("spec", "components", "*", "template"),
            ("spec", "resources", "GenericItems", "*", "generictemplate"),
        ),
    ),
)
