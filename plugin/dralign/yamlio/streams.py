"""A stream cut into its documents, as each reader cuts it.

Sources: ``YAMLReader`` and ``YAMLOrJSONDecoder`` of k8s.io/apimachinery v0.37.2 (kubectl), ``splitDocuments`` of
kyaml's ``kio`` v0.21.1 (kustomize). Both take any line that starts with ``---`` for a separator and allow nothing but a
comment behind it; both hand a separator on to the YAML reader where no text stands before it.
"""

from __future__ import annotations

from dralign.errors import InputError
from dralign.record import Record
from dralign.yamlio.dialects import KUBECTL, KYAML, KYAML_NODE, SIGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SEPARATOR = "---"
_BEHIND_DASHES = ("", " ", "\t", "\r", "\n")
_SHOWN = 60
_JSON_LOOKAHEAD = 4096
"""Bytes in which kubectl looks for the brace that makes a stream JSON."""


class Chunk(Record):
    """One document of a stream: ``text[start:end]``, with the ``---`` line it begins with.

    Attributes:
        start, end: offsets in characters; the chunks of a stream joined are its text.
        line: 1-based line of the first character.
        dialect: the one to load it with: the stream's own, or ``JSON`` for a value of a JSON stream.
    """

    start: int
    end: int
    line: int
    dialect: str


def split(text: str, dialect: str, file: str = "-") -> list[Chunk]:
    """Cut a stream into its documents; those without content (comments, blank lines) are chunks too.

    Args:
        text: the whole stream.
        dialect: whose rules it is cut by; ``KYAML_NODE`` does not cut.
        file: name for errors.

    Raises:
        InputError: a separator with something else than a comment behind it, or a broken JSON stream.
    """
    if dialect == KUBECTL and text[:_JSON_LOOKAHEAD].lstrip()[:1] == "{":
        from dralign.yamlio.jsonstream import split_json  # noqa: PLC0415  JSON streams are rare

        return split_json(text, file)
    return list(cut(text, 0, dialect, file))


def cut(text: str, start: int, dialect: str, file: str) -> Iterator[Chunk]:
    """Cut the YAML that starts at an offset."""
    line = text.count("\n", 0, start) + 1
    for at in () if dialect == KYAML_NODE else _separators(text, start, dialect, file):
        yield Chunk(start, at, line, dialect)
        line += text.count("\n", start, at)
        start = at
    yield Chunk(start, len(text), line, dialect)


def _separators(text: str, start: int, dialect: str, file: str) -> Iterator[int]:
    """Offsets of the separators that start another document."""
    no_text_before = start
    for at, end in _separator_lines(text, start):
        rest = text[at + len(_SEPARATOR) : end]
        if dialect == SIGS:
            kept, well_formed = at == start, rest[:1] in _BEHIND_DASHES
        else:
            kept = at == no_text_before or (dialect == KYAML and rest[-1:] != "\n")
            well_formed = (kept and dialect == KYAML) or rest.strip()[:1] in ("", "#")
        if not well_formed:
            raise _malformed(text, at, file)
        if not kept:
            yield at
            no_text_before = end


def _separator_lines(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Start and end of each line that starts with three dashes."""
    at = start if text.startswith(_SEPARATOR, start) else _next_separator(text, start)
    while at >= 0:
        end = text.find("\n", at) + 1 or len(text)
        yield at, end
        at = end if text.startswith(_SEPARATOR, end) else _next_separator(text, end)


def _next_separator(text: str, start: int) -> int:
    at = text.find("\n---", start)
    return at if at < 0 else at + 1


def _malformed(text: str, at: int, file: str) -> InputError:
    end = text.find("\n", at)
    shown = text[at : end if end >= 0 else None].strip()[:_SHOWN]
    line = text.count("\n", 0, at) + 1
    return InputError(f"malformed separator '{shown}': only a comment may follow '---'", file, line, 1)
