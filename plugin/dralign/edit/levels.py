"""Entries moved one level down or up as text: their lines shift, and comments, quotes and anchors go with them.

What has no such form (entries that a merge brings beside others, a value behind an alias) is left to the operations that
write data anew: :func:`as_edits` says the same with those.
"""

from __future__ import annotations

from dralign.edit.data import Data
from dralign.edit.entries import BlockEntries, FlowEntries
from dralign.edit.layout import flow_style, indentation, root_flow_style
from dralign.edit.operations import Lift, Nest, Remove, Set
from dralign.edit.parts import Part
from dralign.edit.rendering import JSON
from dralign.edit.scalars import double_quoted, string
from dralign.edit.scan import begins_line, eol, indicator, is_blank, line_start, line_stop, next_line, over_blanks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from dralign.edit.canvas import Canvas
    from dralign.edit.operations import Operation, Path
    from dralign.edit.reading import Reader
    from dralign.yamlio import Node

    Group = tuple[int, int]


class NoSuchMoveError(Exception):
    """The text cannot be moved as it stands."""


def is_move(operation: Operation) -> bool:
    """Whether an operation moves text."""
    return isinstance(operation, (Nest, Lift))


def as_edits(data: Any, moves: Sequence[Operation]) -> list[Operation]:
    """Return edits that write anew what the moves would move; all of them see what those before have done."""
    document = Data(data)
    edits: list[Operation] = []
    for move in moves:
        made: list[Operation] = []
        if isinstance(move, Nest):
            inner = {key: document.at((*move.path, key)) for key in move.keys}
            made += (Remove((*move.path, key)) for key in inner)
            made.append(Set((*move.path, move.under), inner))
        else:
            inner = document.at(move.path)
            made.append(Remove(move.path))
            made += (Set((*move.path[:-1], key), value) for key, value in inner.items())
        for edit in made:
            document.perform(edit)
        edits += made
    return edits


def move(canvas: Canvas, root: Node, reader: Reader, moves: Sequence[Operation]) -> None:
    """Write moves into a text. A mapping that several paths lead to, by anchor and alias, moves once.

    Raises:
        NoSuchMoveError: one of them has no form as text.
    """
    done: set[tuple[int, str]] = set()
    for operation in moves:
        above = operation.path if isinstance(operation, Nest) else operation.path[:-1]
        node = _node_at(root, above, reader)
        mark = operation.under if isinstance(operation, Nest) else str(operation.path[-1])
        if (id(node), mark) in done:
            continue
        done.add((id(node), mark))
        if isinstance(operation, Nest):
            groups = _groups(_moved(node, operation.keys, reader))
            (_nest_flow if node.style == "flow" else _nest_block)(canvas, node, groups, operation.under)
        else:
            (_lift_flow if node.style == "flow" else _lift_block)(canvas, node, _entry(node, mark, reader))


# --- finding the place


def _node_at(root: Node, path: Path, reader: Reader) -> Node:
    """Return the filled mapping at a path, aliases on the way followed."""
    node = root.referent
    for step in path:
        if isinstance(step, str):
            node = node.entries[_entry(node, step, reader)][1]
        elif step < len(node.items):
            node = node.items[step]
        else:  # readers see a list where nothing of it is written, as below an alias of an alias
            raise NoSuchMoveError
        node = node.compose() if isinstance(node, Part) else node.referent
    if not node.entries or reader.is_bare_pair(node):
        raise NoSuchMoveError
    return node


def _entry(node: Node, name: str, reader: Reader) -> int:
    """Return the number of a mapping's own entry for a key that is there once."""
    found = [i for i, (key, _) in enumerate(node.entries) if not reader.is_merge(key) and reader.key(key) == name]
    if len(found) != 1:
        raise NoSuchMoveError
    return found[0]


def _moved(node: Node, keys: Sequence[str], reader: Reader) -> list[int]:
    """Return the numbers of the entries that bring ``keys``: own ones, and merges that bring nothing else."""
    moved, left = [], set(keys)
    for i, (key, value) in enumerate(node.entries):
        names = set(reader.merged_names(value)) if reader.is_merge(key) else {reader.key(key)}
        if names.isdisjoint(keys):
            continue
        if not names.issubset(keys):
            raise NoSuchMoveError
        moved.append(i)
        left.difference_update(name for name in names if name)
    if left:
        raise NoSuchMoveError
    return moved


def _groups(numbers: Sequence[int]) -> list[Group]:
    """Return first and last number of each run of neighbours."""
    groups: list[Group] = []
    for number in numbers:
        if groups and groups[-1][1] == number - 1:
            groups[-1] = (groups[-1][0], number)
        else:
            groups.append((number, number))
    return groups


# --- down


def _nest_block(canvas: Canvas, node: Node, groups: Sequence[Group], under: str) -> None:
    """Indent the lines of the first group below a new key; those of the others come behind it."""
    text, entries = canvas.text, BlockEntries(canvas.text, node)
    first, last = groups[0]
    at, behind = entries.start(first), next_line(text, entries.end(last))
    step = canvas.style(node.column, behind).step
    canvas.splices.insert(at, f"{string(under, flow=False)}:{eol(text, at)}{' ' * (node.column + step)}")
    for line in _filled_lines(text, line_stop(text, at), behind):
        canvas.splices.insert(line, " " * step)
    for start, end in groups[1:]:
        lines_at = _head(text, entries, start)
        lines_end = next_line(text, entries.end(end))
        lines = text[lines_at:lines_end]
        canvas.splices.insert(behind, _shifted(lines, 0, " " * step))
        canvas.splices.delete(lines_at, lines_end)


