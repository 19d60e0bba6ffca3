"""Scalars seen before: most documents say the same few things over and over."""

from __future__ import annotations

from dralign.yamlio.builder import Rules, Unusual
from dralign.yamlio.keys import key_text
from dralign.yamlio.scalars import resolve_v2, resolve_v3
from dralign.yamlio.timestamps import ScalarError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_ENOUGH = 50_000


class Memo(dict[str, "Any"]):
    """Plain scalar -> what it means; worked out at first sight."""

    def __init__(self, resolve: Callable[[str], Any]) -> None:
        super().__init__()
        self._resolve = resolve

    def __missing__(self, text: str) -> Any:
        if "?" in text:
            raise Unusual  # inside brackets go-yaml takes it for a key
        value = self._resolve(text)
        if len(self) >= _ENOUGH:
            self.clear()
        self[text] = value
        return value


def _value_v2(text: str) -> Any:
    kind, value = resolve_v2(text)
    if kind == "float" and value - value != 0:
        raise Unusual  # JSON has no such number
    return value


def _key_v2(text: str) -> str:
    key = key_text(*resolve_v2(text))
    if key is None or text == "<<":
        raise Unusual
    return key


def _value_v3(text: str) -> Any:
    try:
        kind, value = resolve_v3(text)
    except ScalarError as error:
        raise Unusual from error
    if not text or (kind == "float" and value - value != 0) or (kind == "timestamp" and ":" in text):
        raise Unusual  # JSON has no such number, and the others come back as strings from inside brackets
    return value


def _key_v3(text: str) -> str:
    try:
        kind, _ = resolve_v3(text)
    except ScalarError as error:
        raise Unusual from error
    if kind != "str":
        raise Unusual
    return text


KEYS_V2, KEYS_V3 = Memo(_key_v2), Memo(_key_v3)
V2 = Rules(Memo(_value_v2), KEYS_V2, "-", whole=False)
V3 = Rules(Memo(_value_v3), KEYS_V3, ">", whole=True)
