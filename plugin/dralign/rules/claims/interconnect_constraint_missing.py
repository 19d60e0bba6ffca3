"""Several accelerators of one claim can lie in different interconnect domains

What it does
  Looks at claims of several accelerators. Where the inventory has nodes with two or more domains (NVSwitch partitions of
  that size, PCIe roots) one of which holds them all, it asks for the constraint that keeps them in one. Silent where all
  accelerators of a node are one domain, and where no domain is large enough: only what can be met is asked for.

Why it matters
  Peer-to-peer transfers go by NVLink or by one PCIe switch inside a domain, and through the CPU between two. Collective
  operations are as fast as their slowest link.

What it needs to know
  Domains are a matter of the machine. Without an inventory this is an info.

What the fix does
  Adds the constraint over the accelerators.
"""

from __future__ import annotations

from dralign.context.candidates import by_node, by_value, candidates
from dralign.finding import INFO, WARNING, Severities
from dralign.fixes import alignment
from dralign.model import topology
from dralign.model.claim import ALL
from dralign.model.driver import FABRIC, NUMA, PARENT, PCIE_ROOT
from dralign.record import Record
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.catalogue import DriverView
    from dralign.model.claim import Claim, Request
    from dralign.model.device import Device

RULE = Rule(
    id="interconnect-constraint-missing",
    severities=Severities(None, INFO, WARNING),
    summary="several accelerators of one claim can lie in different interconnect domains",
    tip="give an inventory (--inventory or --preset): it tells which domains the machines have",
    since="0.1",
    standards=("B4",),
)

SHOWN = Severities(None, WARNING, WARNING)
"""With an inventory that has two domains or more."""

TYING = {PCIE_ROOT, PARENT, FABRIC}
"""Roles of attributes that, once equal, put accelerators into one domain."""


class Domains(Record):
    """An attribute that could keep the accelerators together, on a node that has several of its values."""

    attribute: str
    node: str
    count: int


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per set of accelerators of one driver that a container gets and nothing keeps in one domain."""
    for claim, names in ((one, names) for one in ctx.claims for names in ctx.held_together(one)):
        requests = tuple(one for one in claim.requests if one.name in names and _is_accelerator(ctx, one))
        devices = sum(topology.least_devices(request) for request in requests)
        view = ctx.driver_of(requests[0].leaves()[0]) if requests else None
        if devices > 1 and view is not None and not _tied(ctx, claim, requests):
            yield from _found(ctx, claim, requests, devices, view)


def _is_accelerator(ctx: Context, request: Request) -> bool:
    leaves = request.leaves()
    views = [ctx.driver_of(leaf) for leaf in leaves]
    whole = all(view is not None and view.device in topology.ACCELERATORS and _is_whole(view) for view in views)
    return whole and not any(leaf.admin_access or leaf.mode == ALL for leaf in leaves)


def _is_whole(view: DriverView) -> bool:
    """Say whether the devices are whole cards: partitions have no link of their own."""
    return view.device_type is None or not view.attributes(PARENT)


def _tied(ctx: Context, claim: Claim, requests: tuple[Request, ...], *more: str) -> bool:
    """Say whether something keeps all of them in one domain: a constraint, be it one that nobody here can place, or the
    author's hand. ``more`` are roles of attributes that count as well.
    """
    leaves = [leaf for request in requests for leaf in request.leaves()]
    if any(topology.names_devices(leaf, ctx.driver_of, ctx.facts_of) or leaf.derived for leaf in leaves):
        return True
    views = [view for view in map(ctx.driver_of, leaves) if view is not None]
    if len({view.driver for view in views}) > 1:
        return True  # cards of two vendors have no link in common
    for constraint in claim.spec.constraints:
        name = constraint.match_attribute
        if name is not None and all(constraint.covers(request) for request in requests):
            roles = {role for view in views for role in view.roles(name)}
            if not roles or roles & {*TYING, *more}:
                return True
    return False


def _found(
    ctx: Context, claim: Claim, requests: tuple[Request, ...], devices: int, view: DriverView
) -> Iterator[Finding]:
    known = (device for request in requests for device in candidates(ctx, claim, request.leaves()[0]))
    nodes = by_node({device.number: device for device in known}.values())
    who = " and ".join(f"'{request.name}'" for request in requests)
    related = ctx.users_of(claim)
    place = claim.spec.path / "devices"
    if not nodes and (_tied(ctx, claim, requests, NUMA) or not _attributes(view, devices)):
        return  # one NUMA node is the most that can be asked for unseen
    if not nodes:
        message = (
            f"the {devices} accelerators of {who} can lie in different interconnect domains, if the machine has several"
        )
        yield RULE.finding(claim.manifest, place, message, related=related)
        return
    domains = next(_domains(view, nodes, devices), None)
    if domains is not None:
        group = topology.Group(domains.attribute, requests, devices)
        yield RULE.finding(
            claim.manifest,
            place,
            f"the {devices} accelerators of {who} can lie in different interconnect domains: {domains.node} has "
            f"{domains.count} by {domains.attribute}, and one of them holds {devices}",
            severities=SHOWN,
            tip=f"add a constraint with matchAttribute: {domains.attribute} over {who}",
            related=related,
            fix=ctx.alignment_fix(f"keep {who} in one domain", alignment.constraint(claim, group)),
        )


def _attributes(view: DriverView, devices: int) -> tuple[str, ...]:
    """Return the attributes that tell the domain of a driver's devices, the tightest first."""
    rows = view.profile.attributes if view.profile else ()
    switches = (row.name for row in rows if row.role == FABRIC and row.name.endswith(str(devices)))
    return (*switches, *view.attributes(PCIE_ROOT))


def _domains(view: DriverView, nodes: dict[str, list[Device]], devices: int) -> Iterator[Domains]:
    """Yield the attributes by which a node has several domains, one of them large enough, the tightest first."""
    for attribute in _attributes(view, devices):
        for node, known in nodes.items():
            groups = by_value(known, attribute)
            if len(groups) > 1 and any(len(group) >= devices for group in groups.values()):
                yield Domains(attribute, node, len(groups))


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: pair
spec:
  devices:
    requests:
    - name: gpus
      exactly:
        deviceClassName: {name}
        count: {count}
"""
_TIED = """\
    constraints:
    - matchAttribute: resource.kubernetes.io/{}
"""

VALID = (
    Example("one accelerator", _CLAIM.format(name="gpu.nvidia.com", count=1)),
    Example("under one PCIe root", _CLAIM.format(name="gpu.nvidia.com", count=2) + _TIED.format("pcieRoot")),
    Example("on one NUMA node", _CLAIM.format(name="gpu.nvidia.com", count=2) + _TIED.format("numaNode")),
    Example("partitions have no links", _CLAIM.format(name="mig.nvidia.com", count=2)),
)
INVALID = (
    Example(
        "two GPUs wherever they fit",
        _CLAIM.format(name="gpu.nvidia.com", count=2),
        messages=(
            "the 2 accelerators of 'gpus' can lie in different interconnect domains, if the machine has several",
        ),
    ),
)
