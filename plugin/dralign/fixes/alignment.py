"""Patches that put the devices of a claim on one NUMA node: a constraint over them, or a literal zone for each."""

from __future__ import annotations

from dralign.context.offers import zones_of
from dralign.edit import Append
from dralign.finding import Patch
from dralign.model.driver import LIST_GATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.context import Context
    from dralign.manifest import Manifest, Path
    from dralign.model.claim import Claim, Request
    from dralign.model.topology import Group


MOST_ON_ONE_NODE = 7
"""From eight GPUs on no usual machine has them on one NUMA node: then the constraint is left out and the finding stays."""


def constraint(claim: Claim, group: Group) -> tuple[Patch, ...]:
    """Return the patches that tie all requests of a group: a constraint on the attribute that is there is widened."""
    return tied(claim, group.attribute, [request.name for request in group.requests])


def tied(claim: Claim, attribute: str, names: Sequence[str]) -> tuple[Patch, ...]:
    """Return the patches that tie requests by an attribute: a constraint on it that is there is widened."""
    at = claim.spec.path / "devices" / "constraints"
    for known in claim.spec.constraints:
        if known.match_attribute == attribute:
            missing = [name for name in names if known.requests and name not in known.requests]
            return tuple(Patch(claim.manifest, Append(known.path / "requests", name)) for name in missing)
    return (Patch(claim.manifest, Append(at, {"matchAttribute": attribute, "requests": list(names)})),)


def pin(
    manifest: Manifest, bodies: Sequence[Path], attribute: str, zone: int, gates: frozenset[str]
) -> Iterator[Patch]:
    """Yield the patches that add a selector for one NUMA node to request or class bodies."""
    for body in bodies:
        expression = zone_selector(attribute, zone, gates)
        yield Patch(manifest, Append(body / "selectors", {"cel": {"expression": expression}}))


def zone_selector(attribute: str, zone: int, gates: frozenset[str]) -> str:
    """Return CEL that holds for devices on NUMA node ``zone``, and errors on none.

    With DRAListTypeAttributes the value may be a list; ``includes`` takes both forms (KEP-5491).
    """
    domain, _, name = attribute.rpartition("/")
    place = f'device.attributes["{domain}"]'
    if LIST_GATE in gates:
        return f"has({place}.{name}) && {place}.{name}.includes({zone})"
    return f"{place}.?{name}.orValue(-1) == {zone}"


MOST_ALTERNATIVES = 8
"""``FirstAvailableDeviceRequestMaxSize`` of the API: alternatives of one request."""


def zones(ctx: Context, classes: Sequence[str], attribute: str) -> tuple[int, ...]:
    """Return the NUMA nodes that strategy ``pin`` pins devices of some classes to.

    The one that was asked for; else all that the inventory shows devices of every class on, as alternatives; else 0.
    """
    if ctx.settings.alignment.zone is not None:
        return (ctx.settings.alignment.zone,)
    common = frozenset.intersection(*(zones_of(ctx, name, attribute) for name in classes))
    can = "DRAPrioritizedList" in ctx.gates and len(common) <= MOST_ALTERNATIVES
    return tuple(sorted(common)) if common and can else (0,)


def bodies_of(requests: Sequence[Request]) -> tuple[Path, ...]:
    """Return where the selectors of requests stand or would stand, those of alternatives included."""
    return tuple(leaf.body for request in requests for leaf in request.leaves())
