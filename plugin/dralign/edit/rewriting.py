"""The way of an edit that takes the document's nodes: read, change, write, and read again."""

from __future__ import annotations

from itertools import groupby

from dralign.edit.anchors import move_anchors
from dralign.edit.blocks import write_value
from dralign.edit.canvas import Canvas
from dralign.edit.data import Data, same
from dralign.edit.draft import Draft, New
from dralign.edit.drafting import Drafting
from dralign.edit.levels import NoSuchMoveError, as_edits, is_move, move
from dralign.edit.operations import EditRefused
from dralign.edit.parts import has_parts, skeleton
from dralign.edit.reading import Reader, last_scalar
from dralign.edit.replacing import ROOT, Place
from dralign.errors import InputError
from dralign.yamlio import compose, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.edit.operations import Operation
    from dralign.yamlio import Node


def rewrite(text: str, operations: Sequence[Operation], dialect: str, file: str = "-") -> str:
    """Return the text of a document with the operations done in order; see :func:`dralign.edit.apply`.

    Raises:
        EditRefused: an operation leads nowhere, or the text cannot be changed without changing something else.
        InputError: the text cannot be read.
    """
    if not operations:
        return _changed(text, (), dialect, file)
    for moves, batch in groupby(operations, is_move):
        text = (_moved if moves else _changed)(text, tuple(batch), dialect, file)
    return text


def _changed(text: str, operations: Sequence[Operation], dialect: str, file: str) -> str:
    """Return the text with operations done that write something new or take something out."""
    data = load(text, dialect, file, 1).value
    root = skeleton(text, dialect, data)
    if root is not None:
        try:
            return _edited(text, root, Data(data), operations, dialect)
        except _WrongTextError:
            pass  # what looked like a list of items was something else
    try:
        return _edited(text, compose(text, dialect, file, 1), Data(data), operations, dialect)
    except _WrongTextError as error:
        raise EditRefused(f"the edited text {error}") from error


class _WrongTextError(Exception):
    """The text would not read as the edited data does."""


def _edited(text: str, root: Node, data: Data, operations: Sequence[Operation], dialect: str) -> str:
    """Return the edited text, read again and found right."""
    drafting = Drafting(root, data, Reader(text, dialect), has_parts=has_parts(root))
    try:
        if not drafting.perform(operations):
            return text
        written = _written(text, drafting, root)
    except RecursionError:
        raise EditRefused("the document is nested too deeply") from None
    _check(written, data.value, dialect)
    return written


def _moved(text: str, moves: Sequence[Operation], dialect: str, file: str) -> str:
    """Return the text with entries moved; written anew where the text cannot be moved as it stands."""
    read = load(text, dialect, file, 1).value
    data = Data(read)
    if sum(map(data.perform, moves)) == 0:
        return text
    root = skeleton(text, dialect, read) or compose(text, dialect, file, 1)
    end = "" if text.endswith("\n") or not text else _line_break(text)
    canvas = Canvas(text + end, root, set(), open_end=bool(end))
    try:
        move(canvas, root, Reader(canvas.text, dialect), moves)
        written = canvas.close(root).removesuffix(end)
        _check(written, data.value, dialect)
    except (NoSuchMoveError, EditRefused, _WrongTextError):
        return _changed(text, as_edits(read, moves), dialect, file)
    return written


def _check(text: str, wanted: Any, dialect: str) -> None:
    try:
        found = load(text, dialect, "-", 1).value
    except InputError as error:
        raise _WrongTextError(f"could not be read: {error.message}") from error
    if not same(found, wanted):
        raise _WrongTextError("would not say what was asked for")


def _written(text: str, drafting: Drafting, root: Node) -> str:
    """Return the text that the drafts amount to."""
    moved = move_anchors(drafting) if "*" in text and "&" in text and not has_parts(root) else set()
    end = "" if text.endswith("\n") or not text else _line_break(text)
    canvas = Canvas(text + end, root, moved, open_end=bool(end))
    write_value(canvas, drafting.root.value, root, Place(ROOT, -1, -1))
    written = canvas.close(root)
    return written if end and _needs_line_break(drafting.root.value, text, written) else written.removesuffix(end)


def _needs_line_break(value: Node | Draft | New, old: str, text: str) -> bool:
    """Whether a text ends with a block scalar to which its line break belongs, which was not the last of the old."""
    while isinstance(value, Draft) and value.slots:
        value = value.slots[-1].value
    if isinstance(value, (Draft, New)):
        return False
    last = last_scalar(value)
    end = text.rstrip().rpartition("\n")[2].strip()
    is_block = last.style in ("|", ">") and last.value.endswith("\n") and last.end < len(old)
    return is_block and last.value.rstrip().endswith(end)


def _line_break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
