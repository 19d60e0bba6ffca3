"""A document as a tree of nodes that know where they stand in the text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BREAKS = "\n\r\x85\u2028\u2029"
"""Characters that break lines in YAML 1.1; CR LF is one break."""


class Node:
    """One value of a document, as written.

    Attributes:
        kind: ``map``, ``seq``, ``scalar`` or ``alias``.
        start: offset in characters, in the text given to ``compose``, of the value itself.
        prefix_start: offset of its anchor or tag where it has one, else ``start``.
        end: offset behind its last character. A block collection ends with its last child, not with the comments that
            follow; a block scalar ends behind the last line break of its content.
        line, column: of ``start``, both 0-based, in that text.
        style: of scalars ``""`` (plain), ``'``, ``"``, ``|`` or ``>``; of collections ``flow`` or ``block``.
        anchor: name of its anchor, or None.
        tag: with its handle resolved (``!!int`` is ``tag:yaml.org,2002:int``), or None where none is written.
        value: text of a scalar after escapes and folding, or the name an alias refers to.
        entries: key and value of each entry of a map, in order, merge keys among them.
        items: elements of a sequence.
        target: the node an alias refers to.
        foot: whether it is a block scalar with the comment behind it that ends the document (kyaml only).
    """

    __slots__ = (
        "anchor",
        "column",
        "end",
        "entries",
        "foot",
        "items",
        "kind",
        "line",
        "prefix_start",
        "start",
        "style",
        "tag",
        "target",
        "value",
    )

    def __init__(self, kind: str, mark: Any, style: str = "", value: str = "") -> None:
        self.kind = kind
        self.start: int = mark.index
        self.prefix_start: int = mark.index
        self.end: int = mark.index
        self.line: int = mark.line
        self.column: int = mark.column
        self.style = style
        self.anchor: str | None = None
        self.tag: str | None = None
        self.value = value
        self.entries: list[tuple[Node, Node]] = []
        self.items: list[Node] = []
        self.target: Node | None = None
        self.foot = False

    @property
    def referent(self) -> Node:
        """The node itself; of an alias, the node it refers to."""
        return self.target or self

    def copy(self) -> Node:
        """Return a node like this one, without its entries and items."""
        copy = object.__new__(Node)
        for name in self.__slots__:
            setattr(copy, name, getattr(self, name))
        copy.entries, copy.items = [], []
        return copy

    def __repr__(self) -> str:
        return f"<{self.kind} {self.start}..{self.end} {self.value!r}>"
