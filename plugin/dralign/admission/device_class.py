"""DeviceClass.

Source: ``validateDeviceClassSpec`` in k8s.io/kubernetes/pkg/apis/resource/validation; extended resource names as in
k8s.io/apimachinery/pkg/api/validate/strfmt.go from 1.37 on.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.constraints import validate_device_config
from dralign.admission.lists import validate_list
from dralign.admission.selectors import validate_selectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

CONFIGS = 32
_NATIVE_DOMAIN = "kubernetes.io/"
_QUOTA_PREFIX = "requests."


def validate_class_spec(check: Check, spec: dict[str, Any], old: dict[str, Any] | None = None) -> None:
    """Validate the spec of a class; selectors and configurations that did not change since ``old`` count as stored."""
    at: Location = ("spec",)
    if old is None or spec.get("selectors", []) != old.get("selectors", []):
        validate_selectors(check, spec.get("selectors", ()), (*at, "selectors"))
    stored = old is not None and spec.get("config", []) == old.get("config", [])
    validate_list(
        check,
        spec.get("config", ()),
        (*at, "config"),
        CONFIGS,
        lambda check, config, at: validate_device_config(check, config, at, stored=stored),
    )
    if "extendedResourceName" in spec and (
        old is None or spec["extendedResourceName"] != old.get("extendedResourceName")
    ):
        _validate_extended_resource_name(check, spec["extendedResourceName"], (*at, "extendedResourceName"))


def _validate_extended_resource_name(check: Check, name: str, at: Location) -> None:
    wrong = _problems_of_extended_resource_name(name)
    if check.declarative:
        check.each_invalid(at, name, wrong)
    elif wrong:
        check.invalid(at, name, "must be a valid extended resource name")


def _problems_of_extended_resource_name(name: str) -> list[str]:
    wrong = []
    if "/" not in name:
        wrong.append("a name must be a domain-prefixed path, such as 'example.com/my-prop'")
    elif _NATIVE_DOMAIN in name:
        wrong.append(f'must not have "{_NATIVE_DOMAIN}" domain')
    if name.startswith(_QUOTA_PREFIX):
        wrong.append(f'must not have "{_QUOTA_PREFIX}" prefix')
    return wrong + names.label_key(_QUOTA_PREFIX + name)
