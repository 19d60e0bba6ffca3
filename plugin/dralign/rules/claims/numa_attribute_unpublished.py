"""A constraint names an attribute that a driver of the claim does not publish

What it does
  Looks at matchAttribute constraints: every device that they cover must have the attribute, by its full name. With an
  inventory, counts the nodes whose devices have it; without one, asks the driver catalogue, for the release given under
  drivers (default: the newest).

Why it matters
  A device without the attribute fits no constraint on it, so that the claim never fits where one of its drivers leaves it
  out. Equal last parts of a name mean nothing: dra.net/numaNode is not resource.kubernetes.io/numaNode. And -1, which some
  drivers publish for "not known", equals -1: the claim then fits and proves nothing.

What it needs to know
  Which nodes can serve the claim is told by an inventory. Drivers that neither inventory nor catalogue know are left alone.
"""

from __future__ import annotations

from dralign.finding import ERROR, WARNING, Severities
from dralign.record import Record
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Ask, Context
    from dralign.finding import Finding
    from dralign.model.claim import Claim, Constraint, Request
    from dralign.model.device import Device

RULE = Rule(
    id="numa-attribute-unpublished",
    severities=Severities(None, WARNING, ERROR),
    summary="a constraint names an attribute that a driver of the claim does not publish",
    tip="name an attribute that all drivers of the claim publish, or use one constraint per pair of requests",
    since="0.1",
    standards=("A2",),
)

NEVER = Severities(ERROR, ERROR, ERROR)


