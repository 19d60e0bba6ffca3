"""A stream that kubectl takes for JSON: values one after another, or YAML after the first.

Source: ``YAMLOrJSONDecoder.Decode`` of k8s.io/apimachinery v0.37.2. What is no JSON value after one value or none is
read as YAML from there on; after two it is an error. Before the YAML, white space up to the first line break is eaten,
which needs four bytes to be left.
"""

from __future__ import annotations

from dralign.yamlio.dialects import JSON, KUBECTL, SIGS
from dralign.yamlio.jsonvalues import SPACE, JsonError, value_end
from dralign.yamlio.streams import Chunk, cut

_NEEDED_BYTES = 4


def split_json(text: str, file: str) -> list[Chunk]:
    """Cut a stream whose first character, white space aside, is a brace.

    Raises:
        InputError: something after two values is no value.
    """
    chunks: list[Chunk] = []
    bound = len(text.rstrip(SPACE))
    start = 0
    line = 1
    while start < bound:
        try:
            end = value_end(text, start)
        except JsonError as error:
            if len(chunks) > 1 or not _yaml_may_follow(text, start):
                raise error.at(text, file) from error
            return _with_rest(text, start, chunks, file)
        chunks.append(Chunk(start, end if end < bound else len(text), line, JSON))
        line += text.count("\n", start, end)
        start = end
    return chunks


def _yaml_may_follow(text: str, at: int) -> bool:
    end = _behind_space(text, at)
    last = end - 1 if end > at and text[end - 1] == "\n" else end
    return len(text[last : last + _NEEDED_BYTES].encode()) >= _NEEDED_BYTES


def _behind_space(text: str, at: int) -> int:
    """Offset behind white space, or behind the first line break in it."""
    while text[at : at + 1].isspace():
        at += 1
        if text[at - 1] == "\n":
            break
    return at


def _with_rest(text: str, start: int, chunks: list[Chunk], file: str) -> list[Chunk]:
    """Cut what follows as YAML. White space before it goes with the value before it."""
    at = _behind_space(text, start)
    rest = [_kept(text, chunk, at) for chunk in cut(text, at, KUBECTL, file)]
    if not chunks:
        return [rest[0].replace(start=0, line=1), *rest[1:]]
    return [*chunks[:-1], chunks[-1].replace(end=at), *rest]


def _kept(text: str, chunk: Chunk, start: int) -> Chunk:
    """Leave a separator that starts the YAML to YAML, as kubectl does."""
    return chunk.replace(dialect=SIGS) if chunk.start == start and text.startswith("---", start) else chunk
