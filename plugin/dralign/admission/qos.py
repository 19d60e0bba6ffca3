"""The QoS class of a pod.

Source: ``ComputePodQOS`` in k8s.io/kubernetes/pkg/apis/core/helper/qos, 1.37 and before.
"""

from __future__ import annotations

from dralign.admission import resource_names
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

GUARANTEED = "Guaranteed"
BURSTABLE = "Burstable"
BEST_EFFORT = "BestEffort"
_COMPUTE = ("cpu", "memory")
_ZERO = Quantity.of(0)


def qos_class(spec: dict[str, Any], features: frozenset[str], minor: int) -> str:
    """Return the class of a pod from its decoded spec with defaults filled in."""
    resources: dict[str, Any] = spec.get("resources", {})
    of_pod = "resources" in spec and "PodLevelResources" in features
    if of_pod and "PodLevelResourcesFixKubeletQOSClass" in features:
        of_pod = any(map(resource_names.is_pod_level, [*resources.get("requests", {}), *resources.get("limits", {})]))
    if of_pod:
        holders = [resources]
    else:
        containers = [*spec.get("initContainers", ()), *spec.get("containers", ())]
        holders = [container.get("resources", {}) for container in containers]
    return _by_holder(holders) if minor >= 37 else _by_sum(holders)


def _by_holder(holders: Iterable[dict[str, Any]]) -> str:
    """Return the class that all holders share; different ones make the pod Burstable."""
    classes = {_class_of(holder) for holder in holders}
    return classes.pop() if len(classes) == 1 else BURSTABLE if classes else BEST_EFFORT


def _class_of(resources: dict[str, Any]) -> str:
    classes = {_class_of_resource(resources, name) for name in _COMPUTE}
    return classes.pop() if len(classes) == 1 else BURSTABLE


def _class_of_resource(resources: dict[str, Any], name: str) -> str:
    request = resources.get("requests", {}).get(name, _ZERO)
    limit = resources.get("limits", {}).get(name, _ZERO)
    if request != limit:
        return BURSTABLE
    return GUARANTEED if request else BEST_EFFORT


def _by_sum(holders: Iterable[dict[str, Any]]) -> str:
    """Return the class as releases up to 1.36 reckon: positive amounts summed over all containers are compared."""
    requests: dict[str, Quantity] = {}
    limits: dict[str, Quantity] = {}
    all_limited = True
    for resources in holders:
        _add_positive(requests, resources.get("requests", {}))
        all_limited = _add_positive(limits, resources.get("limits", {})) == len(_COMPUTE) and all_limited
    if not requests and not limits:
        return BEST_EFFORT
    return GUARANTEED if all_limited and requests == limits else BURSTABLE


def _add_positive(total: dict[str, Quantity], amounts: Mapping[str, Quantity]) -> int:
    """Add the positive amounts of cpu and memory, and return how many there were."""
    positive = [name for name in _COMPUTE if amounts.get(name, _ZERO).sign > 0]
    for name in positive:
        total[name] = total[name] + amounts[name] if name in total else amounts[name]
    return len(positive)
