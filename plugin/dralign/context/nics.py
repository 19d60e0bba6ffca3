"""Which NICs of a claim could lie under the PCIe root of an accelerator, and are not made to."""

from __future__ import annotations

from dralign.context.candidates import by_node, candidates
from dralign.model import topology
from dralign.model.claim import ALL
from dralign.model.driver import NUMA, PCIE_ROOT
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.model.claim import Claim, Constraint, Request
    from dralign.model.device import Attribute, Device

MANY = 8
"""So many devices are all that the usual machine has, under many roots."""


class Pair(Record):
    """An accelerator and a NIC of one claim that can lie under different PCIe roots.

    Attributes:
        accelerator, nic: the requests.
        root: the attribute that could tie them.
        numa: the NUMA attribute by which a constraint ties them; None where none does.
        apart: two known devices that the claim can get and that lie under different roots.
        known: whether the inventory has both sorts of devices.
        possible: whether a node of the inventory has a pair under one root; true where there is no inventory.
    """

    accelerator: Request
    nic: Request
    root: str
    numa: str | None
    apart: tuple[Device, Device] | None
    known: bool
    possible: bool

    @property
    def single(self) -> bool:
        """Whether it is one device of each, so that one constraint can say which belong together."""
        return all(leaf.mode != ALL and leaf.count == 1 for leaf in (*self.accelerator.leaves(), *self.nic.leaves()))

    @property
    def large(self) -> bool:
        """Whether it takes a whole machine, on which no constraint can hold."""
        leaves = (*self.accelerator.leaves(), *self.nic.leaves())
        return any(leaf.mode == ALL or leaf.count >= MANY for leaf in leaves)

    @property
    def matters(self) -> bool:
        """Whether this is a fault of the claim, as far as anybody can know, and not the best that the machine allows."""
        if self.numa is None:
            return self.possible
        return self.possible and (self.apart is not None or not self.known)


def nic_pairs(ctx: Context, claim: Claim) -> tuple[Pair, ...]:
    """Return one pair for each NIC that nothing ties to the PCIe root of an accelerator of its claim.

    A pair that another rule speaks of, since all devices of the claim lack one constraint, is left to it.
    """
    return ctx.told_of(claim, "nic pairs", lambda one: _all_pairs(ctx, one))


def _all_pairs(ctx: Context, claim: Claim) -> tuple[Pair, ...]:
    accelerators = [r for r in claim.requests if _is(ctx, r, *topology.ACCELERATORS)]
    nics = [r for r in claim.requests if _is(ctx, r, "nic")]
    found: list[Pair] = []
    for place, nic in enumerate(nics):
        near = [one for one in accelerators if _together(ctx, claim, one, nic)]
        if near and not any(_tied(ctx, claim, one, nic) for one in near) and not _is_loose_at_large(ctx, claim, nic):
            found += _pair(ctx, claim, near[min(place, len(near) - 1)], nic)
    return tuple(found)


def speaks_of(ctx: Context, claim: Claim, group: topology.Group) -> bool:
    """Say whether the missing tie of a group is that of one accelerator to its NICs, and nothing more."""
    names = {pair.nic.name for pair in nic_pairs(ctx, claim) if pair.matters and pair.numa is None}
    rest = [request for request in group.requests if request.name not in names]
    return bool(names) and len(rest) == 1 and topology.least_devices(rest[0]) == 1


def _is(ctx: Context, request: Request, *devices: str) -> bool:
    views = [ctx.driver_of(leaf) for leaf in request.leaves()]
    held = not any(leaf.admin_access for leaf in request.leaves())
    return held and all(view is not None and view.device in devices for view in views)


def _together(ctx: Context, claim: Claim, accelerator: Request, nic: Request) -> bool:
    """Say whether one container gets both; interfaces come to the pod as a whole."""
    views = [ctx.driver_of(leaf) for leaf in nic.leaves()]
    if all(view and view.profile and view.profile.serves_pods for view in views):
        return True
    return any({accelerator.name, nic.name} <= names for names in ctx.held_together(claim))


