"""What is wrong with a document, before it is known which file it stands in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Placed(Protocol):
        """Anything with a 0-based line and column: a node, a mark of libyaml, a ``Place``."""

        line: int
        column: int


class Place:
    """A 0-based line and column."""

    __slots__ = ("column", "line")

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column


class DocumentError(Exception):
    """A document that its reader refuses: what is wrong, where, and where the first of two stands."""

    def __init__(self, message: str, place: Placed, first: Placed | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.first = first
