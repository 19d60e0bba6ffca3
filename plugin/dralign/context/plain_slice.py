"""ResourceSlices to which nobody could object, told without the tables of the API server.

An inventory holds thousands of slices as drivers write them: short names, one value for each attribute, plain quantities.
They are told in one pass. The tables, and the time to read them, are for all others.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_FLAT = ("resource.k8s.io/v1", "resource.k8s.io/v1beta2")
_NESTED = "resource.k8s.io/v1beta1"
"""The version that writes the fields of a device below ``basic``."""

_METADATA = frozenset(
    {"name", "creationTimestamp", "generateName", "generation", "ownerReferences", "resourceVersion", "uid"}
)
_OWNER = frozenset({"apiVersion", "kind", "name", "uid", "controller"})
_SPEC = frozenset({"driver", "pool", "nodeName", "allNodes", "devices", "sharedCounters"})
_POOL = frozenset({"name", "generation", "resourceSliceCount"})
_DEVICE = frozenset({"name", "attributes", "capacity", "consumesCounters", "allowMultipleAllocations"})

# The least that any release allows.
_DEVICES = 128
_DEVICES_WITH_COUNTERS = 64
_SETS = 8
_CONSUMED_SETS = 2
_COUNTERS = 32
_PROPERTIES = 32
_TEXT = 64
_NAME = 63
_SET_APART = 35
"""The release from which on counter sets and the devices that consume them stand in different slices."""

_LABEL = re.compile(r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?").fullmatch
_SUBDOMAIN = re.compile(r"(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?").fullmatch
_KEY = re.compile(r"(?:[a-z0-9](?:[-a-z0-9.]{0,61}[a-z0-9])?/)?[A-Za-z_][A-Za-z0-9_]{0,31}").fullmatch
_VERSION = re.compile(r"(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){2}").fullmatch
_AMOUNT = re.compile(r"[0-9]{1,15}(?:m|k|M|G|T|Ki|Mi|Gi|Ti)?").fullmatch
_TIME = re.compile(r"20[0-9]{2}-(0[1-9]|1[0-2])-([0-2][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z").fullmatch
_FEBRUARY, _SHORT = "02", ("04", "06", "09", "11")
_MOST = 1 << 53

_known_keys: set[str] = set()
_known_versions: set[str] = set()
_KNOWN_LIMIT = 4096


def is_plain_slice(data: Mapping[str, Any], minor: int) -> bool:
    """Say whether no release takes exception to a ResourceSlice, as far as that can be told at a glance.

    ``minor`` is the release of the API server, 37 for 1.37: up to 1.34 devices stand beside the counters they consume.
    """
    spec, version = data.get("spec"), data.get("apiVersion")
    if spec.__class__ is not dict or not spec or len(data) != 4 or not _is_plain_metadata(data.get("metadata")):
        return False
    if not spec.keys() <= _SPEC or not _is_plain_reach(spec) or not _is_plain_pool(spec.get("pool")):
        return False
    driver: Any = spec.get("driver")
    if not _is(_SUBDOMAIN, driver) or len(driver) > _NAME:
        return False
    if "sharedCounters" in spec:
        return minor >= _SET_APART and "devices" not in spec and _is_plain_sets(spec["sharedCounters"], "name", _SETS)
    devices = _bodies(spec.get("devices"), version)
    return devices is not None and _are_plain_devices(devices, minor)


def _bodies(devices: Any, version: Any) -> list[tuple[Any, dict[str, Any]]] | None:
    """Return name and fields of each device; None where one is not written as devices of the version are."""
    if devices.__class__ is not list or not 0 < len(devices) <= _DEVICES:
        return None
    if version in _FLAT:
        return [(item.get("name"), item) if item.__class__ is dict else ("", {}) for item in devices]
    if version != _NESTED:
        return None
    pairs: list[tuple[Any, Any]] = [
        (item.get("name"), item.get("basic")) for item in devices if item.__class__ is dict and len(item) == 2
    ]
    fits = len(pairs) == len(devices) and all(body.__class__ is dict and "name" not in body for _, body in pairs)
    return pairs if fits else None


def _are_plain_devices(devices: list[tuple[Any, dict[str, Any]]], minor: int) -> bool:
    names = {name for name, _ in devices if _is(_LABEL, name)}
    counting = any("consumesCounters" in body for _, body in devices)
    if len(names) != len(devices) or (counting and (minor < _SET_APART or len(devices) > _DEVICES_WITH_COUNTERS)):
        return False
    return all(_is_plain_device(body) for _, body in devices)


def _is_plain_device(body: dict[str, Any]) -> bool:
    attributes, capacity = body.get("attributes", _NOTHING), body.get("capacity", _NOTHING)
    if not body.keys() <= _DEVICE or attributes.__class__ is not dict or capacity.__class__ is not dict:
        return False
    if (
        len(attributes) + len(capacity) > _PROPERTIES
        or body.get("allowMultipleAllocations", True).__class__ is not bool
    ):
        return False
    if not _known_keys.issuperset(attributes) and not all(map(_is_key, attributes)):
        return False
    if not _known_keys.issuperset(capacity) and not all(map(_is_key, capacity)):
        return False
    return (
        all(map(_is_plain_attribute, attributes.values()))
        and all(map(_is_plain_amount, capacity.values()))
        and ("consumesCounters" not in body or _is_plain_sets(body["consumesCounters"], "counterSet", _CONSUMED_SETS))
    )


_NOTHING: dict[str, Any] = {}


def _is_plain_attribute(attribute: Any) -> bool:
    if attribute.__class__ is not dict or len(attribute) != 1:
        return False
    for kind, value in attribute.items():
        if kind == "string":
            return value.__class__ is str and 0 < len(value) <= _TEXT and value.isascii()
        if kind == "int":
            return value.__class__ is int and -_MOST < value < _MOST
        if kind == "version":
            return value.__class__ is str and (value in _known_versions or _is_version(value))
        return bool(kind == "bool" and value.__class__ is bool)
    return False


def _is_version(text: str) -> bool:
    return _remembered(text, _known_versions, fits=_VERSION(text) is not None)


def _is_key(text: Any) -> bool:
    return _remembered(
        text, _known_keys, fits=_is(_KEY, text) and ".." not in text and "-." not in text and ".-" not in text
    )


def _remembered(text: str, known: set[str], *, fits: bool) -> bool:
    if fits and len(known) < _KNOWN_LIMIT:
        known.add(text)
    return fits


def _is_plain_amount(amount: Any) -> bool:
    return amount.__class__ is dict and len(amount) == 1 and _is(_AMOUNT, amount.get("value"))


def _is_plain_sets(sets: Any, name: str, most: int) -> bool:
    """Say whether counter sets are plain, those of a pool or those that a device consumes from."""
    if sets.__class__ is not list or not 0 < len(sets) <= most:
        return False
    names = {
        item[name]
        for item in sets
        if item.__class__ is dict and item.keys() == {name, "counters"} and _is(_LABEL, item[name])
    }
    return len(names) == len(sets) and all(_are_plain_counters(item["counters"]) for item in sets)


def _are_plain_counters(counters: Any) -> bool:
    if counters.__class__ is not dict or not 0 < len(counters) <= _COUNTERS:
        return False
    return all(_is(_LABEL, name) for name in counters) and all(map(_is_plain_amount, counters.values()))


def _is_plain_reach(spec: Mapping[str, Any]) -> bool:
    if "nodeName" in spec:
        return "allNodes" not in spec and _is(_SUBDOMAIN, spec["nodeName"]) and len(spec["nodeName"]) <= _NAME
    return spec.get("allNodes") is True


def _is_plain_pool(pool: Any) -> bool:
    if (
        pool.__class__ is not dict
        or pool.keys() != _POOL
        or not _is(_SUBDOMAIN, pool["name"])
        or len(pool["name"]) > _NAME
    ):
        return False
    generation, count = pool["generation"], pool["resourceSliceCount"]
    return generation.__class__ is count.__class__ is int and 0 <= generation < _MOST and 0 < count < _MOST


def _is_plain_metadata(metadata: Any) -> bool:
    if metadata.__class__ is not dict or not metadata.keys() <= _METADATA:
        return False
    name: Any = metadata.get("name")
    generation = metadata.get("generation", 0)
    texts = [metadata[key] for key in ("uid", "resourceVersion") if key in metadata]
    return (
        _is(_SUBDOMAIN, name)
        and len(name) <= _NAME
        and generation.__class__ is int
        and 0 <= generation < _MOST
        and all(text.__class__ is str and text for text in texts)
        and ("creationTimestamp" not in metadata or _is_time(metadata["creationTimestamp"]))
        and ("generateName" not in metadata or _is_prefix(metadata["generateName"]))
        and ("ownerReferences" not in metadata or _is_plain_owner(metadata["ownerReferences"]))
    )


def _is_plain_owner(owners: Any) -> bool:
    """Say whether there is one owner: the node that a slice belongs to."""
    if owners.__class__ is not list or len(owners) != 1 or owners[0].__class__ is not dict:
        return False
    owner = owners[0]
    texts = (owner.get(key) for key in ("name", "uid"))
    return (
        owner.keys() <= _OWNER
        and (owner.get("apiVersion"), owner.get("kind")) == ("v1", "Node")
        and all(text.__class__ is str and text for text in texts)
        and owner.get("controller", True).__class__ is bool
    )


def _is_prefix(text: Any) -> bool:
    return text.__class__ is str and text.endswith("-") and _is(_LABEL, text[:-1])


def _is_time(text: Any) -> bool:
    found = _TIME(text) if text.__class__ is str else None
    if found is None:
        return False
    month, day = found[1], found[2]
    return "01" <= day <= ("28" if month == _FEBRUARY else "30" if month in _SHORT else "31")


def _is(pattern: Any, text: Any) -> bool:
    return text.__class__ is str and pattern(text) is not None
