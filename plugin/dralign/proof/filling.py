"""How much of a shared device others can hold, by the amounts that its request policies allow (KEP-5075)."""

from __future__ import annotations

from dralign.sim.amounts import NANO, amount
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.model.device import Capacity, Device, Range


def filling(device: Device, needed: Mapping[str, int]) -> dict[str, Quantity]:
    """Return the most that others can hold, by capacity, while ``needed`` (billionths) stays free; {} for nothing."""
    found = {}
    for name, offer in device.capacity.items():
        total = _most(amount(offer.value) - needed.get(name, 0), offer)
        if total > 0:
            found[name] = Quantity(total, -NANO, offer.value.format, compact=True)
    return found


def _most(room: int, offer: Capacity) -> int:
    """Return the largest sum of allowed amounts within ``room``, found by taking the largest amount first."""
    policy = offer.policy
    if room <= 0 or policy is None:
        return max(room, 0)
    if policy.valid_range is not None and policy.valid_range.min is not None:
        return _most_of_range(room, policy.valid_range)
    if not policy.valid_values:
        return room
    total = 0
    for value in sorted((amount(value) for value in policy.valid_values), reverse=True):
        if value > 0:
            total += (room - total) // value * value
    return total


def _most_of_range(room: int, allowed: Range) -> int:
    least = amount(allowed.min) if allowed.min is not None else 0
    most = amount(allowed.max) if allowed.max is not None else room
    step = amount(allowed.step) if allowed.step is not None else 1
    if step <= 0 or most <= 0 or least > most:
        return 0
    largest = least + (most - least) // step * step
    full = room // largest * largest if largest > 0 else 0
    rest = room - full
    return full + (least + (rest - least) // step * step if rest >= max(least, 1) else 0)
