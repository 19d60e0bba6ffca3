"""How much of a node a pod asks for, and how the scheduler counts it.

Source: ``PodRequests`` in k8s.io/component-helpers/resource, ``Resource`` in k8s.io/kubernetes/pkg/scheduler/framework.
"""

from __future__ import annotations

from dralign.manifest import as_list, as_map
from dralign.model.quantities import quantity_from
from dralign.sim.amounts import NANO, amount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.values.quantity import Quantity

    Amounts = dict[str, int]

CPU, MEMORY, STORAGE, PODS = "cpu", "memory", "ephemeral-storage", "pods"
HUGE = "hugepages-"
_NATIVE = "kubernetes.io/"
_VOLUMES = "attachable-volumes-"
_MILLI = 10 ** (NANO - 3)
_ONE = 10**NANO

# What a container counts as asking for in scores when it asks for nothing: 100m and 200 MB (``util/pod_resources.go``).
ASSUMED = {CPU: 100 * _MILLI, MEMORY: 200 * 1024 * 1024 * _ONE}


def is_extended(resource: str) -> bool:
    """Say whether a name is an extended resource's: with a domain that is not of Kubernetes itself."""
    return "/" in resource and _NATIVE not in resource and not resource.startswith("requests.")


def counted(amounts: Mapping[str, int]) -> Amounts:
    """Return amounts in billionths as the scheduler counts them: CPU in thousandths, all else in whole units, rounded up.

    Names that it does not look at are left out.
    """
    return {
        name: -(-value // (_MILLI if name == CPU else _ONE))
        for name, value in amounts.items()
        if name in (CPU, MEMORY, STORAGE) or _is_scalar(name)
    }


def allocatable(amounts: Mapping[str, Quantity]) -> Amounts:
    """Return what a node has, counted in the same units; ``pods`` too."""
    have = {name: amount(quantity) for name, quantity in amounts.items()}
    return counted(have) | {PODS: -(-have.get(PODS, 0) // _ONE)}


def pod_requests(spec: Mapping[str, Any], assumed: Mapping[str, int] | None = None) -> Amounts:
    """Return what a pod asks for in billionths; ``assumed`` stands in where a container does not mention a resource.

    Sidecars run beside everything, init containers before it; resources of the pod as a whole replace those of its
    containers.
    """
    total = dict(_sum(_of(container, assumed) for container in _maps(spec, "containers")))
    sidecars: Amounts = {}
    before: Amounts = {}
    for container in _maps(spec, "initContainers"):
        asked = _of(container, assumed)
        if container.get("restartPolicy") == "Always":
            total = _sum((total, asked))
            sidecars = _sum((sidecars, asked))
            asked = sidecars
        else:
            asked = _sum((asked, sidecars))
        before = _most(before, asked)
    total = _most(total, before)
    whole = as_map(as_map(spec.get("resources")).get("requests"))
    total |= {name: value for name, value in _read(whole).items() if name in (CPU, MEMORY) or name.startswith(HUGE)}
    return _sum((total, _read(as_map(spec.get("overhead")))))


def scored_requests(spec: Mapping[str, Any]) -> Amounts:
    """Return CPU and memory of a pod, counted, as scores see them: a container that asks for none counts as a small one."""
    whole = as_map(as_map(spec.get("resources")).get("requests"))
    assumed = {name: value for name, value in ASSUMED.items() if name not in whole}
    asked = counted(pod_requests(spec, assumed))
    return {name: asked.get(name, 0) for name in (CPU, MEMORY)}


def _is_scalar(name: str) -> bool:
    return is_extended(name) or _NATIVE in name or name.startswith((HUGE, _VOLUMES))


def _of(container: Mapping[str, Any], assumed: Mapping[str, int] | None) -> Amounts:
    resources = as_map(container.get("resources"))
    asked = _read(as_map(resources.get("limits"))) | _read(as_map(resources.get("requests")))
    return {**assumed, **asked} if assumed else asked


def _read(amounts: Mapping[str, Any]) -> Amounts:
    read = ((name, quantity_from(value)) for name, value in amounts.items())
    return {name: amount(quantity) for name, quantity in read if quantity is not None}


def _maps(spec: Mapping[str, Any], key: str) -> Iterator[dict[str, Any]]:
    return (item for item in as_list(spec.get(key)) if isinstance(item, dict))


def _sum(parts: Any) -> Amounts:
    total: Amounts = {}
    for part in parts:
        for name, value in part.items():
            total[name] = total.get(name, 0) + value
    return total


def _most(one: Amounts, other: Amounts) -> Amounts:
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in (*one, *other)}
