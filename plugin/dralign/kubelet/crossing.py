"""Looks for a state of a node in which a pod ends up on other NUMA nodes than wished: a counterexample to replay.

It may miss one; ``placement.possible`` tells what can be ruled out. A state is what other pods own, and any state can come
about: pods come and go.
"""

from __future__ import annotations

from itertools import accumulate

from dralign.kubelet.cpu_packing import take_packed
from dralign.kubelet.demand import Demand
from dralign.kubelet.masks import nodes_of
from dralign.kubelet.memory_nodes import MEMORY
from dralign.kubelet.starting import start
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from typing import Literal

    from dralign.kubelet.configuration import Configuration
    from dralign.kubelet.machine import Machine
    from dralign.kubelet.node import Admission, Node
    from dralign.kubelet.pods import Pod

    What = Literal["cpus", "memory"]

_NOTHING: Mapping[int, int] = {}
_OTHERS = "(others)"  # stands for all pods that were there before


class Taken(Record):
    """What other pods own, by NUMA node: a number of CPUs, bytes of memory."""

    cpus: Mapping[int, int] = _NOTHING
    memory: Mapping[int, int] = _NOTHING


class Witness(Record):
    """A state of the node, what becomes of the pod in it, and the NUMA nodes on which the thing in question then lies."""

    taken: Taken
    admission: Admission
    nodes: frozenset[int]


def occupied(config: Configuration, machine: Machine, taken: Taken) -> Node:
    """Return a node on which other pods own something already.

    Raises ValueError if the kubelet does not start, or where a NUMA node cannot give what is said to be taken.
    """
    started = start(config, machine)
    node = started.node
    if node is None:
        raise ValueError(f"{started.step}: {started.error}")
    for place, count in taken.cpus.items():
        if count:
            _own_cpus(node, place, count)
    for place, size in taken.memory.items():
        if node.memory is None or node.memory.nodes.free().get(place, 0) < size:
            raise ValueError(f"NUMA node {place} cannot give {size} bytes")
        node.memory.nodes.take(1 << place, MEMORY, size)
    return node


def _own_cpus(node: Node, place: int, count: int) -> None:
    cpu = node.cpu
    if cpu is None:
        raise ValueError("nobody owns CPUs under this policy")
    cpus = take_packed(cpu.topology, cpu.available & cpu.topology.cpus_of("numa", (place,)), count)
    cpu.owned.setdefault(_OTHERS, {})[str(place)] = cpus
    cpu.shared -= cpus


def find_crossing(
    config: Configuration, machine: Machine, pod: Pod, container: str, wished: AbstractSet[int], what: What = "cpus"
) -> Witness | None:
    """Return a state in which CPUs or memory of a container lie outside the wished NUMA nodes; None if none was found.

    Raises ValueError if the kubelet does not start.
    """
    for taken in _states(occupied(config, machine, Taken()), pod, wished):
        node = occupied(config, machine, taken)
        admission = node.admit(pod)
        if admission.admitted:
            nodes = _nodes(node, machine, pod, container, admission, what)
            if nodes - wished:
                return Witness(taken, admission, nodes)
    return None


def _nodes(node: Node, machine: Machine, pod: Pod, container: str, admission: Admission, what: What) -> frozenset[int]:
    """Return where CPUs or memory of an admitted container lie; what it does not own may be anywhere."""
    if what == "memory":
        blocks = admission.placements[container].memory
        found = frozenset(place for block in blocks for place in nodes_of(block.mask))
        return found or frozenset(place.id for place in machine.nodes if place.memory)
    if node.cpu is None:
        return machine.cpu_nodes
    return node.cpu.topology.groups_of("numa", node.cpu.runs_on(pod.name, container))


def _states(node: Node, pod: Pod, wished: AbstractSet[int]) -> Iterator[Taken]:
    """Yield states worth a try, simple ones first: the wished NUMA nodes full, all but few full, the wished nearly full."""
    cpus = {}
    if node.cpu is not None:
        numa = node.cpu.topology.members["numa"]
        cpus = {place: len(node.cpu.available & held) for place, held in sorted(numa.items())}
    memory = node.memory.nodes.free() if node.memory is not None else {}
    yield Taken()
    for spared in _spared({*cpus, *memory}, wished):
        yield Taken({place: count for place, count in cpus.items() if place not in spared})
        if memory:
            yield Taken(memory={place: size for place, size in memory.items() if place not in spared})
    for left in _partial_sums(node, pod):
        yield Taken({place: max(count - left, 0) for place, count in cpus.items() if place in wished})


def _spared(places: set[int], wished: AbstractSet[int]) -> Iterator[set[int]]:
    """Yield sets of NUMA nodes that are left free: all but the wished, then each of those with more and more wished."""
    yield places - wished
    for other in sorted(places - wished):
        for number in range(len(wished) + 1):
            yield {other, *sorted(wished)[:number]}


def _partial_sums(node: Node, pod: Pod) -> list[int]:
    """Return numbers of CPUs that would serve the first containers of a pod but not the next one."""
    demand = Demand(pod, node.gates)
    counts = [demand.cpus(container) for container in pod.containers]
    return sorted({*accumulate(counts), *(count - 1 for count in counts)} - {0, -1})
