"""Reading quantities from plain data."""

from __future__ import annotations

from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def quantity_from(value: Any) -> Quantity | None:
    """Read a quantity that is written as text or as a number; None if it is neither or malformed."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        return Quantity.parse(str(value).strip())
    except ValueError:
        return None
