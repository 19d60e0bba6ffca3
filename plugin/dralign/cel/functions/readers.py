"""Reading numbers, durations and timestamps from text with exactly the grammar of Go's strconv and time packages."""

from __future__ import annotations

from dralign.cel.functions.moments import days_of
from dralign.cel.values import MAX_INT, MAX_UINT, MIN_INT, Timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

MIN_SECONDS = -62135596800
"""0001-01-01T00:00:00Z"""
MAX_SECONDS = 253402300799
"""9999-12-31T23:59:59Z"""

_DIGITS = "0123456789"
_UNITS = {
    "ns": 1,
    "us": 10**3,
    "\u00b5s": 10**3,
    "\u03bcs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
_DURATION_LIMIT = 1 << 63
_DECIMAL = "(N[.]?|N[.]N|[.]N)(e[+-]?N)?".replace("N", "[0-9](?:_?[0-9])*")
_HEXADECIMAL = "0x_?(H[.]?|H[.]H|[.]H)p[+-]?[0-9](?:_?[0-9])*".replace("H", "[0-9a-f](?:_?[0-9a-f])*")
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LONGEST = 400  # digits after which no integer fits any more, whatever its zeros


def integer(text: str) -> int | None:
    """Read as ``strconv.ParseInt(text, 10, 64)``; None if it refuses."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    number = _natural(digits)
    if number is None:
        return None
    number = -number if text[0] == "-" else number
    return number if MIN_INT <= number <= MAX_INT else None


def unsigned(text: str) -> int | None:
    """Read as ``strconv.ParseUint(text, 10, 64)``: no sign."""
    number = _natural(text)
    return number if number is not None and number <= MAX_UINT else None


def _natural(digits: str) -> int | None:
    if not digits or digits.strip(_DIGITS):
        return None
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) < _LONGEST else MAX_UINT + 1


def double(text: str) -> float | None:
    """Read as ``strconv.ParseFloat``: decimal or hexadecimal, ``inf``, ``nan``; out of range is refused."""
    import re  # noqa: PLC0415  rare

    body = text.lower()
    magnitude = body[1:] if body[:1] in ("+", "-") else body
    if magnitude in ("inf", "infinity") or body == "nan":
        return float(body)
    try:
        if re.fullmatch(_DECIMAL, magnitude):
            number = float(body)
        elif re.fullmatch(_HEXADECIMAL, magnitude):
            number = float.fromhex(body.replace("_", ""))
        else:
            return None
    except OverflowError:
        return None
    return None if number in (float("inf"), float("-inf")) else number


def duration(text: str) -> int | None:
    """Read nanoseconds as ``time.ParseDuration``: ``1h30m``, ``-1.5s``, ``0``."""
    negative = text[:1] == "-"
    rest = text[1:] if text[:1] in ("+", "-") else text
    if rest == "0":
        return 0
    total = 0
    while True:
        part = _duration_part(rest)
        if part is None:
            return None
        nanos, rest = part
        total += nanos
        if total > _DURATION_LIMIT:
            return None
        if not rest:
            break
    if negative:
        return -total
    return total if total < _DURATION_LIMIT else None


def _duration_part(text: str) -> tuple[int, str] | None:
    """Read ``12.5ms`` at the start; returns nanoseconds and what follows."""
    rest = text.lstrip(_DIGITS)
    whole, fraction = text[: len(text) - len(rest)], ""
    if rest[:1] == ".":
        after = rest[1:].lstrip(_DIGITS)
        fraction, rest = rest[1 : len(rest) - len(after)], after
    end = next((i for i, char in enumerate(rest) if char == "." or char in _DIGITS), len(rest))
    unit = _UNITS.get(rest[:end])
    value = _natural(whole or "0")
    if not (whole or fraction) or unit is None or value is None or value > _DURATION_LIMIT // unit:
        return None
    nanos = value * unit + _fraction_of(fraction, unit)
    return (nanos, rest[end:]) if nanos <= _DURATION_LIMIT else None


def _fraction_of(digits: str, unit: int) -> int:
    """Return the nanoseconds of the digits after the point; those that overflow an int64 are ignored."""
    number, scale = 0, 1.0
    for char in digits:
        if number > MAX_INT // 10 or number * 10 + int(char) > _DURATION_LIMIT:
            break
        number = number * 10 + int(char)
        scale *= 10
    return int(number * (unit / scale)) if number else 0


def timestamp(text: str) -> Timestamp | None:
    """Read as ``time.Parse(time.RFC3339, text)``, which also takes one-digit hours, a comma and odd offsets."""
    import re  # noqa: PLC0415  rare

    pattern = r"(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))"
    match = re.fullmatch(pattern, text, re.ASCII)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(match[group]) for group in range(1, 7))
    zone_hour, zone_minute = int(match[9] or 0), int(match[10] or 0)
    if not (1 <= month <= 12 and hour < 24 and minute < 60 and second < 60 and zone_hour <= 24 and zone_minute <= 60):
        return None
    if not 1 <= day <= _MONTH_DAYS[month - 1] + (month == 2 and _is_leap(year)):
        return None
    offset = (zone_hour * 60 + zone_minute) * (-60 if match[8] == "-" else 60)
    seconds = days_of(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    zone = _zone(offset) if match[8] else None
    return Timestamp(seconds, int((match[7] or "").ljust(9, "0")[:9]), offset, zone)


def _zone(offset: int) -> Hashable:
    """Return what stands for the ``time.Location`` that Go gives to an offset; ``+00:00`` is local time, not UTC.

    Go keeps one location for each whole hour from -12 to +14; others are made anew, and equal only themselves.
    """
    if offset == 0:
        return "Local"
    return offset if offset % 3600 == 0 and -12 <= offset // 3600 <= 14 else object()


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
