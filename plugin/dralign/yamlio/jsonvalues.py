"""JSON values as Go's ``encoding/json`` reads them, which is what kubectl does with a stream that starts with ``{``."""

from __future__ import annotations

from dralign.errors import InputError
from dralign.yamlio.limits import MAX_NESTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.yamlio.nodes import Node

SPACE = " \t\n\r"


class JsonError(Exception):
    """Why a text is no JSON value, and at which offset."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset

    def at(self, text: str, file: str | None, line: int = 1) -> InputError:
        """Return the error with its place in a file; ``line`` is that of the text in it."""
        before = text[: self.offset]
        return InputError(self.message, file, line + before.count("\n"), self.offset - before.rfind("\n"))


def load_json(text: str, file: str, line: int) -> Any:
    """Return the plain data of one value; of a name that stands twice the last counts.

    Raises:
        InputError: it is no JSON value.
    """
    try:
        return _value(text, 0)[0]
    except JsonError as error:
        raise error.at(text, file, line) from error


def compose_json(text: str, file: str, line: int) -> Node:
    """Return one value as nodes.

    Raises:
        InputError: it is no JSON value.
    """
    from dralign.yamlio.jsonnodes import JsonComposer  # noqa: PLC0415  for edits only
    from dralign.yamlio.respelling import line_starts  # noqa: PLC0415  likewise

    try:
        return JsonComposer(text, 0, line_starts(text)).run()
    except JsonError as error:
        raise error.at(text, file, line) from error


def value_end(text: str, start: int) -> int:
    """Return the offset behind the value that starts at an offset or in the white space there.

    Raises:
        JsonError: it is no JSON value.
    """
    return _value(text, start)[1]


def plain_scalar(word: str) -> Any:
    """Return the value of a string, number or name as written.

    Raises:
        ValueError: it is none of them.
    """
    value, end = _decoder().raw_decode(word)
    if end != len(word):
        raise ValueError(word)
    return _without_surrogates(value)


def _value(text: str, start: int) -> tuple[Any, int]:
    at = start
    while at < len(text) and text[at] in SPACE:
        at += 1
    try:
        value, end = _decoder().raw_decode(text, at)
        if text.count("{", at, end) + text.count("[", at, end) > MAX_NESTING and _depth(value) > MAX_NESTING:
            raise RecursionError  # noqa: TRY301  it is deeper than Go reads, which some Pythons do not mind
    except (RecursionError, ValueError):
        from dralign.yamlio.jsonnodes import JsonComposer, node_value  # noqa: PLC0415  deep, or to be explained

        composer = JsonComposer(text, at, [0])
        return node_value(composer.run()), composer.end
    return (_without_surrogates(value) if "\\u" in text else value), end


def _depth(value: Any) -> int:
    """Return how many collections stand within each other at most."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, (dict, list))]:
        depth += 1
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return depth


def _decoder() -> Any:
    import json  # noqa: PLC0415  JSON streams are rare

    return json.JSONDecoder(parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's


def _without_surrogates(value: Any) -> Any:
    """Replace halves of surrogate pairs, which no UTF-8 can hold, as Go does."""
    root = [value]
    pending: list[Any] = [root]
    while pending:
        found = pending.pop()
        for key, child in list(found.items() if isinstance(found, dict) else enumerate(found)):
            if isinstance(child, (dict, list)):
                pending.append(child)
            elif isinstance(child, str):
                found[key] = _whole(child)
        if isinstance(found, dict) and any(_whole(key) != key for key in found):
            entries = [(_whole(key), child) for key, child in found.items()]
            found.clear()
            found.update(entries)
    return root[0]


def _whole(text: str) -> str:
    return text if text.isascii() else "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
