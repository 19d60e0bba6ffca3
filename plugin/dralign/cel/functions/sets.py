"""``sets.contains``, ``sets.equivalent``, ``sets.intersects``. Source: cel-go ext/sets.go."""

from __future__ import annotations

from dralign.cel.functions import equality

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value


def contains(whole: Value, part: Value) -> bool:
    """Tell whether every element of ``part`` is in ``whole``."""
    return all(equality.contains(whole, element) for element in part)


def equivalent(one: Value, other: Value) -> bool:
    """Tell whether both have the same elements, however often."""
    return contains(one, other) and contains(other, one)


def intersects(one: Value, other: Value) -> bool:
    """Tell whether an element of one is in the other."""
    return any(equality.contains(other, element) for element in one)
