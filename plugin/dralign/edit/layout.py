"""The manner of a document: how far it indents, whether sequences are flush with their key, how its JSON is laid out."""

from __future__ import annotations

from dralign.edit.parts import Part
from dralign.edit.rendering import FLOW, JSON, Style
from dralign.edit.scalars import is_plain
from dralign.edit.scan import eol, line_start, over_blanks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.yamlio import Node

# Enough to know a document by; more would make a small edit of a large document slow.
_CONTAINERS_LOOKED_AT = 500
_CHILDREN_LOOKED_AT = 20


def block_style(text: str, root: Node) -> Style:
    """Return the style that most of a document's block mappings and sequences have.

    Where there is nothing to go by, it is that of sigs.k8s.io/yaml and kubectl: two columns, sequences flush.
    """
    steps: dict[int, int] = {}
    dashes: dict[int, int] = {}
    for node in _containers(root):
        if node.kind != "map" or node.style != "block":
            continue
        for key, value in node.entries[:_CHILDREN_LOOKED_AT]:
            if value.style == "block" and value.line > key.line:
                counts = steps if value.kind == "map" else dashes
                inner = value.column - node.column
                counts[inner] = counts.get(inner, 0) + 1
    step = max(steps, key=steps.__getitem__, default=2)
    dash = max(dashes, key=dashes.__getitem__, default=0)
    return Style(step=step, dash=dash, eol=eol(text, 0))


def _containers(root: Node) -> Iterator[Node]:
    """Yield the first containers of a document, level by level."""
    level = [root]
    left = _CONTAINERS_LOOKED_AT
    while level and left > 0:
        yield from level[:left]
        left -= len(level)
        below = [child for node in level[:_CONTAINERS_LOOKED_AT] for child in _children(node)]
        level = [child for child in below if not isinstance(child, Part) and (child.entries or child.items)]


def _children(node: Node) -> list[Node]:
    return node.items or [value for _, value in node.entries]


def flow_style(text: str, node: Node, outer: Style) -> Style:
    """Return how new values are written within a filled flow collection that stands in a place of style ``outer``."""
    first = node.entries[0][0] if node.entries else node.items[0]
    unit = ""
    if _is_spread(text, node) and not _keeps_nested_on_one_line(text, node):
        margin = indentation(text, first.prefix_start)
        unit = margin.removeprefix(indentation(text, node.start)) or outer.unit or " " * outer.step
    tight = _is_tight(text, node)
    return outer.replace(form=_form(node) or outer.form, unit=unit, tight=outer.tight if tight is None else tight)


def indentation(text: str, at: int) -> str:
    """Return the white space that the line of ``at`` begins with."""
    start = line_start(text, at)
    return text[start : over_blanks(text, start)]


def _is_spread(text: str, node: Node) -> bool:
    """Whether a flow collection has its first entry on a line of its own."""
    first = node.entries[0][0] if node.entries else node.items[0]
    return "\n" in text[node.start : first.prefix_start]


def _keeps_nested_on_one_line(text: str, node: Node) -> bool:
    filled = [child for child in _children(node)[:_CHILDREN_LOOKED_AT] if child.entries or child.items]
    return bool(filled) and not any(_is_spread(text, child) for child in filled)


def _is_tight(text: str, node: Node) -> bool | None:
    """Whether ``:`` or ``,`` is followed by no space; None where the collection does not show it."""
    if node.entries:
        key, value = node.entries[0]
        if key.style == '"' and value.prefix_start > key.end:
            return text[value.prefix_start - 1] == ":"
        starts = [other.prefix_start for other, _ in node.entries[:2]]
    else:
        starts = [item.prefix_start for item in node.items[:2]]
    return text[starts[1] - 1] == "," if len(starts) > 1 else None


def _form(node: Node) -> str | None:
    """Return whether the strings of a flow collection are quoted as in JSON; None where it has none to show it."""
    if node.entries:
        return JSON if node.entries[0][0].style == '"' else FLOW
    for item in node.items[:_CHILDREN_LOOKED_AT]:
        if item.kind != "scalar":
            found = _form(item)
        elif item.style:
            found = JSON if item.style == '"' else FLOW
        else:
            found = FLOW if is_plain(item.value, flow=True) else None
        if found:
            return found
    return None


def root_flow_style(style: Style, *, is_document: bool) -> Style:
    """Return the style that flow collections have which show none themselves: JSON where the document is one."""
    return style.replace(form=JSON if is_document else FLOW)
