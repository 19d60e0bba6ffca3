"""Where the entries of a collection stand in the text: those of a block on lines, those within braces between commas."""

from __future__ import annotations

from dralign.edit.parts import Part
from dralign.edit.scan import indicator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.yamlio import Node


class _Entries:
    """The entries or items of one collection, by number.

    Attributes:
        text: the text it stands in.
        node: the collection.
        keys: nodes of its keys; empty for a sequence.
        values: nodes of its values or items.
    """

    def __init__(self, text: str, node: Node) -> None:
        self.text = text
        self.node = node
        self.keys = [key for key, _ in node.entries]
        self.values = node.items or [value for _, value in node.entries]


class BlockEntries(_Entries):
    """Those of a block mapping or sequence."""

    @property
    def column(self) -> int:
        """Column of keys or dashes."""
        return self.node.column

    def start(self, index: int) -> int:
        """Offset of the key, its ``?``, or the ``-`` of an entry or item."""
        if index == 0:
            return self.node.start
        value = self.values[index]
        if isinstance(value, Part):
            return value.dash
        before = self.end(index - 1)
        if not self.keys:
            return indicator(self.text, before, value.prefix_start, "-")
        key = self.keys[index].prefix_start
        mark = indicator(self.text, before, key, "?")
        return mark if mark >= 0 else key

    def end(self, index: int) -> int:
        """Offset behind the content of an entry or item."""
        return self.values[index].end


class FlowEntries(_Entries):
    """Those of a flow mapping or sequence, JSON included."""

    def start(self, index: int) -> int:
        """Offset of an entry: its key, or the ``?`` before it."""
        if not self.keys:
            return self.values[index].prefix_start
        key = self.keys[index].prefix_start
        mark = indicator(self.text, self.end(index - 1) if index else self.node.start + 1, key, "?")
        return mark if mark >= 0 else key

    def end(self, index: int) -> int:
        """Offset behind an entry; of one that ends with a colon behind the blank that a colon needs."""
        end = self.values[index].end
        if not self.keys or self.values[index].prefix_start < end:
            return end
        colon = self.colon(index)
        return max(end, colon + 1 + (self.text[colon + 1] == " "))

    def colon(self, index: int) -> int:
        """Offset of the colon of an entry, or -1."""
        key, value = self.keys[index], self.values[index]
        if value.prefix_start < value.end:
            return indicator(self.text, key.end, value.prefix_start, ":")
        is_last = index + 1 == len(self.keys)
        limit = self.node.end if is_last else self.keys[index + 1].prefix_start
        stop = indicator(self.text, key.end, limit, ",")
        return indicator(self.text, key.end, stop if stop >= 0 else limit, ":")

    def comma(self, index: int) -> int:
        """Offset of the comma behind an entry, or -1."""
        is_last = index + 1 == len(self.values)
        return indicator(self.text, self.end(index), self.node.end if is_last else self.start(index + 1), ",")
