"""A long list of objects cut into its items by their indentation, so that it need not be read as a whole.

The form is that of ``kubectl get -o yaml`` and ``-o json`` and of ``dralign inventory capture``: one List, ``items:`` at the
start of a line, each item on lines of its own. What is written in any other form is not cut. A cut can go wrong only in
text that a reader refuses then (a quoted scalar or a bracket that goes on at the start of a line), since each item is read
by itself, by the same reader as the whole; who cuts must read the whole where one is refused.
"""

from __future__ import annotations

from itertools import chain

from dralign.errors import InputError
from dralign.record import Record
from dralign.yamlio.decoding import decode
from dralign.yamlio.dialects import JSON, KUBECTL
from dralign.yamlio.loading import load
from dralign.yamlio.streams import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

_OPENINGS = (b"items:", b'"items": [')
"""The line before the first item, in YAML and in JSON."""

_CLOSINGS = {b"{": (b"}", b"},")}
"""How an item ends that starts with a mark; in YAML it just ends."""

_MOST_AROUND = 64 * 1024
"""Bytes of what may stand around the items: a List says little of itself."""


class Span(Record):
    """Where one item stands: from which byte, on which line (from 1), to which byte; whether it is the last."""

    start: int
    line: int
    end: int
    last: bool


class Cut(Record):
    """A list that was cut.

    Attributes:
        dialect: the one to read the items with.
        around: the list without its items, as plain data.
        spans: where the items stand.
    """

    dialect: str
    around: dict[str, Any]
    spans: tuple[Span, ...]

    def text(self, file: BinaryIO, span: Span, name: str) -> str:
        """Return an item as the text of a list that has no other, so that nothing can stand beside it unseen.

        Lines and columns are those of the file.

        Raises:
            InputError: it is no text, or not what ends an item.
        """
        file.seek(span.start)
        text = decode(file.read(span.end - span.start), name).text
        if self.dialect != JSON:
            return text
        body = text.rstrip()
        if body[-1:] != ("}" if span.last else ","):
            raise InputError("want ',' between items, and none behind the last", name, span.line)
        return body.removesuffix(",").replace(" {", "[{", 1) + "]"


def cut_list(file: BinaryIO, name: str) -> Cut | None:
    """Find the items of a file that holds one List; None where it does not, or in another form."""
    file.seek(0)
    head, opening = b"", b""
    while len(head) <= _MOST_AROUND and opening.strip() not in _OPENINGS:
        opening = file.readline()
        if not opening:
            return None
        head += opening
    is_json = head.lstrip()[:1] == b"{"
    if opening.strip() != _OPENINGS[is_json] or not (is_json or opening.startswith(_OPENINGS[0])):
        return None
    spans, rest = _items(file, len(head), head.count(b"\n") + 1, b"{" if is_json else b"- ")
    if not spans or len(rest) > _MOST_AROUND:
        return None
    around = _around(head + rest, name)
    return Cut(JSON if is_json else KUBECTL, around, spans) if around is not None else None


def _items(file: BinaryIO, start: int, number: int, mark: bytes) -> tuple[tuple[Span, ...], bytes]:
    """Return the items that start at an offset, on a line of that number, and what stands behind the last."""
    first = file.readline()
    while first and _is_blank(first):
        start, number, first = start + len(first), number + 1, file.readline()
    indent = first[: len(first) - len(first.lstrip(b" "))]
    if mark == b"{" and not indent:
        return (), b""
    begins, deeper, closes = indent + mark, indent + b" ", tuple(indent + end for end in _CLOSINGS.get(mark, ()))
    starts: list[tuple[int, int]] = []
    at, is_open, behind = start, False, b""
    for line in chain((first,), file):
        if not line.startswith(deeper):
            if line.startswith(begins) and not (closes and is_open):
                starts.append((at, number))
                is_open = True
            elif is_open and line.rstrip() in closes:
                is_open = False
            elif not starts or not _is_blank(line):
                behind = line
                break
        at += len(line)
        number += 1
    ends = (*(at for at, _ in starts[1:]), at)
    spans = tuple(Span(*begun, end, end == at) for begun, end in zip(starts, ends, strict=False))
    return spans, behind + file.read(_MOST_AROUND + 1)


def _is_blank(line: bytes) -> bool:
    """Say whether a line is empty or a comment; in JSON no reader takes a comment."""
    return line.strip(b" \r\n")[:1] in (b"", b"#")


def _around(text: bytes, name: str) -> dict[str, Any] | None:
    """Return what a list says without its items; None where more than a list stands there."""
    try:
        whole = decode(text, name).text
        chunks = split(whole, KUBECTL, name)
        if len(chunks) != 1:
            return None
        found = load(whole, chunks[0].dialect, name)
    except InputError:
        return None
    value = found.value
    is_list = isinstance(value, dict) and "items" in value and not value["items"] and not found.duplicates
    return value if is_list else None
