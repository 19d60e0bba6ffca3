"""Devices of a ResourceSlice.

Source: ``validateDevice`` and below in k8s.io/kubernetes/pkg/apis/resource/validation, 1.34 to 1.37.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.capacity import validate_capacity
from dralign.admission.counters import validate_consumed_counters, validate_counter_references
from dralign.admission.formats import validate_label_name, validate_qualified_name
from dralign.admission.layout import device_body
from dralign.admission.lists import validate_list, validate_unique
from dralign.admission.location import MapKey
from dralign.admission.node_allocatable import validate_mappings_of_alpha, validate_node_allocatable
from dralign.admission.node_selector import validate_node_name, validate_node_selector
from dralign.admission.taints import taint_limit, validate_device_taint, validate_effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

PROPERTIES = 32  # attributes and capacities together
ATTRIBUTE_VALUES = 48  # counting the items of lists
VALUE_LENGTH = 64
BINDING_CONDITIONS = 4
KEY_LENGTH = 96  # longer attribute keys are cut in the middle in field paths
LIST_FIELDS = frozenset({"bools", "ints", "strings", "versions"})
_VALUE_FIELDS = ("int", "bool", "string", "version", "ints", "bools", "strings", "versions")
_NODE_FIELDS = ("nodeName", "nodeSelector", "allNodes")
_PER_DEVICE = (
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in "
    "the ResourceSlice spec"
)


def validate_devices(check: Check, spec: dict[str, Any], at: Location, limit: int, old: dict[str, Any] | None) -> None:
    """Validate the devices of a slice."""
    devices = spec.get("devices", ())
    per_device = bool(spec.get("perDeviceNodeSelection"))
    old_devices = {device.get("name", ""): device for device in (old or {}).get("devices", ())}

    def validate_one(check: Check, device: dict[str, Any], at: Location) -> None:
        name = device.get("name", "")
        check.each_invalid((*at, "name"), name, names.dns_label(name))
        body, body_at = device_body(device, at, flat=check.flat)
        before = old_devices.get(name)
        old_body = None if before is None else device_body(before, at, flat=check.flat)[0]
        _validate_device(check, body, body_at, at, old_body)
        _validate_node(check, body, body_at, at, per_device=per_device)
        if check.minor <= 34:
            validate_counter_references(check, spec, device, at)

    validate_list(check, devices, at, limit, validate_one, _validate_declared)
    if len(devices) <= limit:
        _validate_device_names(check, devices, at)


def _validate_device_names(check: Check, devices: Sequence[dict[str, Any]], at: Location) -> None:
    seen = set()
    for index, device in enumerate(devices):
        name = device.get("name", "")
        if name in seen:
            check.duplicate((*at, index) if check.minor >= 35 else (*at, index, "name"), name)
        seen.add(name)


def _validate_device(
    check: Check, device: dict[str, Any], at: Location, device_at: Location, old: dict[str, Any] | None
) -> None:
    attributes, capacity = device.get("attributes", {}), device.get("capacity", {})
    _validate_number_of_properties(check, attributes, capacity, device_at)
    for key, attribute in attributes.items():
        place = (*at, "attributes", key_in_path(key))
        validate_qualified_name(check, key, _key_place(check, (*at, "attributes"), place))
        _validate_attribute(check, attribute, place)
    shared = bool(device.get("allowMultipleAllocations"))
    if check.minor <= 36 or old is None or old.get("capacity", {}) != capacity:
        for key, value in capacity.items():
            place = (*at, "capacity", key_in_path(key))
            validate_qualified_name(check, key, _key_place(check, (*at, "capacity"), place))
            validate_capacity(check, value, place, shared=shared)
    taints = device.get("taints", ())
    if check.minor <= 34 or old is None or old.get("taints", ()) != taints:
        limit = taint_limit(check.minor)
        validate_list(check, taints, (*at, "taints"), limit, validate_device_taint, validate_effect)
    validate_consumed_counters(check, device, at)
    validate_binding_conditions(check, device, at)
    if "nodeAllocatableResources" in device:
        validate_node_allocatable(
            check, device["nodeAllocatableResources"], capacity, (*at, "nodeAllocatableResources")
        )
    if "nodeAllocatableResourceMappings" in device:
        place = (*at, "nodeAllocatableResourceMappings")
        validate_mappings_of_alpha(check, device["nodeAllocatableResourceMappings"], capacity, place)


def _validate_declared(check: Check, device: dict[str, Any], at: Location) -> None:
    """Validate what 1.37 validates by rules from the API types alone, in devices beyond their limit, too."""
    body, at = device_body(device, at, flat=check.flat)
    for key, attribute in body.get("attributes", {}).items():
        place = (*at, "attributes", key_in_path(key))
        for index, text in enumerate(attribute.get("strings", ())):
            _validate_length(check, text, (*place, "strings", index))
        _validate_union(check, attribute, place)
    for index, taint in enumerate(body.get("taints", ())):
        validate_effect(check, taint, (*at, "taints", index))
    validate_consumed_counters(check, body, at)
    for field in ("bindingConditions", "bindingFailureConditions"):
        check.list_of((*at, field), len(body.get(field, ())), BINDING_CONDITIONS)


def _key_place(check: Check, map_place: Location, entry_place: Location) -> Location:
    """Return where a malformed key is reported: at the entry up to 1.35, at the map since."""
    return entry_place if check.minor <= 35 else map_place


def key_in_path(key: str) -> MapKey:
    """Return a key as it stands in field paths: long ones are cut in the middle."""
    if len(key) <= KEY_LENGTH:
        return MapKey(key)
    remaining = KEY_LENGTH - 3
    return MapKey(f"{key[: (remaining + 1) // 2]}...{key[len(key) - remaining // 2 :]}")


def _validate_number_of_properties(
    check: Check, attributes: dict[str, Any], capacity: dict[str, Any], at: Location
) -> None:
    together = len(attributes) + len(capacity)
    if together > PROPERTIES:
        detail = f"the total number of attributes and capacities must not exceed {PROPERTIES}"
        check.invalid(at, together, detail)
    values = sum(_number_of_values(attribute) for attribute in attributes.values())
    if values > ATTRIBUTE_VALUES and check.minor >= 36:
        check.invalid(at, values, f"the total number of attribute values must not exceed {ATTRIBUTE_VALUES}")


def _number_of_values(attribute: dict[str, Any]) -> int:
    return sum(len(attribute[field]) for field in LIST_FIELDS & attribute.keys()) or 1


def _validate_attribute(check: Check, attribute: dict[str, Any], at: Location) -> None:
    given = [field for field in _VALUE_FIELDS if field in attribute]
    for field in given:
        if attribute[field] == []:
            check.invalid((*at, field), [], "must not be empty if specified")
    for place, text in _texts(attribute, "string", "strings", at):
        _validate_length(check, text, place)
    for place, text in _texts(attribute, "version", "versions", at):
        if not is_semantic_version(text):
            check.invalid(place, text, "must be a string compatible with semver.org spec 2.0.0")
        _validate_length(check, text, place)
    if check.declarative and not _validate_union(check, attribute, at):
        return
    if not given and check.minor <= 34:
        check.required(at, "exactly one value must be specified")
    elif len(given) != 1:
        check.invalid(at, attribute if given else "", "exactly one value must be specified")


def _validate_union(check: Check, attribute: dict[str, Any], at: Location) -> bool:
    """Object unless one field is given, and say whether it is; empty lists count as absent."""
    given = [field for field in _VALUE_FIELDS if attribute.get(field) not in (None, [])]
    fields = ", ".join(f"`{field}`" for field in _VALUE_FIELDS)
    if not given:
        check.invalid(at, "", f"must specify one of: {fields}")
    elif len(given) > 1:
        check.invalid(at, "{" + ", ".join(given) + "}", f"must specify exactly one of: {fields}")
    return len(given) == 1


def _texts(attribute: dict[str, Any], field: str, list_field: str, at: Location) -> list[tuple[Location, str]]:
    found: list[tuple[Location, str]] = [((*at, field), attribute[field])] if field in attribute else []
    return found + [((*at, list_field, index), text) for index, text in enumerate(attribute.get(list_field, ()))]


def _validate_length(check: Check, text: str, at: Location) -> None:
    if len(text.encode(errors="surrogatepass")) > VALUE_LENGTH:
        check.too_long(at, VALUE_LENGTH)


def is_semantic_version(text: str) -> bool:
    """Say whether a text is a version in the sense of semver.org 2.0.0, whatever the size of its numbers."""
    rest, plus, build = text.partition("+")
    numbers, dash, prerelease = rest.partition("-")
    parts = numbers.split(".")
    if len(parts) != 3 or not all(_is_number(part) for part in parts):
        return False
    if dash and not all(_is_identifier(part, leading_zero=False) for part in prerelease.split(".")):
        return False
    return not plus or all(_is_identifier(part, leading_zero=True) for part in build.split("."))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")


def _is_identifier(text: str, *, leading_zero: bool) -> bool:
    if not text or not text.isascii() or not text.replace("-", "a").isalnum():
        return False
    return leading_zero or not text.isdigit() or _is_number(text)


def _validate_node(
    check: Check, device: dict[str, Any], at: Location, device_at: Location, *, per_device: bool
) -> None:
    given = [field for field in _NODE_FIELDS if field in device]
    if not per_device:
        if given:
            detail = (
                "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in "
                "the ResourceSlice spec"
            )
            check.invalid(device_at, None, detail)
        return
    usable = []
    if device.get("nodeName"):
        usable.append("`nodeName`")
        validate_node_name(check, device["nodeName"], (*at, "nodeName"))
    elif "nodeName" in device:
        check.invalid((*at, "nodeName"), "", "must not be empty")
    if "nodeSelector" in device:
        usable.append("`nodeSelector`")
        validate_node_selector(check, device["nodeSelector"], (*at, "nodeSelector"))
    if device.get("allNodes"):
        usable.append("`allNodes`")
    elif "allNodes" in device:
        check.invalid((*at, "allNodes"), False, "must be either unset or set to true")
    if not usable:
        check.required(device_at, _PER_DEVICE)
    elif len(usable) > 1:
        check.invalid(device_at, "{" + ", ".join(usable) + "}", _PER_DEVICE)


def validate_binding_conditions(check: Check, holder: dict[str, Any], at: Location) -> None:
    """Validate the conditions under which a device may be bound (KEP-5007): both lists or none, nothing twice."""
    conditions: Sequence[str] = holder.get("bindingConditions", ())
    failures: Sequence[str] = holder.get("bindingFailureConditions", ())
    for field, items in (("bindingConditions", conditions), ("bindingFailureConditions", failures)):
        validate_list(check, items, (*at, field), BINDING_CONDITIONS, validate_label_name)
        validate_unique(check, items, (*at, field))
    for index, condition in enumerate(failures):
        if condition in conditions:
            detail = "bindingFailureConditions must not overlap with bindingConditions"
            check.invalid((*at, "bindingFailureConditions", index), condition, detail)
    if failures and not conditions:
        detail = "bindingConditions are required to use bindingFailureConditions"
        check.invalid((*at, "bindingConditions"), holder.get("bindingConditions"), detail)
    if conditions and not failures:
        detail = "bindingFailureConditions are required to use bindingConditions"
        check.invalid((*at, "bindingFailureConditions"), holder.get("bindingFailureConditions"), detail)