def _head(text: str, entries: BlockEntries, number: int) -> int:
    """Offset of the first comment line right above an entry, or of its own line."""
    at, least = line_start(text, entries.start(number)), next_line(text, entries.end(number - 1))
    while at > least:
        above = line_start(text, at - 1)
        content = over_blanks(text, above)
        if text[content] != "#" or content - above < entries.column:
            break
        at = above
    return at


def _nest_flow(canvas: Canvas, node: Node, groups: Sequence[Group], under: str) -> None:
    """Put the first group in braces behind a new key; the others come behind it, within the braces."""
    text, entries = canvas.text, FlowEntries(canvas.text, node)
    style = flow_style(text, node, root_flow_style(canvas.style(0, node.end), is_document=False))
    (first, last), others = groups[0], groups[1:]
    at, behind = entries.start(first), entries.end(last)
    is_json = style.form == JSON
    key = double_quoted(under) if is_json else string(under, flow=True)
    head = key + (":" if style.tight and is_json else ": ") + "{"
    pieces = [text[entries.start(start) : entries.end(end)] for start, end in others]
    if begins_line(text, at):
        margin = indentation(text, at)
        unit = margin.removeprefix(indentation(text, node.start)) or "  "
        line = eol(text, at) + margin
        canvas.splices.insert(at, head + line + unit)
        for start in _filled_lines(text, line_stop(text, at), behind):
            canvas.splices.insert(start, unit)
        canvas.splices.insert(behind, "".join(f",{line}{unit}{_shifted(piece, 1, unit)}" for piece in pieces) + line)
    else:
        canvas.splices.insert(at, head)
        canvas.splices.insert(behind, "".join(("," if style.tight else ", ") + piece for piece in pieces))
    canvas.splices.insert(behind, "}")
    for start, end in others:
        _cut(canvas, entries, start, end)


def _cut(canvas: Canvas, entries: FlowEntries, first: int, last: int) -> None:
    """Take out entries that stand behind others, with one comma."""
    text = canvas.text
    if last + 1 < len(entries.values):
        start, end = entries.start(first), entries.start(last + 1)
    else:
        start, end = entries.end(first - 1), entries.end(last)
    if "#" in text[start : entries.start(first)] + text[entries.end(last) : end]:
        raise NoSuchMoveError
    canvas.splices.delete(start, end)


# --- up


def _lift_block(canvas: Canvas, node: Node, number: int) -> None:
    """Take a key out, and pull the lines below it back."""
    text, entries = canvas.text, BlockEntries(canvas.text, node)
    value, start = entries.values[number], entries.start(number)
    if not value.entries or value.prefix_start != value.start:
        raise NoSuchMoveError
    if value.style == "flow":
        _open(canvas, node, value, start)
        return
    colon = indicator(text, entries.keys[number].end, value.start, ":")
    comment = over_blanks(text, colon + 1)
    lines_at = line_stop(text, start)
    if not is_blank(text, comment, lines_at):
        canvas.splices.delete(start, comment)
    elif begins_line(text, start):
        canvas.splices.delete(line_start(text, start), lines_at)
    else:
        canvas.splices.delete(start, value.start)
        lines_at = line_stop(text, value.start)
    for line in _filled_lines(text, lines_at, next_line(text, value.end)):
        canvas.splices.delete(line, min(over_blanks(text, line), line + value.column - node.column))


def _open(canvas: Canvas, node: Node, value: Node, start: int) -> None:
    """Write the entries of a braced mapping on lines of their own."""
    text = canvas.text
    if "\n" in text[value.start : value.end]:
        raise NoSuchMoveError
    inner = FlowEntries(text, value)
    pieces = [text[inner.start(i) : inner.end(i)] for i in range(len(inner.values))]
    canvas.splices.replace(start, value.end, f"{eol(text, start)}{' ' * node.column}".join(pieces))


def _lift_flow(canvas: Canvas, node: Node, number: int) -> None:
    """Take a key and the braces behind it out."""
    text, entries = canvas.text, FlowEntries(canvas.text, node)
    value, start = entries.values[number], entries.start(number)
    if not value.entries or value.prefix_start != value.start or text[value.start] != "{":
        raise NoSuchMoveError
    inner = FlowEntries(text, value)
    first, end = inner.start(0), inner.end(len(inner.values) - 1)
    if "#" in text[start:first].partition("{")[2] + text[end : value.end]:
        raise NoSuchMoveError
    canvas.splices.delete(start, first)
    canvas.splices.delete(end, value.end)
    if begins_line(text, first) and begins_line(text, start):
        extra = len(indentation(text, first)) - len(indentation(text, start))
        for line in _filled_lines(text, line_stop(text, first), end):
            canvas.splices.delete(line, min(over_blanks(text, line), line + max(extra, 0)))


# --- lines


def _filled_lines(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets of the lines, from one that starts at ``start`` on, that begin before ``end`` and are not empty."""
    while start < end:
        if text[start] not in "\r\n":
            yield start
        start = line_stop(text, start)


def _shifted(lines: str, first: int, margin: str) -> str:
    """Return lines with ``margin`` before each that is not empty, from the one numbered ``first`` on."""
    parts = lines.splitlines(keepends=True)
    return "".join(margin + part if i >= first and part.strip("\r\n") else part for i, part in enumerate(parts))
