"""QoS class Guaranteed: what keeps a pod from it, and which amounts would bring it there.

Every container, init containers and sidecars included, needs limits of cpu and memory equal to its requests (core/v1
``GetPodQOS``). Pod-level resources decide instead where they are set (KEP-2837, on since 1.34).
"""

from __future__ import annotations

from dralign.manifest import as_map
from dralign.model.workload import Container, quantity
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.model.workload import PodView

COMPUTE = ("cpu", "memory")
"""The two resources that decide the QoS class."""


AS_A_WHOLE = "(the pod as a whole)"
"""Name of what stands in gaps for resources of the pod itself; no container can be called so."""


class Gap(Record):
    """What keeps one container from Guaranteed in one resource; amounts as written, None where missing."""

    container: Container
    resource: str
    request: Any
    limit: Any

    def __str__(self) -> str:
        if self.limit is None and self.request is None:
            return f"no {self.resource}"
        if self.limit is None:
            return f"no {self.resource} limit"
        if self.request is None:
            return f"{self.resource} limit '{self.limit}'"
        return f"{self.resource} request '{self.request}' and limit '{self.limit}'"


def guaranteed_gaps(pod: PodView) -> tuple[Gap, ...]:
    """Return what keeps the pod from QoS class Guaranteed; empty if nothing does."""
    if has_pod_level(pod):
        whole = Container({"name": AS_A_WHOLE, "resources": pod.pod_level}, pod.path, "container")
        return tuple(_gaps_of(whole))
    return tuple(gap for container in pod.containers for gap in _gaps_of(container))


def has_pod_level(pod: PodView) -> bool:
    """Say whether pod-level resources decide the pod's class."""
    level = pod.pod_level
    return any(name in as_map(level.get(section)) for section in ("limits", "requests") for name in COMPUTE)


def _gaps_of(container: Container) -> Iterator[Gap]:
    for resource in COMPUTE:
        request, limit = container.request(resource), container.limit(resource)
        if limit is None or not limit or request != limit:
            yield Gap(container, resource, container.requests.get(resource), container.limits.get(resource))


def repaired_amount(container: Container, resource: str, *, whole: bool) -> Any:
    """Return the amount that request and limit should both have: the larger of the two, as it is written.

    ``whole`` rounds up to whole units. None where no amount is written: nobody can tell how much is needed.
    """
    written = [amounts[resource] for amounts in (container.limits, container.requests) if resource in amounts]
    known = [(amount, text) for text in written for amount in (quantity(text),) if amount is not None]
    if not known or not max(known, key=_amount)[0]:
        return None
    amount, text = max(known, key=_amount)
    if whole and not amount.is_whole:
        return str(amount.ceil())
    return text


def _amount(pair: tuple[Any, Any]) -> Any:
    return pair[0]
