"""What a driver says of an allocated device in the status of a claim (KEP-4817).

Source: ``validateDeviceStatus`` and ``validateNetworkDeviceData`` in k8s.io/kubernetes/pkg/apis/resource/validation.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.allocation import validate_share_id
from dralign.admission.causes import INVALID, to_go_json
from dralign.admission.conditions import validate_conditions
from dralign.admission.constraints import validate_json_object
from dralign.admission.formats import validate_driver_name, validate_pool_name
from dralign.admission.lists import validate_list, validate_unique

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

    Object = dict[str, Any]
    SharedId = tuple[str, str, str, str | None]

CONDITIONS = 8
DATA_LENGTH = 10 * 1024
ADDRESSES = 16
_TEXT_LENGTHS = (("interfaceName", 256), ("hardwareAddress", 128))


def shared_id(device: Object) -> SharedId:
    """Return what tells a device, or a share of one, from all others: driver, pool, device, share."""
    return device.get("driver", ""), device.get("pool", ""), device.get("device", ""), device.get("shareID")


def validate_device_status(check: Check, device: Object, at: Location, allocated: Collection[SharedId]) -> None:
    """Validate the status of one device; ``allocated`` are the devices of the claim."""
    validate_driver_name(check, device.get("driver", ""), (*at, "driver"))
    validate_pool_name(check, device.get("pool", ""), (*at, "pool"))
    name = device.get("device", "")
    check.each_invalid((*at, "device"), name, names.dns_label(name))
    if "shareID" in device:
        validate_share_id(check, device["shareID"], (*at, "shareID"))
    if shared_id(device) not in allocated:
        driver, pool, name, share = shared_id(device)
        quoted = to_go_json({"Driver": driver, "Pool": pool, "Device": name, "ShareID": share or ""})
        check.add(at, INVALID, f"{quoted}: must be an allocated device in the claim")
    conditions = device.get("conditions", ())
    if len(conditions) > CONDITIONS:
        check.too_many((*at, "conditions"), len(conditions), CONDITIONS)
    validate_conditions(check, conditions, (*at, "conditions"))
    if device.get("data") is not None:
        validate_json_object(check, device["data"], (*at, "data"), DATA_LENGTH)
    if "networkData" in device:
        _validate_network(check, device["networkData"], (*at, "networkData"))


def _validate_network(check: Check, network: Object, at: Location) -> None:
    for field, limit in _TEXT_LENGTHS:
        if len(network.get(field, "").encode(errors="surrogatepass")) > limit:
            check.too_long((*at, field), limit)
    addresses = network.get("ips", ())
    validate_list(check, addresses, (*at, "ips"), ADDRESSES, _validate_address)
    if len(addresses) <= ADDRESSES:
        validate_unique(check, addresses, (*at, "ips"))


def _validate_address(check: Check, address: str, at: Location) -> None:
    import ipaddress  # noqa: PLC0415  manifests never hold one

    try:
        canonical = str(ipaddress.ip_interface(address)) if "/" in address else None
    except ValueError:
        canonical = None
    if canonical is None:
        check.invalid(at, address, "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)")
    elif canonical != address:
        check.invalid(at, address, f'must be in canonical form ("{canonical}")')
