"""What can be done to a document, as data.

A path is a tuple of keys (str) and indices (int) inside one document; ``()`` is the document itself. Operations say what
changes in the data; where and how the text changes is worked out by :func:`dralign.edit.apply`.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Path = tuple[str | int, ...]


class EditRefused(Exception):  # noqa: N818  an answer that callers report as the reason of a fix held back, no fault
    """The edit cannot be made, or not without changing something else. ``reason`` is one line in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Set(Record):
    """Put ``value`` at ``path``.

    A missing last key is added at the end of its mapping; mappings on the way that are missing or null are made.
    An index must exist.
    """

    path: Path
    value: Any


class Append(Record):
    """Add ``value`` at the end of the sequence at ``path``; a sequence that is missing or null is made."""

    path: Path
    value: Any


class Insert(Record):
    """Put ``value`` before the item at ``path``, which ends in an index; the sequence's length as index appends."""

    path: Path
    value: Any


class Remove(Record):
    """Take out the key or item at ``path``; a container that loses its last one stays, empty."""

    path: Path


class Rename(Record):
    """Give the entry at ``path`` the key ``key``; its value, comments and place stay. ``key`` must not exist yet."""

    path: Path
    key: str


class Nest(Record):
    """Move the entries ``keys`` of the mapping at ``path`` into a new mapping under the key ``under``.

    It takes the place of the first of them; their text, comments and anchors go along. ``under`` must not exist yet.
    """

    path: Path
    keys: tuple[str, ...]
    under: str


class Lift(Record):
    """Put the entries of the mapping at ``path`` in its own place, one level up; none of their keys may be there yet."""

    path: Path


if TYPE_CHECKING:
    Operation = Set | Append | Insert | Remove | Rename | Nest | Lift


def describe(path: Path) -> str:
    """Return the path as people write it: ``spec.devices.requests[0]``; the document itself is ``the document``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or "the document"
