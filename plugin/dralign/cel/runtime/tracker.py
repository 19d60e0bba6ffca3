"""Counts the run-time cost of an expression as cel-go's CostTracker does.

Every step pushes its value under its node id; a call takes the values of its arguments from this stack to know their
sizes. Entries of steps nobody takes stay until something below them is taken, and a call whose arguments are not all
there costs nothing. Both shows in the cost, so the stack is kept exactly so. Source: cel-go interpreter/runtimecost.go.
"""

from __future__ import annotations

from dralign.cel.values import Stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.cel.values import Value

COST_LIMIT_EXCEEDED = "operation cancelled: actual cost limit exceeded"
_UINT64 = 1 << 64


class Tracker:
    """The cost so far and the stack of values.

    Args:
        limit: cost above which evaluation stops.
    """

    __slots__ = ("_ids", "_places", "_values", "cost", "limit")

    def __init__(self, limit: int) -> None:
        self.cost = 0
        self.limit = limit
        self._ids: list[int] = []
        self._values: list[Value] = []
        self._places: dict[int, list[int]] = {}

    def push(self, node_id: int, value: Value) -> None:
        """End a step. Raises Stop when the cost has passed the limit."""
        self._places.setdefault(node_id, []).append(len(self._ids))
        self._ids.append(node_id)
        self._values.append(value)
        if self.cost > self.limit:
            raise Stop(COST_LIMIT_EXCEEDED)

    def charge(self, cost: int) -> None:
        """Add to the cost, which wraps like Go's uint64 if a presence test makes it negative."""
        self.cost = (self.cost + cost) % _UINT64

    def drop(self, node_id: int) -> None:
        """Forget the latest value of a node and all that came after it; nothing if it has none."""
        places = self._places.get(node_id)
        if places:
            self._cut(places[-1])

    def take(self, node_ids: Sequence[int]) -> list[Value] | None:
        """Take the latest values of nodes, last node first; None if one of them has none."""
        taken = []
        for node_id in reversed(node_ids):
            places = self._places.get(node_id)
            if not places:
                return None
            taken.append(self._values[places[-1]])
            self._cut(places[-1])
        taken.reverse()
        return taken

    def _cut(self, length: int) -> None:
        ids = self._ids
        for node_id in ids[length:]:
            self._places[node_id].pop()
        del ids[length:]
        del self._values[length:]
