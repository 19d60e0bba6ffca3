"""Pods as the managers of the kubelet see them: containers with their amounts, and the QoS class.

Amounts are those the API server hands on (``stored``), pod-level ones with the defaults that it fills in.
"""

from __future__ import annotations

from dralign.record import Record
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from dralign.kubelet.gates import Gates

    Kind = Literal["init", "sidecar", "container"]
    Qos = Literal["Guaranteed", "Burstable", "BestEffort"]
    Amounts = Mapping[str, Quantity]

GUARANTEED: Qos = "Guaranteed"
BURSTABLE: Qos = "Burstable"
BEST_EFFORT: Qos = "BestEffort"
HUGEPAGES = "hugepages-"

_ZERO = Quantity.of(0)
_COMPUTE = ("cpu", "memory")
_NOTHING: Amounts = {}


class Resources(Record):
    """Requests and limits, of a container or of a pod."""

    requests: Amounts = _NOTHING
    limits: Amounts = _NOTHING

    def class_of(self) -> Qos:
        """Return the QoS class that these amounts alone have."""
        if not self.requests and not self.limits:
            return BEST_EFFORT
        classes = {_class_of(self.requests.get(name, _ZERO), self.limits.get(name, _ZERO)) for name in _COMPUTE}
        return classes.pop() if len(classes) == 1 else BURSTABLE


class Container(Record):
    """A container: ``init`` runs before the others and ends, ``sidecar`` (restartPolicy Always) starts before them."""

    name: str
    kind: Kind = "container"
    resources: Resources = Resources()

    @property
    def requests(self) -> Amounts:
        """Requests; a limit counts where no request is written, as in every stored pod."""
        return {**self.resources.limits, **self.resources.requests}

    def class_of(self) -> Qos:
        """Return the QoS class of the container alone."""
        return Resources(self.requests, self.resources.limits).class_of()

    @property
    def is_guaranteed(self) -> bool:
        """Whether cpu and memory are both asked for with equal limits: it may own what it asks for."""
        return self.class_of() == GUARANTEED


class Pod(Record):
    """A pod: init containers and sidecars first, in the order written. ``level``: pod-level resources (KEP-2837)."""

    name: str
    containers: tuple[Container, ...]
    level: Resources | None = None

    @property
    def has_level(self) -> bool:
        """Whether pod-level resources are set: of cpu, memory or huge pages."""
        level = self.level
        names = (*level.requests, *level.limits) if level else ()
        return any(name in _COMPUTE or name.startswith(HUGEPAGES) for name in names)


def stored(amounts: Amounts) -> dict[str, Quantity]:
    """Return amounts in the form in which the API server stores them and the kubelet gets them.

    1.5Gi becomes 1536Mi. The Static memory manager cannot count the first, which only a static pod would bring before it.
    """
    return {name: Quantity.parse(str(amount)) for name, amount in amounts.items()}


def qos_class(pod: Pod, gates: Gates) -> Qos:
    """Return the QoS class of a pod. Source: ``ComputePodQOS``."""
    if pod.level is not None and gates.is_on("PodLevelResources"):
        lenient = not gates.is_on("PodLevelResourcesFixKubeletQOSClass")
        if lenient or pod.has_level:
            return pod.level.class_of()
    classes = {container.class_of() for container in pod.containers}
    if len(classes) == 1:
        return classes.pop()
    return BURSTABLE if classes else BEST_EFFORT


def _class_of(request: Quantity, limit: Quantity) -> Qos:
    if request != limit:
        return BURSTABLE
    return GUARANTEED if request else BEST_EFFORT
