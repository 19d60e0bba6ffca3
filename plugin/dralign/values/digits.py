"""Whole numbers and their decimal digits, of any length.

The interpreter refuses to convert more than 4,300 digits at once (and would be slow at it), Go does not: longer texts
are split in halves.
"""

from __future__ import annotations

_AT_ONCE = 4000
_AT_ONCE_BITS = 13_000


def to_int(text: str) -> int:
    """Read ASCII digits, no sign."""
    if len(text) <= _AT_ONCE:
        return int(text)
    low = len(text) // 2
    return to_int(text[:-low]) * power_of_ten(low) + to_int(text[-low:])


def power_of_ten(exponent: int) -> int:
    """Return ``10**exponent`` for an exponent that is not negative."""
    power: int = 10**exponent
    return power


def to_text(number: int) -> str:
    """Write a whole number in decimal, with ``-`` if it is negative."""
    if number.bit_length() < _AT_ONCE_BITS:
        return str(number)
    if number < 0:
        return "-" + to_text(-number)
    return _padded(number, number.bit_length() * 30103 // 100000 + 1).lstrip("0")


def strip_zeros(number: int) -> tuple[int, int]:
    """Split ``number`` into ``mantissa * 10**exponent`` with the largest exponent; ``0`` gives ``(0, 0)``."""
    if number == 0 or number % 10:
        return number, 0
    powers = [10]
    while number % (square := powers[-1] * powers[-1]) == 0:
        powers.append(square)
    exponent = 0
    for index in range(len(powers) - 1, -1, -1):
        while number % powers[index] == 0:
            number //= powers[index]
            exponent += 1 << index
    return number, exponent


def _padded(number: int, width: int) -> str:
    """Write a non-negative number with leading zeros."""
    if width <= _AT_ONCE:
        return str(number).rjust(width, "0")
    low = width // 2
    high, rest = divmod(number, power_of_ten(low))
    return _padded(high, width - low) + _padded(rest, low)
