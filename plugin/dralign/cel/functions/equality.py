"""``==``, ``!=`` and the comparisons that ``in``, ``indexOf``, sets and lists make.

Numbers of all types are compared with each other, other types are unequal. Only Kubernetes' own types refuse a
partner of another type. Source: cel-go common/types (Equal methods).
"""

from __future__ import annotations

from dralign.cel.values import (
    LISTS,
    MISSING,
    CelError,
    Concat,
    Duration,
    Map,
    Optional,
    Sum,
    Timestamp,
    TypeValue,
    Uint,
    no_such_overload,
)
from dralign.values.quantity import Quantity
from dralign.values.semver import Semver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.values import Value

    Verdict = bool | CelError


def equal(left: Value, right: Value) -> Verdict:
    """Compare as ``==`` does; an error is returned, not raised."""
    if left is None or right is None:
        return left is right
    return same(left, right)


def same(left: Value, right: Value) -> Verdict:
    """Compare as the left value's own method does, which matters for null on the right of Kubernetes' types."""
    compare = _METHODS.get(type(left))
    verdict: Verdict = left.cel_equal(right) if compare is None else compare(left, right)
    return verdict


def equals(left: Value, right: Value) -> bool:
    """``==``."""
    verdict = equal(left, right)
    if isinstance(verdict, CelError):
        raise verdict
    return verdict


def not_equals(left: Value, right: Value) -> bool:
    """``!=``, which takes an error for unequal."""
    return equal(left, right) is not True


def contains(container: Value, value: Value) -> bool:
    """Tell whether a list has a value, comparing as the value does; errors count as unequal."""
    return any(same(value, element) is True for element in container)


def _same_kind(left: Value, right: Value) -> Verdict:
    return type(left) is type(right) and bool(left == right)


def _numbers(left: Value, right: Value) -> Verdict:
    if type(right) not in _NUMBERS:
        return False
    if type(left) is float or type(right) is float:
        return float(left) == float(right)  # Go, too, rounds integers to doubles here
    return int(left) == int(right)


def _lists(left: Value, right: Value) -> Verdict:
    if type(right) not in LISTS or len(left) != len(right):
        return False
    failure: CelError | None = None
    for mine, theirs in zip(left, right, strict=True):
        verdict = equal(mine, theirs)
        if verdict is False:
            return False
        if isinstance(verdict, CelError) and failure is None:
            failure = verdict
    return True if failure is None or type(left) is not Concat else failure


def _maps(left: Map, right: Value) -> Verdict:
    if type(right) is not Map or len(left) != len(right):
        return False
    for key in left:
        theirs = right.find(key)
        if theirs is MISSING or equal(left.get(key), theirs) is False:
            return False
    return True


def _optionals(left: Optional, right: Value) -> Verdict:
    if type(right) is not Optional:
        return False
    if left.value is MISSING or right.value is MISSING:
        return left.value is right.value
    return same(left.value, right.value)


def _own_type(left: Value, right: Value) -> Verdict:
    """Compare quantities or versions; a computed quantity on the right is of another type to the real code."""
    wanted = Semver if type(left) is Semver else Quantity
    return left.compare(right) == 0 if type(right) is wanted else no_such_overload(right)


_NUMBERS = (int, Uint, float)

_METHODS: dict[type, Callable[[Value, Value], Verdict]] = {
    type(None): _same_kind,
    bool: _same_kind,
    str: _same_kind,
    bytes: _same_kind,
    Duration: _same_kind,
    Timestamp: _same_kind,
    TypeValue: _same_kind,
    **dict.fromkeys(_NUMBERS, _numbers),
    **dict.fromkeys(LISTS, _lists),
    Map: _maps,
    Optional: _optionals,
    Semver: _own_type,
    Quantity: _own_type,
    Sum: _own_type,
    CelError: lambda error, _: error,
}
