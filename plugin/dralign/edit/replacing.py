"""Writing new data in block context in the place of a value that stands there.

What stands on the line of the key or dash goes, but not the comment behind it; lines that only the old value has go; new
lines come below. Old values differ in where they stand, so there is one function for each way.
"""

from __future__ import annotations

from dralign.edit.layout import flow_style, indentation, root_flow_style
from dralign.edit.rendering import block, flow, is_nested
from dralign.edit.scalars import quoted
from dralign.edit.scan import back_over_blanks, begins_line, line_start, next_line
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.edit.canvas import Canvas
    from dralign.edit.draft import New
    from dralign.edit.rendering import Style
    from dralign.yamlio import Node

KEY = "key"
DASH = "dash"
ROOT = "root"

_LONG_LINE = 100
_HEADER = frozenset("|>+-0123456789")


class Place(Record):
    """Where a value of a block container stands.

    Attributes:
        kind: ``KEY`` or ``DASH``: behind the one or the other; ``ROOT``: the document's own value.
        column: of the key or dash.
        head: offset behind the ``:`` or ``-``; -1 behind a ``? key`` that has no ``:``.
    """

    kind: str
    column: int
    head: int

    def inner(self, value: Any, style: Style) -> int:
        """Column at which the lines of a filled container begin here."""
        if self.kind == KEY:
            return self.column + (style.step if isinstance(value, dict) else style.dash)
        return self.column + 2 if self.kind == DASH else 0

    def content(self, style: Style) -> int:
        """Column of the content of a ``|`` block here."""
        return style.step if self.kind == ROOT else self.column + (style.step if self.kind == KEY else 2)


def replace(canvas: Canvas, new: New, old: Node, place: Place) -> None:
    """Write ``new`` where ``old`` stands."""
    if old.kind in ("map", "seq") and old.style == "block":
        on_head_line = place.kind == ROOT or line_start(canvas.text, old.start) <= place.head
        (_over_beginning if on_head_line else _over_below)(canvas, new, old, place)
    elif old.style in ("|", ">"):
        _over_literal(canvas, new, old, place)
    elif old.prefix_start == old.end:
        _over_nothing(canvas, new, old, place)
    else:
        _over_word(canvas, new, old, place)


def _lines(canvas: Canvas, new: New, old: Node, place: Place, style: Style, beside: int) -> tuple[str, list[str]]:
    """Return what goes on the line of the key or dash, and the lines below.

    ``beside`` is the column at which a container may begin on that very line, -1 if it may not.
    """
    anchor = canvas.anchor(new, old)
    word = _word(canvas, new, old, place, style)
    if word is None and beside >= 0 and not anchor and is_nested(new.data):
        word, *below = block(new.data, beside, style)
        return word, below
    if word is None and is_nested(new.data):
        inner = place.inner(new.data, style)
        first, *below = block(new.data, inner, style)
        return anchor, [" " * inner + first, *below]
    below = []
    if word is None:
        word, *below = block(new.data, place.content(style), style)
    return (f"{anchor} {word}" if anchor else word), below


def _word(canvas: Canvas, new: New, old: Node, place: Place, style: Style) -> str | None:
    """Return a value in the manner of what stands there, or of what it is a copy of; None if that has none to keep."""
    like = new.like or old
    if isinstance(new.data, str):
        keeps_quotes = like.kind == "scalar" and like.style in ("'", '"') and "\n" not in new.data
        return quoted(new.data, like.style) if keeps_quotes else None
    is_document = place.kind == ROOT and like.style == "flow"
    if not is_nested(new.data) or not ((like.style == "flow" and (like.entries or like.items)) or is_document):
        return None
    outer = root_flow_style(style, is_document=is_document)
    manner = flow_style(canvas.text, like, outer) if like.entries or like.items else outer
    margin = indentation(canvas.text, old.prefix_start)
    written = flow(new.data, margin, manner if new.like is None else manner.replace(unit=""))
    is_long = len(written) > _LONG_LINE or "\\n" in written
    return None if is_long and not is_document and "\n" not in written else written


def _over_word(canvas: Canvas, new: New, old: Node, place: Place) -> None:
    """Over a scalar, alias or flow collection: ``key: word  # comment``."""
    text = canvas.text
    start = old.prefix_start
    below_at = next_line(text, old.end)
    style = canvas.style(place.column, below_at)
    alone = begins_line(text, start)
    beside = start - line_start(text, start) if alone or place.kind == DASH else -1
    first, below = _lines(canvas, new, old, place, style, beside)
    canvas.write_word(start, old.end, first)
    canvas.insert_lines(below_at, below, style)


def _over_nothing(canvas: Canvas, new: New, old: Node, place: Place) -> None:
    """Over a value that is not written: ``key:``, ``-``, ``? key``, or a document without content."""
    text = canvas.text
    at = _end_of_empty_document(text, old) if place.kind == ROOT else old.start
    below_at = next_line(text, at)
    style = canvas.style(place.column, below_at)
    beside = -1 if place.kind == KEY else place.inner(new.data, style)
    first, below = _lines(canvas, new, old, place, style, beside)
    if place.kind == ROOT:
        canvas.insert_lines(below_at, [first, *below], style)
    elif place.head < 0:
        canvas.insert_lines(below_at, [" " * place.column + f": {first}".rstrip(), *below], style)
    else:
        canvas.splices.insert(place.head, f" {first}" if first else "")
        canvas.insert_lines(below_at, below, style)


def _end_of_empty_document(text: str, root: Node) -> int:
    """Offset at which the content of a document without any is to begin: behind its comments, before a ``...``."""
    if root.start:
        return root.start
    end = text.find("\n...") + 1
    return end or len(text)


def _over_literal(canvas: Canvas, new: New, old: Node, place: Place) -> None:
    """Over a block scalar: ``key: |  # comment`` and the lines of its content."""
    text = canvas.text
    end = old.start
    while text[end] in _HEADER:
        end += 1
    content_at = next_line(text, end)
    content_end = max(content_at, old.end)
    style = canvas.style(place.column, content_end)
    beside = old.prefix_start - line_start(text, old.prefix_start) if place.kind == DASH else -1
    first, below = _lines(canvas, new, old, place, style, beside)
    canvas.write_word(old.prefix_start, end, first)
    canvas.replace_lines(content_at, content_end, below, style)


def _over_beginning(canvas: Canvas, new: New, old: Node, place: Place) -> None:
    """Over a block collection that begins on the line of its dash, or is the document."""
    text = canvas.text
    start = old.prefix_start
    stop = next_line(text, old.end)
    style = canvas.style(place.column, stop)
    beside = start - line_start(text, start) if place.kind == DASH or begins_line(text, start) else -1
    first, below = _lines(canvas, new, old, place, style, beside)
    canvas.replace_lines(start if first else back_over_blanks(text, start), stop, [first, *below], style)


def _over_below(canvas: Canvas, new: New, old: Node, place: Place) -> None:
    """Over a block collection that has lines of its own below its key or dash."""
    text = canvas.text
    lines_at = line_start(text, old.start)
    stop = next_line(text, old.end)
    style = canvas.style(place.column, stop)
    head_end = canvas.properties_end(old) if old.prefix_start < old.start else place.head
    if next_line(text, head_end) != lines_at:
        style = style.replace(literals=False)
    first, below = _lines(canvas, new, old, place, style, -1)
    if old.prefix_start < old.start:
        canvas.write_word(old.prefix_start, head_end, first)
    else:
        canvas.splices.insert(head_end, f" {first}" if first else "")
    canvas.replace_lines(lines_at, stop, below, style)
