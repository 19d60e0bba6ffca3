"""Quantities ("40Gi", "500m") as Kubernetes' ``resource.Quantity`` reads, compares, adds and writes them.

A quantity is ``unscaled * 10**scale`` with the format it was written in. Kubernetes keeps small numbers in an int64
and others in a decimal that it rounds up to nano; which of the two shows in some answers of CEL, so it is remembered
as ``compact``. Source: k8s.io/apimachinery/pkg/api/resource (quantity.go, amount.go, suffix.go, math.go).
"""

from __future__ import annotations

from dralign.values import digits, int64, quantity_text
from dralign.values.digits import power_of_ten
from dralign.values.quantity_text import BINARY_SI, DECIMAL_EXPONENT, DECIMAL_SI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.values.quantity_text import Format

__all__ = ["BINARY_SI", "DECIMAL_EXPONENT", "DECIMAL_SI", "Quantity"]

_MAX_SHIFT = 100_000  # decimal places that two numbers may lie apart before computing with them is refused
_KNOWN_LIMIT = 4096  # texts whose quantity is remembered: an inventory repeats a handful of them


class Quantity:
    """An immutable quantity. Compares and hashes by numeric value: ``1Gi`` equals ``1024Mi``; made by parse or of."""

    __slots__ = ("compact", "format", "scale", "unscaled")

    def __init__(self, unscaled: int, scale: int, fmt: Format, *, compact: bool) -> None:
        self.unscaled = unscaled
        self.scale = scale
        self.format: Format = fmt
        self.compact = compact

    @classmethod
    def parse(cls, text: str) -> Quantity:
        """Read a quantity. Raises ValueError with the words of ``resource.ParseQuantity``."""
        known = _known.get(text)
        if known is None:
            unscaled, scale, fmt, compact = quantity_text.read(text)
            known = Quantity(unscaled, scale, fmt, compact=compact)
            if len(_known) >= _KNOWN_LIMIT:
                _known.clear()
            _known[text] = known
        return known

    @classmethod
    def of(cls, number: int, fmt: Format = DECIMAL_SI) -> Quantity:
        """Make the quantity of a whole number that fits an int64."""
        return Quantity(number, 0, fmt, compact=True)

    def compare(self, other: Quantity) -> int:
        """Return -1, 0 or 1 by numeric value."""
        if self.scale == other.scale:
            return (self.unscaled > other.unscaled) - (self.unscaled < other.unscaled)
        mine, theirs = _comparable(self, other)
        return (mine > theirs) - (mine < theirs)

    def __eq__(self, other: object) -> bool:
        return self.compare(other) == 0 if isinstance(other, Quantity) else NotImplemented

    def __lt__(self, other: Quantity) -> bool:
        return self.compare(other) < 0

    def __le__(self, other: Quantity) -> bool:
        return self.compare(other) <= 0

    def __gt__(self, other: Quantity) -> bool:
        return self.compare(other) > 0

    def __ge__(self, other: Quantity) -> bool:
        return self.compare(other) >= 0

    def __hash__(self) -> int:
        mantissa, zeros = digits.strip_zeros(self.unscaled)
        return hash((mantissa, self.scale + zeros if mantissa else 0))

    def __bool__(self) -> bool:
        return self.unscaled != 0

    def __add__(self, other: Quantity) -> Quantity:
        """Add. The sum has this format, or the other's if this is zero.

        Raises OverflowError if the two lie more than 100,000 decimal places apart.
        """
        return _sum(self, other, other.unscaled)

    def __sub__(self, other: Quantity) -> Quantity:
        """Subtract; format and errors as for adding."""
        if other.unscaled == int64.MIN and self.compact and other.compact:
            wrapped = _sum(self, other, int64.MIN)  # in an int64 the least number is its own negation
            if wrapped.compact:
                return wrapped
        return _sum(self, other, -other.unscaled)

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self.unscaled > 0) - (self.unscaled < 0)

    @property
    def is_whole(self) -> bool:
        """Whether the value has no fraction (CEL's ``isInteger`` asks :meth:`as_int64`)."""
        return self.scale >= 0 or self.scale + digits.strip_zeros(self.unscaled)[1] >= 0 or not self.unscaled

    def ceil(self) -> int:
        """Return the value rounded away from zero to a whole number, held within ±(2**63-1)."""
        return _away_from_zero(self.unscaled, self.scale)

    def milli(self) -> int:
        """Return thousandths, rounded and held as in ceil: the unit in which scheduler and kubelet count CPUs."""
        return _away_from_zero(self.unscaled, self.scale + 3)

    def as_int64(self) -> int | None:
        """Return what ``AsInt64`` gives: the value if it is stored as an int64, has no decimals and fits; else None.

        So ``1.`` has one, and ``1.0`` or ``4Pi`` (stored as decimals) have none.
        """
        if not self.compact or self.scale < 0:
            return None
        value = _away_from_zero(self.unscaled, self.scale)
        return value if self.scale == 0 or abs(value) < int64.MAX else None

    def scaled_value(self, scale: int = 0) -> int:
        """Return ``ScaledValue`` in units of ``10**scale``, wrap-around included: to agree with Kubernetes' numbers."""
        return int64.scaled_value(self, scale)

    def approximate(self) -> float:
        """Return ``AsApproximateFloat64``: number and power of ten are each rounded to a double first."""
        return int64.approximate(self)

    def __str__(self) -> str:
        """Return the canonical text."""
        return quantity_text.write(self.unscaled, self.scale, self.format)

    def __repr__(self) -> str:
        return f"Quantity({str(self)!r})"


