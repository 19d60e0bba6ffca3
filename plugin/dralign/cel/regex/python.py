"""Writes a pattern anew for Python's ``re``, with the same meaning, and estimates how long that may search.

Groups become non-capturing, flags are written out as sets, so that nothing depends on Python's own flags.
"""

from __future__ import annotations

from dralign.cel.regex.charsets import MAX_RUNE
from dralign.cel.regex.nodes import INFINITE, Anchor, Chars, Choice, Group, Repeat, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.regex.charsets import Charset
    from dralign.cel.regex.nodes import Node

_PLACES = {
    "text-start": r"\A",
    "text-end": r"\Z",
    "line-start": r"(?m:^)",
    "line-end": r"(?m:$)",
    "word": r"(?a:\b)",
    "no-word": r"(?!(?a:\b))",  # Python's own \B does not match an empty text
}

TOO_MANY = 1 << 40
"""More ways to match than can be tried."""


def python_source(node: Node) -> str:
    """Return the pattern in Python's syntax."""
    if isinstance(node, Chars):
        return _charset(node.charset)
    if isinstance(node, Anchor):
        return _PLACES[node.place]
    if isinstance(node, Sequence):
        return "".join([python_source(part) for part in node.parts])
    if isinstance(node, Choice):
        return f"(?:{'|'.join([python_source(part) for part in node.parts])})"
    if isinstance(node, Group):
        return f"(?:{python_source(node.part)})"
    if isinstance(node, Repeat):
        most = "" if node.most == INFINITE else node.most
        return f"(?:{python_source(node.part)}){{{node.least},{most}}}{'' if node.greedy else '?'}"
    raise TypeError(type(node).__name__)


def _charset(charset: Charset) -> str:
    if len(charset) == 1 and charset[0][0] == charset[0][1]:
        return _char(charset[0][0])
    if not charset:
        return r"(?!)"
    return "[" + "".join(_range(first, last) for first, last in charset) + "]"


def _range(first: int, last: int) -> str:
    return _char(first) if first == last else f"{_char(first)}-{_char(last)}"


def _char(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and char.isalnum() else f"\\U{min(code, MAX_RUNE):08x}"


def ways(node: Node, length: int) -> int:
    """Return how many ways Python's backtracking may try at one place of a text of some length, at most TOO_MANY."""
    if isinstance(node, Sequence):
        product = 1
        for part in node.parts:
            product = min(TOO_MANY, product * ways(part, length))
        return product
    if isinstance(node, Choice):
        return min(TOO_MANY, sum([ways(part, length) for part in node.parts]))
    if isinstance(node, Group):
        return ways(node.part, length)
    if isinstance(node, Repeat):
        return _ways_to_repeat(node, length)
    return 1


def _ways_to_repeat(node: Repeat, length: int) -> int:
    if node.part.nullable and node.most == INFINITE:
        return TOO_MANY  # Python ends such loops by other rules
    inner = ways(node.part, length)
    most = node.most
    if most == INFINITE or (most > length and not node.part.nullable):
        most = length
    counts = max(1, most - node.least + 1)
    if inner == 1:
        return min(TOO_MANY, counts)
    return min(TOO_MANY, counts * inner**most) if most * inner.bit_length() < 64 else TOO_MANY
