"""Constraints across the devices of one claim: ``matchAttribute`` and ``distinctAttribute``.

Each is an object with ``add`` and ``remove``. ``remove`` takes back the last ``add`` that was granted; ``state`` is all
that later answers depend on. Source: ``structured/internal/experimental/{allocator_experimental,constraint}.go``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Protocol

    from dralign.model.claim import Constraint as Written
    from dralign.model.device import Attribute, Device
    from dralign.sim.behaviour import Behaviour
    from dralign.sim.plan import Leaf

    class Constraint(Protocol):
        """What the search asks of a constraint."""

        lookup: Lookup
        undoes: bool
        """Whether ``remove`` restores the state exactly."""
        ties: bool
        """Whether devices must have a value in common, rather than differ."""

        def add(self, leaf: Leaf, device: Device) -> bool:
            """Take the device in if the constraint allows it."""

        def remove(self, leaf: Leaf, device: Device) -> None:
            """Take back the last device that was taken in."""

        def state(self) -> Hashable:
            """Return what later answers depend on."""


class _Missing:
    """The value of an attribute that is not there."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()


class Lookup:
    """Finds one attribute: by its full name, or by the bare one where its domain is the device's driver.

    A request may derive attributes of its own; those win (KEP-6080).
    """

    __slots__ = ("_bare", "_domain", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._domain, _, self._bare = name.partition("/")

    def __call__(self, leaf: Leaf, device: Device) -> Attribute | _Missing:
        """Return the value, or MISSING. Raises SelectorError where a derived attribute fails."""
        if leaf.derived and self.name in leaf.derived:
            return leaf.derived[self.name](device)
        value = device.attributes.get(self.name, MISSING)
        if value is MISSING and self._domain == device.driver and self._bare:
            value = device.attributes.get(self._bare, MISSING)
        return value


def typed(value: Attribute | _Missing) -> Hashable:
    """Return a key that differs for values of different kinds, which Python may call equal (1 and True)."""
    if isinstance(value, tuple):
        return frozenset(map(typed, value))
    return (type(value), value)


class MatchScalar:
    """All devices have the same value. A list passes only as the first device's."""

    __slots__ = ("_count", "_value", "lookup")
    undoes = True
    ties = True

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup
        self._value: Attribute | _Missing = MISSING
        self._count = 0

    def add(self, leaf: Leaf, device: Device) -> bool:
        """Take the device in if its value is that of the others."""
        value = self.lookup(leaf, device)
        if value is MISSING:
            return False
        if self._count == 0:
            self._value = value
        elif value != self._value or type(value) is not type(self._value) or not _is_scalar(value):
            return False
        self._count += 1
        return True

    def remove(self, leaf: Leaf, device: Device) -> None:
        """Take back the last device."""
        del leaf, device
        self._count -= 1

    def state(self) -> Hashable:
        """Return the common value, if any device is in."""
        return typed(self._value) if self._count else None


class MatchList:
    """The values of all devices, taken as sets of one kind, have an element in common (DRAListTypeAttributes)."""

    __slots__ = ("_common", "lookup")
    undoes = True
    ties = True

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup
        self._common: list[frozenset[Hashable]] = []

    def add(self, leaf: Leaf, device: Device) -> bool:
        """Take the device in if something stays in common."""
        values = _as_set(self.lookup(leaf, device))
        common = values & self._common[-1] if self._common else values
        if not common:
            return False
        self._common.append(common)
        return True

    def remove(self, leaf: Leaf, device: Device) -> None:
        """Take back the last device: what was in common before is so again."""
        del leaf, device
        self._common.pop()

    def state(self) -> Hashable:
        """Return what is in common."""
        return self._common[-1] if self._common else None


class MatchListNarrowing(MatchList):
    """As 1.36 has it: backtracking does not widen what is in common again (kubernetes#140325)."""

    __slots__ = ()
    undoes = False
    ties = True

    def remove(self, leaf: Leaf, device: Device) -> None:
        """Take back the last device; what it narrowed stays narrow while others are in."""
        del leaf, device
        narrowed = self._common.pop()
        if self._common:
            self._common[-1] = narrowed


class Distinct:
    """No two devices have the same value; values of different kinds differ. A list passes only while alone."""

    __slots__ = ("_values", "lookup")
    undoes = True
    ties = False

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup
        self._values: list[Attribute | _Missing] = []

    def add(self, leaf: Leaf, device: Device) -> bool:
        """Take the device in if its value is new."""
        value = self.lookup(leaf, device)
        if value is MISSING or not all(_differs(value, other) for other in self._values):
            return False
        self._values.append(value)
        return True

    def remove(self, leaf: Leaf, device: Device) -> None:
        """Take back the last device."""
        del leaf, device
        self._values.pop()

    def state(self) -> Hashable:
        """Return the values that are in."""
        return frozenset(map(typed, self._values))


class DistinctList:
    """No two devices, their values taken as sets, have an element in common (DRAListTypeAttributes)."""

    __slots__ = ("_values", "lookup")
    undoes = True
    ties = False

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup
        self._values: list[frozenset[Hashable]] = []

    def add(self, leaf: Leaf, device: Device) -> bool:
        """Take the device in if all its values are new."""
        values = _as_set(self.lookup(leaf, device))
        if not values or not all(values.isdisjoint(other) for other in self._values):
            return False
        self._values.append(values)
        return True

    def remove(self, leaf: Leaf, device: Device) -> None:
        """Take back the last device."""
        del leaf, device
        self._values.pop()

    def state(self) -> Hashable:
        """Return the values that are in."""
        return frozenset(element for values in self._values for element in values)


class DistinctPerRequest:
    """As 1.36 has it: only the last device of each request is remembered, and none after taking one back."""

    __slots__ = ("_count", "_differ", "_values", "lookup")
    undoes = False
    ties = False

    def __init__(self, lookup: Lookup, differ: Callable[[Attribute | _Missing, Attribute | _Missing], bool]) -> None:
        self.lookup = lookup
        self._differ = differ
        self._values: dict[str, Attribute | _Missing] = {}
        self._count = 0

    def add(self, leaf: Leaf, device: Device) -> bool:
        """Take the device in if its value differs from those that are remembered."""
        value = self.lookup(leaf, device)
        if value is MISSING or (self._count and not all(self._differ(value, v) for v in self._values.values())):
            return False
        self._values[leaf.main_name] = value
        self._count += 1
        return True

    def remove(self, leaf: Leaf, device: Device) -> None:
        """Take back the last device, and forget its request."""
        del device
        self._values.pop(leaf.main_name, None)
        self._count -= 1

    def state(self) -> Hashable:
        """Return what is remembered, by request."""
        return self._count, frozenset((name, typed(value)) for name, value in self._values.items())


def constraint_for(written: Written, how: Behaviour) -> Constraint | None:
    """Return an empty constraint; None if it names no attribute that this behaviour knows."""
    if written.match_attribute is not None:
        lookup = Lookup(written.match_attribute)
        if how.lists:
            return MatchListNarrowing(lookup) if how.undo_defects else MatchList(lookup)
        return MatchScalar(lookup)
    if written.distinct_attribute is None or not how.distinct:
        return None
    lookup = Lookup(written.distinct_attribute)
    if how.undo_defects:
        return DistinctPerRequest(lookup, _lists_differ if how.lists else _differs)
    return DistinctList(lookup) if how.lists else Distinct(lookup)


def _is_scalar(value: Attribute | _Missing) -> bool:
    return value is not None and not isinstance(value, tuple)


def _differs(value: Attribute | _Missing, other: Attribute | _Missing) -> bool:
    return _is_scalar(value) and (value != other or type(value) is not type(other))


def _lists_differ(value: Attribute | _Missing, other: Attribute | _Missing) -> bool:
    values = _as_set(value)
    return bool(values) and values.isdisjoint(_as_set(other))


def _as_set(value: Attribute | _Missing) -> frozenset[Hashable]:
    """Return the elements of an attribute; none where it is missing or of no known kind."""
    if value is MISSING or value is None:
        return frozenset()
    return frozenset(map(typed, value if isinstance(value, tuple) else (value,)))
