"""How Go prints CEL values (``%v``) and doubles: for error texts, and for what ``string()`` and ``format()`` give.

Source: Go's strconv and time packages; cel-go common/types (String methods).
"""

from __future__ import annotations

from dralign.cel.values import LISTS, MISSING, Duration, Map, Optional, Timestamp, TypeValue, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.values import Value

_PARAMETERS = {"list": "list(dyn)", "map": "map(dyn, dyn)", "optional_type": "optional_type(dyn)"}


def go_text(value: Value) -> str:
    """Return what Go's ``%v`` prints for a value."""
    kind = type(value)
    if kind in LISTS:
        return "[" + ", ".join(go_text(element) for element in value) + "]"
    printer = _PRINTERS.get(kind)
    return str(value) if printer is None else printer(value)


def type_text(value: Value) -> str:
    """Return the type of a value as Go prints it, with its parameters."""
    name = type_name(value)
    return _PARAMETERS.get(name, name)


def go_double(number: float) -> str:
    """Return the shortest text that reads back as this double, as Go's ``%g`` writes it."""
    if number != number:  # noqa: PLR0124  NaN
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "+Inf" if number > 0 else "-Inf"
    sign, digits, exponent = _shortest(number)
    if -4 <= exponent < 6 or digits == "0":
        return sign + _positional(digits, exponent)
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def plain_double(number: float) -> str:
    """Return the shortest text of a finite double without an exponent (Go's format ``f`` with precision -1)."""
    sign, digits, exponent = _shortest(number)
    return sign + _positional(digits, exponent)


def _shortest(number: float) -> tuple[str, str, int]:
    """Split a finite double into sign, significant digits and decimal exponent of the first digit."""
    mantissa, _, exponent = f"{number!r}".partition("e")
    sign = "-" if mantissa[0] == "-" else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    shift = len(whole) - 1 - (len(whole + fraction) - len(digits)) + int(exponent or 0)
    digits = digits.rstrip("0")
    return sign, digits or "0", shift if digits else 0


def _positional(digits: str, exponent: int) -> str:
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    return f"{whole}.{digits[exponent + 1 :]}" if len(digits) > exponent + 1 else whole


def go_duration(nanos: int) -> str:
    """Return a duration as Go prints it: ``1h0m0.5s``, ``3µs``."""
    if nanos == 0:
        return "0s"
    sign, nanos = ("-", -nanos) if nanos < 0 else ("", nanos)
    if nanos < 1_000_000_000:
        unit, size = next((unit, size) for unit, size in (("ms", 10**6), ("µs", 10**3), ("ns", 1)) if nanos >= size)
        return sign + _decimal(nanos, size) + unit
    minutes, nanos = divmod(nanos, 60 * 10**9)
    hours, minutes = divmod(minutes, 60)
    text = _decimal(nanos, 10**9) + "s"
    if hours or minutes:
        text = f"{minutes}m{text}"
    return sign + (f"{hours}h{text}" if hours else text)


def _decimal(number: int, unit: int) -> str:
    whole, rest = divmod(number, unit)
    return f"{whole}.{rest:0{len(str(unit)) - 1}d}".rstrip("0") if rest else str(whole)


def _time(value: Timestamp) -> str:
    from dralign.cel.functions.moments import civil  # noqa: PLC0415  rare

    year, month, day, hour, minute, second = civil(value)
    fraction = f".{value.nanos:09d}".rstrip("0") if value.nanos else ""
    zone = f"{'-' if value.offset < 0 else '+'}{abs(value.offset) // 3600:02d}{abs(value.offset) // 60 % 60:02d}"
    name = zone if value.offset else "UTC"
    return f"{year:04d}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}:{second:02d}{fraction} {zone} {name}"


def _map(value: Map) -> str:
    return "{" + ", ".join(f"{go_text(key)}: {go_text(value.get(key))}" for key in value) + "}"


def _optional(value: Optional) -> str:
    return "optional.none()" if value.value is MISSING else f"optional({go_text(value.value)})"


_PRINTERS: dict[type, Callable[[Value], str]] = {
    type(None): lambda _: "0",
    bool: lambda value: "true" if value else "false",
    float: go_double,
    bytes: lambda value: "[" + " ".join(map(str, value)) + "]",
    Duration: lambda value: go_duration(value.nanos),
    Timestamp: _time,
    TypeValue: lambda value: _PARAMETERS.get(value.name, value.name),
    Map: _map,
    Optional: _optional,
}
