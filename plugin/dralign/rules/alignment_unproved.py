"""Nothing proves that a pod's devices, CPUs and memory share a NUMA node

What it does
  Reports pods that hold devices whose verdict is "may cross" or "undecided", where no other rule says why.

Why it matters
  Kubernetes promises alignment in few cases only, and nothing in a cluster says when it is missing.

What it needs to know
  With an inventory, or a machine preset, there is a counterexample or a proof; without, only what the text alone proves.
"""

from __future__ import annotations

from dralign.finding import ERROR, INFO, Related, Severities
from dralign.model.verdict import MAY_CROSS, UNDECIDED
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding

RULE = Rule(
    id="alignment-unproved",
    severities=Severities(None, INFO, ERROR),
    summary="nothing proves that a pod's devices, CPUs and memory share a NUMA node",
    tip="tell what the nodes are: --inventory FILE, or --preset NAME; 'dralign simulate' shows the whole answer",
    since="0.1",
    standards=("A2",),
    yields_to=(
        "cel-invalid",
        "cel-never-matches",
        "cel-runtime-error",
        "claim-not-declared",
        "claim-reference-missing",
        "claim-reference-shape",
        "claim-request-unknown",
        "claim-unsatisfiable",
        "class-numa-selector",
        "class-unknown",
        "constraint-across-claims",
        "kubelet-blind",
        "kubelet-policy",
        "legacy-and-claim",
        "legacy-device-resource",
        "legacy-partition-resource",
        "nic-constraint-missing",
        "numa-attribute-unpublished",
        "numa-constraint-missing",
        "numa-crossing",
        "numa-fallback",
        "object-invalid",
    ),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per pod template that may cross or is undecided."""
    for judged in ctx.verdicts:
        pod, verdict = judged.pod, judged.verdict.once_free or judged.verdict
        if verdict.kind in (MAY_CROSS, UNDECIDED):
            crosses = verdict.kind == MAY_CROSS
            reason = "; ".join(verdict.reasons) or "nobody knows its nodes"
            yield RULE.finding(
                pod.manifest,
                pod.path,
                "its devices and CPUs may be on different NUMA nodes"
                if crosses
                else f"alignment is undecided: {reason}",
                tip="'dralign simulate' draws the case" if crosses else None,
                related=tuple(Related(claim.manifest, claim.spec.path, "its claim") for claim in ctx.claims_of(pod)),
                marked=ctx.is_marked(pod),
                proof=ctx.proof_line(verdict),
                reach=ctx.reach_line(verdict),
            )


_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: one
spec:
  resourceClaims:
  - name: accelerator
    resourceClaimTemplateName: one
  containers:
  - name: main
    image: registry.example.com/one:1.0
    resources:
      requests: {cpu: 4, memory: 8Gi}
      limits: {cpu: 4, memory: 8Gi}
      claims:
      - name: accelerator
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: one
spec:
  spec:
    devices:
      requests:
      - name: accelerator
        exactly:
          deviceClassName: CLASS
"""

VALID = (Example("kubelet-blind says it", _POD.replace("CLASS", "gpu.nvidia.com")),)
_CLASS = """\
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: accelerator.example.com
spec:
  selectors:
  - cel:
      expression: device.driver == "accelerator.example.com"
"""
INVALID = (
    Example(
        "a driver that nobody knows",
        _POD.replace("CLASS", "accelerator.example.com") + _CLASS,
        messages=("alignment is undecided: no inventory: nobody knows which devices the nodes have",),
    ),
)
