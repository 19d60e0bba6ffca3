"""Events of libyaml to a tree of nodes, with the marks set right where libyaml's are not what an editor needs."""

from __future__ import annotations

from dralign.yamlio.limits import MAX_NESTING, NestingError
from dralign.yamlio.nodes import BREAKS, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_BLANKS = " \t"


class UnknownAnchorError(Exception):
    """An alias whose anchor does not stand before it."""

    def __init__(self, name: str, mark: Any) -> None:
        super().__init__(name)
        self.name = name
        self.mark = mark


class _Start:
    """Mark of the first character of a text."""

    index = line = column = 0


class Composer:
    """Builds the tree of the first document of a text.

    Attributes:
        version: of the document's ``%YAML`` directive, or None.
        end: offset at which the document ends, comments included.
        root: of the tree, once it is built.
        deepest: how many collections stand within each other at most.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.version: tuple[int, int] | None = None
        self.deepest = 0
        self.end = 0
        self.root = Node("scalar", _Start)
        self._anchors: dict[str, Node] = {}
        self._open: list[Node] = []
        self._keys: list[Node | None] = []
        self._depth = {"block": 0, "flow": 0}
        # line and column at which the last node, and the one before it, ended
        self._last_end = self._end_before = (0, 0)

    def run(self, get_event: Callable[[], Any], api: Any) -> Node:
        """Return the root; where the text has no document, an empty plain scalar that ends at 0.

        Raises:
            NestingError, UnknownAnchorError: and whatever libyaml has to say.
        """
        self._begin_anew()
        scalar, alias = api.ScalarEvent, api.AliasEvent
        starts = {api.MappingStartEvent: "map", api.SequenceStartEvent: "seq"}
        ends = (api.MappingEndEvent, api.SequenceEndEvent)
        get_event()
        event = get_event()
        if event.__class__ is api.StreamEndEvent:
            return self.root
        self.version = event.version
        while True:
            event = get_event()
            what = event.__class__
            if what is scalar:
                self._add(self._scalar(event))
            elif what in starts:
                self._begin(event, starts[what])
            elif what in ends:
                self._close(event)
            elif what is alias:
                self._add(self._alias(event))
            else:
                self.end = event.start_mark.index
                return self.root

    def _add(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        parent = self._open[-1]
        key = self._keys[-1]
        if parent.kind == "seq":
            parent.items.append(node)
        elif key is None:
            self._keys[-1] = node
        else:
            self._keys[-1] = None
            parent.entries.append((key, node))
            if node.prefix_start == node.end and self.text[node.end - 1 : node.end] != ":":
                self._pull_to_key(node, key)

    def _pull_to_key(self, node: Node, key: Node) -> None:
        """Place the value that a key without a colon lacks at the key: libyaml marks it at the token after it."""
        node.line, node.column = self._last_end = self._end_before
        node.start = node.prefix_start = node.end = key.end

    def _scalar(self, event: Any) -> Node:
        node = Node("scalar", event.start_mark, event.style or "", event.value)
        node.end = event.end_mark.index
        if event.anchor is not None or event.tag is not None:
            self._properties(node, event)
            start = self._behind_properties(node)
            node.line, node.column = _place(self.text, node, start)
            node.start = start
        self._end_before = self._last_end
        self._last_end = event.end_mark.line, event.end_mark.column
        if node.style in ("|", ">"):
            node.end = self._block_end(node)
            self._last_end = _place(self.text, node, node.end)
        return node

    def _alias(self, event: Any) -> Node:
        node = Node("alias", event.start_mark, "", event.anchor)
        node.end = event.end_mark.index
        self._last_end = event.end_mark.line, event.end_mark.column
        node.target = self._anchors.get(event.anchor)
        if node.target is None:
            raise UnknownAnchorError(event.anchor, event.start_mark)
        return node

    def _begin(self, event: Any, kind: str) -> None:
        node = Node(kind, event.start_mark, "flow" if event.flow_style else "block")
        if event.anchor is not None or event.tag is not None:
            self._properties(node, event)
            end = event.end_mark
            # the mark ends behind a bracket or an indentless "-", and before anything else
            width = 1 if event.flow_style or self.text[end.index - 1 : end.index] == "-" else 0
            node.start = end.index - width
            node.line, node.column = end.line, end.column - width
        self._nest(node, 1)
        self._open.append(node)
        self._keys.append(None)
        self.deepest = max(self.deepest, len(self._open))

    def _close(self, event: Any) -> None:
        node = self._open.pop()
        self._keys.pop()
        self._nest(node, -1)
        if node.style == "flow":
            node.end = event.end_mark.index
            self._last_end = event.end_mark.line, event.end_mark.column
        else:
            node.end = node.entries[-1][1].end if node.kind == "map" else node.items[-1].end
        self._add(node)

    def _nest(self, node: Node, step: int) -> None:
        """Count levels as go-yaml does: brackets, and indentations in the block context."""
        bracket = self.text[node.start : node.start + 1] in ("[", "{")
        if bracket if node.style == "flow" else node.column > self._indent():
            self._depth[node.style] += step
            if self._depth[node.style] > MAX_NESTING:
                raise NestingError(node)

    def _indent(self) -> int:
        return next((node.column for node in reversed(self._open) if node.style == "block"), -1)

    def _properties(self, node: Node, event: Any) -> None:
        node.tag = event.tag
        if event.anchor is not None:
            node.anchor = event.anchor
            self._anchors[event.anchor] = node

    def _behind_properties(self, node: Node) -> int:
        """Offset of a scalar behind its anchor and tag and the space that follows them."""
        at = node.prefix_start
        for _ in range((node.anchor is not None) + (node.tag is not None)):
            while at < node.end and self.text[at] not in _BLANKS + BREAKS:
                at += 1
            while at < node.end and self.text[at] in _BLANKS + BREAKS + "#":
                at = _line_end(self.text, at) if self.text[at] == "#" else at + 1
        return at

    def _block_end(self, node: Node) -> int:
        """Offset behind the content of a block scalar; libyaml's mark stands behind the blank lines that follow it."""
        text = self.text
        header = _line_end(text, node.start)
        if "+" in text[node.start : header].partition("#")[0]:
            return node.end
        indent = self._block_indent(node, header)
        end = node.end
        while end > header:
            break_start = end - (2 if text[end - 2 : end] == "\r\n" else 1 if text[end - 1] in BREAKS else 0)
            line_start = _line_start(text, break_start, header)
            if text[line_start:break_start].strip(" ") or break_start - line_start > indent:
                return end
            end = line_start
        return _behind_break(text, header)

    def _block_indent(self, node: Node, header: int) -> int:
        digits = [character for character in self.text[node.start : header].partition("#")[0] if character.isdigit()]
        if digits:
            return max(self._indent(), 0) + int(digits[0])
        lines = self.text[header : node.end].splitlines()
        content = next((line for line in lines if line.strip(_BLANKS)), "")
        return len(content) - len(content.lstrip(" "))


def _line_end(text: str, at: int) -> int:
    while at < len(text) and text[at] not in BREAKS:
        at += 1
    return at


def _line_start(text: str, at: int, bound: int) -> int:
    while at > bound and text[at - 1] not in BREAKS:
        at -= 1
    return at


def _behind_break(text: str, at: int) -> int:
    return at + (2 if text[at : at + 2] == "\r\n" else at < len(text))


def _place(text: str, known: Node, at: int) -> tuple[int, int]:
    """Line and column of an offset at or behind the start of a node."""
    line, column = known.line, known.column
    for position in range(known.start, at):
        if text[position] in BREAKS and text[position : position + 2] != "\r\n":
            line, column = line + 1, 0
        else:
            column += 1
    return line, column
