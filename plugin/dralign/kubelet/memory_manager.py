"""The memory manager's Static policy: pins the memory of Guaranteed pods to NUMA nodes.

Source: memorymanager/policy_static.go.
"""

from __future__ import annotations

from dralign.kubelet.demand import Uncountable
from dralign.kubelet.masks import width
from dralign.kubelet.pod_shares import memory_shares, starved_for_memory
from dralign.kubelet.refusal import EMPTY_POOL, Refusal, unexpected
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dralign.kubelet.demand import Bytes, Demand
    from dralign.kubelet.hints import Hint
    from dralign.kubelet.memory_nodes import MemoryNodes
    from dralign.kubelet.pods import Container
    from dralign.kubelet.topology_manager import Affinity

    Answer = Sequence[Sequence[Hint]]

_PREFIX = "[memorymanager]"


class Block(Record):
    """Memory of one kind on a set of NUMA nodes. ``size`` 0: a later container took it over from an init container."""

    mask: int
    resource: str
    size: int


class MemoryManager:
    """Who owns which memory: blocks by pod and container, and ``bubbles`` of pods with pod-level resources."""

    __slots__ = ("_reusable", "bubbles", "nodes", "owned")

    def __init__(self, nodes: MemoryNodes) -> None:
        self.nodes = nodes
        self.owned: dict[str, dict[str, list[Block]]] = {}
        self.bubbles: dict[str, list[Block]] = {}
        self._reusable: dict[tuple[int, str], int] = {}

    def begin(self) -> None:
        """Forget the memory of the init containers of the pod before."""
        self._reusable = {}

    def hints(self, demand: Demand, container: Container) -> Answer:
        """Return on which sets of NUMA nodes a container's memory could be."""
        try:
            return self._answer(demand.memory(container))
        except Uncountable:
            return []

    def pod_hints(self, demand: Demand) -> Answer:
        """Return on which sets of NUMA nodes all memory of a pod could be."""
        try:
            asked = demand.pod_memory()
            starved = demand.by_level and demand.served and starved_for_memory(demand)
            return [[] for _ in asked] if starved else self._answer(asked)
        except Uncountable:
            return []

    def allocate(self, demand: Demand, container: Container, affinity: Affinity) -> None:
        """Give a container its memory. Raises Refusal."""
        try:
            asked = demand.memory(container)
        except Uncountable as error:
            raise unexpected(str(error)) from None
        if not asked:
            return
        mask = self._place(asked, affinity)
        blocks = [Block(mask, name, size) for name, size in asked.items()]
        for block in blocks:
            reused = self._reusable.get((mask, block.resource), 0)
            self.nodes.take(mask, block.resource, max(block.size - reused, 0))
        self._remember(container, blocks)
        owned = self.owned.setdefault(demand.pod.name, {})
        for block in blocks:
            _take_over(demand, container, owned, block)
        owned[container.name] = blocks

    def allocate_pod(self, demand: Demand, affinity: Affinity) -> None:
        """Give a pod with pod-level resources its memory and share it out among its containers. Raises Refusal."""
        if not demand.served:
            return
        try:
            asked = demand.pod_memory()
            starved = starved_for_memory(demand)
            shares = memory_shares(demand, asked)
        except Uncountable:
            return
        if starved:
            raise Refusal(EMPTY_POOL, starved)
        mask = self._place(asked, affinity)
        self.bubbles[demand.pod.name] = _blocks(mask, asked)
        self.owned[demand.pod.name] = {name: _blocks(mask, share) for name, share in shares.items()}
        for name, size in asked.items():
            self.nodes.take(mask, name, size)

    def release(self, pod: str) -> None:
        """Take back what a pod owns."""
        owned = self.owned.pop(pod, {})
        blocks = self.bubbles.pop(pod, None)
        for block in blocks if blocks is not None else (block for given in owned.values() for block in given):
            self.nodes.give_back(block.mask, block.resource, block.size)

    def _answer(self, asked: Bytes) -> Answer:
        """Return the same hints for every kind of memory: all of it lies on the same nodes."""
        if not asked:
            return []
        hints = self.nodes.hints(asked, self._reusable)
        return [hints for _ in asked] if hints else []

    def _place(self, asked: Bytes, affinity: Affinity) -> int:
        """Return the NUMA nodes for a block: those decided on, or more if they are not enough. Raises Refusal."""
        mask, preferred = affinity.mask, affinity.preferred
        if mask is None:
            mask, preferred = self._chosen(asked, 0, "default", preferred=preferred)
        if not self.nodes.can_bear(mask, asked):
            mask, _ = self._chosen(asked, mask, "extended", preferred=preferred)
        if not self.nodes.is_open(mask, single=True):
            raise unexpected(f"{_PREFIX} preferred hint violates NUMA node allocation")
        return mask

    def _chosen(self, asked: Bytes, inside: int, kind: str, *, preferred: bool) -> tuple[int, bool]:
        """Return the best hint that holds the nodes ``inside``; it must be preferred if what it replaces was."""
        fitting = [hint for hint in self.nodes.hints(asked, self._reusable) if _mask(hint) & inside == inside]
        if not fitting:
            missing = {
                "default": "get the default NUMA affinity, no NUMA nodes with enough memory is available",
                "extended": "find NUMA nodes to extend the current topology hint",
            }
            raise unexpected(f"{_PREFIX} failed to {missing[kind]}")
        best = min(fitting, key=lambda hint: (not hint[1], width(_mask(hint))))
        if preferred and not best[1]:
            raise unexpected(f"{_PREFIX} failed to find the {kind} preferred hint")
        return _mask(best), best[1]

    def _remember(self, container: Container, blocks: Iterable[Block]) -> None:
        """Keep account of what init containers leave behind: the most of each, less what later containers use."""
        for block in blocks:
            key = block.mask, block.resource
            left = self._reusable.get(key, 0)
            if container.kind == "init":
                self._reusable[key] = max(left, block.size)
            elif left:
                self._reusable[key] = max(left - block.size, 0)


def _mask(hint: Hint) -> int:
    return hint[0] or 0


def _blocks(mask: int, amounts: Bytes) -> list[Block]:
    return [Block(mask, name, size) for name, size in amounts.items()]


def _take_over(demand: Demand, container: Container, owned: dict[str, list[Block]], block: Block) -> None:
    """Shrink the blocks of the init containers before by what this container has in their place."""
    size = block.size
    for earlier in demand.pod.containers:
        if earlier.name == container.name or earlier.kind == "container":
            return
        if earlier.kind != "init":
            continue
        kept = []
        for old in owned.get(earlier.name, ()):
            same = (old.mask, old.resource) == (block.mask, block.resource)
            used = min(size, old.size) if same else 0
            size -= used
            kept.append(old.replace(size=old.size - used))
        if kept:
            owned[earlier.name] = kept
