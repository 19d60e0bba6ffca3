"""``int()``, ``string()``, ``timestamp()`` and the other conversions.

Source: cel-go common/types (ConvertToType methods, overflow.go); Go's strconv and time packages for what they read.
"""

from __future__ import annotations

from dralign.cel.functions import readers
from dralign.cel.functions.moments import civil, seconds_of
from dralign.cel.printing import go_double, plain_double
from dralign.cel.values import (
    MAX_INT,
    MAX_UINT,
    MIN_INT,
    CelError,
    Duration,
    Timestamp,
    TypeValue,
    Uint,
    type_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value

_TRUE = ("1", "t", "T", "true", "TRUE", "True")
_FALSE = ("0", "f", "F", "false", "FALSE", "False")


def identity(value: Value) -> Value:
    """``dyn(x)``, and conversions to the type a value has."""
    return value


def type_of(value: Value) -> TypeValue:
    """``type(x)``."""
    return TypeValue(type_name(value))


def to_bool(text: str) -> bool:
    """``bool('true')``: the words of Go's ``strconv.ParseBool``."""
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise _refused("string", "bool")


def to_bytes(text: str) -> bytes:
    """``bytes('text')``: UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def to_double(value: Value) -> float:
    """``double(x)`` of a number or text."""
    if type(value) is not str:
        return float(value)
    number = readers.double(value)
    if number is None:
        raise _refused("string", "double")
    return number


def to_duration(value: Value) -> Duration:
    """``duration('1h')``; releases with cel-go 0.26 also declare it for int, which then fails."""
    nanos = readers.duration(value) if type(value) is str else None
    if nanos is None:
        raise _refused(type_name(value), "google.protobuf.Duration")
    return Duration(nanos)


def to_int(value: Value) -> int:
    """``int(x)`` of a number, text, duration (nanoseconds) or timestamp (seconds)."""
    if type(value) is Duration:
        return value.nanos
    if type(value) is Timestamp:
        return value.seconds
    if type(value) is float:
        if not MIN_INT < value < MAX_INT + 1:  # false for NaN, too
            raise CelError("integer overflow")
        return int(value)
    if type(value) is Uint:
        if value > MAX_INT:
            raise CelError("integer overflow")
        return int(value)
    number = readers.integer(value)
    if number is None:
        raise _refused("string", "int")
    return number


def to_uint(value: Value) -> Uint:
    """``uint(x)`` of a number or text."""
    if type(value) is str:
        number = readers.unsigned(value)
        if number is None:
            raise _refused("string", "uint")
        return Uint(number)
    if not 0 <= value < MAX_UINT + 1:  # false for NaN, too
        raise CelError("unsigned integer overflow")
    return Uint(value)


def to_timestamp(value: Value) -> Timestamp:
    """``timestamp('2026-01-02T03:04:05Z')`` or of seconds since 1970."""
    moment = Timestamp(value) if type(value) is int else readers.timestamp(value)
    if moment is None:
        raise _refused("string", "google.protobuf.Timestamp")
    if not readers.MIN_SECONDS <= moment.seconds <= readers.MAX_SECONDS:
        raise CelError("timestamp overflow")
    return moment


def to_string(value: Value) -> str:
    """``string(x)`` of a number, bool, bytes, duration or timestamp."""
    kind = type(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return go_double(value)
    if kind is Duration:
        return plain_double(seconds_of(value)) + "s"
    if kind is Timestamp:
        return timestamp_text(value)
    if kind is bytes:
        try:
            return str(value, "utf-8")
        except UnicodeDecodeError:
            raise CelError("invalid UTF-8 in bytes, cannot convert to string") from None
    return str(int(value))


def timestamp_text(moment: Timestamp) -> str:
    """Write a timestamp by RFC 3339 with as many decimals as it needs, on the clock of its zone."""
    year, month, day, hour, minute, second = civil(moment)
    fraction = f".{moment.nanos:09d}".rstrip("0") if moment.nanos else ""
    minutes = abs(moment.offset) // 60
    zone = f"{'-' if moment.offset < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}" if moment.offset else "Z"
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}{fraction}{zone}"


def _refused(source: str, target: str) -> CelError:
    return CelError(f"type conversion error from '{source}' to '{target}'")