def _roles(ctx: Context, request: Request, attribute: str) -> Iterator[str]:
    for leaf in request.leaves():
        view = ctx.driver_of(leaf)
        yield from view.roles(attribute) if view is not None else ()


def _constraints(ctx: Context, claim: Claim, one: Request, other: Request) -> Iterator[tuple[Constraint, set[str]]]:
    """Yield the constraints over both requests, with the roles of their attributes."""
    for constraint in claim.spec.constraints:
        if constraint.match_attribute and constraint.covers(one) and constraint.covers(other):
            name = constraint.match_attribute
            yield constraint, {*_roles(ctx, one, name), *_roles(ctx, other, name)}


def _tied(ctx: Context, claim: Claim, accelerator: Request, nic: Request) -> bool:
    """Say whether both are under one root: by a constraint, one that nobody here can place, or by the author's hand."""
    leaves = (*accelerator.leaves(), *nic.leaves())
    if any(topology.names_devices(leaf, ctx.driver_of, ctx.facts_of) or leaf.derived for leaf in leaves):
        return True
    if all(_names_root(ctx, leaf) for leaf in leaves):
        return True
    return any(not roles or PCIE_ROOT in roles for _, roles in _constraints(ctx, claim, accelerator, nic))


def _names_root(ctx: Context, leaf: Request) -> bool:
    view = ctx.driver_of(leaf)
    names = view.attributes(PCIE_ROOT) if view is not None else ()
    return any(ctx.facts_of(leaf).values(name) is not None for name in names)


def _is_loose_at_large(ctx: Context, claim: Claim, nic: Request) -> bool:
    """Say whether the NIC is one of several devices that no constraint ties to one NUMA node: then that comes first."""
    for each in ctx.untied(claim):
        names = {request.name for request in each.group.requests}
        rest = [request for request in each.group.requests if not _is(ctx, request, "nic")]
        if nic.name in names and (len(rest) != 1 or topology.least_devices(rest[0]) != 1):
            return True
    return False


def _pair(ctx: Context, claim: Claim, accelerator: Request, nic: Request) -> Iterator[Pair]:
    root = _common_root(ctx, accelerator, nic)
    if root is None:
        return
    ties = _constraints(ctx, claim, accelerator, nic)
    numa = next((constraint.match_attribute for constraint, roles in ties if NUMA in roles), None)
    gpus = by_node(candidates(ctx, claim, accelerator.leaves()[0]))
    nics = by_node(candidates(ctx, claim, nic.leaves()[0]))
    both = [(gpu, card) for node, devices in gpus.items() for gpu in devices for card in nics.get(node, ())]
    possible = [_same(gpu, card, root) is True for gpu, card in both]
    apart = next((pair for pair in both if _same(*pair, root) is False and (not numa or _same(*pair, numa))), None)
    known = bool(gpus and nics)
    yield Pair(accelerator, nic, root, numa, apart, known, not known or any(possible))


def _common_root(ctx: Context, accelerator: Request, nic: Request) -> str | None:
    """Return the attribute for the PCIe root that all devices of both requests can have."""
    views = [ctx.driver_of(leaf) for leaf in (*accelerator.leaves(), *nic.leaves())]
    names = views[0].attributes(PCIE_ROOT) if views[0] is not None else ()
    return next((name for name in names if all(view and view.published(name) for view in views)), None)


def _same(one: Device, other: Device, attribute: str) -> bool | None:
    """Say whether a constraint on an attribute takes two devices together; None where one has no value.

    Lists match where they share a value, and a single value is a list of one (KEP-5491).
    """
    here, there = one.attribute(attribute), other.attribute(attribute)
    if here is None or there is None:
        return None
    return bool({*here} & {*there}) if isinstance(here, tuple) and isinstance(there, tuple) else _in(here, there)


def _in(here: Attribute, there: Attribute) -> bool:
    lists = [value for value in (here, there) if isinstance(value, tuple)]
    return here == there or any(value in items for items in lists for value in (here, there))
