"""Documents: the text of one YAML or JSON document, its plain data, and where everything in it stands."""

from __future__ import annotations

from dralign import yamlio
from dralign.manifest import Location, Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from dralign.yamlio import Node


class Document:
    """One document of a source. Text and data are replaced together, by :meth:`edited`; never changed in place."""

    __slots__ = (
        "_data",
        "_items",
        "_lines",
        "_node",
        "dialect",
        "duplicates",
        "index",
        "is_ours",
        "line",
        "source",
        "text",
    )

    def __init__(self, text: str, source: str, line: int, index: int, dialect: str) -> None:
        self.text = text
        self.source = source
        self.line = line
        self.index = index
        self.dialect = dialect
        self.is_ours = False
        loaded = yamlio.load(text, dialect, source, line)
        self._data = loaded.value
        self.duplicates = loaded.duplicates
        self._node: Node | None = None
        self._items: list[tuple[int, int, int]] | None = None
        self._lines: list[str] | None = None

    @classmethod
    def made(cls, data: Any, text: str, source: str, dialect: str) -> Document:
        """Return a document of our own making (``is_ours``): its text says ``data``, and is read only for places."""
        made = object.__new__(cls)
        made.is_ours = True
        made.text, made.source, made.line, made.index, made.dialect = text, source, 1, 0, dialect
        made._data, made.duplicates = data, ()
        made._node = made._items = made._lines = None
        return made

    @property
    def data(self) -> Any:
        """The document as plain data, as the host's reader sees it."""
        return self._data

    def let_go(self, base: Path) -> bool:
        """Keep neither text nor data in memory, if only ``base`` is there; False where they could not be read again."""
        del base
        return False

    @property
    def node(self) -> Node:
        """The document with marks; made when first asked for, since few documents get a finding."""
        if self._node is None:
            self._node = yamlio.compose(self.text, self.dialect, self.source, self.line)
        return self._node

    def edited(self, text: str) -> Document:
        """Return the document with other text, parsed anew."""
        return Document(text, self.source, self.line, self.index, self.dialect)

    def moved(self, line: int) -> Document:
        """Return the document as it is, beginning at another line of its source."""
        if line == self.line:
            return self
        twin = object.__new__(Document)
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.line = line
        return twin

    def locate(self, path: Path) -> Location:
        """Return where the value at ``path`` stands, or its nearest ancestor that exists."""
        place = None if self.duplicates else self._place(path)
        if place is None:
            node, _ = walk(self.node, path)
            place = node.line, node.column
        return Location(self.source, self.line + place[0], place[1] + 1)

    def _place(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 0; None if only nodes can tell. In a long list, the item alone is read."""
        if len(self.text) < LONG or path[:1] != ("items",) or len(path) < 2:
            return yamlio.place(self.text, path, self.dialect, self.data)
        if self._items is None:
            self._items = yamlio.item_starts(self.text, "items", self.dialect)
        index = path[1]
        if not isinstance(index, int) or index >= len(self._items):
            return yamlio.place(self.text, path, self.dialect, self.data)
        start, line, column = self._items[index]
        end = self._items[index + 1][0] if index + 1 < len(self._items) else len(self.text)
        body = " " * column + self.text[start:end].rstrip(" -")
        inside = yamlio.place(body, path[2:], self.dialect, self.data["items"][index])
        return None if inside is None else (line + inside[0], inside[1])

    def excerpt(self, location: Location) -> tuple[tuple[int, str], ...]:
        """Return the line of ``location`` and the one above it if that leads to it, as (line number, text).

        A neighbour's line is left out: it says nothing of the finding, and may hold a secret.
        """
        if self._lines is None:
            self._lines = self.text.split("\n")
        lines = self._lines
        if len(self.text) < LONG:
            self._lines = None  # short texts are cut again at will; keeping all their lines would double the memory
        last = location.line - self.line
        first = last - 1 if last and _indent(lines[last - 1]) < _indent(lines[last]) else last
        return tuple((self.line + i, lines[i].rstrip("\r")) for i in range(first, last + 1))


class Part(Document):
    """An object out of a file that stays open: a document that is a list of it alone. What is let go can be read again."""

    __slots__ = ("_again", "_text")

    base = Path((0,))
    """Where the object stands."""

    def __init__(self, again: Callable[[], str], source: str, line: int, dialect: str) -> None:
        self._again = again
        super().__init__(again(), source, line, 0, dialect)

    @property
    def text(self) -> str:
        """The text of the document."""
        return self._again() if self._text is None else self._text

    @text.setter
    def text(self, text: str) -> None:
        self._text: str | None = text

    @property
    def data(self) -> Any:
        """The document as plain data."""
        return yamlio.load(self.text, self.dialect, self.source, self.line).value if self._text is None else self._data

    def let_go(self, base: Path) -> bool:
        """Keep neither text nor data in memory, if nothing but the object at ``base`` is there."""
        if base == self.base:
            self._text = self._data = None
        return base == self.base


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


LONG = 8 * 1024
"""Characters from which a document is worth an index of its items and lines: ResourceLists, and Lists of everything."""


def walk(root: Node, path: Path) -> tuple[Node, int]:
    """Follow ``path`` from ``root``: the deepest node that exists and how many steps led to it.

    For a mapping entry the node returned is the key's, since that is where a reader looks, except that the walk goes on
    through its value. Aliases are followed; merge keys are searched last.
    """
    node, shown = root, root
    for depth, key in enumerate(path):
        node = node.target if node.kind == "alias" and node.target is not None else node
        step = _step(node, key)
        if step is None:
            return shown, depth
        shown, node = step
    return shown, len(path)


def _step(node: Node, key: str | int) -> tuple[Node, Node] | None:
    """Return (node to show, node to go on from) for one key or index."""
    if node.kind == "seq" and isinstance(key, int):
        return (node.items[key], node.items[key]) if key < len(node.items) else None
    if node.kind != "map":
        return None
    for name, value in reversed(node.entries):
        if name.kind == "scalar" and name.value == key:
            return name, value
    return next((step for step in (_step(m, key) for m in _merged(node)) if step is not None), None)


def _merged(node: Node) -> Iterator[Node]:
    """Yield the mappings that ``<<`` brings into ``node``."""
    for name, value in node.entries:
        if name.kind == "scalar" and name.value == "<<" and not name.style:
            for item in value.items if value.kind == "seq" else [value]:
                target = item.target if item.kind == "alias" else item
                if target is not None and target.kind == "map":
                    yield target
