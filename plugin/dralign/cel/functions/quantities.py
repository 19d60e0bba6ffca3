"""Kubernetes' quantity functions. Source: k8s.io/apiserver/pkg/cel/library/quantity.go."""

from __future__ import annotations

from dralign.cel.values import CelError, Sum
from dralign.values.quantity import DECIMAL_EXPONENT, Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def quantity(text: str) -> Quantity:
    """``quantity('40Gi')``: a new one at each call, which Go tells apart from others where it is the key of a map."""
    try:
        known = Quantity.parse(text)
    except ValueError as error:
        raise CelError(str(error)) from None
    return Quantity(known.unscaled, known.scale, known.format, compact=known.compact)


def is_quantity(text: str) -> bool:
    """``isQuantity(text)``."""
    try:
        Quantity.parse(text)
    except ValueError:
        return False
    return True


def sign(value: Quantity) -> int:
    """``sign(q)``: -1, 0 or 1."""
    return value.sign


def is_integer(value: Quantity) -> bool:
    """``isInteger()``: whether Kubernetes holds it as an int64 without decimals."""
    return value.as_int64() is not None


def as_integer(value: Quantity) -> int:
    """``asInteger()``."""
    number = value.as_int64()
    if number is None:
        raise CelError("cannot convert value to integer")
    return number


def as_approximate_float(value: Quantity) -> float:
    """``asApproximateFloat()``."""
    return value.approximate()


def is_greater_than(value: Quantity, other: Quantity) -> bool:
    """``isGreaterThan(q)``."""
    return value.compare(other) > 0


def is_less_than(value: Quantity, other: Quantity) -> bool:
    """``isLessThan(q)``."""
    return value.compare(other) < 0


def compare_to(value: Quantity, other: Quantity) -> int:
    """``compareTo(q)``: -1, 0 or 1."""
    return value.compare(other)


def add(value: Quantity, other: Quantity | int) -> Sum:
    """``add(q)`` or of a whole number."""
    return _computed(value, other, Quantity.__add__)


def sub(value: Quantity, other: Quantity | int) -> Sum:
    """``sub(q)`` or of a whole number."""
    return _computed(value, other, Quantity.__sub__)


def _computed(value: Quantity, other: Quantity | int, operation: Callable[[Quantity, Quantity], Quantity]) -> Sum:
    try:
        result = operation(value, Quantity.of(other, DECIMAL_EXPONENT) if isinstance(other, int) else other)
    except OverflowError as error:
        raise CelError(str(error)) from None
    return Sum(result.unscaled, result.scale, result.format, compact=result.compact)
