r"""Bracketed classes of characters: ``[^a-z\d[:space:]]``."""

from __future__ import annotations

from dralign.cel.regex.charsets import POSIX, complement, folded, normal
from dralign.cel.regex.escapes import read_char, read_named_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.regex.charsets import Charset, Range
    from dralign.cel.regex.reader import Reader


def read_class(reader: Reader, fold: bool) -> Charset:
    """Read a class from ``[`` to ``]``."""
    start = reader.at
    reader.take()
    negated = reader.peek() == "^"
    if negated:
        reader.take()
    ranges: list[Range] = []
    is_first = True
    while reader.peek() != "]" or is_first:
        is_first = False
        known = _read_posix(reader, fold)
        if known is None and reader.peek() == "\\":
            known = read_named_class(reader, fold)
        if known is None:
            span = _read_range(reader, start)
            known = folded((span,)) if fold else (span,)
        ranges.extend(known)
    reader.take()
    charset = normal(ranges)
    return complement(charset) if negated else charset


def _read_posix(reader: Reader, fold: bool) -> Charset | None:
    """Read ``[:alpha:]`` or ``[:^alpha:]``; None if it is something else."""
    if not reader.sees("[:"):
        return None
    start = reader.at
    end = reader.text.find(":]", start + 2)
    if end < 0:
        return None
    name = reader.text[start + 2 : end]
    reader.at = end + 2
    charset = POSIX.get(name.removeprefix("^"))
    if charset is None:
        raise reader.wrong("invalid character class range", start)
    charset = folded(charset) if fold else charset
    return complement(charset) if name.startswith("^") else charset


def _read_range(reader: Reader, class_start: int) -> Range:
    start = reader.at
    first = last = _read_class_char(reader, class_start)
    if reader.peek() == "-" and reader.peek(1) not in ("", "]"):
        reader.take()
        last = _read_class_char(reader, class_start)
        if last < first:
            raise reader.wrong("invalid character class range", start)
    return ord(first), ord(last)


def _read_class_char(reader: Reader, class_start: int) -> str:
    if reader.is_done:
        raise reader.wrong_rest("missing closing ]", class_start)
    return read_char(reader) if reader.peek() == "\\" else reader.take()
