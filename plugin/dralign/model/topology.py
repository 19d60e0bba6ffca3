"""Which devices of a claim have a NUMA node that its text can tie, and whether it does.

A constraint ties the devices it covers where its attribute fixes the place: the NUMA node itself, or something finer
(PCIe root, PCI address, parent card). Literal selectors tie devices that they all pin to the same value. Two ties that
share a request are one, since equal roots and equal cards lie on equal NUMA nodes.
"""

from __future__ import annotations

from dralign.model.claim import ALL
from dralign.model.driver import NUMA, PARENT, PCI_BUS_ID, PCIE_ROOT, UNIQUE
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from dralign.cel.analysis import Facts
    from dralign.model.catalogue import DriverView
    from dralign.model.claim import Claim, Constraint, Request

    Views = Callable[[Request], DriverView | None]
    FactsOf = Callable[[Request], Facts]

PLACING_ROLES = (NUMA, PCIE_ROOT, PCI_BUS_ID, PARENT)
"""Roles of attributes that, once equal, put devices on one NUMA node."""


ACCELERATORS = frozenset(("gpu", "npu"))
"""Kinds of devices that CPUs, memory and NICs should be near to."""


class Group(Record):
    """The requests of a claim all of whose devices publish ``attribute``, and how many devices that is at least."""

    attribute: str
    requests: tuple[Request, ...]
    devices: int


def group_of(claim: Claim, together: frozenset[str], views: Views, preferred: str) -> Group | None:
    """Return the largest group of requests that one NUMA attribute could tie; ``preferred`` wins where two are equal.

    Only requests ``together`` in one container count. None where no driver of the claim is known to publish such an
    attribute, or where there is nothing whose place matters: CPUs or NICs alone. Requests for admin access hold no device.
    """
    holders = [
        request
        for request in claim.requests
        if request.name in together and not any(leaf.admin_access for leaf in request.leaves())
    ]
    groups = [_group(holders, attribute, views) for attribute in _candidates(holders, views, preferred)]
    filled = [group for group in groups if group.requests and _matters(group, views)]
    return max(filled, key=lambda group: len(group.requests), default=None)


def _matters(group: Group, views: Views) -> bool:
    """Say whether it matters where the devices are: an accelerator is among them, or CPUs drive a NIC."""
    known = (views(leaf) for request in group.requests for leaf in request.leaves())
    devices = {view.device for view in known if view is not None}
    return bool(devices & ACCELERATORS) or {"nic", "cpu"} <= devices


def _candidates(requests: Sequence[Request], views: Views, preferred: str) -> tuple[str, ...]:
    known = [view for request in requests for leaf in request.leaves() for view in (views(leaf),) if view is not None]
    return tuple(dict.fromkeys((preferred, *(name for view in known for name in view.attributes(NUMA)))))


def _group(requests: Sequence[Request], attribute: str, views: Views) -> Group:
    fitting = tuple(r for r in requests if all(_publishes(leaf, attribute, views) for leaf in r.leaves()))
    return Group(attribute, fitting, sum(least_devices(request) for request in fitting))


def _publishes(leaf: Request, attribute: str, views: Views) -> bool:
    view = views(leaf)
    return view is not None and view.published(attribute) is not None


def least_devices(request: Request) -> int:
    """Return how many devices a request brings at least; ``All`` may be any number and counts as one."""
    return min(1 if leaf.mode == ALL else leaf.count for leaf in request.leaves())


def untied(claim: Claim, group: Group, views: Views, facts: FactsOf) -> tuple[Request, ...]:
    """Return the requests of a group that nothing ties to all the others, in order; empty where the group is one.

    A request of several devices needs a tie of its own as well. A constraint on an attribute that the catalogue cannot
    place is taken for a tie, and so is a place or a device that the author chose by hand: better silent than wrong.
    """
    if _chosen_by_hand(group, views, facts) or _spread_on_purpose(claim, group, views):
        return ()
    parts: list[set[str]] = []
    for constraint in claim.spec.constraints:
        covered = {request.name for request in group.requests if constraint.covers(request)}
        if covered and _places(constraint, group, views):
            joined = [part for part in parts if part & covered]
            parts = [part for part in parts if not part & covered] + [covered.union(*joined)]
    names = {request.name for request in group.requests}
    if any(part == names for part in parts):
        return ()
    best = max(parts, key=len, default=set())
    return tuple(request for request in group.requests if request.name not in best) if best else group.requests


def _places(constraint: Constraint, group: Group, views: Views) -> bool:
    """Say whether a constraint's attribute, once equal, puts devices on one NUMA node."""
    attribute = constraint.match_attribute
    if attribute is None:
        return False
    roles = {role for request in group.requests for leaf in request.leaves() for role in _roles(leaf, attribute, views)}
    return not roles or bool(roles & set(PLACING_ROLES))


def _roles(leaf: Request, attribute: str, views: Views) -> Iterable[str]:
    view = views(leaf)
    return view.roles(attribute) if view is not None else ()


def _chosen_by_hand(group: Group, views: Views, facts: FactsOf) -> bool:
    """Say whether selectors name a literal NUMA node for every request, or the very devices for one of them.

    That the nodes may differ is no missing constraint: it is what was asked for.
    """
    leaves = [leaf for request in group.requests for leaf in request.leaves()]
    nodes = [facts(leaf).elements(group.attribute) for leaf in leaves]
    if all(node is not None and len(node) == 1 for node in nodes):
        return True
    return any(names_devices(leaf, views, facts) for leaf in leaves)


def names_devices(leaf: Request, views: Views, facts: FactsOf) -> bool:
    """Say whether the selectors of an ask name the very devices."""
    view = views(leaf)
    names = (*view.attributes(UNIQUE), *view.attributes(PCI_BUS_ID)) if view is not None else ()
    known = facts(leaf)
    return any(known.values(name) is not None for name in names)


def pinned_node(leaf: Request, views: Views, facts: FactsOf) -> int | None:
    """Return the NUMA node that the selectors of an ask name for every device it can get; None where they name none."""
    view = views(leaf)
    for name in view.attributes(NUMA) if view is not None else ():
        nodes = facts(leaf).elements(name)
        node = next(iter(nodes)) if nodes is not None and len(nodes) == 1 else None
        if isinstance(node, int):
            return node
    return None


def _spread_on_purpose(claim: Claim, group: Group, views: Views) -> bool:
    """Say whether a distinctAttribute asks for different NUMA nodes."""
    asked = (constraint.distinct_attribute for constraint in claim.spec.constraints)
    leaves = [leaf for request in group.requests for leaf in request.leaves()]
    return any(NUMA in _roles(leaf, name, views) for name in asked if name for leaf in leaves)
