"""A DeviceClass leaves the NUMA node open, and so do the claims that use it

What it does
  Looks at DeviceClasses of the input whose driver publishes a NUMA node, whose selectors do not read it, and which serve
  a claim of several devices without any constraint. Silent for classes nobody uses here, for admin access, and where every
  user holds one device.

Why it matters
  A class is where a platform team can say the NUMA node once for everybody. If neither the class nor the claim says it,
  nobody does.

What the fix does
  Only with strategy pin, which is never made unasked: adds a selector for one literal NUMA node to the class. A constraint
  in the claim is better wherever it is possible.
"""

from __future__ import annotations

from dralign.finding import WARNING, Related, Severities
from dralign.fixes import alignment
from dralign.manifest import Path
from dralign.model.driver import NUMA
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding, Fix
    from dralign.model.claim import Claim
    from dralign.model.device_class import DeviceClass

RULE = Rule(
    id="class-numa-selector",
    severities=Severities(None, WARNING, WARNING),
    summary="a DeviceClass leaves the NUMA node open, and so do the claims that use it",
    tip="tie the devices by matchAttribute in the claims, or add a selector on the NUMA node to the class",
    since="0.1",
    standards=("A5",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per class of the input that leaves open what its users leave open too."""
    loose: dict[str, list[Claim]] = {}
    for claim in (claim for claim in ctx.claims if not claim.spec.constraints):
        leaves = (leaf for each in ctx.untied(claim) for request in each.group.requests for leaf in request.leaves())
        for name in dict.fromkeys(leaf.device_class or "" for leaf in leaves):
            loose.setdefault(name, []).append(claim)
    for name, claims in loose.items():
        known = ctx.classes.get(name)
        if known is not None and ctx.is_input(known.manifest) and not _reads_numa_node(ctx, known):
            yield _finding(ctx, known, claims)


def _reads_numa_node(ctx: Context, known: DeviceClass) -> bool:
    view = ctx.class_view(known)
    names = view.attributes(NUMA) if view else ()
    return any(f"{read.domain}/{read.name}" in names for read in ctx.class_facts(known).reads)


def _finding(ctx: Context, known: DeviceClass, claims: list[Claim]) -> Finding:
    users = ", ".join(claim.manifest.ref.kind_and_name for claim in claims)
    return RULE.finding(
        known.manifest,
        Path(("spec", "selectors")),
        f"class '{known.name}' does not look at the NUMA node, and neither does {users}",
        related=tuple(Related(claim.manifest, claim.spec.path / "devices", "uses it") for claim in claims),
        fix=_fix(ctx, known),
    )


def _fix(ctx: Context, known: DeviceClass) -> Fix | None:
    wanted = ctx.settings.alignment
    if wanted.strategy != "pin":
        return None
    zone = wanted.zone or 0
    patches = alignment.pin(known.manifest, [Path(("spec",))], wanted.attribute, zone, ctx.gates)
    return ctx.alignment_fix(f"pin the class to NUMA node {zone}", patches)


_CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: big-gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.nvidia.com"
"""
_PINNED = """\
  - cel:
      expression: device.attributes["resource.kubernetes.io"].?numaNode.orValue(-1) == 0
"""
_CLAIM = """\
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: pair
spec:
  devices:
    requests:
    - name: gpus
      exactly:
        deviceClassName: big-gpu
        count: 2
"""
_ASKED = {"alignment": {"strategy": "pin"}, "rules": {"numa-constraint-missing": "off"}}

VALID = (
    Example("nobody uses it", _CLASS),
    Example("the class says the node", _CLASS + _PINNED + _CLAIM),
)
INVALID = (
    Example(
        "two GPUs from an open class",
        _CLASS + _CLAIM,
        messages=("class 'big-gpu' does not look at the NUMA node, and neither does ResourceClaim/pair",),
        fixed=_CLASS + _PINNED + _CLAIM,
        spec=_ASKED,
    ),
)
