"""RFC 3339 times as Go's ``time.Parse`` reads them."""

from __future__ import annotations

_SHAPE = "dddd-dd-ddTdd:dd:dd"
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def problem(text: str) -> str | None:
    """Return what Go says of a text that is not a time such as ``2026-01-31T12:00:00Z``; None if it is one."""
    shown = f'parsing time "{text}"'
    if not _has_shape(text):
        return f'{shown} as "2006-01-02T15:04:05Z07:00": cannot parse "{text}" as "2006"'
    rest = _after_fraction(text[len(_SHAPE) :])
    zone = _zone_length(rest)
    if zone == 0:
        return f'{shown} as "2006-01-02T15:04:05Z07:00": cannot parse "{rest}" as "Z07:00"'
    if rest[zone:]:
        return f'{shown}: extra text: "{rest[zone:]}"'
    part = _out_of_range(text)
    return f"{shown}: {part} out of range" if part else None


def _has_shape(text: str) -> bool:
    if len(text) < len(_SHAPE):
        return False
    return all(
        char.isascii() and char.isdigit() if wanted == "d" else char == wanted
        for wanted, char in zip(_SHAPE, text, strict=False)
    )


def _after_fraction(rest: str) -> str:
    if rest[:1] not in (".", ","):
        return rest
    digits = len(rest[1:]) - len(rest[1:].lstrip("0123456789"))
    return rest[1 + digits :] if digits else rest


def _zone_length(rest: str) -> int:
    if rest.startswith("Z"):
        return 1
    offset = rest[1:6]
    if rest[:1] in ("+", "-") and len(offset) == 5 and offset[2] == ":" and (offset[:2] + offset[3:]).isdigit():
        return 6
    return 0


def _out_of_range(text: str) -> str | None:
    year, month, day = int(text[0:4]), int(text[5:7]), int(text[8:10])
    if not 1 <= month <= 12:
        return "month"
    leap = month == 2 and (year % 4 or (year % 100 == 0 and year % 400))
    if not 1 <= day <= _DAYS[month - 1] - (1 if leap else 0):
        return "day"
    for name, start, limit in (("hour", 11, 24), ("minute", 14, 60), ("second", 17, 60)):
        if int(text[start : start + 2]) >= limit:
            return name
    return None
