"""The status of a ResourceClaim: what was allocated, who has reserved it, what drivers say of it.

Source: ``ValidateResourceClaimStatusUpdate`` in k8s.io/kubernetes/pkg/apis/resource/validation and the status strategy in
pkg/registry/resource/resourceclaim. Whether the writer may change it is not looked at.
"""

from __future__ import annotations

from dralign.admission import schema
from dralign.admission.allocation import validate_allocation
from dralign.admission.causes import DUPLICATE, INVALID
from dralign.admission.claim import validate_admin_namespace
from dralign.admission.comparable import IMMUTABLE, same
from dralign.admission.constraints import names_of_requests
from dralign.admission.device_status import shared_id, validate_device_status
from dralign.admission.drops import CLAIM_STATUS, drop_disabled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

    Object = dict[str, Any]

RESERVATIONS = 256
_FROM_REQUEST = ("kind", "apiVersion", "status")  # what an update of the status takes from the request


def prepare_status(check: Check, claim: Object, old: Object) -> None:
    """Keep all but the status as it is stored, and drop what gates that are off guard, in place."""
    for field in [field for field in claim if field not in _FROM_REQUEST]:
        del claim[field]
    claim.update({field: value for field, value in old.items() if field not in _FROM_REQUEST})
    drop_disabled(claim, old, CLAIM_STATUS, check.features, check.minor)
    _drop_deallocated(claim.get("status", {}), old.get("status", {}))


def validate_status(check: Check, claim: Object, old: Object) -> None:
    """Validate the status of a claim that is updated."""
    at: Location = ("status",)
    status, before = claim.get("status", {}), old.get("status", {})
    results = _results(status)
    _validate_admin_access(check, claim, results, _results(before))
    consumers = status.get("reservedFor", ())
    place = (*at, "reservedFor")
    if check.list_of(place, len(consumers), RESERVATIONS):
        _validate_each(check, consumers, place, _validate_consumer, lambda item: item.get("uid", ""), "uid")
    if consumers and "allocation" not in status:
        check.forbidden(place, "may not be specified when `allocated` is not set")
    allocated = {shared_id(result) for result in results}

    def validate_one(check: Check, device: Object, at: Location) -> None:
        validate_device_status(check, device, at, allocated)

    _validate_each(check, status.get("devices", ()), (*at, "devices"), validate_one, shared_id, "deviceID")
    _validate_allocation(check, claim, status, before, (*at, "allocation"))


def _validate_allocation(check: Check, claim: Object, status: Object, before: Object, at: Location) -> None:
    if "allocation" not in status:
        return
    if "allocation" not in before:
        requested = names_of_requests(claim.get("spec", {}).get("devices", {}).get("requests", ()))
        validate_allocation(check, status["allocation"], at, requested)
        return
    type_ = schema.struct(check.package, "ResourceClaimStatus", check.minor)
    if not same(type_, status, before, check.minor, ("allocation",)):
        if check.declarative:
            check.add(at, INVALID, "null: field cannot be modified once set")
        else:
            quoted = check.written("AllocationResult", status["allocation"])
            check.add(at, INVALID, f"{quoted}: {IMMUTABLE}")


def _validate_each(
    check: Check,
    items: Sequence[Object],
    at: Location,
    validate: Callable[[Check, Object, Location], None],
    key: Callable[[Object], Hashable],
    key_name: str,
) -> None:
    """Validate the items of a list in which a key may stand only once."""
    seen = set()
    for index, item in enumerate(items):
        validate(check, item, (*at, index))
        if key(item) in seen:
            place = (*at, index) if check.minor >= 35 else (*at, index, key_name)
            check.add(place, DUPLICATE, str(key(item)))
        seen.add(key(item))


def _validate_consumer(check: Check, consumer: Object, at: Location) -> None:
    for field in ("resource", "name", "uid"):
        if not consumer.get(field):
            check.required((*at, field))


def _validate_admin_access(check: Check, claim: Object, results: Sequence[Object], before: Sequence[Object]) -> None:
    if any(result.get("adminAccess") for result in before):
        return
    for index, result in enumerate(results):
        if result.get("adminAccess"):
            at: Location = ("status", "allocation", "devices", "results", index, "adminAccess")
            validate_admin_namespace(check, claim.get("metadata", {}).get("namespace", ""), at)
            return


def _drop_deallocated(status: Object, before: Object) -> None:
    """Drop what was said of devices that the claim has no longer."""
    kept = {shared_id(result) for result in _results(status)}
    gone = {shared_id(result) for result in _results(before)} - kept
    devices = [device for device in status.get("devices", ()) if shared_id(device) not in gone]
    if devices:
        status["devices"] = devices
    else:
        status.pop("devices", None)


def _results(status: Object) -> list[Object]:
    results: list[Object] = status.get("allocation", {}).get("devices", {}).get("results", [])
    return results
