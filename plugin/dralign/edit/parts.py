"""Long lists (ResourceList, List) without the nodes of all their items.

The nodes of a large document take far more memory and time than its plain data. So of a document whose ``items`` are a
block sequence only the first item is composed with the rest of the document; the others are :class:`Part`, lines of the
text that are composed when they are edited and forgotten afterwards. What is found by looking at lines is held against
the plain data, and so is the result, as always.
"""

from __future__ import annotations

from dralign.edit.scan import line_end, line_start, over_blanks
from dralign.errors import InputError
from dralign.yamlio import Node, compose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.edit.operations import Operation

_SMALL = 16_384
ITEMS = "items"
"""Key of the list."""
_BEFORE_ANCHOR = frozenset(" \t\n[{,")


class Part(Node):
    """An item of a long list.

    Its attributes as a node are worked out when one of them is asked for.

    Attributes:
        data: its plain data, before all edits.
        dash: offset of its ``-``.
        stop: offset of the line of the next item, or of what follows the last one.
        operations: edits to be made in it, with paths from the item.
    """

    __slots__ = ("dash", "data", "dialect", "operations", "stop", "text")

    def __init__(self, text: str, dash: int, stop: int, data: Any, dialect: str) -> None:
        self.text = text
        self.data = data
        self.dash = dash
        self.stop = stop
        self.dialect = dialect
        self.operations: list[Operation] = []

    def __getattr__(self, name: str) -> Any:
        if name not in Node.__slots__:
            raise AttributeError(name)
        node = self.compose()
        for attribute in Node.__slots__:
            setattr(self, attribute, getattr(node, attribute))
        return getattr(self, name)

    def compose(self) -> Node:
        """Return the item's node, placed in the whole text."""
        start = line_start(self.text, self.dash)
        node = compose(self.text[start : self.stop], self.dialect, "-", 1).items[0]
        _shift(node, start)
        return node


def skeleton(text: str, dialect: str, data: Any) -> Node | None:
    """Return the root node of a document with a long list, whose items behind the first are parts.

    None where the document has no such list, is small, or may have anchors, which reach across items.
    """
    items = data.get(ITEMS) if isinstance(data, dict) else None
    if len(text) < _SMALL or not isinstance(items, list) or len(items) < 2 or text[0] == "%" or _has_anchor(text):
        return None
    dashes, end = find_items(text)
    if len(dashes) != len(items):
        return None
    second = line_start(text, dashes[1])
    try:
        root = compose(text[:second] + text[end:], dialect, "-", 1)
    except InputError:
        return None
    stops = [line_start(text, dash) for dash in dashes[2:]] + [end]
    parts = [Part(text, *place, dialect) for place in zip(dashes[1:], stops, items[1:], strict=True)]
    return root if _put_in(root, parts, end - second) else None


def has_parts(root: Node) -> bool:
    """Whether a root node is that of a document with parts."""
    return any(isinstance(item, Part) for _, value in root.entries for item in value.items[-1:])


def _put_in(root: Node, parts: list[Part], size: int) -> bool:
    """Put the parts into the sequence that has the first item alone; whether it is there."""
    names = [key.value for key, _ in root.entries]
    if root.kind != "map" or names.count(ITEMS) != 1:
        return False
    at = names.index(ITEMS)
    sequence = root.entries[at][1]
    if sequence.kind != "seq" or sequence.style != "block" or len(sequence.items) != 1:
        return False
    for key, value in root.entries[at + 1 :]:
        _shift(key, size)
        _shift(value, size)
    sequence.items.extend(parts)
    sequence.end = parts[-1].end
    root.end = root.entries[-1][1].end
    return True


def _shift(root: Node, by: int) -> None:
    rest = [root]
    while rest:
        node = rest.pop()
        node.start += by
        node.end += by
        node.prefix_start += by
        rest.extend(node.items)
        for pair in node.entries:
            rest.extend(pair)


def _has_anchor(text: str) -> bool:
    at = text.find("&")
    while at >= 0:
        following = text[at + 1 : at + 2]
        if text[at - 1] in _BEFORE_ANCHOR and (following.isalnum() or following in ("-", "_")):
            return True
        at = text.find("&", at + 1)
    return False


def find_items(text: str) -> tuple[list[int], int]:
    """Return the offsets of the dashes below the key ``items`` at column 0, and that of the line behind the last item."""
    head = f"{ITEMS}:"
    at = 0 if text.startswith(head) else text.find(f"\n{head}") + 1
    at = line_end(text, at) + 1
    dashes: list[int] = []
    column = -1
    while at < len(text):
        content = over_blanks(text, at)
        mark = text[content : content + 1]
        if mark == "-" and column in (-1, content - at) and text[content + 1 : content + 2] in (" ", "\n", "\r"):
            column = content - at
            dashes.append(content)
        elif mark not in ("#", "\n", "\r", "") and content - at <= column:
            break
        at = text.find("\n", content) + 1 or len(text)
    return dashes, at
