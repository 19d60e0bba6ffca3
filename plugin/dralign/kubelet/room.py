"""A machine on which nothing fails for want of anything: what a kubelet refuses there, it refuses everywhere.

It stands for machines that nobody knows.
"""

from __future__ import annotations

from dralign.kubelet import cpulists
from dralign.kubelet.configuration import MEMORY_STATIC
from dralign.kubelet.machine import Core, Machine, NumaNode
from dralign.kubelet.reservation import CPU
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.kubelet.configuration import Configuration

_PLENTY = 1 << 50
_MOST_NODES = 1024
_MOST_CPUS = 8192
"""What Linux is built for at most."""

_SPARE = 64
_OWN, _OTHER = 10, 32
_ALWAYS = ("0%", "100%")


def roomy_machine(config: Configuration) -> Machine:
    """Return a machine with every CPU and NUMA node that a configuration names, and memory without end."""
    named = [node for node, _ in config.reserved_memory if node < _MOST_NODES]
    nodes = max(named, default=0) + 1
    cpus = min(max(cpulists.parse(config.reserved_cpus), default=0) + _reserved_count(config) + _SPARE, _MOST_CPUS)
    cores = tuple(Core((cpu,), 0) for cpu in range(cpus))
    return with_distances(
        Machine(tuple(NumaNode(node, cores if node == 0 else (), _PLENTY) for node in range(max(nodes, 1))))
    )


def with_distances(machine: Machine) -> Machine:
    """Return a machine with the usual distances between its NUMA nodes, which every real one has."""
    ids = [node.id for node in machine.nodes]
    return machine.replace(
        nodes=tuple(
            node.replace(distances=tuple(_OWN if other == node.id else _OTHER for other in ids))
            for node in machine.nodes
        )
    )


def hangs_on_memory(config: Configuration) -> bool:
    """Say whether only the exact size of a machine's memory tells if reservedMemory adds up: a threshold is a percentage."""
    threshold = config.eviction_hard.get("memory.available", "")
    return config.memory_policy == MEMORY_STATIC and threshold.endswith("%") and threshold not in _ALWAYS


def _reserved_count(config: Configuration) -> int:
    """Return how many CPUs are reserved by number; amounts that nobody can read count as none."""
    total = 0
    for amounts in (config.kube_reserved, config.system_reserved):
        try:
            total += max(Quantity.parse(amounts.get(CPU, "0")).ceil(), 0)
        except ValueError:
            continue
    return total
