"""Durations such as ``1m30s``, in nanoseconds, as Go's ``time.ParseDuration`` reads and ``Duration.String`` writes them."""

from __future__ import annotations

from dralign.values.gotext import quote

SECOND = 1_000_000_000
_DIGITS = "0123456789"
_UNITS = {
    "ns": 1,
    "us": 1_000,
    "\u00b5s": 1_000,
    "\u03bcs": 1_000,
    "ms": 1_000_000,
    "s": SECOND,
    "m": 60 * SECOND,
    "h": 3600 * SECOND,
}
_LIMIT = (1 << 63) - 1


def parse(text: str) -> int:
    """Read a duration into nanoseconds. Raises ValueError with Go's words."""
    rest = text[1:] if text[:1] in ("-", "+") else text
    negative = text[:1] == "-"
    if rest == "0":
        return 0
    if not rest:
        raise _invalid(text)
    total = 0
    while rest:
        amount, rest = _term(rest, text)
        total += amount
        if total > _LIMIT + negative:
            raise _invalid(text)
    return -total if negative else total


def write(nanoseconds: int) -> str:
    """Write a duration: ``1h0m0s``, ``1.5s``, ``20ms``, ``0s``."""
    sign, left = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    if left == 0:
        return "0s"
    if left < SECOND:
        unit = next(name for name in ("ms", "us", "ns") if left >= _UNITS[name])
        return f"{sign}{_decimal(left, _UNITS[unit])}{chr(0xB5) + 's' if unit == 'us' else unit}"
    minutes, left = divmod(left, _UNITS["m"])
    seconds = f"{_decimal(left, SECOND)}s"
    if not minutes:
        return sign + seconds
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}h{minutes}m{seconds}" if hours else f"{sign}{minutes}m{seconds}"


def _term(rest: str, text: str) -> tuple[int, str]:
    """Read one number with its unit off the front."""
    after = rest.lstrip(_DIGITS)
    whole, fraction = rest[: len(rest) - len(after)], ""
    if after[:1] == ".":
        point = after[1:]
        after = point.lstrip(_DIGITS)
        fraction = point[: len(point) - len(after)]
    if not whole and not fraction:
        raise _invalid(text)
    end = next((i for i, char in enumerate(after) if char == "." or char in _DIGITS), len(after))
    unit = after[:end]
    if not unit:
        raise ValueError(f"time: missing unit in duration {quote(text)}")
    if unit not in _UNITS:
        raise ValueError(f"time: unknown unit {quote(unit)} in duration {quote(text)}")
    if len(whole.lstrip("0")) > len(str(_LIMIT)):
        raise _invalid(text)
    scale = _UNITS[unit]
    part = int(fraction[:18] or "0") * scale // 10 ** len(fraction[:18])
    return int(whole or "0") * scale + part, after[end:]


def _decimal(amount: int, unit: int) -> str:
    whole, part = divmod(amount, unit)
    return f"{whole}.{part:0{len(str(unit)) - 1}}".rstrip("0") if part else str(whole)


def _invalid(text: str) -> ValueError:
    return ValueError(f"time: invalid duration {quote(text)}")
