"""``optional.of`` and the other functions on optionals; ``or``, ``orValue``, ``.?`` and ``[?]`` stand in the runtime.

Source: cel-go cel/library.go.
"""

from __future__ import annotations

from dralign.cel.printing import go_text
from dralign.cel.values import MISSING, NONE, CelError, Duration, Map, Optional, Timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value

_ZERO_TIME = -62135596800


def of(value: Value) -> Optional:
    """``optional.of(x)``."""
    return Optional(value)


def of_non_zero_value(value: Value) -> Optional:
    """``optional.ofNonZeroValue(x)``: none for null, false, 0, and what is empty."""
    return NONE if _is_zero(value) else Optional(value)


def none() -> Optional:
    """``optional.none()``."""
    return NONE


def value(optional: Optional) -> Value:
    """``value()``."""
    if optional.value is MISSING:
        raise CelError("optional.none() dereference")
    return optional.value


def has_value(optional: Optional) -> bool:
    """``hasValue()``."""
    return optional.value is not MISSING


def first(elements: Value) -> Optional:
    """``first()``."""
    return Optional(elements[0]) if elements else NONE


def last(elements: Value) -> Optional:
    """``last()``."""
    return Optional(elements[-1]) if elements else NONE


def unwrap(elements: Value) -> list[Value]:
    """``optional.unwrap(list)`` and ``unwrapOpt()``: the values that are there."""
    for element in elements:
        if type(element) is not Optional:
            raise CelError(f"value {go_text(element)} is not optional")
    return [element.value for element in elements if element.value is not MISSING]


def _is_zero(value: Value) -> bool:
    if value is None:
        return True
    kind = type(value)
    if kind is Duration:
        return bool(value.nanos == 0)
    if kind is Timestamp:
        return bool(value.seconds == _ZERO_TIME and value.nanos == 0)
    return (isinstance(value, (int, float, str, bytes, list, range)) or kind is Map) and not value
