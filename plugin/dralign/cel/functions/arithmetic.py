"""``+ - * / %`` and negation, with the overflow checks of 64-bit integers.

Source: cel-go common/types (int.go, uint.go, double.go, overflow.go and the Add methods of the other types).
"""

from __future__ import annotations

from dralign.cel.values import (
    LISTS,
    MAX_INT,
    MAX_UINT,
    MIN_INT,
    Accumulator,
    CelError,
    Concat,
    Duration,
    Timestamp,
    Uint,
    no_such_overload,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value

_NANOS = 1_000_000_000
_MIN_SECONDS = -62135596800  # 0001-01-01T00:00:00Z
_MAX_SECONDS = 253402300799  # 9999-12-31T23:59:59Z


def add(left: Value, right: Value) -> Value:
    """``+`` of numbers, texts, bytes, lists, and moments in time."""
    kind = type(left)
    if kind in LISTS:
        return _join(left, right)
    if kind is Timestamp or (kind is Duration and type(right) is Timestamp):
        return _add_time(left, right)
    _same_type(left, right)
    if kind is Duration:
        return Duration(_int(left.nanos + right.nanos))
    return _checked(kind, left + right)


def subtract(left: Value, right: Value) -> Value:
    """``-`` of numbers and moments in time."""
    if type(left) is Timestamp:
        return _subtract_time(left, right)
    _same_type(left, right)
    if type(left) is Duration:
        return Duration(_int(left.nanos - right.nanos))
    return _checked(type(left), left - right)


def multiply(left: Value, right: Value) -> Value:
    """``*`` of numbers."""
    _same_type(left, right)
    return _checked(type(left), left * right)


def divide(left: Value, right: Value) -> Value:
    """``/`` of numbers; integers are rounded towards zero."""
    _same_type(left, right)
    if type(left) is float:
        return _divide_doubles(left, right)
    if right == 0:
        raise CelError("division by zero")
    quotient = abs(left) // abs(right)
    return _checked(type(left), quotient if (left < 0) == (right < 0) else -quotient)


def modulo(left: Value, right: Value) -> Value:
    """``%`` of integers; the remainder has the sign of the dividend."""
    _same_type(left, right)
    if right == 0:
        raise CelError("modulus by zero")
    if left == MIN_INT and right == -1:
        raise CelError("integer overflow")
    remainder = abs(left) % abs(right)
    return _checked(type(left), remainder if left >= 0 else -remainder)


def negate(value: Value) -> Value:
    """``-x``."""
    if type(value) is bool:
        raise no_such_overload()
    if type(value) is Duration:
        return Duration(_int(-value.nanos))
    return _checked(type(value), -value)


def _same_type(left: Value, right: Value) -> None:
    if type(left) is not type(right):
        raise no_such_overload(right)


def _checked(kind: type, number: Value) -> Value:
    if kind is int:
        return _int(number)
    if kind is Uint:
        if not 0 <= number <= MAX_UINT:
            raise CelError("unsigned integer overflow")
        return Uint(number)
    return number


def _int(number: int) -> int:
    if not MIN_INT <= number <= MAX_INT:
        raise CelError("integer overflow")
    return number


def _divide_doubles(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or left != left:  # noqa: PLR0124  NaN
        return float("nan")
    from math import copysign  # noqa: PLC0415  rare

    return copysign(float("inf"), left) * copysign(1.0, right)


def _join(left: Value, right: Value) -> Value:
    if type(right) not in LISTS:
        raise no_such_overload(right)
    if type(left) is Accumulator:
        left.extend(right)
        return left
    if not left:
        return right
    return Concat([*left, *right]) if right else left


def _add_time(left: Value, right: Value) -> Timestamp:
    if type(left) is Duration:
        left, right = right, left
    if type(right) is not Duration:
        raise no_such_overload(right)
    return _moment(left, right.nanos)


def _subtract_time(left: Timestamp, right: Value) -> Value:
    if type(right) is Duration:
        _int(-right.nanos)
        return _moment(left, -right.nanos)
    if type(right) is not Timestamp:
        raise no_such_overload(right)
    _int((left.seconds - right.seconds) * _NANOS)
    return Duration(_int((left.seconds - right.seconds) * _NANOS + left.nanos - right.nanos))


def _moment(start: Timestamp, nanos: int) -> Timestamp:
    carry, nanos = divmod(start.nanos + nanos, _NANOS)
    seconds = start.seconds + carry
    if not _MIN_SECONDS <= seconds <= _MAX_SECONDS:
        raise CelError("timestamp overflow")
    return Timestamp(seconds, nanos, start.offset, start.zone)
