"""Picks CPUs evenly from as few NUMA nodes as possible (option distribute-cpus-across-numa, KEP-2902).

Combinations of 1, 2, 3 … NUMA nodes are tried; of the first size that has one able to give equal shares, the combination
wins that leaves the free CPUs of all nodes most even. Source: ``takeByTopologyNUMADistributed``.
"""

from __future__ import annotations

from itertools import combinations
from math import floor, sqrt

from dralign.kubelet.cpu_packing import NotEnoughCpus, take_packed
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from dralign.kubelet.cpu_topology import CpuTopology

    Nodes = tuple[int, ...]
    Free = dict[int, int]

_WRITTEN_ONCE = (0, 1, 2, 3, 3, 5, 5, 5, 5, *[9] * 8)
"""By length of a combination: how many of its places are never written again (see ``_overwritten``)."""


class Spreading(Record):
    """How to spread: in groups of ``unit`` CPUs (those of a core with full-pcpus-only), within a socket if possible."""

    unit: int = 1
    by_socket: bool = False
    across_cores: bool = False


class _Choice(Record):
    """A combination of NUMA nodes, those of it that give more than their share, and how good it is: less is better."""

    nodes: Nodes
    extra: Nodes
    rank: tuple[bool, float]


def take_spread(topology: CpuTopology, free: AbstractSet[int], count: int, how: Spreading) -> frozenset[int]:
    """Pick ``count`` of the free CPUs. Raises NotEnoughCpus."""
    if count % how.unit or count <= 0:
        return take_packed(topology, free, count, spread=how.across_cores)
    if count > len(free):
        raise NotEnoughCpus(count, len(free))
    order = topology.in_order(free, ("numa",) if topology.numa_on_top else ("socket", "numa"))
    have = {node: len(free & topology.members["numa"][node]) for node in order}
    for size in _sizes(topology, count, how.unit, len(order)):
        choice = _best(topology, have, size, count, how)
        if choice is not None:
            return _take(topology, free, count, how, choice)
    return take_packed(topology, free, count, spread=how.across_cores)


def _sizes(topology: CpuTopology, count: int, unit: int, free_nodes: int) -> range:
    """Return how many NUMA nodes may be needed, from the least possible."""
    units = -(-count // unit)
    all_units = -(-len(topology.all) // unit)
    units_per_node = -(-all_units // topology.count("numa"))
    return range(-(-units // units_per_node), min(units, free_nodes) + 1)


def _best(topology: CpuTopology, have: Free, size: int, count: int, how: Spreading) -> _Choice | None:
    """Return the best combination of ``size`` nodes, the first of equal ones; None if none can give equal shares."""
    best: _Choice | None = None
    seen: list[Nodes] = []
    for nodes in combinations(have, size):
        seen.append(nodes)
        if best is not None and best.rank == (False, 0.0):
            break
        share = _share(nodes, have, count, how)
        if share is None:
            continue
        apart = how.by_socket and len(topology.groups_of("socket", topology.cpus_of("numa", nodes))) > 1
        extra, unevenness = _extra(nodes, have, share, count, how.unit)
        if best is None or (apart, unevenness) < best.rank:
            best = _Choice(nodes, extra, (apart, unevenness))
    return None if best is None else best.replace(nodes=_overwritten(best.nodes, seen))


def _share(nodes: Nodes, have: Free, count: int, how: Spreading) -> int | None:
    """Return the CPUs that every node of a combination gives; None if the combination cannot serve."""
    units = [have[node] // how.unit for node in nodes]
    if sum(units) * how.unit < count:
        return None
    share = count // len(nodes) // how.unit * how.unit
    if how.by_socket:
        return min(share, min(units) * how.unit)
    return share if all(have[node] >= share for node in nodes) else None


def _extra(nodes: Nodes, have: Free, share: int, count: int, unit: int) -> tuple[Nodes, float]:
    """Return which nodes give what the equal shares leave over, and how uneven the machine is then."""
    left = {node: free - share if node in nodes else free for node, free in have.items()}
    rest = count - share * len(nodes)
    if not rest:
        return (), _unevenness(left)
    able = [node for node in nodes if left[node] >= unit]
    best: tuple[Nodes, float] = (), float("inf")
    for size in range(len(able), 0, -1):
        subsets = list(combinations(able, size))
        for subset in subsets:
            after = _handed_out(left, subset, rest, unit)
            if after is not None and _unevenness(after) < best[1]:
                best = _overwritten(subset, subsets), _unevenness(after)
    return best


def _handed_out(left: Free, subset: Nodes, rest: int, unit: int) -> Free | None:
    """Take the rest from the nodes of a subset in turn, one unit each; None if they have not enough whole units."""
    after = dict(left)
    while rest > 0:
        before = rest
        for node in subset:
            if rest > 0 and after[node] >= unit:
                after[node] -= unit
                rest -= unit
        if rest == before:
            return None
    return after


def _unevenness(free: Mapping[int, int]) -> float:
    """Return the standard deviation as the kubelet computes it: mean and result rounded to thousandths."""
    mean = _rounded(sum(free.values()) / len(free))
    return _rounded(sqrt(sum((n - mean) ** 2 for n in free.values()) / len(free)))


def _rounded(number: float) -> float:
    return floor(number * 1000 + 0.5) / 1000


def _overwritten(chosen: Nodes, seen: Sequence[Nodes]) -> Nodes:
    """Return what the kubelet has in its hands when it comes to use a combination it remembered.

    It builds combinations by ``append`` to shared slices and remembers the slice: from the fourth place on, combinations
    looked at later write into the same memory. So the one that counts is the last one seen with the same beginning.
    """
    prefix = chosen[: _WRITTEN_ONCE[len(chosen)]]
    return next(nodes for nodes in reversed(seen) if nodes[: len(prefix)] == prefix)


def _take(topology: CpuTopology, free: AbstractSet[int], count: int, how: Spreading, choice: _Choice) -> frozenset[int]:
    """Take the equal shares, then the rest one unit at a time."""
    taken: frozenset[int] = frozenset()
    share = count // len(choice.nodes) // how.unit * how.unit
    units = [len(free & topology.members["numa"][node]) // how.unit for node in choice.nodes]
    share = min(share, *(n * how.unit for n in units))
    for node in choice.nodes:
        taken |= take_packed(topology, _left(topology, free, taken, node), share, spread=how.across_cores)
    while len(taken) < count:
        before = len(taken)
        for node in choice.extra:
            inside = _left(topology, free, taken, node)
            if len(taken) < count and len(inside) >= how.unit:
                taken |= take_packed(topology, inside, how.unit, spread=how.across_cores)
        if len(taken) == before:
            raise ValueError("the kubelet does not come to an end picking CPUs")
    return taken


def _left(topology: CpuTopology, free: AbstractSet[int], taken: AbstractSet[int], node: int) -> AbstractSet[int]:
    return (free & topology.members["numa"][node]) - taken
