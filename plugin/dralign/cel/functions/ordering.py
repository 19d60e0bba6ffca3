"""``<``, ``<=``, ``>``, ``>=`` and the order that sorting, min and max go by.

Source: cel-go common/types (Compare methods, compare.go) and common/stdlib/standard.go.
"""

from __future__ import annotations

from dralign.cel.values import CelError, Duration, Timestamp, Uint, no_such_overload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value

NUMBERS = (int, Uint, float)
COMPARABLE = frozenset({bool, bytes, str, Duration, Timestamp, *NUMBERS})
"""Types that have an order."""


def compare(left: Value, right: Value) -> int:
    """Return -1, 0 or 1. Raises CelError for values of types that have no common order, and for NaN."""
    kind = type(left)
    if kind in NUMBERS:
        return _compare_numbers(left, right)
    if type(right) is not kind:
        raise no_such_overload(right)
    if kind is Duration:
        left, right = left.nanos, right.nanos
    elif kind is Timestamp:
        left, right = (left.seconds, left.nanos), (right.seconds, right.nanos)
    return int(left > right) - int(left < right)


def _compare_numbers(left: Value, right: Value) -> int:
    if left != left:  # noqa: PLR0124  NaN
        raise CelError("NaN values cannot be ordered")
    if type(right) not in NUMBERS:
        raise no_such_overload(right)
    if right != right:  # noqa: PLR0124  NaN
        raise CelError("NaN values cannot be ordered")
    if type(left) is float or type(right) is float:
        left, right = float(left), float(right)  # Go, too, rounds integers to doubles here
    return int(left > right) - int(left < right)


def less(left: Value, right: Value) -> bool:
    """``<``."""
    return compare(left, right) < 0


def less_equals(left: Value, right: Value) -> bool:
    """``<=``."""
    return compare(left, right) <= 0


def greater(left: Value, right: Value) -> bool:
    """``>``."""
    return compare(left, right) > 0


def greater_equals(left: Value, right: Value) -> bool:
    """``>=``."""
    return compare(left, right) >= 0
