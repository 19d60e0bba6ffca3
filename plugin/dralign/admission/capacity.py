"""Capacities of devices and how shared ones may be asked for (KEP-5075).

Source: ``validateRequestPolicy`` and below in k8s.io/kubernetes/pkg/apis/resource/validation, 1.34 to 1.37.
"""

from __future__ import annotations

from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

VALID_VALUES = 10
_MAX_INT64 = (1 << 63) - 1


def validate_capacity(check: Check, capacity: dict[str, Any], at: Location, *, shared: bool) -> None:
    """Validate a capacity; a request policy is for devices with ``allowMultipleAllocations`` only."""
    policy = capacity.get("requestPolicy")
    if policy is None:
        return
    at = (*at, "requestPolicy")
    if not shared:
        check.forbidden(at, "allowMultipleAllocations must be true")
        return
    whole = capacity.get("value", Quantity.of(0))
    values, value_range, default = policy.get("validValues"), policy.get("validRange"), policy.get("default")
    if values and value_range is not None:
        detail = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'
        check.forbidden(at, detail)
    elif values or value_range is not None:
        field = "validValues" if values else "validRange"
        if default is None:
            check.required((*at, "default"), f"required when {field} is defined")
        elif values:
            _validate_values(check, values, default, whole, (*at, field))
        else:
            _validate_range(check, value_range, default, whole, (*at, field))


def _validate_values(
    check: Check, values: Sequence[Quantity], default: Quantity, whole: Quantity, at: Location
) -> None:
    for index in range(1, len(values)):
        if values[index - 1] > values[index]:
            check.invalid((*at, index), str(values[index]), "values must be sorted in ascending order")
    found = False
    if check.list_of(at, len(values), VALID_VALUES) or check.minor <= 34:
        for index, value in enumerate(values):
            if value > whole:
                check.invalid((*at, index), str(value), f"option is larger than capacity value: {whole}")
            found = found or value == default
    if check.minor <= 34 or len(values) <= VALID_VALUES:
        _validate_distinct(check, values, at)
    if not found:
        check.invalid(at, str(default), "default value is not valid according to the requestPolicy")


def _validate_distinct(check: Check, values: Sequence[Quantity], at: Location) -> None:
    """Object to equal values: without fractional ranges those that round up to the same whole number."""
    exact = "DRAFractionalCapacityRange" in check.features
    seen: set[Any] = set()
    for index, value in enumerate(values):
        key = value if exact else value.scaled_value()
        if key in seen:
            check.duplicate((*at, index), str(key))
        seen.add(key)


def _validate_range(
    check: Check, value_range: dict[str, Any], default: Quantity, whole: Quantity, at: Location
) -> None:
    minimum, maximum = value_range.get("min"), value_range.get("max")
    if minimum is None:
        check.required((*at, "min"), "required when validRange is defined")
        return
    older = check.minor <= 36  # up to 1.36 a bad default is reported at the bound that it misses
    if minimum > whole:
        check.invalid((*at, "min"), str(minimum), f"min is larger than capacity value: {whole}")
    if default < minimum:
        check.invalid((*at, "min" if older else "default"), str(default), f"default is less than min: {minimum}")
    if maximum is not None:
        if minimum > maximum:
            check.invalid((*at, "max"), str(minimum), f"min is larger than max: {maximum}")
        if maximum > whole:
            check.invalid((*at, "max"), str(maximum), f"max is larger than capacity value: {whole}")
        if default > maximum:
            check.invalid((*at, "max" if older else "default"), str(default), f"default is more than max: {maximum}")
    _validate_steps(check, value_range, default, whole, at)


def _validate_steps(
    check: Check, value_range: dict[str, Any], default: Quantity, whole: Quantity, at: Location
) -> None:
    minimum, maximum, step = value_range["min"], value_range.get("max"), value_range.get("step")
    bounds = {"default": default, "min": minimum, "max": maximum, "step": step}
    given = {field: bound for field, bound in bounds.items() if bound is not None}
    fractional = "DRAFractionalCapacityRange" in check.features and not all(bound.is_whole for bound in given.values())
    if fractional:
        finer = {field: bound for field, bound in given.items() if not _is_milli(bound)}
        for field, bound in finer.items():
            check.invalid((*at, field), str(bound), "value cannot be represented as a milli value")
        if finer:
            return
    if step is None:
        return
    if step.sign <= 0 and (not check.minor <= 36 or not step.sign):
        check.invalid((*at, "step"), str(step), "must be greater than zero")
        return
    first = minimum + step
    if first > whole:
        check.invalid((*at, "step"), str(step), f"one step {first} is larger than capacity value: {whole}")
    if not fractional and check.minor >= 37 and not _fits(check, given, at):
        return
    for bound in (default, maximum):
        if bound is not None and _is_off_step(bound, minimum, step, fractional=fractional):
            detail = f"value is not a multiple of a given step ({step}) from ({minimum})"
            check.invalid((*at, "step"), str(bound), detail)


def _is_off_step(value: Quantity, minimum: Quantity, step: Quantity, *, fractional: bool) -> bool:
    """Say whether a value is no whole number of steps above the minimum, counted as the server's int64 does."""
    scale = -3 if fractional else 0
    width = step.scaled_value(scale)
    return bool(width) and (value.scaled_value(scale) - minimum.scaled_value(scale)) % abs(width) != 0


def _is_milli(quantity: Quantity) -> bool:
    return quantity == Quantity(quantity.scaled_value(-3), -3, quantity.format, compact=True)


def _fits(check: Check, bounds: dict[str, Quantity], at: Location) -> bool:
    """Object to bounds outside 0 to 2**63-1, with which the server does not reckon."""
    limit = Quantity.of(_MAX_INT64)
    fits = True
    for field, bound in bounds.items():
        if bound.sign < 0:
            check.invalid((*at, field), str(bound), "must be greater than or equal to 0")
            fits = False
        elif bound > limit:
            check.invalid((*at, field), str(bound), f"must not be larger than {_MAX_INT64}")
            fits = False
    return fits
