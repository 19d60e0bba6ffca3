r"""Which documents can be left unparsed: those in which no scalar can hold any of a set of words.

A word may hide behind an escape of a double-quoted scalar (in JSON, ``\/`` too), or in base64 behind the tag
``!!binary``, which may itself hide behind a ``%TAG`` line or a ``%62`` in the tag. A document with any of those is
parsed. Folded lines meet with a space between them, so a word with spaces is there if its parts are. Anchors, aliases
and merges only repeat what stands in the document; but an alias without its anchor is a fault that every reader refuses,
and only parsing tells it from a star in a text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ESCAPES = (
    b"\\x",
    b"\\u",
    b"\\U",
    b"\\/",
    b"\\\n",
    b"\\\r",
    b"\\\xc2\x85",  # next line
    b"\\\xe2\x80\xa8",  # line separator
    b"\\\xe2\x80\xa9",  # paragraph separator
)


class Sieve:
    """Words and hiding places that stand anywhere in a text, looked for in each of its documents.

    Those met before come first. What stands nowhere is sorted out once there is a second document without any of them:
    until then, looking through the whole text for each word would be most of the work.
    """

    __slots__ = ("_aliases", "_data", "_met", "_misses", "_others", "_parts", "_tags")

    def __init__(self, data: bytes, words: Sequence[bytes]) -> None:
        """Take the whole text, UTF-8, and what to look for: ASCII without quotes, backslashes and line breaks."""
        escapes = _ESCAPES if b"\\" in data else ()
        self._data = data
        self._met: list[bytes] = []
        self._others = [*words, *escapes, b"binary", b"%TAG"]
        self._misses = 0
        apart = [word.split() for word in words if b" " in word]
        self._parts = [parts for parts in apart if all(part in data for part in parts)]
        self._tags = b"%" in data and b"!" in data
        self._aliases = b"*" in data

    def finds(self, document: bytes) -> bool:
        """Return False only if no scalar of a document can contain any of the words, and no alias lacks its anchor."""
        for text in self._met:
            if text in document:
                return True
        if self._misses == 1:
            self._others = [text for text in self._others if text in self._data]
        for text in self._others:
            if text in document:
                self._met.append(text)
                self._others.remove(text)
                return True
        self._misses += 1
        return (
            any(all(part in document for part in parts) for parts in self._parts)
            or (self._tags and b"%" in document and b"!" in document and _has_escaped_tag(document))
            or (self._aliases and b"*" in document and _has_loose_alias(document))
        )


def is_relevant(data: bytes, words: Sequence[bytes]) -> bool:
    """Return whether one of some words may stand in a document: what a sieve of its own finds."""
    return Sieve(data, words).finds(data)


def _has_escaped_tag(data: bytes) -> bool:
    return any(b"%" in part.partition(b"!")[2] for part in data.split() if b"!" in part)


_NAME = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def _has_loose_alias(data: bytes) -> bool:
    """Say whether something reads like an alias whose anchor is nowhere."""
    for part in data.split(b"*")[1:]:
        name = part[: next((i for i, char in enumerate(part) if char not in _NAME), len(part))]
        if name and b"&" + name not in data:
            return True
    return False
