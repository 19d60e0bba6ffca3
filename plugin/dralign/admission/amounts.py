"""Quantities as the API server gives them back: some keep the text they were written in.

``ParseQuantity`` remembers the text when it looks canonical at a glance, and ``String`` then returns it as it is: ``+1``,
``1E3`` and ``007`` come back unchanged while ``1000m`` becomes ``1``. Only fields and messages show it; values that were
computed are canonical. Source: k8s.io/apimachinery/pkg/api/resource/quantity.go.
"""

from __future__ import annotations

from dralign.values.quantity import BINARY_SI, Quantity

_MILLI = -3
_KNOWN_LIMIT = 4096
_BINARY_STEPS = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_known: dict[str, Quantity] = {}


class WrittenQuantity(Quantity):
    """A quantity whose text is not the canonical one."""

    __slots__ = ("text",)

    def __init__(self, quantity: Quantity, text: str) -> None:
        super().__init__(quantity.unscaled, quantity.scale, quantity.format, compact=quantity.compact)
        self.text = text

    def __str__(self) -> str:
        """Return the text as it was written."""
        return self.text


def known(text: str) -> Quantity | None:
    """Return a quantity that was read before."""
    return _known.get(text)


def read(text: str) -> Quantity:
    """Read a quantity. Raises ValueError with the words of ``resource.ParseQuantity``."""
    known = _known.get(text)
    if known is None:
        known = Quantity.parse(text)
        if _is_kept(known, text) and str(known) != text:
            known = WrittenQuantity(known, text)
        if len(_known) >= _KNOWN_LIMIT:
            _known.clear()
        _known[text] = known
    return known


def rounded_to_milli(quantity: Quantity) -> Quantity:
    """Return a quantity rounded up to thousandths, as pods' resources are stored."""
    if quantity.compact and quantity.scale >= _MILLI:
        return quantity
    if quantity.scale >= _MILLI:
        return Quantity(quantity.unscaled, quantity.scale, quantity.format, compact=False)
    shift = 10 ** (_MILLI - quantity.scale)
    magnitude = -(-abs(quantity.unscaled) // shift)
    rounded = magnitude if quantity.unscaled >= 0 else -magnitude
    return Quantity(rounded, _MILLI, quantity.format, compact=quantity.compact)


def _is_kept(quantity: Quantity, text: str) -> bool:
    if not quantity.compact:
        return False
    if quantity.format == BINARY_SI:
        return bool(abs(quantity.unscaled) >> _BINARY_STEPS[text[-2:]] & 7)
    return quantity.scale % 3 == 0 and quantity.unscaled % 1000 != 0 and text.lstrip("+-").lstrip("0")[:1].isdigit()
