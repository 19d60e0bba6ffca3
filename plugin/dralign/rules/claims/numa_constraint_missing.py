"""Devices of one claim are not tied to one NUMA node

What it does
  Looks at claims and templates that bring one container two or more devices whose drivers publish a NUMA node, and
  reports those that neither a constraint nor literal selectors tie together. A constraint on something finer (PCIe root,
  parent card) counts; one over a single device ties nothing, and is never asked for. CPUs or NICs alone, and devices
  chosen by hand, are left alone.

Why it matters
  The scheduler takes the first devices that fit. Without matchAttribute the GPU may lie on one socket and the NIC or
  CPUs on the other, and every transfer crosses the link between them.

What it needs to know
  Which attributes a driver publishes is taken from the catalogue, for the release given under drivers (default: the
  newest). With an inventory, what no node could meet is said as info. Without, eight and more GPUs, or all there are, fit
  into no NUMA node of the usual machines, and are said as info too. GPUs of one NVSwitch partition (partition2) are a
  warning: on usual machines they share a NUMA node, which nothing says.

What the fix does
  Appends the constraint over all requests that have the attribute, or widens the one that is there; with strategy pin,
  adds a selector for one literal NUMA node instead, where one was asked for or the inventory shows only one.
"""

from __future__ import annotations

from dralign.context.nics import speaks_of
from dralign.finding import ERROR, INFO, WARNING, Fix, Severities
from dralign.fixes import alignment
from dralign.manifest import as_list
from dralign.model.claim import ALL
from dralign.model.driver import FABRIC
from dralign.model.verdict import SPANS
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context, Untied
    from dralign.finding import Finding
    from dralign.manifest import Path
    from dralign.model.claim import Claim, Request
    from dralign.model.topology import Group

RULE = Rule(
    id="numa-constraint-missing",
    severities=Severities(None, ERROR, ERROR),
    summary="devices of one claim are not tied to one NUMA node",
    tip="add a constraint with matchAttribute over these requests to devices.constraints",
    since="0.1",
    standards=("A2", "B2"),
    yields_to=("numa-crossing",),
)

WHOLE_MACHINE = 8
"""GPUs of the usual machines, spread over two NUMA nodes or more; nobody can tie that many."""


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per claim whose devices could share a NUMA node and are not made to."""
    for claim in ctx.claims:
        for open_ends in ctx.untied(claim):
            if speaks_of(ctx, claim, open_ends.group):
                continue  # a GPU and its NIC: the rule on PCIe roots says so
            group = open_ends.group
            verdict, cost = ctx.verdict_of_users(claim), ctx.cost_of_tying(claim, group.requests, group.attribute)
            large = cost is None and any(_takes_a_machine(request) for request in group.requests)
            never = cost is not None and (cost.is_total or (not cost.before and ctx.never_fits(claim) is not None))
            hopeless = large or never or (verdict is not None and verdict.kind == SPANS)
            most = INFO if hopeless else WARNING if _is_one_fabric(ctx, claim, group) else ERROR
            yield RULE.finding(
                claim.manifest,
                _place(claim),
                _message(open_ends, large=large),
                severities=RULE.severities.at_most(most),
                tip=f"add a constraint with matchAttribute: {group.attribute} over these requests",
                related=ctx.users_of(claim),
                fix=_fix(ctx, claim, open_ends, large=large),
                proof=ctx.proof_line(verdict),
                reach=ctx.reach_line(verdict),
            )


def _is_one_fabric(ctx: Context, claim: Claim, group: Group) -> bool:
    """Say whether the devices must lie in one partition of their own fabric, which on usual machines is one NUMA node."""
    views = [ctx.driver_of(leaf) for request in group.requests for leaf in request.leaves()]
    return any(
        all(constraint.covers(request) for request in group.requests)
        and all(view is not None and FABRIC in view.roles(constraint.match_attribute or "") for view in views)
        for constraint in claim.spec.constraints
    )


def _place(claim: Claim) -> Path:
    devices = claim.spec.path / "devices"
    return devices / "constraints" if as_list(claim.manifest.get(devices / "constraints")) else devices


def _takes_a_machine(request: Request) -> bool:
    return any(leaf.mode == ALL or leaf.count >= WHOLE_MACHINE for leaf in request.leaves())


def _message(open_ends: Untied, *, large: bool) -> str:
    group = open_ends.group
    told = [f"'{r.name}'" + (f" ({r.count} devices)" if r.count > 1 else "") for r in group.requests]
    who = f"requests {', '.join(told)}" if len(told) > 1 else f"the devices of request {told[0]}"
    words = f"{who} can land on different NUMA nodes: no constraint ties them by {group.attribute}"
    return f"{words}; whether one NUMA node holds that many, only an inventory can tell" if large else words


def _fix(ctx: Context, claim: Claim, open_ends: Untied, *, large: bool) -> Fix | None:
    group = open_ends.group
    classes = [leaf.device_class or "" for request in group.requests for leaf in request.leaves()]
    zones = alignment.zones(ctx, classes, group.attribute) if ctx.settings.alignment.strategy == "pin" else ()
    if len(zones) == 1:
        (zone,) = zones
        bodies = alignment.bodies_of(group.requests)
        patches = tuple(alignment.pin(claim.manifest, bodies, group.attribute, zone, ctx.gates))
        return ctx.alignment_fix(f"pin the devices to NUMA node {zone}", patches)
    title = f"tie {', '.join(request.name for request in group.requests)} by {group.attribute}"
    if large:
        return Fix(
            title,
            alignment.constraint(claim, group),
            "unsafe",
            "no usual machine has that many on one NUMA node, only with --unsafe",
        )
    return ctx.alignment_fix(title, alignment.constraint(claim, group))


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
    - name: cpus
      exactly:
        deviceClassName: dra.cpu
        capacity:
          requests:
            dra.cpu/cpu: "8"
"""
_TIED = """\
    constraints:
    - matchAttribute: resource.kubernetes.io/numaNode
      requests:
      - gpu
      - cpus
"""
_MESSAGE = (
    "requests 'gpu', 'cpus' can land on different NUMA nodes: no constraint ties them by "
    "resource.kubernetes.io/numaNode"
)

VALID = (
    Example("tied by name", _CLAIM + _TIED),
    Example(
        "tied, whichever requests there are",
        _CLAIM + "    constraints:\n    - matchAttribute: resource.kubernetes.io/numaNode\n",
    ),
    Example(
        "a single device has nothing to be tied to",
        """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
""",
    ),
)
INVALID = (
    Example(
        "GPU and CPUs apart",
        _CLAIM,
        messages=(_MESSAGE,),
        fixed=_CLAIM + _TIED,
        spec={"alignment": {"strategy": "constraint"}},
    ),
    Example(
        "pinned on request, in the flat shape of v1beta1",
        """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata:
  name: pair
spec:
  devices:
    requests:
    - name: gpus
      deviceClassName: gpu.nvidia.com
      count: 2
""",
        messages=(
            "the devices of request 'gpus' (2 devices) can land on different NUMA nodes: no constraint ties them by "
            "resource.kubernetes.io/numaNode",
        ),
        fixed="""\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata:
  name: pair
spec:
  devices:
    requests:
    - name: gpus
      deviceClassName: gpu.nvidia.com
      count: 2
      selectors:
      - cel:
          expression: device.attributes["resource.kubernetes.io"].?numaNode.orValue(-1) == 1
""",
        spec={"alignment": {"strategy": "pin", "zone": 1}, "rules": {"api-version": "off"}},
    ),
)
