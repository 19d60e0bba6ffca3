"""Text of new values, in the manner of the document they go into."""

from __future__ import annotations

from dralign.edit.scalars import bare, double_quoted, literal, string
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLOCK = "block"
FLOW = "flow"
JSON = "json"


class Style(Record):
    """How a document, or the place in it, is written.

    Attributes:
        form: ``BLOCK``, ``FLOW`` (within braces or brackets), or ``JSON`` (there, and every string quoted).
        step: columns by which a nested mapping is indented.
        dash: columns by which the ``-`` of a sequence under a key is indented; 0 is flush with the key.
        eol: line end.
        literals: whether strings of several lines may be ``|`` blocks here.
        unit: flow and JSON over several lines: indentation added by each level; "" writes all on one line.
        tight: flow and JSON: no space behind ``,``, nor (JSON) behind ``:``.
    """

    form: str = BLOCK
    step: int = 2
    dash: int = 0
    eol: str = "\n"
    literals: bool = True
    unit: str = ""
    tight: bool = False


def render(value: Any, indent: int, style: Style) -> str:
    """Return the text of a plain value that starts at column ``indent``; no line break at its end.

    Args:
        value: null, bool, int, float, str, list, or dict with str keys; the order of keys is kept.
        indent: column, counted from 0, of the first character; following lines are indented to suit.
        style: manner of writing.
    """
    if style.form != BLOCK:
        return flow(value, " " * indent, style)
    return style.eol.join(block(value, indent, style))


def is_nested(value: Any) -> bool:
    """Whether a value is a mapping or sequence that is not empty: one that takes lines of its own in block style."""
    return isinstance(value, (dict, list)) and bool(value)


def block(value: Any, column: int, style: Style) -> list[str]:
    """Return the lines of a value in block style: the first without indentation, the others from ``column`` on."""
    lines: list[str] = []
    if is_nested(value):
        _children(lines, "", value, column, style)
    else:
        _leaf(lines, "", value, column or style.step, style)
    return lines


def entry(key: str, value: Any, column: int, style: Style) -> list[str]:
    """Return the lines of one mapping entry whose key starts at ``column``; all lines are indented."""
    lines: list[str] = []
    _entry(lines, " " * column + string(key, flow=False) + ":", value, column, style)
    return lines


def item(value: Any, column: int, style: Style, gap: str = " ") -> list[str]:
    """Return the lines of one sequence item whose ``-``, followed by ``gap``, starts at ``column``; all indented."""
    lines: list[str] = []
    _item(lines, " " * column + "-" + gap, value, column + 1 + len(gap), style)
    return lines


def _children(lines: list[str], head: str, value: Any, column: int, style: Style) -> None:
    """Add a filled container whose first child goes behind ``head`` on its line."""
    margin = " " * column
    if isinstance(value, dict):
        for key, child in value.items():
            _entry(lines, head + string(key, flow=False) + ":", child, column, style)
            head = margin
    else:
        for child in value:
            _item(lines, head + "- ", child, column + 2, style)
            head = margin


def _entry(lines: list[str], head: str, value: Any, column: int, style: Style) -> None:
    if is_nested(value):
        lines.append(head)
        inner = column + (style.step if isinstance(value, dict) else style.dash)
        _children(lines, " " * inner, value, inner, style)
    else:
        _leaf(lines, head + " ", value, column + style.step, style)


def _item(lines: list[str], head: str, value: Any, inner: int, style: Style) -> None:
    if is_nested(value):
        _children(lines, head, value, inner, style)
    else:
        _leaf(lines, head, value, inner, style)


def _leaf(lines: list[str], head: str, value: Any, column: int, style: Style) -> None:
    """Add a scalar or an empty container behind ``head``; content of a ``|`` block goes to ``column``."""
    found = literal(value) if style.literals and isinstance(value, str) else None
    if found is None:
        lines.append(head + word(value, flow=False))
        return
    header, content = found
    lines.append(head + header)
    lines.extend(" " * column + line if line else "" for line in content)


def word(value: Any, *, flow: bool) -> str:
    """Return a scalar or an empty container on one line."""
    if isinstance(value, str):
        return string(value, flow=flow)
    if isinstance(value, (dict, list)):
        return "[]" if isinstance(value, list) else "{}"
    return bare(value)


def flow(value: Any, margin: str, style: Style) -> str:
    """Return a value in flow style or as JSON; ``margin`` is the indentation of the line it starts on."""
    if not is_nested(value):
        return double_quoted(value) if style.form == JSON and isinstance(value, str) else word(value, flow=True)
    inner = margin + style.unit
    if isinstance(value, dict):
        parts = [flow_entry(key, child, inner, style) for key, child in value.items()]
    else:
        parts = [flow(child, inner, style) for child in value]
    left, right = "{}" if isinstance(value, dict) else "[]"
    if style.unit:
        return f"{left}{style.eol}{inner}{f',{style.eol}{inner}'.join(parts)}{style.eol}{margin}{right}"
    return left + comma(style).join(parts) + right


def flow_entry(key: str, value: Any, margin: str, style: Style) -> str:
    """Return ``key: value`` within braces."""
    name = double_quoted(key) if style.form == JSON else string(key, flow=True)
    colon = ":" if style.tight and style.form == JSON else ": "
    return name + colon + flow(value, margin, style)


def comma(style: Style) -> str:
    """Return what stands between two entries on one line."""
    return "," if style.tight else ", "
