"""Sets of NUMA nodes as whole numbers, bit n for node n: Topology Manager's affinity masks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_NODES = 12
"""So many NUMA nodes are worked out here. The kubelet looks at every set of them, and at every pair of such sets: with many
more it would not come to an end either, which is why its Topology Manager takes on 8 unless told otherwise."""


class TooManyNumaNodes(ValueError):  # noqa: N818 - says what is the matter
    """The machine has more NUMA nodes than all sets of them could be looked at."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} NUMA nodes are too many to look at every set of them")


def mask_of(nodes: Iterable[int]) -> int:
    """Return the mask of some nodes."""
    mask = 0
    for node in nodes:
        mask |= 1 << node
    return mask


def nodes_of(mask: int) -> tuple[int, ...]:
    """Return the nodes of a mask, ascending."""
    return tuple(node for node in range(mask.bit_length()) if mask >> node & 1)


def width(mask: int) -> tuple[int, int]:
    """Return a key by which the narrower of two masks is less: fewer nodes, then lower ones."""
    return mask.bit_count(), mask


def sums(amounts: Mapping[int, int]) -> dict[int, int]:
    """Return what the nodes of every mask have together, from what each has. Raises TooManyNumaNodes."""
    if len(amounts) > MOST_NODES:
        raise TooManyNumaNodes(len(amounts))
    found = {0: 0}
    for node, amount in sorted(amounts.items()):
        found |= {mask | 1 << node: total + amount for mask, total in found.items()}
    del found[0]
    return found
