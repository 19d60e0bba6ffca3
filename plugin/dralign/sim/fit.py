"""What the pods of a node hold of it, and what is too little for one more.

Source: k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources/fit.go and nodeports.
"""

from __future__ import annotations

from dralign.sim.requests import CPU, MEMORY, PODS, STORAGE, allocatable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from dralign.model.node import Node
    from dralign.sim.podspec import PodSpec

    Port = tuple[str, str, int]

_ANYWHERE = "0.0.0.0"  # noqa: S104  a host IP in data, nothing is bound
TOO_MANY = "Too many pods"


class NodeRoom:
    """One node with the pods on it. ``has`` is what it can give, None if nobody knows: then there is always enough.

    ``shy`` are its pods with required anti-affinity.
    """

    __slots__ = ("has", "held", "node", "pods", "scored", "shy")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.has: dict[str, int] | None = None if node.allocatable is None else allocatable(node.allocatable)
        self.held: dict[str, int] = {}
        self.scored: dict[str, int] = {}
        self.pods: list[PodSpec] = []
        self.shy: list[PodSpec] = []

    def add(self, pod: PodSpec) -> None:
        """Put a pod on the node."""
        self.pods.append(pod)
        if pod.apart:
            self.shy.append(pod)
        for total, amounts in ((self.held, pod.requests), (self.scored, pod.scored)):
            for name, value in amounts.items():
                total[name] = total.get(name, 0) + value

    def gives(self, resource: str) -> int:
        """Return how much of an extended resource the node itself can give."""
        return 0 if self.has is None else self.has.get(resource, 0)

    def shortages(self, pod: PodSpec, served: Callable[[str], bool]) -> tuple[str, ...]:
        """Return what the node has too little of; ``served`` says which extended resources a DeviceClass serves."""
        return () if self.has is None else tuple(self._shortages(pod.requests, self.has, served))

    def _shortages(
        self, requests: Mapping[str, int], has: Mapping[str, int], served: Callable[[str], bool]
    ) -> Iterator[str]:
        if len(self.pods) + 1 > has[PODS]:
            yield TOO_MANY
        for name, wanted in requests.items():
            by_class = name not in (CPU, MEMORY, STORAGE) and not has.get(name) and served(name)
            if wanted > 0 and not by_class and wanted > has.get(name, 0) - self.held.get(name, 0):
                yield f"Insufficient {name}"

    def has_free_ports(self, pod: PodSpec) -> bool:
        """Say whether no pod of the node holds a port that this one wants of the node."""
        held = [port for other in self.pods for port in other.host_ports]
        return not any(_collide(one, other) for one in pod.host_ports for other in held)


def _collide(one: Port, other: Port) -> bool:
    return one[1:] == other[1:] and (one[0] == other[0] or _ANYWHERE in (one[0], other[0]))
