"""Which CPUs form a core, a last-level cache, a NUMA node, a socket: what picking CPUs asks of a machine.

Source: ``cpumanager/topology`` (Discover): a core is called after its lowest CPU; a core without a known last-level cache
counts as sharing that of its socket.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet
    from typing import Literal

    from dralign.kubelet.machine import Machine

    Level = Literal["core", "cache", "numa", "socket"]


class CpuTopology:
    """The groups of CPUs of a machine: ``group[level][cpu]`` is an id, ``members[level][id]`` a set of CPUs."""

    __slots__ = ("all", "group", "members", "numa_on_top")

    def __init__(self, machine: Machine) -> None:
        self.group: Mapping[Level, dict[int, int]] = {"core": {}, "cache": {}, "numa": {}, "socket": {}}
        for node in machine.nodes:
            for core in node.cores:
                for cpu in core.threads:
                    self.group["core"][cpu] = min(core.threads)
                    self.group["cache"][cpu] = core.socket if core.cache is None else core.cache
                    self.group["numa"][cpu] = node.id
                    self.group["socket"][cpu] = core.socket
        self.members = {level: _members(group) for level, group in self.group.items()}
        self.all = frozenset(self.group["core"])
        self.numa_on_top = self.count("socket") >= self.count("numa")

    def count(self, level: Level) -> int:
        """Return how many groups of a level there are."""
        return len(self.members[level])

    def mean_size(self, level: Level) -> int:
        """Return CPUs per group of a level, rounded down: what the kubelet takes for the size of every one."""
        return len(self.all) // self.count(level)

    def cpus_of(self, level: Level, ids: Iterable[int]) -> frozenset[int]:
        """Return the CPUs of some groups."""
        return frozenset().union(*(self.members[level].get(i, frozenset()) for i in ids))

    def groups_of(self, level: Level, cpus: Iterable[int]) -> frozenset[int]:
        """Return the ids of the groups that hold any of these CPUs."""
        group = self.group[level]
        return frozenset(group[cpu] for cpu in cpus)

    def in_order(self, free: AbstractSet[int], levels: Iterable[Level]) -> list[int]:
        """Return the groups of the last level that have free CPUs, nested in the levels before.

        Within a parent the group with the fewest free CPUs comes first, so that what is broken already is used up; equal
        ones go by id.
        """
        found: list[int] = []
        parents: list[AbstractSet[int]] = [free]
        for level in levels:
            size = {i: len(free & cpus) for i, cpus in self.members[level].items()}
            found = [i for cpus in parents for _, i in sorted((size[i], i) for i in self.groups_of(level, cpus))]
            parents = [free & self.members[level][i] for i in found]
        return found


def _members(group: Mapping[int, int]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = {}
    for cpu, i in group.items():
        found.setdefault(i, set()).add(cpu)
    return {i: frozenset(cpus) for i, cpus in found.items()}
