"""Node resources that devices stand for (KEP-5517): ``nodeAllocatableResources`` of 1.37, and its form in 1.36.

Source: ``validateNodeAllocatableResources`` in k8s.io/kubernetes/pkg/apis/resource/validation.
"""

from __future__ import annotations

from dralign.admission.location import MapKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check


def validate_node_allocatable(
    check: Check, resources: Mapping[str, dict[str, Any]], capacity: Mapping[str, Any], at: Location
) -> None:
    """Validate which node resources a device stands for, and what it costs beside."""
    for name, resource in resources.items():
        place = (*at, MapKey(name))
        if name not in ("cpu", "memory") and not name.startswith("hugepages-"):
            check.invalid(place, name, "must be a node allocatable resource name")
        mapping, overhead = resource.get("mapping"), resource.get("overhead")
        if mapping is None and overhead is None:
            check.required(place, "at least one of mapping or overhead must be set")
        if mapping is not None:
            _validate_mapping(check, mapping, capacity, (*place, "mapping"))
        if overhead is not None:
            _validate_overhead(check, overhead, (*place, "overhead"))


def validate_mappings_of_alpha(
    check: Check, mappings: Mapping[str, dict[str, Any]], capacity: Mapping[str, Any], at: Location
) -> None:
    """Validate ``nodeAllocatableResourceMappings``, which only 1.36 has."""
    for name, mapping in mappings.items():
        place = (*at, MapKey(name))
        if "/" in name and "kubernetes.io/" not in name:
            check.invalid(place, name, "must be a node allocatable resource name")
        if "allocationMultiplier" not in mapping and "capacityKey" not in mapping:
            check.invalid(place, "", "at least one of allocationMultiplier or capacityKey must be set")
            continue
        _validate_positive(check, mapping, "allocationMultiplier", place)
        _validate_capacity_key(check, mapping, capacity, place)


def _validate_mapping(check: Check, mapping: dict[str, Any], capacity: Mapping[str, Any], at: Location) -> None:
    by_capacity, by_device = "capacityKey" in mapping, "deviceMultiplier" in mapping
    if by_capacity == by_device:
        _validate_union(check, at, both=by_capacity)
    _validate_capacity_key(check, mapping, capacity, at)
    if by_capacity and "capacityMultiplier" not in mapping:
        check.required((*at, "capacityMultiplier"), "capacityMultiplier is required when capacityKey is set")
    elif by_capacity:
        _validate_positive(check, mapping, "capacityMultiplier", at)
    elif "capacityMultiplier" in mapping:
        check.required((*at, "capacityKey"), "capacityKey is required when capacityMultiplier is set")
    _validate_positive(check, mapping, "deviceMultiplier", at)


def _validate_union(check: Check, at: Location, *, both: bool) -> None:
    if both:
        detail = "must specify exactly one of: `capacityKey`, `deviceMultiplier`"
        check.invalid(at, "{capacityKey, deviceMultiplier}", detail)
    else:
        check.invalid(at, "", "must specify one of: `capacityKey`, `deviceMultiplier`")


def _validate_capacity_key(check: Check, mapping: dict[str, Any], capacity: Mapping[str, Any], at: Location) -> None:
    key = mapping.get("capacityKey")
    if key == "":
        check.invalid((*at, "capacityKey"), "", "capacityKey must not be an empty string")
    elif key is not None and key not in capacity:
        check.not_found((*at, "capacityKey"), key)


def _validate_positive(check: Check, mapping: dict[str, Any], field: str, at: Location) -> None:
    if field in mapping and mapping[field].sign <= 0:
        check.invalid((*at, field), str(mapping[field]), "must be positive")


def _validate_overhead(check: Check, overhead: dict[str, Any], at: Location) -> None:
    if "perPod" not in overhead and "perContainer" not in overhead:
        check.invalid(at, "", "at least one of perPod or perContainer must be set")
    for field in ("perPod", "perContainer"):
        if field in overhead and overhead[field].sign < 0:
            check.invalid((*at, field), str(overhead[field]), "must be non-negative")
