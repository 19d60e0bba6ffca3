"""Steps of an evaluation: constants, logic, comparisons, written lists and maps, optionals.

A step has the id of its node and ``run(scope)``, which returns a value or a CelError as a value, and reports to
``scope.tracker``. Source: cel-go interpreter/interpretable.go, cel/library.go (optionals).
"""

from __future__ import annotations

from dralign.cel.functions.equality import equal
from dralign.cel.printing import go_text
from dralign.cel.runtime import charges
from dralign.cel.values import MISSING, CelError, Map, Optional, map_key, no_such_overload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Protocol

    from dralign.cel.runtime.scopes import Scope
    from dralign.cel.values import Value

    class Step(Protocol):
        """What all steps have in common."""

        @property
        def id(self) -> int:
            """The id under which the step's value is pushed."""
            ...

        def run(self, scope: Scope) -> Value:
            """Compute the value."""
            ...


_LIST_COST = 10
_MAP_COST = 30


class Constant:
    """A literal, or what was computed at compile time."""

    __slots__ = ("id", "value")

    def __init__(self, node_id: int, value: Value) -> None:
        self.id = node_id
        self.value = value

    def run(self, scope: Scope) -> Value:
        """Cost nothing."""
        scope.tracker.push(self.id, self.value)
        return self.value


class Logic:
    """``&&`` and ``||``: the deciding value on either side wins over an error on the other.

    Args:
        node_id: id of the node.
        terms: both sides.
        deciding: False for ``&&``, True for ``||``.
    """

    __slots__ = ("deciding", "id", "terms")

    def __init__(self, node_id: int, terms: Sequence[Step], deciding: bool) -> None:
        self.id = node_id
        self.terms = terms
        self.deciding = deciding

    def run(self, scope: Scope) -> Value:
        """Look at the terms in turn until one decides."""
        result: Value = not self.deciding
        for term in self.terms:
            value = term.run(scope)
            if value is self.deciding:
                result = value
                break
            if type(value) is not bool and type(result) is bool:
                result = no_such_overload(value)
        for term in self.terms:
            scope.tracker.drop(term.id)
        scope.tracker.push(self.id, result)
        return result


class Equality:
    """``==`` and ``!=``: both sides are computed; an error between unequal types makes ``!=`` true.

    Args:
        node_id: id of the node.
        left: left side.
        right: right side.
        negated: True for ``!=``.
    """

    __slots__ = ("_sides", "id", "left", "negated", "right")

    def __init__(self, node_id: int, left: Step, right: Step, negated: bool) -> None:
        self.id = node_id
        self.left = left
        self.right = right
        self.negated = negated
        self._sides = (left, right)

    def run(self, scope: Scope) -> Value:
        """Compare; the cost goes by the smaller side."""
        left, right = self.left.run(scope), self.right.run(scope)
        result: Value
        if isinstance(left, CelError):
            result = left
        elif isinstance(right, CelError):
            result = right
        else:
            result = equal(left, right)
            if self.negated:
                result = result is not True
        tracker = scope.tracker
        taken = tracker.take([side.id for side in self._sides])
        if taken is not None:
            tracker.charge(charges.inequality(taken, result) if self.negated else charges.equality(taken, result))
        tracker.push(self.id, result)
        return result


class Membership:
    """``x in [constants]`` of plain types, which cel-go turns into a look-up that costs nothing."""

    __slots__ = ("argument", "id", "keys")

    def __init__(self, node_id: int, argument: Step, keys: frozenset[Hashable]) -> None:
        self.id = node_id
        self.argument = argument
        self.keys = keys

    def run(self, scope: Scope) -> Value:
        """Look the value up."""
        value = self.argument.run(scope)
        result = value if isinstance(value, CelError) else map_key(value) in self.keys
        scope.tracker.push(self.id, result)
        return result


class OptionalOr:
    """``or`` and ``orValue``: the other side is computed only if the optional has no value; costs nothing itself.

    Args:
        node_id: id of the node.
        optional: the receiver.
        other: the argument.
        unwrap: True for ``orValue``.
        lenient: a receiver that is no optional is the result (cel-go 0.26), not an error.
    """

    __slots__ = ("id", "lenient", "optional", "other", "unwrap")

    def __init__(self, node_id: int, optional: Step, other: Step, unwrap: bool, lenient: bool) -> None:
        self.id = node_id
        self.optional = optional
        self.other = other
        self.unwrap = unwrap
        self.lenient = lenient

    def run(self, scope: Scope) -> Value:
        """Choose."""
        result = self.optional.run(scope)
        if type(result) is Optional:
            if result.value is MISSING:
                result = self.other.run(scope)
            elif self.unwrap:
                result = result.value
        elif not self.lenient:
            result = no_such_overload(result)
        scope.tracker.push(self.id, result)
        return result


class NewList:
    """A written list; elements marked with ``?`` are optional values."""

    __slots__ = ("elements", "id", "optionals")

    def __init__(self, node_id: int, elements: Sequence[Step], optionals: frozenset[int]) -> None:
        self.id = node_id
        self.elements = elements
        self.optionals = optionals

    def run(self, scope: Scope) -> Value:
        """Compute the elements in turn; the first error ends it."""
        result = self._build(scope)
        tracker = scope.tracker
        tracker.take([element.id for element in self.elements])
        tracker.charge(_LIST_COST)
        tracker.push(self.id, result)
        return result

    def _build(self, scope: Scope) -> Value:
        values = []
        for index, element in enumerate(self.elements):
            value = element.run(scope)
            if isinstance(value, CelError):
                return value
            if index in self.optionals:
                if type(value) is not Optional:
                    wrong = "cannot initialize optional list element from non-optional value"
                    return CelError(f"{wrong} {go_text(value)}")
                if value.value is MISSING:
                    continue
                value = value.value
            values.append(value)
        return values


class NewMap:
    """A written map. Entries are key, value, and whether the value is optional."""

    __slots__ = ("_parts", "entries", "id")

    def __init__(self, node_id: int, entries: Sequence[tuple[Step, Step, bool]]) -> None:
        self.id = node_id
        self.entries = entries
        self._parts = [part for key, value, _ in entries for part in (key, value)]

    def run(self, scope: Scope) -> Value:
        """Compute keys and values in turn; the first error ends it, the last of equal keys wins."""
        result = self._build(scope)
        tracker = scope.tracker
        tracker.take([part.id for part in self._parts])
        tracker.charge(_MAP_COST)
        tracker.push(self.id, result)
        return result

    def _build(self, scope: Scope) -> Value:
        entries: dict[Hashable, Value] = {}
        for key_step, value_step, optional in self.entries:
            key = key_step.run(scope)
            if isinstance(key, CelError):
                return key
            value = value_step.run(scope)
            if isinstance(value, CelError):
                return value
            if optional:
                if type(value) is not Optional:
                    wrong = f"cannot initialize optional entry '{go_text(key)}' from non-optional value"
                    return CelError(f"{wrong} {go_text(value)}")
                if value.value is MISSING:
                    entries.pop(map_key(key), None)
                    continue
                value = value.value
            entries[map_key(key)] = value
        return Map(entries)
