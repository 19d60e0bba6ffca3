"""Quantities as whole numbers of billionths, for sums and comparisons in the inner loops of the search.

No quantity has more than nine decimals (``resource.ParseQuantity`` rounds up to nano), so this is exact.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.values.quantity import Quantity

NANO = 9
_LARGEST_EXPONENT = 1000  # beyond all that can be meant; keeps numbers such as 1e2147483647 small enough to handle
_POWERS: tuple[int, ...] = tuple(10**exponent for exponent in range(32))


def amount(quantity: Quantity) -> int:
    """Return ``quantity`` in billionths; powers of ten above 1000 count as 1000."""
    exponent = quantity.scale + NANO
    if exponent < len(_POWERS):
        return quantity.unscaled * _POWERS[exponent]
    power: int = 10 ** min(exponent, _LARGEST_EXPONENT)
    return quantity.unscaled * power
