"""The lossy conversions of ``resource.Quantity`` with Go's arithmetic: wrap-around of int64 and rounding of float64."""

from __future__ import annotations

from dralign.values.digits import power_of_ten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.values.quantity import Quantity

MIN = -(1 << 63)
MAX = (1 << 63) - 1
_MAX_POWER = 18  # 10**18 is the largest power of ten in an int64
_WRAPPING_POWERS = (1, 2, 3, 6, 9)  # multiplied in one step that wraps; other powers step by step, giving 0 on overflow


def wrap(number: int) -> int:
    """Keep the low 64 bits, as a signed number."""
    return (number - MIN) % (1 << 64) + MIN


def scaled_value(quantity: Quantity, scale: int) -> int:
    """Follow ``Quantity.ScaledValue``: an int64 rounds away from zero, a decimal towards zero and adds one."""
    down = scale - quantity.scale
    if quantity.compact:
        return _compact_value(quantity.unscaled, down)
    return _decimal_value(quantity.unscaled, down)


def approximate(quantity: Quantity) -> float:
    """Follow ``Quantity.AsApproximateFloat64``."""
    try:
        base = float(quantity.unscaled)
    except OverflowError:
        base = float("inf") if quantity.unscaled > 0 else float("-inf")
    return base * _power_of_ten(quantity.scale) if quantity.scale else base


def _compact_value(number: int, down: int) -> int:
    if number == 0 or down > 2 * _MAX_POWER:
        return (number > 0) - (number < 0)
    if down > 0:
        magnitude = -(-abs(number) // power_of_ten(down))
        return magnitude if number > 0 else -magnitude
    if -down in _WRAPPING_POWERS:
        return wrap(number * power_of_ten(-down))
    result = number * power_of_ten(-down) if -down <= _MAX_POWER else MAX + 1
    return result if MIN <= result <= MAX else 0


def _decimal_value(number: int, down: int) -> int:
    if down == 0:
        return wrap(number)
    if down < 0:
        return wrap(wrap(number) * (power_of_ten(-down) if -down <= _MAX_POWER else MIN))
    if number < MAX and down <= _MAX_POWER:
        low = wrap(number)
        magnitude, rest = divmod(abs(low), power_of_ten(down))
        return (magnitude if low > 0 else -magnitude) + (rest != 0)
    whole, rest = divmod(number, power_of_ten(down))
    return wrap(wrap(whole) + (rest != 0))


def _power_of_ten(exponent: int) -> float:
    """Follow Go's ``math.Pow10``: the product (or quotient) of two exact table entries."""
    if exponent > 308:
        return float("inf")
    if exponent < -323:
        return 0.0
    high, low = divmod(abs(exponent), 32)
    if exponent >= 0:
        return float(f"1e{32 * high}") * float(f"1e{low}")
    return float(f"1e-{32 * high}") / float(f"1e{low}")
