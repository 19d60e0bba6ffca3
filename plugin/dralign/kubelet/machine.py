"""A machine as the kubelet sees it: NUMA nodes with their cores, memory and distances.

Follows cAdvisor's ``MachineInfo``: a core belongs to a NUMA node and a socket, a NUMA node may bear no core at all.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Core(Record):
    """A physical core: ids of its CPUs (hardware threads), its socket, and its last-level cache where that is known."""

    threads: tuple[int, ...]
    socket: int
    cache: int | None = None


class NumaNode(Record):
    """A NUMA node. ``memory`` in bytes, ``hugepages`` from page size in bytes to number of pages.

    ``distances`` to every node of the machine in the order of their ids, own node included; empty where unknown.
    """

    id: int
    cores: tuple[Core, ...]
    memory: int
    hugepages: Mapping[int, int] = {}
    distances: tuple[int, ...] = ()

    @property
    def cpus(self) -> tuple[int, ...]:
        """Ids of the CPUs of this node."""
        return tuple(cpu for core in self.cores for cpu in core.threads)


class Machine(Record):
    """A machine; ``storage`` is the size of its root file system in bytes, 0 where nobody knows."""

    nodes: tuple[NumaNode, ...]
    storage: int = 0

    @property
    def cpus(self) -> frozenset[int]:
        """Ids of all CPUs."""
        return frozenset(cpu for node in self.nodes for cpu in node.cpus)

    @property
    def cpu_nodes(self) -> frozenset[int]:
        """Ids of the NUMA nodes that bear CPUs."""
        return frozenset(node.id for node in self.nodes if node.cores)


class Layout(Record):
    """A regular machine in numbers.

    ``adjacent``: the CPUs of core c are ``threads*c`` and the following; else c, c + number of cores, and so on.
    ``interleaved``: consecutive cores go round the NUMA nodes instead of filling one after the other.
    """

    sockets: int
    numa_per_socket: int
    cores_per_numa: int
    threads: int
    memory_per_numa: int
    hugepages_per_numa: Mapping[int, int] = {}
    caches_per_numa: int = 0
    adjacent: bool = False
    interleaved: bool = False
    storage: int = 0

    @property
    def nodes(self) -> int:
        """Number of NUMA nodes."""
        return self.sockets * self.numa_per_socket


_PLENTY = 1 << 50


def machine_of_counts(cpus: Mapping[int, int], memory: Mapping[int, int] | None = None) -> Machine:
    """Build a machine of which only CPUs (and bytes of memory) per NUMA node are known.

    Every CPU counts as a core and every NUMA node as a socket; where memory is not known there is more than enough, so that
    nothing is ruled out for the lack of it.
    """
    nodes, first = [], 0
    sizes = memory if memory is not None else dict.fromkeys(cpus, _PLENTY)
    for node in sorted({*cpus, *sizes}):
        count = cpus.get(node, 0)
        cores = tuple(Core((cpu,), node) for cpu in range(first, first + count))
        nodes.append(NumaNode(node, cores, sizes.get(node, 0)))
        first += count
    return Machine(tuple(nodes))


_OWN, _SAME_SOCKET, _OTHER_SOCKET = 10, 12, 32  # distances as firmware usually has them


def regular_machine(layout: Layout) -> Machine:
    """Build a regular machine from its numbers."""
    nodes = (
        NumaNode(
            node,
            tuple(_core(layout, node, place) for place in range(layout.cores_per_numa)),
            layout.memory_per_numa,
            layout.hugepages_per_numa,
            tuple(_distance(layout, node, other) for other in range(layout.nodes)),
        )
        for node in range(layout.nodes)
    )
    return Machine(tuple(nodes), layout.storage)


def _core(layout: Layout, node: int, place: int) -> Core:
    number = place * layout.nodes + node if layout.interleaved else node * layout.cores_per_numa + place
    step = layout.nodes * layout.cores_per_numa
    threads = range(layout.threads)
    cpus = tuple(number * layout.threads + t if layout.adjacent else number + t * step for t in threads)
    cache = None
    if layout.caches_per_numa:
        per_cache = -(-layout.cores_per_numa // layout.caches_per_numa)
        cache = node * layout.caches_per_numa + place // per_cache
    return Core(cpus, node // layout.numa_per_socket, cache)


def _distance(layout: Layout, node: int, other: int) -> int:
    if node == other:
        return _OWN
    same_socket = node // layout.numa_per_socket == other // layout.numa_per_socket
    return _SAME_SOCKET if same_socket else _OTHER_SOCKET
