"""DeviceTaintRule: a taint for the devices that a selector picks.

Source: ``validateDeviceTaintRuleSpec`` in k8s.io/kubernetes/pkg/apis/resource/validation.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.formats import validate_driver_name, validate_pool_name
from dralign.admission.selectors import validate_selectors
from dralign.admission.taints import validate_device_taint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check


def validate_taint_rule_spec(check: Check, spec: dict[str, Any], old: dict[str, Any] | None = None) -> None:
    """Validate the spec of a rule; an effect that did not change since ``old`` is let be."""
    at: Location = ("spec",)
    selector = spec.get("deviceSelector")
    if selector is not None:
        _validate_selector(check, selector, (*at, "deviceSelector"))
    taint = spec.get("taint", {})
    before = None if old is None else old.get("taint", {})
    validate_device_taint(check, taint, (*at, "taint"), before)


def _validate_selector(check: Check, selector: dict[str, Any], at: Location) -> None:
    if "deviceClassName" in selector:
        name = selector["deviceClassName"]
        check.each_invalid((*at, "deviceClassName"), name, names.dns_subdomain(name))
    if "driver" in selector:
        validate_driver_name(check, selector["driver"], (*at, "driver"))
    if "pool" in selector:
        validate_pool_name(check, selector["pool"], (*at, "pool"))
    if "device" in selector:
        check.each_invalid((*at, "device"), selector["device"], names.dns_label(selector["device"]))
    if "selectors" in selector:
        validate_selectors(check, selector["selectors"], (*at, "selectors"))
