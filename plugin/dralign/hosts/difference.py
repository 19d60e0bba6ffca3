"""What a run changed, as a unified diff: compared document by document, since a whole file would take its square."""

from __future__ import annotations

from difflib import SequenceMatcher

from dralign.document import Document
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.bundle import Bundle, Source

CONTEXT_LINES = 3


class Change(Record):
    """Lines ``old_start:old_end`` of the old text gave way to ``new_start:new_end`` of the new one, counted from 0."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def unified(before: Bundle, after: Bundle) -> str:
    """Return a unified diff of all sources that changed; empty if none did."""
    return "".join(text for old, new in zip(before.sources, after.sources, strict=True) for text in _source(old, new))


def _source(old: Source, new: Source) -> Iterator[str]:
    changes = list(_changes(old, new))
    if not changes:
        return
    yield f"--- {old.name}\n+++ {new.name}\n"
    was, now = (_lines("".join(_text(piece) for piece in source.pieces)) for source in (old, new))
    for group in _groups(changes):
        yield from _hunk(group, was, now)


def _changes(old: Source, new: Source) -> Iterator[Change]:
    """Yield what changed, in order. A document keeps its index when edited, and those added before it have the same."""
    rest = list(new.pieces)
    old_line = new_line = 0
    for piece in old.pieces:
        texts = [_text(rest.pop(0))]
        while isinstance(piece, Document) and rest and _index(rest[0]) == piece.index:
            texts.append(_text(rest.pop(0)))
        was, now = _lines(_text(piece)), _lines("".join(texts))
        if was != now:
            for tag, i1, i2, j1, j2 in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
                if tag != "equal":
                    yield Change(old_line + i1, old_line + i2, new_line + j1, new_line + j2)
        old_line, new_line = old_line + len(was), new_line + len(now)


def _index(piece: Document | str) -> int | None:
    return None if isinstance(piece, str) else piece.index


def _text(piece: Document | str) -> str:
    return piece if isinstance(piece, str) else piece.text


def _lines(text: str) -> list[str]:
    """Cut at line feeds alone: what else may end a line for Python is text for ``patch``."""
    lines = text.split("\n")
    return [*(line + "\n" for line in lines[:-1]), *([lines[-1]] if lines[-1] else [])]


def _groups(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield runs of changes whose context lines would touch."""
    group = [changes[0]]
    for change in changes[1:]:
        if change.old_start - group[-1].old_end > 2 * CONTEXT_LINES:
            yield group
            group = []
        group.append(change)
    yield group


def _hunk(group: Sequence[Change], was: Sequence[str], now: Sequence[str]) -> Iterator[str]:
    start = max(0, group[0].old_start - CONTEXT_LINES)
    end = min(len(was), group[-1].old_end + CONTEXT_LINES)
    new_start = group[0].new_start - (group[0].old_start - start)
    new_end = group[-1].new_end + (end - group[-1].old_end)
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"
    at = start
    for change in group:
        yield from (_marked(" ", line) for line in was[at : change.old_start])
        yield from (_marked("-", line) for line in was[change.old_start : change.old_end])
        yield from (_marked("+", line) for line in now[change.new_start : change.new_end])
        at = change.old_end
    yield from (_marked(" ", line) for line in was[at:end])


def _range(start: int, end: int) -> str:
    """Print a range as unified diffs do: from 1, an empty one naming the line before it."""
    return f"{start + 1 if end > start else start},{end - start}"


def _marked(mark: str, text: str) -> str:
    return mark + text if text.endswith("\n") else f"{mark}{text}\n\\ No newline at end of file\n"
