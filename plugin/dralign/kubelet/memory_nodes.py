"""The memory of each NUMA node: what can be owned, what is, and by groups of which nodes.

A node serves either blocks of its own or blocks of one fixed group of nodes, never both. Sizes are bytes and wrap at 2**64
as the kubelet's do: a reservation larger than its NUMA node makes that node endless. Source: memorymanager/policy_static.go
(getDefaultMachineState, calculateHints, updateMachineState, releaseMemory).
"""

from __future__ import annotations

from dralign.kubelet import masks
from dralign.values.quantity import BINARY_SI, Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.kubelet.hints import Hint
    from dralign.kubelet.machine import Machine, NumaNode

    Bytes = Mapping[str, int]
    Reusable = Mapping[tuple[int, str], int]

MEMORY = "memory"
_UINT64 = 1 << 64


class _Node:
    """One NUMA node: bytes by resource, mask of the nodes it serves together with, and the blocks that lie on it."""

    __slots__ = ("allocatable", "blocks", "free", "group", "own", "taken")

    def __init__(self, node: int, allocatable: Bytes) -> None:
        self.own = self.group = 1 << node
        self.allocatable = dict(allocatable)
        self.free = dict(allocatable)
        self.taken = dict.fromkeys(allocatable, 0)
        self.blocks = 0


class MemoryNodes:
    """The NUMA nodes of a machine. ``reserved``: bytes by node and resource that nobody can own."""

    __slots__ = ("_nodes",)

    def __init__(self, machine: Machine, reserved: Mapping[int, Bytes]) -> None:
        self._nodes = {node.id: _Node(node.id, _allocatable(node, reserved.get(node.id, {}))) for node in machine.nodes}

    def free(self, resource: str = MEMORY) -> dict[int, int]:
        """Return the free bytes of every node."""
        return {i: node.free.get(resource, 0) for i, node in self._nodes.items()}

    def hints(self, asked: Bytes, reusable: Reusable) -> list[Hint]:
        """Return every set of nodes that could bear what is asked for; preferred are the smallest that ever could.

        ``reusable`` is what init containers of the pod leave behind, by mask and resource.
        """
        possible = self._enough({i: node.allocatable for i, node in self._nodes.items()}, asked, {})
        fewest = min((mask.bit_count() for mask in possible), default=len(self._nodes))
        now = self._enough({i: node.free for i, node in self._nodes.items()}, asked, reusable)
        fitting = [mask for mask in possible if mask in now and self.is_open(mask)]
        return [(mask, mask.bit_count() == fewest) for mask in fitting]

    def is_open(self, mask: int, *, single: bool = False) -> bool:
        """Say whether a set of nodes may be used together, seen what else lies on them.

        ``single`` lets a node of a group serve alone: hints never offer that, but a decision of the Topology Manager for
        one node is not questioned.
        """
        nodes = self._of(mask)
        if len(nodes) == 1:
            return single or nodes[0].group == nodes[0].own
        return all(not node.blocks or node.group == mask for node in nodes)

    def can_bear(self, mask: int, asked: Bytes) -> bool:
        """Say whether a set of nodes has enough free memory."""
        nodes = self._of(mask)
        return all(sum(node.free.get(name, 0) for node in nodes) % _UINT64 >= size for name, size in asked.items())

    def take(self, mask: int, resource: str, size: int) -> None:
        """Lay a block on a set of nodes, the lowest filled first."""
        for node in self._of(mask):
            node.blocks += 1
            node.group = mask
            part = min(size, node.free.get(resource, 0))
            if part:
                node.free[resource] -= part
                node.taken[resource] += part
                size -= part

    def give_back(self, mask: int, resource: str, size: int) -> None:
        """Take a block away again, from the lowest node first."""
        for node in self._of(mask):
            node.blocks -= 1
            if not node.blocks:
                node.group = node.own
            part = min(size, node.taken.get(resource, 0))
            if part:
                node.free[resource] += part
                node.taken[resource] -= part
                size -= part

    def _of(self, mask: int) -> list[_Node]:
        """Return the nodes of a mask, ascending."""
        return [self._nodes[i] for i in masks.nodes_of(mask)]

    def _enough(self, have: Mapping[int, Bytes], asked: Bytes, reusable: Reusable) -> set[int]:
        """Return the masks whose nodes together have enough of everything."""
        found: set[int] | None = None
        for name, size in asked.items():
            totals = masks.sums({i: amounts.get(name, 0) for i, amounts in have.items()})
            fitting = {m for m, total in totals.items() if (total + reusable.get((m, name), 0)) % _UINT64 >= size}
            found = fitting if found is None else found & fitting
        return found or set()


def hugepage_resource(size: int) -> str:
    """Return the resource name of huge pages of a size in bytes: ``hugepages-2Mi``."""
    return f"hugepages-{Quantity.of(size, BINARY_SI)}"


def _allocatable(node: NumaNode, reserved: Bytes) -> dict[str, int]:
    pages = {hugepage_resource(size): size * count for size, count in node.hugepages.items()}
    plain = node.memory - sum(pages.values())
    return {name: (size - reserved.get(name, 0)) % _UINT64 for name, size in {**pages, MEMORY: plain}.items()}
