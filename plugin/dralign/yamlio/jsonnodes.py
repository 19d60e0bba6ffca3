"""A JSON value as a tree of nodes: for edits of JSON, and for values nested too deep for Python's own reader.

Source: RFC 8259, with the bound of Go's ``encoding/json`` on nesting.
"""

from __future__ import annotations

from bisect import bisect_right

from dralign.yamlio.jsonvalues import SPACE, JsonError, plain_scalar
from dralign.yamlio.limits import MAX_NESTING, TOO_DEEP
from dralign.yamlio.nodes import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KINDS = {"{": "map", "[": "seq"}
_CLOSING = {"map": "}", "seq": "]"}
_LITERAL = frozenset("+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

# what may come next
_VALUE = "a value"
_KEY = "a name in double quotes"
_FIRST_VALUE = "a value or ']'"
_FIRST_KEY = "a name in double quotes or '}'"
_MORE = {"map": "',' or '}'", "seq": "',' or ']'"}


class _Mark:
    __slots__ = ("column", "index", "line")

    def __init__(self, index: int, lines: list[int]) -> None:
        self.index = index
        self.line = bisect_right(lines, index) - 1
        self.column = index - lines[self.line]


class JsonComposer:
    """Reads the value that starts at an offset; ``end`` is where it ends, ``lines`` where the lines of the text start."""

    def __init__(self, text: str, start: int, lines: list[int]) -> None:
        self.end = start
        self._text = text
        self._lines = lines
        self._open: list[Node] = []
        self._keys: list[Node | None] = []
        self._root: Node | None = None
        self._next = _VALUE

    def run(self) -> Node:
        """Return the root node.

        Raises:
            JsonError: it is no JSON value.
        """
        while self._root is None:
            self.end = _skip_space(self._text, self.end)
            self._step(self._text[self.end : self.end + 1])
        return self._root

    def _step(self, character: str) -> None:
        if self._open and character == _CLOSING[self._open[-1].kind] and self._next not in (_VALUE, _KEY):
            self.end += 1
            node = self._open.pop()
            self._keys.pop()
            node.end = self.end
            self._add(node)
        elif self._open and self._next == _MORE[self._open[-1].kind] and character == ",":
            self.end += 1
            self._next = _KEY if self._open[-1].kind == "map" else _VALUE
        elif self._next in (_KEY, _FIRST_KEY) and character == '"':
            self._keys[-1] = self._scalar()
            self._colon()
        elif self._next in (_VALUE, _FIRST_VALUE):
            self._value(character)
        else:
            raise self._wanted()

    def _wanted(self) -> JsonError:
        return JsonError(f"this is no JSON: {self._next} is wanted here", self.end)

    def _colon(self) -> None:
        self.end = _skip_space(self._text, self.end)
        self._next = "':'"
        if self._text[self.end : self.end + 1] != ":":
            raise self._wanted()
        self.end += 1
        self._next = _VALUE

    def _value(self, character: str) -> None:
        kind = _KINDS.get(character)
        if kind is None:
            self._add(self._scalar())
            return
        if len(self._open) >= MAX_NESTING:
            raise JsonError(TOO_DEEP, self.end)
        self._open.append(Node(kind, _Mark(self.end, self._lines), "flow"))
        self._keys.append(None)
        self._next = _FIRST_KEY if kind == "map" else _FIRST_VALUE
        self.end += 1

    def _scalar(self) -> Node:
        mark = _Mark(self.end, self._lines)
        quoted = self._text[self.end : self.end + 1] == '"'
        end = _string_end(self._text, self.end) if quoted else _literal_end(self._text, self.end)
        word = self._text[self.end : end]
        try:
            value = plain_scalar(word)
        except ValueError as error:
            raise self._wanted() from error
        node = Node("scalar", mark, '"' if quoted else "", value if quoted else word)
        node.end = self.end = end
        return node

    def _add(self, node: Node) -> None:
        if not self._open:
            self._root = node
            return
        parent = self._open[-1]
        key = self._keys[-1]
        if key is None:
            parent.items.append(node)
        else:
            parent.entries.append((key, node))
            self._keys[-1] = None
        self._next = _MORE[parent.kind]


def node_value(root: Node) -> Any:
    """Return the plain data of a tree that ``JsonComposer`` made."""
    made: dict[Node, Any] = {}
    pending = [(root, False)]
    while pending:
        node, ready = pending.pop()
        children = node.items or [value for _, value in node.entries]
        if node.kind == "scalar":
            made[node] = node.value if node.style else plain_scalar(node.value)
        elif not ready:
            pending.append((node, True))
            pending.extend((child, False) for child in children)
        elif node.kind == "seq":
            made[node] = [made.pop(child) for child in children]
        else:
            made[node] = {key.value: made.pop(value) for key, value in node.entries}
    return made[root]


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in SPACE:
        at += 1
    return at


def _string_end(text: str, at: int) -> int:
    """Offset behind the closing quote of the string that starts at an offset."""
    at += 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _literal_end(text: str, at: int) -> int:
    while text[at : at + 1] in _LITERAL:
        at += 1
    return at
