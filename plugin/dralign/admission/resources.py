"""Requests and limits of containers and pods, and the claims that containers use.

Source: ``validateResourceRequirements`` and ``validateResourceClaimNames`` in
k8s.io/kubernetes/pkg/apis/core/validation.
"""

from __future__ import annotations

from dralign.admission import names, resource_names
from dralign.admission.location import MapKey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check
    from dralign.values.quantity import Quantity

_KNOWN_LIMIT = 4096
_COMPUTE = ("cpu", "memory")
_POD_LEVEL_NAMES = ("cpu", "hugepages-", "memory")


def validate_requirements(
    check: Check, requirements: dict[str, Any], at: Location, claims: Collection[str], *, pod_level: bool = False
) -> None:
    """Validate the resources of a container, or those of a pod as a whole."""
    limits: Mapping[str, Quantity] = requirements.get("limits", {})
    requests: Mapping[str, Quantity] = requirements.get("requests", {})
    for name, quantity in limits.items():
        _validate_quantity(check, name, quantity, (*at, "limits", MapKey(name)), pod_level=pod_level)
    for name, quantity in requests.items():
        _validate_quantity(check, name, quantity, (*at, "requests", MapKey(name)), pod_level=pod_level)
        _validate_against_limit(check, name, quantity, limits.get(name), at)
    asked = [*limits, *requests]
    if any(map(resource_names.is_huge_page, asked)) and not any(name in _COMPUTE for name in asked):
        check.forbidden(at, "HugePages require cpu or memory")
    if "claims" in requirements:
        validate_claim_uses(check, requirements["claims"], (*at, "claims"), claims)


def _validate_quantity(check: Check, name: str, quantity: Quantity, at: Location, *, pod_level: bool) -> None:
    if pod_level:
        _validate_pod_level_name(check, name, at)
    else:
        _validate_container_name(check, name, at)
    if quantity.sign < 0:
        check.invalid(at, str(quantity), "must be greater than or equal to 0")
    if resource_names.is_whole(name) and quantity.scaled_value(-3) % 1000:
        check.invalid(at, str(quantity), "must be an integer")
    if resource_names.is_huge_page(name) and not resource_names.divides_into_pages(name, quantity):
        check.invalid(at, str(quantity), f"{quantity} is not positive integer multiple of {name}")


def _validate_name(check: Check, name: str, at: Location) -> bool:
    """Validate what all resource names have in common, and say whether it holds."""
    wrong = names.label_key(name, check.minor)
    if not wrong and "/" not in name and not resource_names.is_standard(name):
        wrong = ["must be a standard resource type or fully qualified"]
    check.each_invalid(at, name, wrong)
    return not wrong


_right_names: set[str] = set()  # the same few names stand in all containers


def _validate_container_name(check: Check, name: str, at: Location) -> None:
    if name in _right_names:
        return
    known_before = len(check.causes)
    _validate_name(check, name, at)
    if "/" not in name:
        if not resource_names.is_container_resource(name):
            check.invalid(at, name, "must be a standard resource for containers")
    elif not resource_names.is_native(name) and not resource_names.is_extended(name):
        check.invalid(at, name, "doesn't follow extended resource name standard")
    if len(check.causes) == known_before and len(_right_names) < _KNOWN_LIMIT:
        _right_names.add(name)


def _validate_pod_level_name(check: Check, name: str, at: Location) -> None:
    if _validate_name(check, name, at) and not resource_names.is_pod_level(name):
        check.unsupported(at, name, _POD_LEVEL_NAMES)


def _validate_against_limit(check: Check, name: str, quantity: Quantity, limit: Quantity | None, at: Location) -> None:
    overcommitted = resource_names.is_overcommitted(name)
    if limit is None:
        if not overcommitted:
            check.required((*at, "limits"), "Limit must be set for non overcommitable resources")
    elif not overcommitted and quantity != limit:
        check.invalid((*at, "requests"), str(quantity), f"must be equal to {name} limit of {limit}")
    elif quantity > limit:
        check.invalid((*at, "requests"), str(quantity), f"must be less than or equal to {name} limit of {limit}")


def validate_claim_uses(check: Check, uses: Sequence[dict[str, Any]], at: Location, claims: Collection[str]) -> None:
    """Validate which claims of the pod a container uses, whole or one request of them; nothing twice."""
    seen: set[str] = set()
    for index, use in enumerate(uses):
        place = (*at, index)
        name, request = use.get("name", ""), use.get("request", "")
        if not name:
            check.required(place)
            continue
        _validate_use(check, name, request, place, seen)
        if name not in claims:
            known = f": {', '.join(sorted(claims))}" if claims else " which is empty"
            check.not_found(place, name, f"must be one of the names in pod.spec.resourceClaims{known}")


def _validate_use(check: Check, name: str, request: str, at: Location, seen: set[str]) -> None:
    if name in seen:
        check.duplicate(at, name)
        return
    key = f"{name}/{request}" if request else name
    if request:
        check.each_invalid((*at, "request"), request, names.dns_label(request))
    if key in seen:
        check.duplicate(at, key)
    elif not request:
        for other in sorted(seen):
            if other.startswith(f"{name}/"):
                check.duplicate(at, name)
    seen.add(key)
