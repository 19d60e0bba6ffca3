"""Edits of a text: by looking at its lines where that is enough, else by its nodes."""

from __future__ import annotations

from dralign.edit.data import plain, same
from dralign.edit.lines import with_keys
from dralign.errors import InputError
from dralign.yamlio import JSON, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.edit.operations import Operation

_UNREAD = object()


def apply(text: str, operations: Sequence[Operation], dialect: str, file: str = "-", data: Any = _UNREAD) -> str:
    """Return the text of one YAML or JSON document with the operations done in order.

    Only what the operations name is rewritten: all other lines, comments, quotes and line ends come back as they were.
    The result is read again and must be exactly the edited data.

    Args:
        text: one document, with its ``---`` line if it has one.
        operations: each sees what those before it have done.
        dialect: whose rules the document is read by, see :mod:`dralign.yamlio`.
        file: its name, for errors.
        data: what the text reads as, where the caller knows.

    Raises:
        EditRefused: an operation leads nowhere, or the text cannot be changed without changing something else.
        InputError: the text cannot be read.
    """
    known = load(text, dialect, file, 1).value if data is _UNREAD else data
    written = with_keys(text, operations, known) if dialect != JSON else None
    if written is not None and _reads_as(written, plain(known, operations), dialect):
        return written
    from dralign.edit.rewriting import rewrite  # noqa: PLC0415 -- most runs do nothing but set their marks

    return rewrite(text, operations, dialect, file)


def _reads_as(text: str, wanted: Any, dialect: str) -> bool:
    try:
        return same(load(text, dialect, "-", 1).value, wanted)
    except InputError:
        return False
