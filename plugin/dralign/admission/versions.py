"""Carrying a decoded object of resource.k8s.io from one version into another.

Only v1beta1 has a shape of its own: the body of a request stands in the request itself, that of a device under ``basic``.
"""

from __future__ import annotations

from dralign.admission.layout import EXACT_FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Object = dict[str, Any]


def converted(kind: str, obj: Object, *, flat_from: bool, flat_to: bool) -> Object:
    """Return a decoded object in the shape of another version; ``flat_…`` says which of them is v1beta1."""
    if flat_from == flat_to:
        return obj
    spec = obj.get("spec", {})
    if kind == "ResourceClaim":
        return {**obj, "spec": _claim_spec(spec, flat=flat_to)}
    if kind == "ResourceClaimTemplate":
        return {**obj, "spec": {**spec, "spec": _claim_spec(spec.get("spec", {}), flat=flat_to)}}
    if kind == "ResourceSlice" and "devices" in spec:
        devices = [_flat_device(device) if flat_to else _plain_device(device) for device in spec["devices"]]
        return {**obj, "spec": {**spec, "devices": devices}}
    return obj


def _claim_spec(spec: Object, *, flat: bool) -> Object:
    devices = spec.get("devices", {})
    if "requests" not in devices:
        return spec
    requests = [_flat_request(request) if flat else _plain_request(request) for request in devices["requests"]]
    return {**spec, "devices": {**devices, "requests": requests}}


def _flat_request(request: Object) -> Object:
    outer = {field: value for field, value in request.items() if field != "exactly"}
    return {**outer, **request.get("exactly", {})}


def _plain_request(request: Object) -> Object:
    exact = {field: value for field, value in request.items() if field in EXACT_FIELDS}
    outer = {field: value for field, value in request.items() if field not in EXACT_FIELDS}
    asked = {field: value for field, value in exact.items() if value != ""}
    return {**outer, "exactly": exact} if asked else outer


def _flat_device(device: Object) -> Object:
    basic = {field: value for field, value in device.items() if field != "name"}
    return {"name": device.get("name", ""), "basic": basic}


def _plain_device(device: Object) -> Object:
    outer = {field: value for field, value in device.items() if field != "basic"}
    return {**outer, **device.get("basic", {})}
