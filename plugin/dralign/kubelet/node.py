"""A node on which a kubelet has started: admits pods one after the other and remembers what they own.

Source: topologymanager (scope_*.go): managers are asked in the order CPU, memory; each container, or the pod as a whole, is
placed before the next one is looked at.
"""

from __future__ import annotations

from dralign.kubelet.demand import Demand
from dralign.kubelet.refusal import TOPOLOGY, Refusal
from dralign.kubelet.topology_manager import POD_SCOPE, Affinity
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dralign.kubelet.cpu_manager import CpuManager
    from dralign.kubelet.gates import Gates
    from dralign.kubelet.hints import Hint
    from dralign.kubelet.memory_manager import Block, MemoryManager
    from dralign.kubelet.pods import Container, Pod, Qos
    from dralign.kubelet.topology_manager import TopologyManager

    Answer = Sequence[Sequence[Hint]]

_UNALIGNED = "Resources cannot be allocated with Topology locality"
_UNALIGNED_CONTAINER = "Pod Scope pod with pod-level resources failed admission with a container-level topology manager"
_UNALIGNED_POD = "Pod Scope pod with pod-level resources failed admission under pod-scope topology manager"


class Placement(Record):
    """What a container got. ``cpus`` None: it shares the common pool. ``affinity``: what the Topology Manager decided."""

    cpus: frozenset[int] | None
    memory: tuple[Block, ...]
    affinity: Affinity


class Admission(Record):
    """What became of a pod; ``reason`` and ``message`` are set where it was refused, ``placements`` where not."""

    qos: Qos
    placements: Mapping[str, Placement] = {}
    bubble: frozenset[int] | None = None
    reason: str | None = None
    message: str | None = None

    @property
    def admitted(self) -> bool:
        """Whether the pod may start."""
        return self.reason is None


class Node:
    """A kubelet that has started. ``cpu`` and ``memory`` are None where their policy does nothing."""

    __slots__ = ("cpu", "gates", "memory", "topology")

    def __init__(
        self, gates: Gates, topology: TopologyManager, cpu: CpuManager | None, memory: MemoryManager | None
    ) -> None:
        self.gates = gates
        self.topology = topology
        self.cpu = cpu
        self.memory = memory

    def admit(self, pod: Pod) -> Admission:
        """Admit a pod, or refuse it and take back what its first containers were given already.

        Names of pods on a node are unique. Raises masks.TooManyNumaNodes where there are too many NUMA nodes to work it out.
        """
        demand = Demand(pod, self.gates)
        for manager in self._managers():
            manager.begin()
        try:
            affinities = self._place(demand)
        except Refusal as refusal:
            self.remove(pod.name)
            return Admission(demand.qos, reason=refusal.reason, message=refusal.message)
        placements = {c.name: self._placement(pod, c, affinities[c.name]) for c in pod.containers}
        return Admission(demand.qos, placements, self.cpu.bubbles.get(pod.name) if self.cpu else None)

    def remove(self, pod: str) -> None:
        """Forget a pod and take back what it owns."""
        for manager in self._managers():
            manager.release(pod)

    def answers(self, demand: Demand, container: Container) -> list[Answer]:
        """Return the hints of all managers for a container, or for its pod where the scope is pod."""
        if self.topology.scope == POD_SCOPE:
            return self.pod_answers(demand)
        return [manager.hints(demand, container) for manager in self._managers()]

    def pod_answers(self, demand: Demand) -> list[Answer]:
        """Return the hints of all managers for a pod as a whole."""
        return [manager.pod_hints(demand) for manager in self._managers()]

    def _managers(self) -> tuple[CpuManager | MemoryManager, ...]:
        return tuple(manager for manager in (self.cpu, self.memory) if manager is not None)

    def _place(self, demand: Demand) -> dict[str, Affinity]:
        if self.topology.scope != POD_SCOPE:
            return {container.name: self._place_container(demand, container) for container in demand.pod.containers}
        affinity = self.topology.decide(self.pod_answers(demand))
        if not affinity.admitted:
            raise Refusal(TOPOLOGY, _UNALIGNED_POD if demand.by_level else _UNALIGNED)
        if demand.by_level:
            self._allocate_pod(demand, affinity)
        else:
            for container in demand.pod.containers:
                self._allocate(demand, container, affinity)
        return {container.name: affinity for container in demand.pod.containers}

    def _place_container(self, demand: Demand, container: Container) -> Affinity:
        affinity = self.topology.decide(self.answers(demand, container))
        if not affinity.admitted:
            raise Refusal(TOPOLOGY, _UNALIGNED_CONTAINER if demand.by_level else _UNALIGNED)
        self._allocate(demand, container, affinity)
        return affinity

    def _allocate(self, demand: Demand, container: Container, affinity: Affinity) -> None:
        if self.cpu is not None:
            self.cpu.allocate(demand, container, affinity.mask)
        if self.memory is not None:
            self.memory.allocate(demand, container, affinity)

    def _allocate_pod(self, demand: Demand, affinity: Affinity) -> None:
        if self.cpu is not None:
            self.cpu.allocate_pod(demand, affinity.mask)
        if self.memory is not None:
            self.memory.allocate_pod(demand, affinity)

    def _placement(self, pod: Pod, container: Container, affinity: Affinity) -> Placement:
        cpus = self.cpu.owned.get(pod.name, {}).get(container.name) if self.cpu else None
        blocks = self.memory.owned.get(pod.name, {}).get(container.name, ()) if self.memory else ()
        return Placement(cpus, tuple(blocks), affinity)
