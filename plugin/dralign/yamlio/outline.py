"""Where a value stands, told by the lines of a document whose data is known: several times faster than its events.

Every entry of a block mapping has a line of its own at the mapping's column, and so has every item of a block sequence.
Where as many lines begin there as there are entries, no line of a folded or quoted text can be among them. Anything else is
left to the events: flow style on the way, anchors, tags, merges, odd keys.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

OTHER_BREAKS = ("\x85", "\u2028", "\u2029", "\ufeff")
"""What libyaml takes for the end of a line beside LF, and the mark that has no width."""


def place_by_lines(text: str, data: Any, path: Iterable[str | int]) -> tuple[int, int] | None:
    """Return line and column, from 0, of what stands at ``path`` in a document that says ``data``.

    An entry of a map stands where its key does; what does not exist, where its nearest ancestor that does. None where the
    lines alone cannot tell.
    """
    if "\r" in text or "<<" in text or (not text.isascii() and any(mark in text for mark in OTHER_BREAKS)):
        return None
    lines = text.split("\n")
    block = _Block(_Outline(lines), 1 if lines[0].rstrip(" ") == "---" else 0, len(lines))
    shown = None
    for step in path:
        if isinstance(data, dict) and isinstance(step, str):
            inner = block.entry(data, step) if step in data else block
        elif isinstance(data, list) and isinstance(step, int):
            inner = block.item(len(data), step) if step < len(data) else block
        else:
            break
        if inner is None:
            return None
        if inner is block:
            break
        block, shown, data = inner, inner.shown, data[step]
    return shown


class _Outline:
    """The lines of a document, and how many spaces each begins with."""

    __slots__ = ("columns", "lines")

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.columns = [len(line) - len(line.lstrip(" ")) for line in lines]

    def is_item(self, line: int, column: int) -> bool:
        """Say whether a dash of a sequence stands there."""
        return self.lines[line][column : column + 2] in ("-", "- ")

    def has_content(self, line: int) -> bool:
        """Say whether a line is neither blank nor a comment."""
        column = self.columns[line]
        return self.lines[line][column : column + 1] not in ("", "#")


class _Block:
    """The lines of one value, which begins at ``line`` and ``column``, or with the first content below if that is -1.

    ``shown`` is the place of the entry or item that the value belongs to.
    """

    __slots__ = ("column", "end", "line", "outline", "shown")

    def __init__(
        self, outline: _Outline, line: int, end: int, column: int = -1, shown: tuple[int, int] | None = None
    ) -> None:
        self.outline = outline
        self.line = line
        self.end = end
        self.column = column
        self.shown = shown

    def _begins(self) -> bool:
        """Find the first content, unless it is known; False if there is none."""
        if self.column < 0:
            while self.line < self.end and not self.outline.has_content(self.line):
                self.line += 1
            self.column = self.outline.columns[self.line] if self.line < self.end else -1
        return self.column >= 0

    def _starts(self, *, dashes: bool) -> list[int]:
        """Return the numbers of the lines with content at the column: those of items, or all others."""
        column, line, end = self.column, self.line, self.end
        lines, next_at = self.outline.lines, self.outline.columns.index
        found = [line]
        try:
            while True:
                line = next_at(column, line + 1, end)
                text = lines[line][column : column + 2]
                if dashes is (text in ("-", "- ")) and text[:1] not in ("", "#"):
                    found.append(line)
        except ValueError:  # none is left
            return found

    def entry(self, data: dict[str, Any], name: str) -> _Block | None:
        """Return the value of an entry of a block mapping that says ``data``; None if this may be none."""
        starts = self._starts(dashes=False) if self._begins() else []
        if len(starts) != len(data):
            return None
        index = list(data).index(name)
        line = starts[index]
        behind = _behind(self.outline.lines[line], self.column, name)
        if behind is None:
            return None
        end = starts[index + 1] if index + 1 < len(starts) else self.end
        if behind.lstrip(" ")[:1] not in ("", "#"):
            end = line + 1  # what stands beside its key is no block: nothing is looked for below
        return _Block(self.outline, line + 1, end, shown=(line, self.column))

    def item(self, count: int, index: int) -> _Block | None:
        """Return an item of a block sequence of that many; None if this may be none."""
        if not self._begins() or not self.outline.is_item(self.line, self.column):
            return None
        starts = self._starts(dashes=True)
        if len(starts) != count:
            return None
        line = starts[index]
        end = starts[index + 1] if index + 1 < len(starts) else self.end
        behind = self.outline.lines[line][self.column + 1 :]
        text = behind.lstrip(" ")
        if text and text[0] != "#":
            inner = _Block(self.outline, line, end, self.column + 1 + len(behind) - len(text))
        else:
            inner = _Block(self.outline, line + 1, end)
            if not inner._begins():
                return None
        inner.shown = inner.line, inner.column
        return inner if self.outline.lines[inner.line][inner.column] not in "&!*" else None


def _behind(line: str, column: int, key: str) -> str | None:
    """Return what stands behind ``key`` and its colon, or None where the line does not begin with them."""
    mark = line[column : column + 1]
    written = f"{mark}{key}{mark}:" if mark in ("'", '"') else f"{key}:"
    rest = line[column + len(written) :]
    return rest if line.startswith(written, column) and rest[:1] in ("", " ") else None
