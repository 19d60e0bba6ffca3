"""Picks CPUs packed: whole sockets and NUMA nodes first, then caches if asked for, whole cores, single CPUs.

Every stage takes the groups that are entirely free and not larger than what is still needed, those first whose
surroundings are fullest. Source: ``takeByTopologyNUMAPacked`` (cpumanager/cpu_assignment.go).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from dralign.kubelet.cpu_topology import CpuTopology, Level


class NotEnoughCpus(ValueError):  # noqa: N818 - a refusal, named for what it says
    """There are fewer free CPUs than asked for."""

    def __init__(self, wanted: int, free: int) -> None:
        super().__init__(f"not enough cpus available to satisfy request: requested={wanted}, available={free}")


class _Pick:
    """One request being served."""

    __slots__ = ("free", "needed", "on_numa", "on_socket", "taken", "topology")

    def __init__(self, topology: CpuTopology, free: AbstractSet[int], needed: int) -> None:
        self.topology = topology
        self.free = free
        self.needed = needed
        self.taken: set[int] = set()
        top: tuple[Level, ...] = ("numa",) if topology.numa_on_top else ("socket", "numa")
        self.on_numa = top
        self.on_socket: tuple[Level, ...] = ("numa", "socket") if topology.numa_on_top else ("socket",)

    def take(self, cpus: AbstractSet[int]) -> None:
        self.taken |= cpus
        self.free = self.free - cpus
        self.needed -= len(cpus)

    def in_order(self, level: Level) -> list[int]:
        """Return the groups of a level in the order in which they are used up."""
        if level == "numa":
            return self.topology.in_order(self.free, self.on_numa)
        if level == "socket":
            return self.topology.in_order(self.free, self.on_socket)
        return self.topology.in_order(self.free, (*self.on_numa, "cache"))

    def cores_in_order(self) -> list[int]:
        below = self.on_socket if self.topology.numa_on_top else self.on_numa
        return self.topology.in_order(self.free, (*below, "core"))


def take_packed(
    topology: CpuTopology, free: AbstractSet[int], count: int, *, spread: bool = False, by_cache: bool = False
) -> frozenset[int]:
    """Pick ``count`` of the free CPUs. Raises NotEnoughCpus.

    ``spread`` (distribute-cpus-across-cores) uses the CPUs of a socket by id instead of core by core; ``by_cache``
    (prefer-align-cpus-by-uncorecache) takes whole caches, then as few caches as possible.
    """
    if count > len(free):
        raise NotEnoughCpus(count, len(free))
    pick = _Pick(topology, free, max(count, 0))
    for level in ("numa", "socket") if topology.numa_on_top else ("socket", "numa"):
        _take_whole(pick, level, pick.in_order(level))
    if by_cache:
        _take_by_cache(pick)
    if not spread:
        _take_whole(pick, "core", pick.cores_in_order())
    _take_single(pick, spread=spread)
    return frozenset(pick.taken)


def _take_whole(pick: _Pick, level: Level, groups: list[int]) -> None:
    """Take groups that are entirely free, as long as they are not larger than what is needed."""
    members, topology = pick.topology.members[level], pick.topology
    expected = topology.mean_size(level) if level in ("socket", "core") else None
    whole = [members[i] for i in groups if len(pick.free & members[i]) == (expected or len(members[i]))]
    for cpus in whole:
        if pick.needed >= len(cpus):
            pick.take(cpus)


def _take_by_cache(pick: _Pick) -> None:
    """Take whole caches while they are needed, then the rest from the first cache that can give all of it."""
    for cache in pick.in_order("cache"):
        if pick.needed >= pick.topology.mean_size("cache"):
            _take_whole(pick, "cache", pick.in_order("cache"))
        part = _part_of_cache(pick, cache)
        if len(part) == pick.needed:
            pick.take(part)
        if not pick.needed:
            return


def _part_of_cache(pick: _Pick, cache: int) -> AbstractSet[int]:
    """Return the free CPUs of the first cores of a cache that together could be what is needed.

    An odd number on cores with several CPUs leaves out the last CPU.
    """
    topology = pick.topology
    per_core = topology.mean_size("core")
    inside = pick.free & topology.members["cache"][cache]
    cores = sorted(topology.groups_of("core", inside))[: -(-pick.needed // per_core)]
    cpus = sorted(pick.free & topology.cpus_of("core", cores))
    if pick.needed % 2 and per_core > 1 and len(cpus) > pick.needed:
        cpus.pop()
    return frozenset(cpus)


def _take_single(pick: _Pick, *, spread: bool) -> None:
    topology = pick.topology
    if spread:
        groups = [topology.members["socket"][i] for i in pick.in_order("socket")]
    else:
        groups = [topology.members["core"][i] for i in pick.cores_in_order()]
    ordered = [cpu for group in groups for cpu in sorted(pick.free & group)]
    pick.take(frozenset(ordered[: pick.needed]))
