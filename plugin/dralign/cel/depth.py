"""Room for deep trees.

The parser allows 250 levels of each grammar rule, so that trees may be some thousand nodes deep; what walks them calls
itself for each. Calls between Python functions take no C stack (from Python 3.11), hence a higher limit is safe as long
as the recursion goes through no built-in function.
"""

from __future__ import annotations

import sys

_LIMIT = 30_000


class room_for_depth:  # noqa: N801  used as a statement: ``with room_for_depth():``
    """Context in which Python may recurse as deep as the parser's limits let trees become."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(self._before, _LIMIT))

    def __exit__(self, *_: object) -> None:
        sys.setrecursionlimit(self._before)
