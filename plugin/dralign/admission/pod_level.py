"""Resources of a pod as a whole (KEP-2837): sums over containers, what is filled in, consistency.

Source: k8s.io/component-helpers/resource/helpers.go, ``DefaultPodLevelResources`` in k8s.io/kubernetes/pkg/api/pod (1.37),
``defaultPodRequests`` in pkg/apis/core/v1 (before), ``validatePodResourceConsistency`` in pkg/apis/core/validation.
"""

from __future__ import annotations

from dralign.admission import resource_names
from dralign.admission.causes import FORBIDDEN, INVALID, show
from dralign.admission.location import MapKey, render
from dralign.admission.resources import validate_requirements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check
    from dralign.values.quantity import Quantity

    Amounts = dict[str, Quantity]


FIXED_GATE = "PodLevelResourcesFixDefaulting"
"""The gate with which defaults are filled in when a Pod is created, not whenever one is read."""


def sum_over_containers(spec: dict[str, Any], kind: str) -> Amounts:
    """Return what the containers of a pod need together; ``kind`` is ``requests`` or ``limits``.

    Sidecars run beside all that starts after them, other init containers one at a time (KEP-753).
    """
    total: Amounts = {}
    for container in spec.get("containers", ()):
        _add(total, container.get("resources", {}).get(kind, {}))
    sidecars: Amounts = {}
    peak: Amounts = {}
    for container in spec.get("initContainers", ()):
        needed = container.get("resources", {}).get(kind, {})
        if container.get("restartPolicy") == "Always":
            _add(total, needed)
            _add(sidecars, needed)
            _raise(peak, sidecars)
        else:
            during = dict(needed)
            _add(during, sidecars)
            _raise(peak, during)
    _raise(total, peak)
    return total


def fill_pod_level(spec: dict[str, Any], features: frozenset[str]) -> None:
    """Fill in requests and limits of a pod that sets some of them, in place.

    Limits of cpu and memory are filled in by 1.37 only, where every container has one.
    """
    resources = spec.get("resources")
    if resources is None or "PodLevelResources" not in features:
        return
    if not resources.get("limits") and not resources.get("requests"):
        return
    fixed = FIXED_GATE in features
    _fill_huge_page_limits(spec, resources)
    if fixed or resources.get("limits"):
        _fill_requests(spec, resources)
    if fixed:
        _fill_limits(spec, resources)


def validate_pod_level(check: Check, spec: dict[str, Any], at: Location) -> None:
    """Validate the resources of a pod as a whole."""
    resources = spec.get("resources")
    if resources is None or "PodLevelResources" not in check.features:
        return
    place = (*at, "resources")
    if spec.get("os", {}).get("name") == "windows":
        check.forbidden(place, "may not be set for a windows pod")
        return
    if "claims" in resources:
        check.add((*place, "claims"), FORBIDDEN, "claims may not be set for Resources at pod-level")
    claims = {claim["name"] for claim in spec.get("resourceClaims", ()) if claim.get("name")}
    validate_requirements(check, resources, place, claims, pod_level=True)
    _validate_sums(check, spec, resources, place)
    _validate_container_limits(check, spec, resources.get("limits", {}), at)


def _validate_sums(check: Check, spec: dict[str, Any], resources: dict[str, Any], at: Location) -> None:
    for kind in ("requests", "limits"):
        given: Mapping[str, Quantity] = resources.get(kind, {})
        for name, total in sum_over_containers(spec, kind).items():
            # Limits of single containers may add up to more, except those of huge pages.
            if kind == "limits" and not resource_names.is_huge_page(name):
                continue
            if name in given and total > given[name]:
                detail = f"must be greater than or equal to aggregate container {kind} of {total}"
                check.invalid((*at, kind, MapKey(name)), str(given[name]), detail)


def _validate_container_limits(
    check: Check, spec: dict[str, Any], limits: Mapping[str, Quantity], at: Location
) -> None:
    for index, container in enumerate(spec.get("containers", ())):
        for name, limit in container.get("resources", {}).get("limits", {}).items():
            if name in limits and limit > limits[name]:
                place = (*at, "containers", index, "resources", "limits", MapKey(name))
                field = render((*at, "resources", "containers", index, MapKey(name), "limits"))
                detail = f"{show(str(limit))}: must be less than or equal to pod limits of {limits[name]}"
                check.add(place, INVALID, detail, field)


def _fill_huge_page_limits(spec: dict[str, Any], resources: dict[str, Any]) -> None:
    limits = dict(resources.get("limits", {}))
    for name, total in sum_over_containers(spec, "limits").items():
        if resource_names.is_huge_page(name) and name not in resources.get("requests", {}):
            limits.setdefault(name, total)
    if limits:
        resources["limits"] = limits


def _fill_requests(spec: dict[str, Any], resources: dict[str, Any]) -> None:
    requests = dict(resources.get("requests", {}))
    for name, total in sum_over_containers(spec, "requests").items():
        if name in ("cpu", "memory"):
            requests.setdefault(name, total)
    for name, limit in resources.get("limits", {}).items():
        if resource_names.is_pod_level(name):
            requests.setdefault(name, limit)
    if requests:
        resources["requests"] = requests


def _fill_limits(spec: dict[str, Any], resources: dict[str, Any]) -> None:
    """Fill in limits where all containers have one: their sum, or the pod's request if that is more."""
    containers = [*spec.get("initContainers", ()), *spec.get("containers", ())]
    sums = sum_over_containers(spec, "limits")
    limits = dict(resources.get("limits", {}))
    for name, request in resources.get("requests", {}).items():
        if not resource_names.is_pod_level(name) or name in limits or name not in sums:
            continue
        if all(name in container.get("resources", {}).get("limits", {}) for container in containers):
            limits[name] = max(sums[name], request)  # the sum when both are as much: it may be written differently
    if limits:
        resources["limits"] = limits


def _add(total: Amounts, more: Mapping[str, Quantity]) -> None:
    for name, quantity in more.items():
        total[name] = total[name] + quantity if name in total else quantity


def _raise(total: Amounts, other: Mapping[str, Quantity]) -> None:
    for name, quantity in other.items():
        if name not in total or quantity > total[name]:
            total[name] = quantity
