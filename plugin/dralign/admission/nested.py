"""JSON of values that are nested more deeply than recursion goes: parameters of drivers may have 10,000 levels."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def compact_json(value: Any) -> str:
    """Return compact JSON of a value of any depth; what JSON has no form for is written as its text."""
    written: list[str] = []
    todo: list[tuple[bool, Any]] = [(False, value)]  # what is left to write, last first: text, or a value
    while todo:
        is_text, item = todo.pop()
        if is_text:
            written.append(item)
        elif isinstance(item, dict):
            todo.append((True, "}"))
            for key, inner in reversed(item.items()):
                todo += [(False, inner), (True, f"{json.dumps(key, ensure_ascii=False)}:"), (True, ",")]
            _open(todo, written, "{", filled=bool(item))
        elif isinstance(item, list):
            todo.append((True, "]"))
            for inner in reversed(item):
                todo += [(False, inner), (True, ",")]
            _open(todo, written, "[", filled=bool(item))
        else:
            written.append(json.dumps(item, ensure_ascii=False, default=str))
    return "".join(written)


def _open(todo: list[tuple[bool, Any]], written: list[str], bracket: str, *, filled: bool) -> None:
    """Write an opening bracket, in the place of the comma before the first entry."""
    if filled:
        todo.pop()
    written.append(bracket)
