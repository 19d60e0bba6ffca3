"""Where requests and devices keep their contents: v1beta1 differs from v1beta2 and v1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location

# What stands under ``exactly`` from v1beta2 on, and in the request itself in v1beta1.
EXACT_FIELDS = frozenset(
    {
        "deviceClassName",
        "selectors",
        "allocationMode",
        "count",
        "adminAccess",
        "tolerations",
        "capacity",
        "derivedAttributes",
    }
)


def exact_request(request: dict[str, Any], at: Location, *, flat: bool) -> tuple[dict[str, Any] | None, Location]:
    """Return what a request asks for outside ``firstAvailable``, and where it stands; None if there is nothing."""
    if not flat:
        return request.get("exactly"), (*at, "exactly")
    return (request if EXACT_FIELDS & request.keys() else None), at


def device_body(device: dict[str, Any], at: Location, *, flat: bool) -> tuple[dict[str, Any], Location]:
    """Return what a device has beside its name, and where: in v1beta1 under ``basic``."""
    return (device.get("basic", {}), (*at, "basic")) if flat else (device, at)
