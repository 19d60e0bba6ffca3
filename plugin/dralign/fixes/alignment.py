"""Patches that put the devices of a claim on one NUMA node: a constraint over them, or a literal zone for each."""

from __future__ import annotations

from dralign.edit import Append
from dralign.finding import Patch
from dralign.model.driver import LIST_GATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.manifest import Manifest, Path
    from dralign.model.claim import Claim, Request
    from dralign.model.topology import Group


def constraint(claim: Claim, group: Group) -> tuple[Patch, ...]:
    """Return the patches that tie all requests of a group: a constraint on the attribute that is there is widened."""
    at = claim.spec.path / "devices" / "constraints"
    names = [request.name for request in group.requests]
    for known in claim.spec.constraints:
        if known.match_attribute == group.attribute and known.requests:
            missing = [name for name in names if name not in known.requests]
            return tuple(Patch(claim.manifest, Append(known.path / "requests", name)) for name in missing)
    return (Patch(claim.manifest, Append(at, {"matchAttribute": group.attribute, "requests": names})),)


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


def bodies_of(requests: Sequence[Request]) -> tuple[Path, ...]:
    """Return where the selectors of requests stand or would stand, those of alternatives included."""
    return tuple(leaf.body for request in requests for leaf in request.leaves())
