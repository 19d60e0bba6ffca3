"""Merges topology hints: of what every provider could do, the NUMA nodes that suit all of them best.

A hint is a pair (mask of NUMA nodes or None for "any", preferred). A provider gives a list of hints per resource: no list
at all where it does not care, an empty list where it cannot serve. The kubelet forms every permutation of one hint per
list, intersects it and compares the results one by one; the order of comparison is a total one, so the least result by
``_key`` is what it ends up with. Source: topologymanager/policy.go (HintMerger).
"""

from __future__ import annotations

from dralign.kubelet.masks import width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Hint = tuple[int | None, bool]
    Cost = Callable[[int], tuple[int, ...]]

NO_PREFERENCE: Hint = (None, True)
IMPOSSIBLE: Hint = (None, False)


def gathered(answers: Iterable[Sequence[Sequence[Hint]]]) -> list[Sequence[Hint]]:
    """Return the lists of hints of all providers, with a hint for those that do not care or cannot serve."""
    lists: list[Sequence[Hint]] = []
    for answer in answers:
        lists += [hints or [IMPOSSIBLE] for hints in answer] or [[NO_PREFERENCE]]
    return lists


def merge(lists: Sequence[Sequence[Hint]], everything: int, cost: Cost) -> tuple[int, bool]:
    """Return the best common set of NUMA nodes, and whether every provider prefers it.

    Args:
        lists: the hints (``gathered``).
        everything: mask of all NUMA nodes.
        cost: key by which the better of two masks is less (``masks.width``, or one that knows distances).
    """
    common = preferred_by_all(lists, everything)
    if common:
        return min(common, key=cost), True
    found = _intersections(lists, everything)
    if not found:
        return everything, False
    goal = max((min(width(mask) for mask in masks)[0] for masks in _masks(lists) if masks), default=0)
    return min(found, key=lambda mask: _key(mask, goal, cost)), False


def preferred_by_all(lists: Sequence[Sequence[Hint]], everything: int) -> set[int]:
    """Return the masks that one preferred hint of every list names; hints without a mask agree with all."""
    common: set[int | None] = {None}
    for hints in lists:
        named = {mask for mask, preferred in hints if preferred}
        agreed = named if None in common else named & common
        common = agreed | common if None in named else agreed
    return {everything if mask is None else mask for mask in common}


def _intersections(lists: Sequence[Sequence[Hint]], everything: int) -> set[int]:
    """Return every non-empty intersection of one hint per list."""
    found = {everything}
    for hints in lists:
        masks = {everything if mask is None else mask for mask, _ in hints}
        found = {one & other for one in found for other in masks} - {0}
    return found


def _masks(lists: Sequence[Sequence[Hint]]) -> list[list[int]]:
    return [[mask for mask, _ in hints if mask is not None] for hints in lists]


def _key(mask: int, goal: int, cost: Cost) -> tuple[int, ...]:
    """Order masks nobody prefers: best as wide as the neediest resource requires at least, then narrower, then wider."""
    nodes = mask.bit_count()
    return (0, -nodes, *cost(mask)) if nodes <= goal else (1, nodes, *cost(mask))
