"""Pools as one node sees them: which slices belong to it, which generation counts, complete and valid or not.

Follows ``GatherPools`` (``structured/internal/experimental/pools_experimental.go``). A pool is complete if as many
slices of its generation are known as it announces; only slices that the node can reach count first, and all slices of
the cluster where those are not enough.
"""

from __future__ import annotations

from dralign.sim.nodes import reaches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dralign.model.device import Device
    from dralign.model.node import Node
    from dralign.model.slice import Slice
    from dralign.sim.behaviour import Behaviour
    from dralign.values.quantity import Quantity

    PoolKey = tuple[str, str]


class Pool:
    """One pool for one node: ``devices`` can be reached, ``elsewhere`` are those of the pool that cannot.

    ``invalid`` says what is wrong with the pool. Incomplete and invalid pools show no devices.
    """

    __slots__ = ("counter_sets", "devices", "elsewhere", "incomplete", "invalid", "key", "ordered_last")

    def __init__(self, key: PoolKey, *, incomplete: bool = False, invalid: str | None = None) -> None:
        self.key = key
        self.incomplete = incomplete
        self.invalid = invalid
        self.devices: tuple[Device, ...] = ()
        self.elsewhere: tuple[Device, ...] = ()
        self.counter_sets: Mapping[str, Mapping[str, Quantity]] = {}
        self.ordered_last = False

    def __str__(self) -> str:
        return "/".join(self.key)


class SliceIndex:
    """All slices of a cluster, arranged so that those of one node and those of one pool are found quickly."""

    __slots__ = ("_behaviour", "_by_node", "_by_pool", "_everywhere", "_grouped", "_slices")

    def __init__(self, slices: Sequence[Slice], how: Behaviour) -> None:
        self._behaviour = how
        self._slices = slices
        self._by_node: dict[str, list[Slice]] = {}
        self._by_pool: dict[PoolKey, list[Slice]] = {}
        self._everywhere: list[Slice] = []
        self._grouped: set[Slice] = set()
        overlooks_groups = how.knows_1_37_fields and not how.groups
        for piece in slices:
            self._by_pool.setdefault((piece.driver, piece.pool), []).append(piece)
            if overlooks_groups and _declares_groups(piece):
                self._grouped.add(piece)
            elif piece.scope.node_name is None or (how.counters_everywhere and piece.counter_sets):
                self._everywhere.append(piece)
            else:
                self._by_node.setdefault(piece.scope.node_name, []).append(piece)

    def pools(self, node: Node) -> list[Pool]:
        """Return the pools that ``node`` sees, in the order in which they are searched. Raises NodeSelectorError."""
        newest: dict[PoolKey, list[Slice]] = {}
        for piece in self._candidates(node):
            if self._belongs(piece, node):
                _add(newest, piece)
        gathered = (self._pool(key, pieces) for key, pieces in newest.items())
        return sorted((pool for pool in gathered if pool), key=lambda pool: (pool.ordered_last, pool.key))

    def _candidates(self, node: Node) -> Iterable[Slice]:
        if self._behaviour.ordered:
            return [*self._by_node.get(node.name, ()), *self._everywhere]
        return (piece for piece in self._slices if piece not in self._grouped)

    def _belongs(self, piece: Slice, node: Node) -> bool:
        scope = piece.scope
        if not self._behaviour.partitionable and (scope.per_device or piece.counter_sets):
            return False
        if self._behaviour.counters_everywhere and piece.counter_sets:
            return True
        if scope.node_name is None and not scope.all_nodes and scope.selector is None and scope.per_device:
            return any(reaches(device.scope, node) for device in piece.devices)
        return reaches(scope, node)

    def _pool(self, key: PoolKey, pieces: list[Slice]) -> Pool | None:
        """Make a pool of the slices a node sees; None where a newer generation replaces them elsewhere."""
        first = pieces[0]
        if len(pieces) == first.slice_count:
            return self._built(key, pieces, ())
        everything = self._by_pool[key]
        if any(piece.generation > first.generation for piece in everything):
            return None
        same = [p for p in everything if p.generation == first.generation and p not in self._grouped]
        if len(same) != first.slice_count:
            return Pool(key, incomplete=True)
        seen = {piece.name for piece in pieces}
        return self._built(key, pieces, [p for p in same if p.name not in seen] if len(pieces) < len(same) else ())

    def _built(self, key: PoolKey, pieces: list[Slice], others: Sequence[Slice]) -> Pool:
        if self._behaviour.ordered:
            pieces = sorted(pieces, key=lambda piece: piece.name)
        counted = self._behaviour.partitionable
        here = [piece for piece in pieces if not (counted and piece.counter_sets)]
        elsewhere = [piece for piece in others if not piece.counter_sets] if counted else []
        sets = [item for piece in (*pieces, *others) if counted for item in piece.counter_sets]
        pool = Pool(key)
        pool.devices = _devices(here)
        pool.elsewhere = _devices(elsewhere)
        pool.counter_sets = dict(sets)
        fault = _doubled("device", [device.name for device in pool.devices]) or (
            counted and (_doubled("counter set", [name for name, _ in sets]) or _unknown(pool))
        )
        if fault:
            return Pool(key, invalid=fault)
        pool.ordered_last = self._behaviour.ordered and any(piece.names_conditions for piece in here)
        return pool


def _add(newest: dict[PoolKey, list[Slice]], piece: Slice) -> None:
    """Add a slice to its pool: an older generation is dropped, a newer one replaces what is there."""
    pieces = newest.setdefault((piece.driver, piece.pool), [piece])
    if piece.generation > pieces[0].generation:
        pieces[:] = [piece]
    elif piece.generation == pieces[0].generation and pieces[0] is not piece:
        pieces.append(piece)


def _declares_groups(piece: Slice) -> bool:
    return any(part.groups for device in piece.devices for part in device.consumes)


def _devices(pieces: Sequence[Slice]) -> tuple[Device, ...]:
    if len(pieces) == 1:
        return pieces[0].devices
    return tuple(device for piece in pieces for device in piece.devices)


def _doubled(what: str, names: list[str]) -> str | None:
    if len(set(names)) == len(names):
        return None
    twice = next(name for number, name in enumerate(names) if name in names[:number])
    return f"duplicate {what} name {twice}"


def _unknown(pool: Pool) -> str | None:
    """Return which counter set or counter some device consumes though the pool has none such."""
    for part in (part for device in (*pool.devices, *pool.elsewhere) for part in device.consumes):
        known = pool.counter_sets.get(part.counter_set)
        if known is None:
            return f"counter set {part.counter_set} not found"
        if not part.counters.keys() <= known.keys():
            counter = next(name for name in part.counters if name not in known)
            return f"counter {counter} not found in counter set {part.counter_set}"
    return None