class Loss(Record):
    """Nodes that could serve the claim but for a constraint, all that could, and the request that fails on the first."""

    lost: tuple[str, ...]
    able: tuple[str, ...]
    request: Request


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per constraint that devices cannot meet for want of the attribute."""
    for claim in ctx.claims:
        for constraint in claim.spec.constraints:
            if constraint.match_attribute and not _is_derived(claim, constraint.match_attribute):
                yield from _judge(ctx, claim, constraint, constraint.match_attribute)


def _is_derived(claim: Claim, attribute: str) -> bool:
    """Say whether a request makes the attribute itself (KEP-6080)."""
    return any(
        isinstance(item, dict) and item.get("name") == attribute for r in claim.spec.leaves for item in r.derived
    )


def _judge(ctx: Context, claim: Claim, constraint: Constraint, attribute: str) -> Iterator[Finding]:
    covered = tuple(request for request in claim.requests if constraint.covers(request))
    loss = _loss(ctx, claim, covered, attribute)
    if loss is None:
        silent = next((r for r in covered if not _may_have(ctx, r, attribute)), None)
        if silent is not None:
            view = ctx.driver_of(silent.leaves()[0])
            who = view.driver if view else ""
            yield _finding(
                ctx, claim, constraint, f"devices of request '{silent.name}' ({who}) do not have {attribute}"
            )
    elif loss.lost == loss.able:
        message = (
            f"no device of request '{loss.request.name}' has {attribute} on {_nodes(loss.able)} that could serve it"
        )
        yield _finding(ctx, claim, constraint, message, severities=NEVER)
    elif loss.lost:
        message = (
            f"devices of request '{loss.request.name}' lack {attribute} on {len(loss.lost)} of {len(loss.able)} nodes that "
            f"could serve it: {', '.join(loss.lost[:3])}"
        )
        yield _finding(ctx, claim, constraint, message)


def _finding(
    ctx: Context, claim: Claim, constraint: Constraint, message: str, severities: Severities | None = None
) -> Finding:
    return RULE.finding(
        claim.manifest,
        constraint.path,
        message,
        severities=severities,
        label="not published by all",
        tip=_tip(ctx, claim, constraint),
        related=ctx.users_of(claim),
    )


def _nodes(names: tuple[str, ...]) -> str:
    return "the one node" if len(names) == 1 else f"any of the {len(names)} nodes"


# With an inventory


def _loss(ctx: Context, claim: Claim, covered: tuple[Request, ...], attribute: str) -> Loss | None:
    """Return what nodes a constraint loses; None where the inventory does not know all drivers of the claim."""
    if not ctx.devices:
        return None
    asks = {id(ask.request): ask for ask in ctx.asks_of(claim)}
    if not all(
        id(leaf) in asks and ctx.candidates(asks[id(leaf)]) for request in claim.requests for leaf in request.leaves()
    ):
        return None
    names = {device.node for device in ctx.devices if device.node is not None}
    able, left = set(names), set(names)
    for request in claim.requests:
        able &= _serving(ctx, asks, request, names)
    for request in covered:
        left &= _serving(ctx, asks, request, names, attribute)
    lost = sorted(able - left)
    found = (r for r in covered if lost and lost[0] not in _serving(ctx, asks, r, names, attribute))
    return Loss(tuple(lost), tuple(sorted(able)), next(found, claim.requests[0])) if able else None


def _serving(
    ctx: Context, asks: dict[int, Ask], request: Request, names: set[str], attribute: str | None = None
) -> set[str]:
    """Return the nodes that have a device for a request, one with the attribute if that is given."""
    found = {
        device.node
        for leaf in request.leaves()
        for device in ctx.candidates(asks[id(leaf)])
        if attribute is None or device.attribute(attribute) is not None
    }
    return names if None in found else {name for name in found if name is not None}


# Without one


def _may_have(ctx: Context, request: Request, attribute: str) -> bool:
    """Say whether the catalogue leaves open that devices of a request have the attribute.

    It does for one that it has not, and for one that an option of the driver brings: the option is in no manifest.
    """
    return attribute not in ctx.catalogue.attributes or any(
        view is None
        or view.profile is None
        or view.published(attribute) is not None
        or any(row.needs for row in view.profile.attributes if row.name == attribute)
        for view in map(ctx.driver_of, request.leaves())
    )


# What to type


def _tip(ctx: Context, claim: Claim, constraint: Constraint) -> str | None:
    """Return an attribute that all requests share, else a chain over a request that shares one with each of the others."""
    covered = [request for request in claim.requests if constraint.covers(request)]
    names = {request.name: _published(ctx, claim, request) for request in covered}
    shared = frozenset.intersection(*map(frozenset, names.values())) if names else frozenset()
    if shared:
        return f"write matchAttribute: {min(shared, key=_rank)}"
    for hub in covered:
        pairs = {other.name: names[hub.name] & names[other.name] for other in covered if other is not hub}
        if pairs and all(pairs.values()):
            chained = (f"{min(common, key=_rank)} over [{name}, {hub.name}]" for name, common in pairs.items())
            return f"use one constraint per pair: matchAttribute {'; '.join(chained)}"
    return None


def _rank(name: str) -> tuple[bool, str]:
    return (not name.startswith("resource.kubernetes.io/"), name)


def _published(ctx: Context, claim: Claim, request: Request) -> frozenset[str]:
    """Return the attributes that place a device which all candidates of a request have, by inventory or catalogue."""
    views = [view for view in map(ctx.driver_of, request.leaves()) if view is not None]
    known = {name for view in views for role in ("numa", "pcieRoot") for name in view.attributes(role)}
    asks = {id(ask.request): ask for ask in ctx.asks_of(claim)}
    devices = [d for leaf in request.leaves() if id(leaf) in asks for d in ctx.candidates(asks[id(leaf)])]
    if devices:
        return frozenset(name for name in _placing(ctx) if all(_has(device, name) for device in devices))
    return frozenset(name for name in known if all(view.published(name) is not None for view in views))


def _placing(ctx: Context) -> frozenset[str]:
    """Return the names of all attributes that the catalogue knows to place a device."""
    rows = (row for profile in ctx.catalogue.profiles for row in profile.attributes)
    return frozenset(row.name for row in rows if row.role in ("numa", "pcieRoot"))


def _has(device: Device, name: str) -> bool:
    return device.attribute(name) is not None


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
    constraints:
    - matchAttribute: {attribute}
"""

VALID = (Example("an attribute that both publish", _CLAIM.format(attribute="resource.kubernetes.io/numaNode")),)
INVALID = (
    Example(
        "an attribute of one driver alone",
        _CLAIM.format(attribute="dra.cpu/numaNodeID"),
        messages=("devices of request 'gpu' (gpu.nvidia.com) do not have dra.cpu/numaNodeID",),
        spec={"rules": {"numa-constraint-missing": "off"}},
    ),
)
