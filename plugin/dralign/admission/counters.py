"""Counters that the partitions of a device share (KEP-4815).

Up to 1.34 devices and counter sets stand in one slice and their numbers are limited per slice and device; from 1.35 on
they stand in separate slices and the limits are per set. Source: k8s.io/kubernetes/pkg/apis/resource/validation.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.layout import device_body
from dralign.admission.lists import validate_list, validate_unique, validate_unique_by
from dralign.admission.location import MapKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

SETS = 8
CONSUMED_SETS = 2
COUNTERS = 32  # of a set, or consumed from one
COMPATIBILITY_GROUPS = 2
# Up to 1.34:
SHARED_COUNTERS_PER_SLICE = 32
CONSUMED_COUNTERS_PER_DEVICE = 32
CONSUMED_COUNTERS_PER_SLICE = 1024
_NO_LIMIT = 1 << 30


def validate_shared_counters(check: Check, spec: dict[str, Any], at: Location) -> None:
    """Validate the counter sets of a slice."""
    sets = spec.get("sharedCounters", ())
    limit = _NO_LIMIT if check.minor <= 34 else SETS
    validate_list(check, sets, at, limit, _validate_set)
    if len(sets) <= limit:
        validate_unique_by(check, sets, at, "name", "CounterSet")
    if check.minor <= 34:
        _validate_numbers_per_slice(check, spec, at)


def validate_consumed_counters(check: Check, device: dict[str, Any], at: Location) -> None:
    """Validate what a device consumes of the counters of its pool."""
    consumed = device.get("consumesCounters", ())
    at = (*at, "consumesCounters")
    limit = _NO_LIMIT if check.minor <= 34 else CONSUMED_SETS
    validate_list(check, consumed, at, limit, _validate_consumption)
    if len(consumed) <= limit:
        validate_unique_by(check, consumed, at, "counterSet", "DeviceCounterConsumption")


def validate_counter_references(check: Check, spec: dict[str, Any], device: dict[str, Any], at: Location) -> None:
    """Validate, up to 1.34, that a device consumes only counters that its own slice defines, and not too many.

    From 1.35 on the counters stand in another slice and the server does not look.
    """
    defined = {item.get("name", ""): item.get("counters", {}) for item in spec.get("sharedCounters", ())}
    body, body_at = device_body(device, at, flat=check.flat)
    consumed = body.get("consumesCounters", ())
    number = sum(len(consumption.get("counters", ())) for consumption in consumed)
    if number > CONSUMED_COUNTERS_PER_DEVICE:
        check.invalid(at, number, f"the total number of counters must not exceed {CONSUMED_COUNTERS_PER_DEVICE}")
    for index, consumption in enumerate(consumed):
        place = (*body_at, "consumesCounters", index)
        name = consumption.get("counterSet", "")
        if name not in defined:
            detail = "must reference a counterSet defined in the ResourceSlice sharedCounters"
            check.invalid((*place, "counterSet"), name, detail)
            continue
        for counter in consumption.get("counters", {}):
            if counter not in defined[name]:
                detail = "must reference a counter defined in the ResourceSlice sharedCounters"
                check.invalid((*place, "counters"), counter, detail)


def _validate_numbers_per_slice(check: Check, spec: dict[str, Any], at: Location) -> None:
    bodies = (device_body(device, (), flat=check.flat)[0] for device in spec.get("devices", ()))
    consumed = sum(len(use.get("counters", ())) for body in bodies for use in body.get("consumesCounters", ()))
    if consumed > CONSUMED_COUNTERS_PER_SLICE:
        detail = f"the total number of counters in devices must not exceed {CONSUMED_COUNTERS_PER_SLICE}"
        check.invalid((*at[:-1], "devices"), consumed, detail)
    shared = sum(len(counter_set.get("counters", ())) for counter_set in spec.get("sharedCounters", ()))
    if shared > SHARED_COUNTERS_PER_SLICE:
        check.invalid(at, shared, f"the total number of shared counters must not exceed {SHARED_COUNTERS_PER_SLICE}")


def _validate_set(check: Check, counter_set: dict[str, Any], at: Location) -> None:
    _validate_name(check, counter_set.get("name", ""), (*at, "name"))
    _validate_counters(check, counter_set.get("counters", {}), (*at, "counters"))


def _validate_consumption(check: Check, consumption: dict[str, Any], at: Location) -> None:
    _validate_name(check, consumption.get("counterSet", ""), (*at, "counterSet"))
    _validate_counters(check, consumption.get("counters", {}), (*at, "counters"))
    groups = consumption.get("compatibilityGroups", ())
    if check.list_of((*at, "compatibilityGroups"), len(groups), COMPATIBILITY_GROUPS):
        for index, group in enumerate(groups):
            check.each_invalid((*at, "compatibilityGroups", index), group, names.dns_label(group, "bytes"))
        validate_unique(check, groups, (*at, "compatibilityGroups"))


def _validate_counters(check: Check, counters: dict[str, Any], at: Location) -> None:
    if not counters:
        check.required(at)
    limit = _NO_LIMIT if check.minor <= 34 else COUNTERS
    if check.list_of(at, len(counters), limit) or check.declarative:
        for name in counters:
            place = (*at, MapKey(name)) if check.minor <= 35 else at
            check.each_invalid(place, name, names.dns_label(name, _unit(check)))


def _validate_name(check: Check, name: str, at: Location) -> None:
    if not name:
        check.required(at)
    else:
        check.each_invalid(at, name, names.dns_label(name, _unit(check)))


def _unit(check: Check) -> str:
    return "bytes" if check.declarative else "characters"
