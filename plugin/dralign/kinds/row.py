"""What the tables of kinds are made of.

A *pattern* is a path of keys in which ``*`` stands for every item of a list and every value of a map. Patterns of a row
start at the root of the object; those of a pod template start where its field says.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    Pattern = tuple[str, ...]

SERVING, TRAINING, BATCH, NO_CLASS = "serving", "training", "batch", ""
"""Workload classes (design: ``workloadClass`` by kind). A default never raises a severity."""

REQUIREMENTS = "requirements"
"""Form of a resource block: core/v1 ResourceRequirements, ``limits`` and ``requests`` of amounts by resource name."""
AMOUNTS = "amounts"
"""Form of a resource block: amounts by resource name, nothing around them."""
GPU_COUNT = "gpu-count"
"""Form of a resource block: ``gpu`` is an amount of the resource that ``gpuType`` names, by default nvidia.com/gpu."""


class PodTemplate(Record):
    """Where a kind keeps one pod template.

    Attributes:
        path: pattern of the object that carries the pod's metadata.
        spec: from there to the pod spec; () where the pod spec stands at ``path`` itself.
        metadata: from there to the object with the pod's labels and annotations; () where they stand at ``path``.
        replicas: patterns from the root to counts whose product is the number of pods, at most; an absent count is 1.
            () is exactly one pod; None is a number that the object does not say (one per node, autoscaled, a library).
        containers: patterns from the pod spec to its containers.
        init_containers: patterns from the pod spec to its init containers and sidecars.
        claims: patterns from ``path`` to entries like those of ``resources.claims`` that stand outside a container.
        written: the pods get these containers as they stand here; else a controller builds or completes them.
        takes_claims: the API keeps ``resourceClaims`` in this pod spec.
    """

    path: Pattern
    spec: Pattern = ("spec",)
    metadata: Pattern = ("metadata",)
    replicas: tuple[Pattern, ...] | None = ()
    containers: tuple[Pattern, ...] = (("containers", "*"),)
    init_containers: tuple[Pattern, ...] = (("initContainers", "*"),)
    claims: tuple[Pattern, ...] = ()
    written: bool = True
    takes_claims: bool = True


class ResourceBlock(Record):
    """Where a kind takes resources outside of any pod template: a pattern, and REQUIREMENTS, AMOUNTS or GPU_COUNT."""

    path: Pattern
    form: str = REQUIREMENTS


class WorkloadKind(Record):
    """One kind that makes pods, whatever its version.

    Attributes:
        group: API group, empty for the core group.
        kind: kind, as written in manifests.
        workload_class: SERVING, TRAINING, BATCH or NO_CLASS, what such a workload is unless the user says otherwise.
        templates: its pod templates.
        resources: resources that it takes outside of them.
        objects: patterns of whole objects inside it, which may be workloads themselves.
    """

    group: str
    kind: str
    workload_class: str = NO_CLASS
    templates: tuple[PodTemplate, ...] = ()
    resources: tuple[ResourceBlock, ...] = ()
    objects: tuple[Pattern, ...] = ()
