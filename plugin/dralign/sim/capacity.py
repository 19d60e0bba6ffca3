"""Consumable capacity: what a request takes from a device, by the device's request policies.

Follows ``structured/internal/experimental/consumable_capacity.go`` (KEP-5075). An amount that cannot be computed with
is an error from 1.37 on, and makes the device unfit before.
"""

from __future__ import annotations

from dralign.sim.amounts import amount
from dralign.values import int64
from dralign.values.quantity import BINARY_SI, Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.model.device import Capacity, Device, Policy, Range
    from dralign.sim.behaviour import Behaviour

_MILLI = 10**6  # billionths in a thousandth


class CapacityError(Exception):
    """An amount that the allocator refuses to compute with. The text names the capacity."""


class Demand:
    """What one request takes from one device.

    ``consumed`` by capacity name; ``parts`` the same as (name, billionths taken, billionths the device has).
    """

    __slots__ = ("consumed", "parts")

    def __init__(self, consumed: Mapping[str, Quantity], parts: tuple[tuple[str, int, int], ...]) -> None:
        self.consumed = consumed
        self.parts = parts

    def lacking(self, used: Mapping[str, int]) -> str | None:
        """Return the name of a capacity that is too small beside what is ``used`` of it; None if all suffice."""
        for name, taken, limit in self.parts:
            if used.get(name, 0) + taken > limit:
                return name
        return None


def demand(device: Device, wanted: Mapping[str, Quantity], how: Behaviour) -> Demand | str:
    """Return what the request takes, or why the device cannot give it. Raises CapacityError (from 1.37)."""
    for name in wanted:
        if name not in device.capacity:
            return f"it has no capacity {name}"
    consumed = {name: _resolved(name, wanted.get(name), offer, how) for name, offer in device.capacity.items()}
    for name, quantity in consumed.items():
        policy = device.capacity[name].policy
        if policy is not None and _violates(quantity, policy, how):
            return f"{name}: {quantity} is not an amount that its request policy allows"
    parts = tuple((name, amount(quantity), amount(device.capacity[name].value)) for name, quantity in consumed.items())
    for name, taken, limit in parts:
        if taken > limit:
            return f"{name}: {consumed[name]} is more than its {device.capacity[name].value}"
    return Demand(consumed, parts)


def _resolved(name: str, wanted: Quantity | None, offer: Capacity, how: Behaviour) -> Quantity:
    try:
        taken = _consumed(wanted, offer, how)
    except CapacityError as error:
        raise CapacityError(f"capacity {name!r}: {error}") from None
    if how.capacity_errors and taken.sign < 0:
        raise CapacityError(f"capacity {name!r}: capacity value is negative")
    return taken


def _consumed(wanted: Quantity | None, offer: Capacity, how: Behaviour) -> Quantity:
    """Return the amount for ``wanted``: nothing asked takes the default, or all there is; policies round up."""
    policy = offer.policy
    if wanted is None:
        return offer.value if policy is None or policy.default is None else policy.default
    if policy is None:
        return wanted
    if policy.valid_range is not None and policy.valid_range.min is not None:
        return _rounded_up(wanted, policy.valid_range.min, policy.valid_range, how)
    return next((value for value in policy.valid_values if wanted <= value), wanted)


def _rounded_up(wanted: Quantity, least: Quantity, bounds: Range, how: Behaviour) -> Quantity:
    """Round up to the least amount, then to the next step; in thousandths where the range has such, else in ones."""
    if wanted < least:
        return least
    if bounds.step is None:
        return wanted
    if how.fractional and _in_milli(bounds):
        thousandths, rest = divmod(amount(wanted), _MILLI)
        if rest or abs(thousandths) > int64.MAX:
            raise CapacityError(f"request {wanted} is not a representable milli value")
        value = _next_step(thousandths, amount(least) // _MILLI, amount(bounds.step) // _MILLI, how)
        return _milli_quantity(value, bounds.step)
    if how.capacity_errors and amount(wanted) > amount(Quantity.of(int64.MAX)):
        raise CapacityError(f"request {wanted} exceeds MaxInt64")
    value = _next_step(wanted.scaled_value(), least.scaled_value(), bounds.step.scaled_value(), how)
    return Quantity.of(value, bounds.step.format if how.capacity_errors else BINARY_SI)


def _next_step(wanted: int, least: int, step: int, how: Behaviour) -> int:
    """Return the first of ``least``, ``least + step``, … that is not below ``wanted``, in int64 as Go computes it."""
    if step == 0:
        raise CapacityError("the step of its valid range is 0")
    added = int64.wrap(wanted - least)
    steps = added // step if added >= 0 else -(-added // step)
    value = least + step * (steps + (added % step != 0))
    if how.capacity_errors and value > int64.MAX:
        raise CapacityError(f"rounding {wanted} up to the next step passes the largest number")
    return int64.wrap(value)


def _milli_quantity(thousandths: int, like: Quantity) -> Quantity:
    if thousandths % 1000:
        return Quantity(thousandths, -3, like.format, compact=True)
    return Quantity.of(thousandths // 1000, like.format)


def _in_milli(bounds: Range) -> bool:
    """Say whether minimum, maximum and step are whole thousandths that fit an int64, the step at least one."""
    given = [amount(bound) for bound in (bounds.min, bounds.max, bounds.step) if bound is not None]
    whole = all(bound % _MILLI == 0 and abs(bound // _MILLI) <= int64.MAX for bound in given)
    return whole and (bounds.step is None or amount(bounds.step) >= _MILLI)


def _violates(taken: Quantity, policy: Policy, how: Behaviour) -> bool:
    if policy.default is not None and _written_alike(taken, policy.default):
        return False
    if policy.valid_range is not None:
        return _outside(taken, policy.valid_range, how)
    return bool(policy.valid_values) and taken not in policy.valid_values


def _written_alike(one: Quantity, other: Quantity) -> bool:
    """Compare as Go compares two Quantity structs: equal numbers in different form differ, and so do decimals."""
    forms = [(quantity.unscaled, quantity.scale, quantity.format) for quantity in (one, other)]
    return one.compact and other.compact and forms[0] == forms[1]


def _outside(taken: Quantity, bounds: Range, how: Behaviour) -> bool:
    if bounds.max is not None and taken > bounds.max:
        return True
    if bounds.step is None:
        return False
    least = bounds.min or Quantity.of(0)
    if how.fractional and _in_milli(bounds):
        return amount(taken) % _MILLI != 0 or (amount(taken) - amount(least)) % amount(bounds.step) != 0
    step = bounds.step.scaled_value()
    return step == 0 or (taken.scaled_value() - least.scaled_value()) % step != 0
