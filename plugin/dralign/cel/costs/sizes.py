"""Ranges of sizes and costs as pairs of unsigned 64-bit numbers that stop at the largest one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Range = tuple[int, int]

MOST = 2**64 - 1
"""Stands for "nobody knows how large"."""

ONE: Range = (1, 1)

UNKNOWN: Range = (0, MOST)

_TWO_TO_64 = 2.0**64


def add(one: Range, other: Range) -> Range:
    """Return the sum of two ranges."""
    low, high = one[0] + other[0], one[1] + other[1]
    return (low, high) if high <= MOST else (min(low, MOST), MOST)


def multiply(one: Range, other: Range) -> Range:
    """Return the product of two ranges."""
    return min(one[0] * other[0], MOST), min(one[1] * other[1], MOST)


def scale(of: Range, factor: float) -> Range:
    """Return a range times a factor, rounded up; computed in floating point, as cel-go does."""
    return _scaled(of[0], factor), _scaled(of[1], factor)


def union(one: Range, other: Range) -> Range:
    """Return the smallest range that holds both."""
    return min(one[0], other[0]), max(one[1], other[1])


def _scaled(number: int, factor: float) -> int:
    product = float(number) * factor
    if product >= _TWO_TO_64:
        return MOST
    whole = int(product)
    return whole if whole == product else whole + 1
