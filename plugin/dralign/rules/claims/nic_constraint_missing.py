"""An accelerator and a NIC of one claim can lie under different PCIe roots

What it does
  Reports claims that bring an accelerator and a NIC together and tie them by no constraint on the PCIe root. A constraint
  on the NUMA node is enough where the inventory has no pair under one root (as on GB200), or only such pairs on each NUMA
  node. NICs outside of claims are not its matter.

Why it matters
  GPUDirect RDMA goes from the NIC to the GPU through the PCIe switch that both hang on. Under two roots every packet
  crosses the root complex of the CPU, or the socket link, at a part of the speed.

What it needs to know
  Whether a machine has pairs under one root at all, and whether a NUMA node holds only such, an inventory tells. Without
  one, a claim that is tied by NUMA node gets an info.

What the fix does
  Adds a constraint on the PCIe root for each pair. Requests of several devices have to be split by hand first.
"""

from __future__ import annotations

from dralign.context.nics import nic_pairs
from dralign.edit import Append
from dralign.finding import ERROR, INFO, Fix, Patch, Severities
from dralign.model.verdict import SPANS
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.context.nics import Pair
    from dralign.finding import Finding
    from dralign.model.claim import Claim
    from dralign.model.device import Device

RULE = Rule(
    id="nic-constraint-missing",
    severities=Severities(None, ERROR, ERROR),
    summary="an accelerator and a NIC of one claim can lie under different PCIe roots",
    tip="add a constraint with matchAttribute: resource.kubernetes.io/pcieRoot over both requests",
    since="0.1",
    standards=("B2",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per claim, on the NICs that nothing ties to the root of an accelerator."""
    for claim in ctx.claims:
        pairs = [pair for pair in nic_pairs(ctx, claim) if pair.matters]
        if pairs:
            yield _finding(ctx, claim, pairs)


def _finding(ctx: Context, claim: Claim, pairs: list[Pair]) -> Finding:
    devices = claim.spec.path / "devices"
    root = pairs[0].root
    split = all(pair.single for pair in pairs)
    verdict = ctx.verdict_of_users(claim) if ctx.has_slices else None
    hopeless = all(_is_unsure(pair) for pair in pairs) or (verdict is not None and verdict.kind == SPANS)
    by_state = ([pair for pair in pairs if (pair.numa is None) is loose] for loose in (True, False))
    return RULE.finding(
        claim.manifest,
        devices / "constraints" if claim.spec.constraints else devices,
        "; ".join(_message(alike) for alike in by_state if alike),
        severities=RULE.severities.at_most(INFO) if hopeless else None,
        tip=f"add a constraint with matchAttribute: {root} over each pair"
        if split
        else f"write one request per device, and one constraint with matchAttribute: {root} per pair",
        related=ctx.users_of(claim),
        fix=_fix(ctx, claim, pairs) if split else None,
        proof=ctx.proof_line(verdict),
        reach=ctx.reach_line(verdict),
    )


def _is_unsure(pair: Pair) -> bool:
    return pair.large or (pair.numa is not None and pair.apart is None)


def _message(pairs: list[Pair]) -> str:
    """Return what is wrong with pairs that are all tied by NUMA node, or all not tied at all."""
    one = pairs[0]
    names = [f"'{pair.accelerator.name}' and '{pair.nic.name}'" for pair in pairs]
    who = f"accelerator and NIC ({'; '.join(names)})"
    known = next((pair.apart for pair in pairs if pair.apart), None)
    if one.numa is None:
        shown = f", such as {_told(*known)}" if known else ""
        words = f"{who} can land under different PCIe roots{shown}: no constraint ties them by {one.root}"
        return f"{words}; whether one root holds that many, only an inventory can tell" if one.large else words
    shown = f": {_told(*known)}" if known else "; what a NUMA node holds, only an inventory can tell"
    return f"{who} share a NUMA node by constraint, and can land under different PCIe roots of it{shown}"


def _fix(ctx: Context, claim: Claim, pairs: list[Pair]) -> Fix:
    title = "tie each NIC to its accelerator by PCIe root"
    if any(_is_unsure(pair) for pair in pairs):
        reason = "without an inventory nobody knows whether a machine has such pairs, only with --unsafe"
        return Fix(title, _patches(claim, pairs), "unsafe", reason)
    return ctx.alignment_fix(title, _patches(claim, pairs))


def _told(gpu: Device, nic: Device) -> str:
    return f"{gpu.name} with {nic.name} on {gpu.slice.scope.node_name or gpu.slice.pool}"


def _patches(claim: Claim, pairs: list[Pair]) -> tuple[Patch, ...]:
    """Return one constraint per pair; one that is there for the accelerator alone is widened."""
    at = claim.spec.path / "devices" / "constraints"
    found = []
    for pair in pairs:
        alone = next(
            (
                known
                for known in claim.spec.constraints
                if known.match_attribute == pair.root and known.requests == (pair.accelerator.name,)
            ),
            None,
        )
        names = [pair.accelerator.name, pair.nic.name]
        patch = (
            Append(alone.path / "requests", pair.nic.name)
            if alone
            else Append(at, {"matchAttribute": pair.root, "requests": names})
        )
        found.append(Patch(claim.manifest, patch))
    return tuple(found)


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu-and-nic
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
    - name: nic
      exactly:
        deviceClassName: rdma.example.com
"""
_TIED = """\
    constraints:
    - matchAttribute: resource.kubernetes.io/{}
      requests:
      - gpu
      - nic
"""
_CLASS = """\
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: rdma.example.com
spec:
  selectors:
  - cel:
      expression: device.driver == "dra.net" && device.attributes["dra.net"].?rdma.orValue(false)
"""

VALID = (
    Example("tied by PCIe root", _CLAIM + _TIED.format("pcieRoot") + _CLASS),
    Example(
        "a NIC alone",
        _CLAIM.replace("    - name: gpu\n      exactly:\n        deviceClassName: gpu.nvidia.com\n", "") + _CLASS,
    ),
)
INVALID = (
    Example(
        "GPU and NIC wherever they fit",
        _CLAIM + _CLASS,
        messages=(
            "accelerator and NIC ('gpu' and 'nic') can land under different PCIe roots: no constraint ties them by "
            "resource.kubernetes.io/pcieRoot",
        ),
        fixed=_CLAIM + _TIED.format("pcieRoot") + _CLASS,
        spec={"alignment": {"strategy": "constraint"}},
    ),
    Example(
        "one NUMA node may have several roots",
        _CLAIM + _TIED.format("numaNode") + _CLASS,
        messages=(
            "accelerator and NIC ('gpu' and 'nic') share a NUMA node by constraint, and can land under different PCIe "
            "roots of it; what a NUMA node holds, only an inventory can tell",
        ),
        fixed=_CLAIM + _TIED.format("numaNode") + _TIED.format("pcieRoot").replace("    constraints:\n", "") + _CLASS,
        spec={"alignment": {"strategy": "constraint"}},
    ),
)
