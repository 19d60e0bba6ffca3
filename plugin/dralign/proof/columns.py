"""What pods ask of the devices of a node, column by column, worked out once for all nodes and pods.

A column holds one entry for each device that a node sees, in the order of search. Equal columns have equal numbers, so
comparing nodes is comparing numbers.
"""

from __future__ import annotations

from dralign.cel.analysis.projection import read_by
from dralign.model.device import Version
from dralign.sim.constraints import MISSING, Lookup, typed
from dralign.sim.errors import AllocationError
from dralign.sim.expressions import meets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import Any

    from dralign.cel.analysis.paths import Key
    from dralign.model.device import Device
    from dralign.model.node import Node
    from dralign.proof.known import Known
    from dralign.sim.plan import Leaf

    Texts = tuple[str, ...]
    Read = frozenset[Key] | None

_ENTRY = 3  # steps to an attribute or a capacity; less is the driver


def columns_of(known: Known) -> Columns:
    """Return the columns of a cluster."""
    if "columns" not in known.kept:
        known.kept["columns"] = Columns(known.visible)
    found: Columns = known.kept["columns"]
    return found


class Columns:
    """Columns of all nodes, numbered."""

    def __init__(self, devices: Callable[[Node], Sequence[Device]]) -> None:
        self._devices = devices
        self._numbers: dict[Hashable, int] = {}
        self._read: dict[Texts, Read] = {}
        self._parts: dict[tuple[Read, str], tuple[int, tuple[int, ...]]] = {}
        self._answers: dict[tuple[Texts, int], int] = {}
        self._values: dict[tuple[str, str], int] = {}

    def number(self, *content: Hashable) -> int:
        """Return the number of some content; equal content has equal numbers."""
        return self._numbers.setdefault(content, len(self._numbers))

    def answers(self, leaf: Leaf, node: Node) -> int:
        """Return the number of what class and request say of each device; errors by their kind.

        What decides is only the part of a device that the expressions read: nodes with the same parts get the same answers.
        """
        texts = (leaf.spec.name, *leaf.spec.expressions, "", *(selector.text for selector in leaf.selectors))
        read = self._read_by(texts)
        parts, column = self._parts_of(read, node)
        known = self._answers.get((texts, parts))
        if known is None:
            asked: dict[int, bool | str] = {}
            devices = self._devices(node)
            for part, device in zip(column, devices, strict=True):
                if part not in asked:
                    asked[part] = _answer(leaf, device)
            known = self._answers[texts, parts] = self.number("answers", tuple(asked[part] for part in column))
        return known

    def values(self, name: str, node: Node) -> int:
        """Return the number of an attribute's values, each named by where it occurs first: only which are equal counts."""
        known = self._values.get((name, node.name))
        if known is None:
            values = [device.attribute(name) for device in self._devices(node)]
            known = self._values[name, node.name] = self.number("values", _pattern(values))
        return known

    def derived(self, leaf: Leaf, name: str, node: Node) -> int:
        """Return the same of an attribute that a request derives; errors by their kind."""
        lookup = Lookup(name)
        return self.number("derived", _pattern([_derived(lookup, leaf, device) for device in self._devices(node)]))

    def _read_by(self, texts: Texts) -> Read:
        if texts not in self._read:
            sets = [read_by(text) for text in texts[1:] if text]
            self._read[texts] = None if None in sets else frozenset().union(*(read or () for read in sets))
        return self._read[texts]

    def _parts_of(self, read: Read, node: Node) -> tuple[int, tuple[int, ...]]:
        """Return, for each device, the number of the part that expressions read, and the number of the whole column."""
        known = self._parts.get((read, node.name))
        if known is None:
            column = tuple(self.number("part", _part(device, read)) for device in self._devices(node))
            known = self._parts[read, node.name] = self.number("parts", column), column
        return known


def _part(device: Device, read: Read) -> Hashable:
    """Return what of a device decides the answer of expressions that read only this; the device itself if they read any.

    An attribute that cannot be converted is an error of every expression, so versions and odd values always count.
    """
    if read is None:
        return id(device)
    odd = tuple(
        (name, value)
        for name, value in device.attributes.items()
        if value is None or isinstance(value, (Version, tuple))
    )
    values = tuple(_value(device, key) for key in sorted(read))
    return device.driver, device.allow_multiple, odd, values


def _value(device: Device, key: Key) -> Hashable:
    """Return what stands under a key, in full and, in the driver's own domain, under the bare name."""
    if len(key) != _ENTRY:
        return None
    kind, domain, name = key
    names = (f"{domain}/{name}", name) if domain == device.driver else (f"{domain}/{name}",)
    if kind == "attributes":
        return tuple(typed(device.attributes[item]) if item in device.attributes else None for item in names)
    return tuple(device.capacity[item].value if item in device.capacity else None for item in names)


def _answer(leaf: Leaf, device: Device) -> bool | str:
    try:
        return leaf.in_class(device) and meets(device, leaf.selectors)
    except AllocationError as error:
        return error.kind


def _derived(lookup: Lookup, leaf: Leaf, device: Device) -> Any:
    try:
        return lookup(leaf, device)
    except AllocationError as error:
        return error.kind


def _pattern(values: list[Any]) -> Hashable:
    first: dict[Hashable, int] = {}
    found: list[Hashable] = []
    for value in values:
        items = value if isinstance(value, tuple) else (value,)
        numbers = tuple(
            None if item is MISSING or item is None else first.setdefault(typed(item), len(first)) for item in items
        )
        found.append((isinstance(value, tuple), numbers))
    return tuple(found)
