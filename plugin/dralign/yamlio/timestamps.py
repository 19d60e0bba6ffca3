"""Dates and times as go-yaml takes them from plain scalars, and as Go writes them to JSON."""

from __future__ import annotations

_DIGITS = frozenset("0123456789")
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_NANOSECOND_DIGITS = 9


class ScalarError(ValueError):
    """What is wrong with the text of a scalar."""


def timestamp(text: str) -> str | None:
    """Return the RFC 3339 text of a date or time, or None where go-yaml sees none.

    Forms: ``2006-1-2``, ``2006-1-2T15:4:5.9Z07:00`` (or ``t``) and ``2006-1-2 15:4:5.9``. Source: ``parseTimestamp`` in
    go-yaml's ``resolve.go``, and Go's ``time.Parse``, which takes a comma for the point, any number of decimals (nine
    count), and zones up to ``24:60``.

    Raises:
        ScalarError: Go reads the time and then fails to write it as JSON, as its zone is a day or more away.
    """
    if text[4:5] != "-" or not _DIGITS.issuperset(text[:4]):
        return None
    month, at = _number(text, 5)
    day, at = _number(text, at + 1) if text[at : at + 1] == "-" else (-1, at)
    if not _is_date(int(text[:4]), month, day):
        return None
    date = f"{text[:4]}-{month:02}-{day:02}"
    if at == len(text):
        return f"{date}T00:00:00Z"
    separator = text[at]
    if separator not in "Tt ":
        return None
    clock, at = _clock(text, at + 1)
    if clock is None:
        return None
    zone = ("Z" if at == len(text) else None) if separator == " " else _zone(text[at:])
    return None if zone is None else f"{date}T{clock}{zone}"


def _number(text: str, at: int) -> tuple[int, int]:
    """One or two digits at an offset: their number and where they end; -1 where there is none."""
    end = at
    while end < at + 2 and text[end : end + 1] in _DIGITS:
        end += 1
    return (int(text[at:end]) if end > at else -1), end


def _is_date(year: int, month: int, day: int) -> bool:
    if not 1 <= month <= 12:
        return False
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _MONTH_DAYS[month - 1] + leap


def _clock(text: str, at: int) -> tuple[str | None, int]:
    parts = []
    for bound, mark in ((24, ":"), (60, ":"), (60, "")):
        number, at = _number(text, at)
        if not 0 <= number < bound or text[at : at + 1] != mark != "":
            return None, at
        parts.append(f"{number:02}")
        at += len(mark)
    decimals, at = _decimals(text, at)
    return ":".join(parts) + decimals, at


def _decimals(text: str, at: int) -> tuple[str, int]:
    end = at + 1
    while text[end : end + 1] in _DIGITS:
        end += 1
    if text[at : at + 1] not in (".", ",") or end == at + 1:
        return "", at
    digits = text[at + 1 : end][:_NANOSECOND_DIGITS].rstrip("0")
    return (f".{digits}" if digits else ""), end


def _zone(text: str) -> str | None:
    if text == "Z":
        return "Z"
    sign, hours, minutes = text[:1], text[1:3], text[4:]
    if sign not in ("+", "-") or text[3:4] != ":" or len(text) != 6 or not _DIGITS.issuperset(hours + minutes):
        return None
    if int(hours) > 24 or int(minutes) > 60:
        return None
    offset = int(hours) * 60 + int(minutes)
    if offset >= 24 * 60:
        raise ScalarError(f"the zone '{text}' is a day or more away from UTC")
    return f"{sign}{offset // 60:02}:{offset % 60:02}" if offset else "Z"
