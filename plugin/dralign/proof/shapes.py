"""Groups nodes that look alike to a pod, so that each sort of node is judged once.

Alike means: the same answers of the pod's selectors in the same order of devices, the same NUMA nodes, capacities, counters
and taints, equal values of tied attributes in the same places. Names and serial numbers do not matter.
"""

from __future__ import annotations

from dralign.proof.columns import columns_of
from dralign.proof.places import Places
from dralign.record import Record
from dralign.sim.amounts import amount
from dralign.sim.nodes import NodeSelectorError, reaches, selects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from dralign.model.device import Device
    from dralign.model.node import Node, NodeSelector
    from dralign.proof.known import Known
    from dralign.sim.allocator import Pod
    from dralign.sim.plan import Leaf
    from dralign.sim.pools import Pool
    from dralign.sim.taken import Taken


class Shape(Record):
    """Nodes that look alike; the first stands for all."""

    nodes: tuple[Node, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes."""
        return tuple(node.name for node in self.nodes)


def shapes_of(pod: Pod, nodes: Sequence[Node], known: Known, taken: Taken | None = None) -> tuple[Shape, ...]:
    """Group nodes; with ``taken``, also by what is taken of each. Nodes keep their order."""
    groups: dict[Hashable, list[Node]] = {}
    leaves = [leaf for plan in pod.plans for ask in plan.asks for leaf in ask.leaves if not isinstance(leaf, Exception)]
    tied = [
        written.match_attribute or written.distinct_attribute for p in pod.plans for written in p.claim.spec.constraints
    ]
    names = tuple(name for name in dict.fromkeys(tied) if name)
    for node in nodes:
        key = _key(pod, leaves, names, node, known)
        groups.setdefault((key, _held(known, node, taken) if taken else None), []).append(node)
    return tuple(Shape(tuple(members)) for members in groups.values())


def places_on(node: Node, known: Known) -> Places:
    """Return the places of a node's devices."""
    key = "places", node.name
    if key not in known.kept:
        known.kept[key] = Places(known.visible(node), known.layout(node), known.aim.level, known.names)
    found: Places = known.kept[key]
    return found


def _key(pod: Pod, leaves: list[Leaf], names: tuple[str, ...], node: Node, known: Known) -> Hashable:
    columns = columns_of(known)
    try:
        known.allocator.cluster.view(node)
    except NodeSelectorError:
        return node.name
    answers = tuple(columns.answers(leaf, node) for leaf in leaves)
    values = tuple(
        columns.derived(leaf, name, node) if name in leaf.derived else columns.values(name, node)
        for name in names
        for leaf in leaves
    )
    reached = tuple(claim.reach is None or _is_selected(claim.reach, node) for claim in pod.allocated)
    return _outlook(node, known), answers, values, reached


def _is_selected(selector: NodeSelector, node: Node) -> bool | str:
    try:
        return selects(selector, node)
    except NodeSelectorError:
        return node.name


def _outlook(node: Node, known: Known) -> Hashable:
    """Return what every pod sees of a node."""
    key = "outlook", node.name
    if key not in known.kept:
        layout, view = known.layout(node), known.allocator.cluster.view(node)
        tokens: dict[str, int] = {}
        places = places_on(node, known)
        known.kept[key] = columns_of(known).number(
            "outlook",
            tuple(sorted(layout.cpus.items())) if layout is not None else None,
            tuple(sorted(layout.memory.items())) if layout is not None else None,
            id(known.kubelet(node)),
            node.declared_features,
            tuple(_pool(pool) for pool in view.pools),
            tuple(_device(device, places, tokens, node, known) for device in view.devices),
        )
    found: Hashable = known.kept[key]
    return found


def _pool(pool: Pool) -> Hashable:
    sets = tuple(
        (owner, tuple((name, amount(value)) for name, value in held.items()))
        for owner, held in pool.counter_sets.items()
    )
    return pool.key[0], pool.incomplete, pool.invalid, len(pool.devices), pool.ordered_last, sets


def _device(device: Device, places: Places, tokens: dict[str, int], node: Node, known: Known) -> Hashable:
    place = places.of(device)
    return (
        device.driver,
        place.spots if place.spots is not None else tokens.setdefault(place.token, len(tokens)),
        place.numa,
        tuple((name, amount(offer.value), offer.policy) for name, offer in device.capacity.items()),
        device.allow_multiple,
        tuple(_consumption(device)),
        known.allocator.cluster.taints(device),
        device.binding,
        device.slice.skip_operations,
        device.slice.scope.per_device and _is_reached(device, node),
    )


def _consumption(device: Device) -> Iterator[Hashable]:
    for part in device.consumes:
        counters = tuple((name, amount(value)) for name, value in part.counters.items())
        yield part.counter_set, counters, part.groups


def _is_reached(device: Device, node: Node) -> bool | str:
    try:
        return reaches(device.scope, node)
    except NodeSelectorError:
        return node.name


def _held(known: Known, node: Node, taken: Taken) -> Hashable:
    """Return what is held of a node, by position; partitions elsewhere of a pool that several nodes share count too."""
    try:
        view = known.allocator.cluster.view(node)
    except NodeSelectorError:
        return node.name
    used = tuple(
        (position, number in taken.whole, taken.shares.get(number), tuple(sorted(taken.used.get(number, {}).items())))
        for position, number in enumerate(view.numbers)
        if number in taken.whole or number in taken.shares
    )
    elsewhere = tuple(
        device.number
        for pool in view.pools
        for device in pool.elsewhere
        if device.number in taken.whole | taken.shares.keys()
    )
    return used, elsewhere
