"""The lists extension of CEL (version 3). Source: cel-go ext/lists.go."""

from __future__ import annotations

from dralign.cel.functions.equality import same
from dralign.cel.functions.ordering import COMPARABLE, compare
from dralign.cel.printing import type_text
from dralign.cel.values import LISTS, CelError, Optional, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.values import Value

_MAX_RANGE = 1_000_000


def slice(elements: Value, start: int, end: int) -> list[Value]:  # noqa: A001  the function's name
    """``slice(start, end)``."""
    if start < 0 or end < 0:
        raise CelError(f"cannot slice({start}, {end}), negative indexes not supported")
    if start > end:
        raise CelError(f"cannot slice({start}, {end}), start index must be less than or equal to end index")
    if len(elements) < end:
        raise CelError(f"cannot slice({start}, {end}), list is length {len(elements)}")
    return list(elements[start:end])


def flatten(elements: Value, *depth: Value) -> list[Value]:
    """``flatten([depth])``: one level of nesting less, or ``depth`` levels."""
    return _flatten(elements, depth, type_text)


def flatten_026(elements: Value, *depth: Value) -> list[Value]:
    """``flatten([depth])`` of cel-go 0.26, which names an optional without the type of its value."""
    return _flatten(elements, depth, lambda value: "optional_type" if type(value) is Optional else type_text(value))


def _flatten(elements: Value, depth: tuple[Value, ...], named: Callable[[Value], str]) -> list[Value]:
    levels = depth[0] if depth else 1
    if type(elements) not in LISTS or type(levels) is not int:
        raise CelError(f"no such overload: {named(elements)}.flatten({', '.join(map(named, depth))})")
    if levels < 0:
        raise CelError("level must be non-negative")
    return _flattened(elements, levels)


def _flattened(elements: Value, levels: int) -> list[Value]:
    flat: list[Value] = []
    for element in elements:
        if type(element) in LISTS and levels:
            flat.extend(_flattened(element, levels - 1))
        else:
            flat.append(element)
    return flat


def range_to(count: int) -> Value:
    """``lists.range(n)`` of cel-go 0.29: 0 to n-1, at most a million."""
    if count < 0:
        raise CelError(f"lists.range: size must be non-negative, got {count}")
    if count > _MAX_RANGE:
        raise CelError(f"lists.range: size {count} exceeds maximum allowed ({_MAX_RANGE})")
    return list(range(count))


def range_to_any(count: int) -> Value:
    """``lists.range(n)`` of cel-go 0.26, which knows no limit; beyond a million the cost limit stops it."""
    return list(range(count)) if count <= _MAX_RANGE else range(count)


def reverse(elements: Value) -> list[Value]:
    """``reverse()``."""
    return list(elements[::-1])


def distinct(elements: Value) -> Value:
    """``distinct()``: the first of equal elements stays."""
    unique: list[Value] = []
    for element in elements:
        if not any(same(element, other) is True for other in unique):
            unique.append(element)
    return unique


def sort(elements: Value) -> Value:
    """``sort()``."""
    return sort_by_keys(elements, elements)


def sort_by_keys(elements: Value, keys: Value) -> Value:
    """Sort elements by the keys of the same places: what ``sortBy`` becomes."""
    if len(elements) != len(keys):
        raise CelError(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got "
            f"{len(elements)} and {len(keys)} elements respectively"
        )
    if not elements:
        return elements
    if type(keys[0]) not in COMPARABLE:
        raise CelError("list elements must be comparable")
    if len(keys) > 1 and any(type_name(key) != type_name(keys[0]) for key in keys):
        raise CelError("list elements must have the same type")
    places = sorted(range(len(keys)), key=lambda place: _SortKey(keys[place]))
    return [elements[place] for place in places]


class _SortKey:
    """Orders values as CEL's ``<`` does; NaN is below nothing."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __lt__(self, other: _SortKey) -> bool:
        try:
            return compare(self.value, other.value) < 0
        except CelError:
            return False
