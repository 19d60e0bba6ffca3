"""ResourceSlice: pool, nodes, devices or shared counters.

Source: ``validateResourceSliceSpec`` in k8s.io/kubernetes/pkg/apis/resource/validation, 1.34 to 1.37.
"""

from __future__ import annotations

from dralign.admission.counters import validate_shared_counters
from dralign.admission.device import LIST_FIELDS, validate_devices
from dralign.admission.formats import (
    is_fully_qualified_name,
    validate_driver_name,
    validate_fully_qualified_name,
    validate_pool_name,
)
from dralign.admission.layout import device_body
from dralign.admission.lists import validate_unique
from dralign.admission.location import MapKey
from dralign.admission.node_selector import validate_node_name, validate_node_selector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

DEVICES = 128
DEVICES_WITH_FEATURES = 64  # with taints, counters or list attributes, from 1.35 on
_NODE_FIELDS = "`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`"
_OPERATIONS = ("*", "NodePrepareResources", "NodeUnprepareResources")


def validate_slice_spec(check: Check, spec: dict[str, Any], old: dict[str, Any] | None = None) -> None:
    """Validate the spec of a slice; capacities and taints of devices that did not change since ``old`` are let be."""
    at: Location = ("spec",)
    validate_driver_name(check, spec.get("driver", ""), (*at, "driver"))
    _validate_pool(check, spec.get("pool", {}), (*at, "pool"))
    _validate_nodes(check, spec, at)
    if check.minor >= 35 and "sharedCounters" in spec and "devices" in spec:
        check.invalid(at, "", "only one of `sharedCounters` or `devices` is allowed")
    validate_devices(check, spec, (*at, "devices"), _device_limit(check, spec), old)
    validate_shared_counters(check, spec, (*at, "sharedCounters"))
    if "partitionTypeAttribute" in spec:
        _validate_partition_type(check, spec, at)
    if "skipNodeOperations" in spec:
        validate_skipped_operations(check, spec["skipNodeOperations"], (*at, "skipNodeOperations"))


def validate_skipped_operations(check: Check, operations: list[str], at: Location) -> None:
    """Validate which of the kubelet's operations a driver wants to be left out (KEP-5945)."""
    validate_unique(check, operations, at)
    for index, operation in enumerate(operations):
        if operation not in _OPERATIONS:
            check.unsupported((*at, index), operation, _OPERATIONS)
    skipped = set(operations)
    if "NodePrepareResources" in skipped and not skipped & {"NodeUnprepareResources", "*"}:
        detail = "NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped"
        check.invalid(at, operations, detail)


def _validate_pool(check: Check, pool: dict[str, Any], at: Location) -> None:
    validate_pool_name(check, pool.get("name", ""), (*at, "name"))
    if pool.get("resourceSliceCount", 0) <= 0:
        check.invalid((*at, "resourceSliceCount"), pool.get("resourceSliceCount", 0), "must be greater than zero")
    if pool.get("generation", 0) < 0:
        check.invalid((*at, "generation"), pool["generation"], "must be greater than or equal to zero")


def _validate_nodes(check: Check, spec: dict[str, Any], at: Location) -> None:
    """Object unless exactly one field says which nodes can use the devices."""
    given = []
    if "nodeName" in spec:
        if spec["nodeName"]:
            given.append("`nodeName`")
            validate_node_name(check, spec["nodeName"], (*at, "nodeName"))
        else:
            check.invalid((*at, "nodeName"), "", "must be either unset or set to a non-empty string")
    if "nodeSelector" in spec:
        given.append("`nodeSelector`")
        validate_node_selector(check, spec["nodeSelector"], (*at, "nodeSelector"))
        terms = spec["nodeSelector"].get("nodeSelectorTerms", [])
        if len(terms) != 1:
            detail = "must have exactly one node selector term"
            check.invalid((*at, "nodeSelector", "nodeSelectorTerms"), terms, detail)
    for field in ("allNodes", "perDeviceNodeSelection"):
        if spec.get(field):
            given.append(f"`{field}`")
        elif field in spec:
            check.invalid((*at, field), False, "must be either unset or set to true")
    if not given:
        check.required(at, f"exactly one of {_NODE_FIELDS} is required")
    elif len(given) > 1:
        detail = f"exactly one of {_NODE_FIELDS} is required, but multiple fields are set"
        check.invalid(at, "{" + ", ".join(given) + "}", detail)


def _device_limit(check: Check, spec: dict[str, Any]) -> int:
    if check.minor <= 34:
        return DEVICES
    bodies = [device_body(device, (), flat=check.flat)[0] for device in spec.get("devices", ())]
    costly = any(body.get("taints") or body.get("consumesCounters") for body in bodies)
    if costly or (check.minor >= 36 and any(_has_lists(body) for body in bodies)):
        return DEVICES_WITH_FEATURES
    return DEVICES


def _has_lists(device: dict[str, Any]) -> bool:
    return any(not LIST_FIELDS.isdisjoint(attribute) for attribute in device.get("attributes", {}).values())


def _validate_partition_type(check: Check, spec: dict[str, Any], at: Location) -> None:
    """Validate the attribute that names the type of a partition: a string on each device that consumes counters."""
    name = spec["partitionTypeAttribute"]
    place = (*at, "partitionTypeAttribute")
    validate_fully_qualified_name(check, name, place)
    devices = [
        device_body(device, (*at, "devices", index), flat=check.flat)
        for index, device in enumerate(spec.get("devices", ()))
    ]
    partitions = [(device, where) for device, where in devices if device.get("consumesCounters")]
    if not partitions:
        check.invalid(place, name, "may only be set on a slice which declares devices that consume counters")
    if not partitions or not is_fully_qualified_name(name):
        return
    bare = name.removeprefix(f"{spec.get('driver', '')}/")
    for device, where in partitions:
        attributes = device.get("attributes", {})
        attribute = attributes.get(name, attributes.get(bare) if bare else None)
        field = (*where, "attributes", MapKey(name))
        if attribute is None:
            detail = "device consumes counters and `partitionTypeAttribute` names this attribute, so it must be set"
            check.required(field, detail)
        elif "string" not in attribute:
            detail = "must be a string value because `partitionTypeAttribute` names this attribute"
            check.invalid(field, attribute, detail)
