"""The allocation in the status of a claim: which devices it got.

Source: ``validateAllocationResult`` and below in k8s.io/kubernetes/pkg/apis/resource/validation, 1.34 to 1.37.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.constraints import validate_device_config, validate_reference, validate_references
from dralign.admission.device import validate_binding_conditions
from dralign.admission.formats import validate_driver_name, validate_opaque_driver_name, validate_pool_name
from dralign.admission.lists import validate_list
from dralign.admission.node_selector import validate_node_selector
from dralign.admission.resource_slice import validate_skipped_operations
from dralign.admission.taints import validate_device_toleration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

    Object = dict[str, Any]
    Requested = Mapping[str, set[str]]

RESULTS = 32
CONFIGS = 64  # those of the class and those of the claim
_SOURCES = ("FromClaim", "FromClass")
_POOL_LENGTH = 253
_UUID_LENGTH = 36
_UUID_DASHES = (8, 13, 18, 23)
_HEXADECIMAL = frozenset("0123456789abcdef")


def validate_allocation(check: Check, allocation: Object, at: Location, requested: Requested) -> None:
    """Validate a new allocation; ``requested`` are the names of the requests of the claim with their alternatives."""
    devices = allocation.get("devices", {})
    validate_list(
        check,
        devices.get("results", ()),
        (*at, "devices", "results"),
        RESULTS,
        lambda check, result, at: _validate_result(check, result, at, requested),
    )
    validate_list(
        check,
        devices.get("config", ()),
        (*at, "devices", "config"),
        CONFIGS,
        lambda check, config, at: _validate_config(check, config, at, requested),
    )
    if "nodeSelector" in allocation:
        validate_node_selector(check, allocation["nodeSelector"], (*at, "nodeSelector"))


def validate_share_id(check: Check, uid: str, at: Location) -> None:
    """Validate the id of a share: a UUID in lower case."""
    if _is_uuid(uid):
        return
    if check.declarative:
        check.invalid(at, uid, "must be a lowercase UUID in 8-4-4-4-12 format")
    elif _is_uuid(uid.lower()):
        detail = (
            "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal "
            "characters"
        )
        check.invalid(at, uid, detail)
    else:
        check.invalid(at, uid, f"error validating uid: {_problem_of_uuid(uid)}")


def _validate_result(check: Check, result: Object, at: Location, requested: Requested) -> None:
    validate_reference(check, result.get("request", ""), (*at, "request"), requested)
    validate_driver = validate_opaque_driver_name if check.declarative else validate_driver_name
    validate_driver(check, result.get("driver", ""), (*at, "driver"))
    _validate_pool(check, result.get("pool", ""), (*at, "pool"))
    device = result.get("device", "")
    check.each_invalid((*at, "device"), device, names.dns_label(device))
    validate_binding_conditions(check, result, at)
    if check.declarative:
        for index, toleration in enumerate(result.get("tolerations", ())):
            validate_device_toleration(check, toleration, (*at, "tolerations", index))
    if "shareID" in result:
        validate_share_id(check, result["shareID"], (*at, "shareID"))
    if "skipNodeOperations" in result:
        validate_skipped_operations(check, result["skipNodeOperations"], (*at, "skipNodeOperations"))


def _validate_config(check: Check, config: Object, at: Location, requested: Requested) -> None:
    source = config.get("source", "")
    if not source:
        check.required((*at, "source"))
    elif source not in _SOURCES:
        check.unsupported((*at, "source"), source, _SOURCES)
    validate_references(check, config.get("requests", ()), (*at, "requests"), requested)
    validate_device_config(check, config, at)


def _validate_pool(check: Check, pool: str, at: Location) -> None:
    """Validate the name of a pool; from 1.37 on it is quoted whole and the wrong part is counted."""
    if not check.declarative or not pool:
        validate_pool_name(check, pool, at)
        return
    if len(pool.encode(errors="surrogatepass")) > _POOL_LENGTH:
        check.too_long(at, _POOL_LENGTH)
    for index, part in enumerate(pool.split("/")):
        if part:
            details = (f"segment {index}: {detail}" for detail in names.dns_subdomain(part, "bytes"))
            check.each_invalid(at, part, details)
        else:
            check.invalid(at, pool, f"segment {index}: must not be empty")


def _is_uuid(text: str) -> bool:
    return len(text) == _UUID_LENGTH and all(
        char == "-" if index in _UUID_DASHES else char in _HEXADECIMAL for index, char in enumerate(text)
    )


def _problem_of_uuid(uid: str) -> str:
    return f"invalid UUID length: {len(uid)}" if len(uid) != _UUID_LENGTH else "invalid UUID format"
