"""Kinds other than pods that make or name resource claims.

Beside each row: where its fields were read, as repository@commit:path, or the corpus folder that has such objects.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.kinds.row import Pattern

CLAIM, TEMPLATE = "ResourceClaim", "ResourceClaimTemplate"


class ClaimMaker(Record):
    """A kind whose controller makes claims or claim templates under a name that can be foretold.

    Attributes:
        group: API group of the kind, empty for the core group.
        kind: kind, as written in manifests.
        makes: CLAIM or TEMPLATE, in the namespace of the object.
        name: pattern of the name, or of what the name begins with.
        suffix: what the controller puts behind it.
        only_with: pattern of a field without which nothing is made; () where it always is.
    """

    group: str
    kind: str
    makes: str
    name: Pattern
    suffix: str = ""
    only_with: Pattern = ()


class ClaimUser(Record):
    """A kind that names claims or templates as ``spec.resourceClaims`` of a pod does.

    ``entries`` is the pattern of objects with ``resourceClaimName`` or ``resourceClaimTemplateName``.
    """

    group: str
    kind: str
    entries: Pattern


MAKERS = (
    # kubernetes-sigs/dra-driver-nvidia-gpu@9593204 api/nvidia.com/resource/v1beta1/computedomain.go. Corpus: the same
    # repository, kubernetes-sigs__dranet.
    ClaimMaker("resource.nvidia.com", "ComputeDomain", TEMPLATE, ("spec", "channel", "resourceClaimTemplate", "name")),
    # kserve/kserve pkg/controller/v1alpha2/llmisvc, managed DRA: template '<name>-managed-dra'. Corpus: kserve__kserve.
    ClaimMaker(
        "serving.kserve.io",
        "LLMInferenceService",
        TEMPLATE,
        ("metadata", "name"),
        suffix="-managed-dra",
        only_with=("metadata", "annotations", "serving.kserve.io/exp-dra-device-class"),
    ),
)

USERS = (
    # kubernetes/api@b928f5ee scheduling/v1alpha2/types.go (gate DRAWorkloadResourceClaims): one claim for the whole
    # group, which its pods share by an equal entry of their own. Corpus: kubernetes-sigs__dra-example-driver.
    ClaimUser("scheduling.k8s.io", "PodGroup", ("spec", "resourceClaims", "*")),
    ClaimUser("scheduling.k8s.io", "Workload", ("spec", "podGroupTemplates", "*", "resourceClaims", "*")),
    # NVIDIA/k8s-nim-operator@193effc8 api/apps/v1alpha1/dra_types.go: DRAResource; those with claimSpec name nothing
    ClaimUser("apps.nvidia.com", "NIMService", ("spec", "draResources", "*")),
    # kubevirt/enhancements veps/sig-compute/10-dra-devices/vep.md: VirtualMachineInstanceSpec.resourceClaims
    ClaimUser("kubevirt.io", "VirtualMachineInstance", ("spec", "resourceClaims", "*")),
    ClaimUser("kubevirt.io", "VirtualMachine", ("spec", "template", "spec", "resourceClaims", "*")),
)