_known: dict[str, Quantity] = {}


def _comparable(left: Quantity, right: Quantity) -> tuple[int, int]:
    """Return two whole numbers that compare as the quantities do."""
    shift = left.scale - right.scale
    if abs(shift) > _MAX_SHIFT:
        if left.sign != right.sign or not left.sign:
            return left.sign, right.sign
        orders = _decimal_places(left), _decimal_places(right)
        if abs(orders[0] - orders[1]) > 2:
            return left.sign * orders[0], left.sign * orders[1]
    if shift > 0:
        return left.unscaled * power_of_ten(shift), right.unscaled
    return left.unscaled, right.unscaled * power_of_ten(-shift)


def _decimal_places(quantity: Quantity) -> int:
    """Return the order of magnitude, correct within one."""
    return quantity.scale + quantity.unscaled.bit_length() * 30103 // 100000


def _sum(left: Quantity, right: Quantity, addend: int) -> Quantity:
    """Add ``addend``, counted in the scale of ``right``, as int64 while that holds it and as a decimal beyond."""
    fmt = left.format if left.unscaled else right.format
    both_compact = left.compact and right.compact
    if both_compact and not addend:
        return Quantity(left.unscaled, left.scale, fmt, compact=True)
    if both_compact and not left.unscaled:
        return Quantity(addend, right.scale, fmt, compact=True)
    shift = left.scale - right.scale
    if abs(shift) > _MAX_SHIFT:
        raise OverflowError("quantities too far apart to add")
    mine = left.unscaled * power_of_ten(max(shift, 0))
    theirs = addend * power_of_ten(max(-shift, 0))
    fits = all(int64.MIN <= number <= int64.MAX for number in (mine, theirs, mine + theirs))
    return Quantity(mine + theirs, min(left.scale, right.scale), fmt, compact=both_compact and fits)


def _away_from_zero(number: int, scale: int) -> int:
    magnitude = abs(number)
    if scale > 0:
        magnitude *= power_of_ten(min(scale, 19))  # beyond, every number but 0 is held at the limit
    elif scale < 0 and number:
        magnitude = -(-magnitude // power_of_ten(-scale))
    magnitude = min(magnitude, int64.MAX)
    return magnitude if number >= 0 else -magnitude
