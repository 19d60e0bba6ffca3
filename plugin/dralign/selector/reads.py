"""Which values of a device decide what an expression gives.

Devices that agree in them need not be evaluated apart: a node has eight GPUs of one product, a cluster thousands.
"""

from __future__ import annotations

from dralign.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, Select
from dralign.cel.children import children
from dralign.model.device import Version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from dralign.cel.ast import Expr
    from dralign.model.device import Attribute, Device

    Pair = tuple[str, str]
    Path = tuple[str, ...]
    Variables = Mapping[str, Path | None]
    """Variables in scope, and the path each stands for; None for those that hold any other value."""

_STEPS = ("_[_]", "_[?_]", "_?._")
_MAPS = ("attributes", "capacity")
_FIELDS = ("driver", "allowMultipleAllocations")
_SCALARS = frozenset({bool, int, str, Version})
_LEAF = 3  # steps to an attribute or capacity: map, domain, identifier


class Reads:
    """What an expression reads.

    Args:
        attributes: pairs of domain and identifier.
        capacity: likewise.
    """

    __slots__ = ("attributes", "capacity")

    def __init__(self, attributes: Iterable[Pair], capacity: Iterable[Pair]) -> None:
        self.attributes = tuple(sorted(attributes))
        self.capacity = tuple(sorted(capacity))

    def for_driver(self, driver: str) -> DriverReads:
        """Return where one driver publishes these."""
        return DriverReads(_published(self.attributes, driver), _published(self.capacity, driver))


class DriverReads:
    """The names under which a driver publishes what an expression reads; its own domain may be left out.

    Args:
        attributes: the usual name and the full one of each attribute.
        capacity: likewise.
    """

    __slots__ = ("_attributes", "_capacity", "_full_attributes", "_own", "_own_full")

    def __init__(self, attributes: Sequence[Pair], capacity: Sequence[Pair]) -> None:
        self._attributes = tuple([usual for usual, _ in attributes])
        self._full_attributes = tuple([full for _, full in attributes])
        self._capacity = capacity
        self._own = [pair for pair in (*attributes, *capacity) if pair[0] != pair[1]]
        self._own_full = frozenset([full for _, full in self._own])

    def key(self, device: Device) -> Hashable:
        """Return what two devices of the driver must have equal for the expression to give the same on both.

        The types belong to it, since Python takes ``True``, ``1`` and ``1.0`` for equal, and a version for its text.
        Quantities count as equal where they are the same object, since equal ones may differ in how they are stored
        (``isInteger`` tells); who keeps the key must keep the quantities. A device that publishes something under both
        of its names stands for itself: which of them counts depends on their order.
        """
        if not self._own_full.isdisjoint(device.attributes) or not self._own_full.isdisjoint(device.capacity):
            for published in (device.attributes, device.capacity):
                if any(usual in published and full in published for usual, full in self._own):
                    return device
        values = tuple(map(device.attributes.get, self._attributes))
        kinds = tuple(map(type, values))
        if not _SCALARS.issuperset(kinds):
            values, kinds = self._uncommon(device, values)
        if not self._capacity:
            return values, kinds, device.allow_multiple
        capacity = device.capacity
        amounts: list[int | None] = []
        for names in self._capacity:
            amount = capacity.get(names[0]) or capacity.get(names[1])
            amounts.append(None if amount is None else id(amount.value))
        return values, kinds, device.allow_multiple, *amounts

    def _uncommon(
        self, device: Device, values: tuple[Attribute, ...]
    ) -> tuple[tuple[Attribute, ...], tuple[type, ...]]:
        """Return values and types where an attribute is missing under its usual name, or is a list."""
        values += tuple(map(device.attributes.get, self._full_attributes))
        parts = [part for value in values if isinstance(value, tuple) for part in value]
        return values, tuple(map(type, (*values, *parts)))


def reads_of(root: Expr) -> Reads | None:
    """Return what an expression reads of ``device``, or None if it also looks at a map as a whole."""
    finder = _Finder()
    finder.visit(root, {"device": ()})
    found: dict[str, set[tuple[str, str]]] = {name: set() for name in _MAPS}
    for path in finder.paths:
        if len(path) >= _LEAF and path[0] in _MAPS:
            found[path[0]].add((path[1], path[2]))
        elif not path or path[0] not in _FIELDS:
            return None
    return Reads(found["attributes"], found["capacity"])


def _published(pairs: Iterable[Pair], driver: str) -> list[Pair]:
    """Return usual and full name of each attribute or capacity."""
    names = []
    for domain, identifier in pairs:
        full = f"{domain}/{identifier}"
        names.append((identifier if domain == driver else full, full))
    return names


class _Finder:
    """Collects the paths that an expression uses; local variables that name a path stand for it."""

    def __init__(self) -> None:
        self.paths: set[Path] = set()

    def visit(self, node: Expr, variables: Variables) -> None:
        """Collect from a node and all below it."""
        path = _path(node, variables)
        if path is not None:
            self.paths.add(path)
        elif isinstance(node, Select) and node.test_only:
            self.visit(Select(node.id, node.offset, node.operand, node.field), variables)
        elif isinstance(node, Comprehension):
            self._visit_comprehension(node, variables)
        elif not self._visit_membership(node, variables):
            for child in children(node):
                self.visit(child, variables)

    def _visit_membership(self, node: Expr, variables: Variables) -> bool:
        """Take ``"x" in map`` for a use of that one entry."""
        if not isinstance(node, Call) or node.function != "@in":
            return False
        key, path = node.args[0], _path(node.args[1], variables)
        if path is None or not isinstance(key, Literal) or not isinstance(key.value, str):
            return False
        self.paths.add((*path, key.value))
        return True

    def _visit_comprehension(self, node: Comprehension, variables: Variables) -> None:
        bound = _path(node.accu_init, variables) if _is_bind(node) else None
        if bound is None or len(bound) >= _LEAF:
            self.visit(node.accu_init, variables)
        outer = {**variables, node.accu_var: bound}
        if not _is_bind(node):
            self.visit(node.iter_range, variables)
            inner = {**outer, node.iter_var: None, node.iter_var2 or node.iter_var: None}
            self.visit(node.loop_condition, inner)
            self.visit(node.loop_step, inner)
        self.visit(node.result, outer)


def _is_bind(node: Comprehension) -> bool:
    """Say whether a comprehension only gives a name to a value, as ``cel.bind`` does: its loop never runs."""
    return isinstance(node.iter_range, ListExpr) and not node.iter_range.elements


def _path(node: Expr, variables: Variables) -> Path | None:
    """Return the steps from the device to what a node names, or None if it names no part of it."""
    if isinstance(node, Ident):
        return variables.get(node.name.removeprefix("."))
    if isinstance(node, Select) and not node.test_only:
        operand = _path(node.operand, variables)
        return None if operand is None else (*operand, node.field)
    if not isinstance(node, Call) or node.function not in _STEPS:
        return None
    key, operand = node.args[1], _path(node.args[0], variables)
    if operand is None or not isinstance(key, Literal) or not isinstance(key.value, str):
        return None
    return (*operand, key.value)
