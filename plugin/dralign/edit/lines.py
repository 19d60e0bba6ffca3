"""New keys as lines of their own, found by looking at lines instead of making nodes of the document.

The commonest edits by far put a key at the end of a block mapping: the mark on each judged object, the results of a
ResourceList. What is found here is a guess, which the caller holds against the data; where there is any doubt there is no
guess. Nothing but whole lines is put in, so that all others stay as they are.
"""

from __future__ import annotations

from dralign.edit.operations import Set
from dralign.edit.parts import ITEMS, find_items
from dralign.edit.rendering import Style, entry, is_nested
from dralign.edit.scan import line_start, over_blanks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.edit.operations import Operation, Path

    Span = tuple[int, int, int]

_LINE_BREAKS = ("\n", "\r\n")


def with_keys(text: str, operations: Sequence[Operation], data: Any) -> str | None:
    """Return the text with new keys at the end of block mappings; None if that is not all there is to do, or in doubt.

    Args:
        text: one document in YAML.
        operations: each must set a new key in a mapping that has some.
        data: what the text reads as.
    """
    if not text.endswith("\n") or text.startswith("%"):
        return None
    eol = "\r\n" if "\r\n" in text else "\n"
    lines = _Lines(text, data)
    added: list[tuple[int, str]] = []
    for operation in operations:
        if not isinstance(operation, Set) or not _is_new(operation.path, data):
            return None
        found = lines.end_of(operation.path[:-1])
        style = lines.style(eol) if is_nested(operation.value) else Style(eol=eol)
        if found is None or style is None:
            return None
        at, column = found
        added.append(
            (at, "".join(line + eol for line in entry(str(operation.path[-1]), operation.value, column, style)))
        )
    pieces: list[str] = []
    done = 0
    for at, piece in sorted(added, key=lambda item: item[0]):
        pieces += [text[done:at], piece]
        done = at
    return "".join([*pieces, text[done:]])


def _is_new(path: Path, data: Any) -> bool:
    """Say whether a path leads to a key that a filled mapping has not."""
    if not path or not isinstance(path[-1], str):
        return False
    value = data
    for step in path[:-1]:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return False
    return isinstance(value, dict) and bool(value) and path[-1] not in value


class _Lines:
    """A document as lines."""

    def __init__(self, text: str, data: Any) -> None:
        self._text = text
        items = data.get(ITEMS) if isinstance(data, dict) else None
        self._dashes, self._behind = find_items(text) if isinstance(items, list) and items else ([], 0)
        if len(self._dashes) != len(items or ()):
            self._dashes = []
        self._dash = self._dashes[0] - line_start(text, self._dashes[0]) if self._dashes else 0

    def style(self, eol: str) -> Style | None:
        """Return how nested values are written, going by the first item of a list and its metadata; None without."""
        item = self._item(0)
        metadata = self._inside(item, "metadata") if item is not None else None
        if item is None or metadata is None:
            return None
        return Style(step=metadata[2] - item[2], dash=self._dash, eol=eol)

    def end_of(self, path: Path) -> tuple[int, int] | None:
        """Return the offset behind the last line of a block mapping, and the column of its keys."""
        span: Span | None = (0, len(self._text), 0)
        if len(path) > 1 and path[0] == ITEMS and isinstance(path[1], int):
            span, path = self._item(path[1]), path[2:]
        for step in path:
            span = self._inside(span, step) if span is not None and isinstance(step, str) else None
        if span is None:
            return None
        last = self._text[line_start(self._text, span[1] - 1) : span[1]].strip()
        return None if not last or last[0] == "#" or last in ("---", "...") else (span[1], span[2])

    def _item(self, index: int) -> Span | None:
        """Return where an item of the list begins and ends, and the column of its keys."""
        if index >= len(self._dashes):
            return None
        dash = self._dashes[index]
        more = index + 1 < len(self._dashes)
        stop = line_start(self._text, self._dashes[index + 1]) if more else self._behind
        return (dash + 2, stop, self._dash + 2) if self._text[dash + 1 : dash + 3].rstrip() else None

    def _inside(self, span: Span, key: str) -> Span | None:
        """Return where the block mapping under a key begins and ends, and the column of its keys."""
        start, stop, column = span
        head = f"{key}:"
        if not self._text.startswith(head, start):
            start = self._text.find(f"\n{' ' * column}{head}", start, stop) + 1
            if not start:
                return None
            start += column
        following = self._text.find("\n", start) + 1
        if self._text[start + len(head) : following].strip():
            return None
        inner = over_blanks(self._text, following) - following
        return (following + inner, self._end(following, stop, inner), inner) if inner > column else None

    def _end(self, at: int, stop: int, column: int) -> int:
        """Return the offset of the first line that begins left of a column, blank lines and comments aside."""
        while at < stop:
            content = over_blanks(self._text, at)
            if content - at < column and self._text[content : content + 1] not in ("#", "\n", "\r", ""):
                return at
            at = self._text.find("\n", content) + 1 or stop
        return stop
