"""The CPU manager's static policy: whole CPUs for containers of Guaranteed pods, the others share what is left.

Source: cpumanager/policy_static.go.
"""

from __future__ import annotations

from dralign.kubelet import masks
from dralign.kubelet.cpu_packing import NotEnoughCpus, take_packed
from dralign.kubelet.cpu_spreading import Spreading, take_spread
from dralign.kubelet.pod_shares import cpu_shares, starved_for_cpus
from dralign.kubelet.policy_options import (
    BY_CACHE,
    BY_SOCKET,
    FULL_CORES,
    SPREAD_CORES,
    SPREAD_NUMA,
    STRICT_RESERVATION,
)
from dralign.kubelet.refusal import EMPTY_POOL, SMT, Refusal, unexpected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from dralign.kubelet.cpu_topology import CpuTopology
    from dralign.kubelet.demand import Demand
    from dralign.kubelet.hints import Hint
    from dralign.kubelet.pods import Container

    Answer = list[list[Hint]]
    Cpus = frozenset[int]


class CpuManager:
    """Who owns which CPUs.

    ``shared`` is the pool of all who own none, ``reserved`` the CPUs that nobody can own, ``owned`` the CPUs by pod and
    container, ``bubbles`` those of pods with pod-level resources as a whole.
    """

    __slots__ = ("_reusable", "bubbles", "options", "owned", "reserved", "shared", "topology")

    def __init__(self, topology: CpuTopology, options: Mapping[str, bool], reserved: int | Cpus) -> None:
        """Reserve the given CPUs, or as many as given, taken as for a container. Raises ValueError if there are too few."""
        self.topology = topology
        self.options = options
        self.reserved: Cpus = self._pick_reserved(reserved) if isinstance(reserved, int) else reserved
        self.shared: Cpus = topology.all - self.reserved if options[STRICT_RESERVATION] else topology.all
        self.owned: dict[str, dict[str, Cpus]] = {}
        self.bubbles: dict[str, Cpus] = {}
        self._reusable: Cpus = frozenset()

    @property
    def available(self) -> Cpus:
        """CPUs that can be owned and are not."""
        return self.shared - self.reserved

    def runs_on(self, pod: str, container: str) -> Cpus:
        """Return the CPUs on which a container may run: its own, or the shared ones."""
        return self.owned.get(pod, {}).get(container, self.shared)

    def begin(self) -> None:
        """Forget the CPUs of the init containers of the pod before."""
        self._reusable = frozenset()

    def hints(self, demand: Demand, container: Container) -> Answer:
        """Return on which sets of NUMA nodes a container's CPUs could be."""
        count = demand.cpus(container)
        return [self._hints(count)] if count else []

    def pod_hints(self, demand: Demand) -> Answer:
        """Return on which sets of NUMA nodes all CPUs of a pod could be."""
        count = demand.pod_cpus()
        if not count:
            return []
        return [[] if demand.by_level and starved_for_cpus(demand) else self._hints(count)]

    def allocate(self, demand: Demand, container: Container, mask: int | None) -> None:
        """Give a container its CPUs, those on the NUMA nodes of ``mask`` first. Raises Refusal."""
        count = demand.cpus(container)
        if not count:
            return
        self._demand_whole_cores(count)
        cpus = self._take(count, mask)
        self.owned.setdefault(demand.pod.name, {})[container.name] = cpus
        reusable = container.kind == "init"
        self._reusable = self._reusable | cpus if reusable else self._reusable - cpus

    def allocate_pod(self, demand: Demand, mask: int | None) -> None:
        """Give a pod with pod-level resources its CPUs and share them out among its containers. Raises Refusal."""
        count = demand.pod_cpus()
        if not count:
            return
        starved = starved_for_cpus(demand)
        if starved:
            raise Refusal(EMPTY_POOL, starved)
        self._demand_whole_cores(count)
        bubble = self._take(count, mask)
        self.bubbles[demand.pod.name] = bubble
        try:
            self.owned[demand.pod.name] = cpu_shares(demand, bubble, self._pick)
        except ValueError as error:
            raise unexpected(str(error)) from None

    def release(self, pod: str) -> None:
        """Take back what a pod owns."""
        given = self.owned.pop(pod, {})
        self.shared = self.shared.union(self.bubbles.pop(pod, frozenset()), *given.values())

    def _take(self, count: int, mask: int | None) -> Cpus:
        """Take CPUs out of the shared pool, or of those that init containers of the pod leave behind."""
        free = self.available | self._reusable
        try:
            aligned = self._pick(near, min(count, len(near))) if (near := self._near(mask, free)) else frozenset()
            cpus = aligned | self._pick(free - aligned, count - len(aligned))
        except ValueError as error:
            raise unexpected(str(error)) from None
        self.shared -= cpus
        return cpus

    def _near(self, mask: int | None, free: AbstractSet[int]) -> AbstractSet[int]:
        """Return the free CPUs on the NUMA nodes of a mask; on their sockets with align-by-socket."""
        cpus = self.topology.cpus_of("numa", masks.nodes_of(mask or 0))
        if self.options[BY_SOCKET]:
            cpus = self.topology.cpus_of("socket", self.topology.groups_of("socket", cpus))
        return free & cpus

    def _pick(self, free: AbstractSet[int], count: int) -> Cpus:
        """Pick CPUs as the options say. Raises ValueError if there are too few."""
        across_cores = self.options[SPREAD_CORES]
        if not self.options[SPREAD_NUMA]:
            return take_packed(self.topology, free, count, spread=across_cores, by_cache=self.options[BY_CACHE])
        unit = self.topology.mean_size("core") if self.options[FULL_CORES] else 1
        return take_spread(self.topology, free, count, Spreading(unit, self.options[BY_SOCKET], across_cores))

    def _pick_reserved(self, count: int) -> Cpus:
        try:
            return self._pick(self.topology.all, count)
        except NotEnoughCpus:
            raise ValueError(
                f"[cpumanager] unable to reserve the required amount of CPUs (size of  did not equal {count})"
            ) from None

    def _demand_whole_cores(self, count: int) -> None:
        """Refuse what full-pcpus-only does not serve: parts of cores, or more than there are whole free cores."""
        if not self.options[FULL_CORES]:
            return
        per_core = self.topology.mean_size("core")
        if count % per_core:
            raise Refusal(SMT, f"SMT Alignment Error: requested {count} cpus not multiple cpus per core = {per_core}")
        touched = self.topology.cpus_of("core", self.topology.groups_of("core", self.reserved))
        whole = len(self.shared - touched)
        if count > whole:
            raise Refusal(
                SMT,
                f"SMT Alignment Error: not enough free physical CPUs: available physical CPUs = {whole}, "
                f"requested CPUs = {count}, CPUs per core = {per_core}",
            )

    def _hints(self, count: int) -> list[Hint]:
        """Return every set of NUMA nodes that can give so many CPUs; preferred are the smallest that ever could."""
        numa = self.topology.members["numa"]
        free = self.available | self._reusable
        size = masks.sums({node: len(cpus) for node, cpus in numa.items()})
        have = masks.sums({node: len(cpus & free) for node, cpus in numa.items()})
        held = masks.mask_of(self.topology.groups_of("numa", self._reusable))
        fewest = min((mask.bit_count() for mask, total in size.items() if total >= count), default=len(numa))
        fitting = [mask for mask, total in have.items() if total >= count and mask & held == held]
        return [(mask, self._is_preferred(mask, fewest)) for mask in fitting]

    def _is_preferred(self, mask: int, fewest: int) -> bool:
        """Say whether no smaller set would do; with align-by-socket, no smaller number of sockets."""
        if mask.bit_count() == fewest:
            return True
        per_socket = self.topology.count("numa") // self.topology.count("socket")
        if not self.options[BY_SOCKET] or not per_socket:
            return False
        sockets = self.topology.groups_of("socket", self.topology.cpus_of("numa", masks.nodes_of(mask)))
        return len(sockets) == -(-fewest // per_socket)
