"""Functions of the strings extension of CEL (version 2), and the string tests of the language itself.

Source: cel-go ext/strings.go and common/types/string.go; Go's strings package. Positions count characters.
"""

from __future__ import annotations

from dralign.cel.printing import go_text
from dralign.cel.values import CelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value

_SPACE = "\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_UPPER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ESCAPES = str.maketrans(
    {
        "\a": "\\a",
        "\b": "\\b",
        "\f": "\\f",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\v": "\\v",
        "\\": "\\\\",
        '"': '\\"',
    }
)


def contains(text: Value, part: Value) -> bool:
    """``contains(part)``."""
    _both_text(text, part)
    return part in text


def starts_with(text: Value, prefix: Value) -> bool:
    """``startsWith(prefix)``."""
    _both_text(text, prefix)
    return bool(text.startswith(prefix))


def ends_with(text: Value, suffix: Value) -> bool:
    """``endsWith(suffix)``."""
    _both_text(text, suffix)
    return bool(text.endswith(suffix))


def _both_text(text: Value, other: Value) -> None:
    if type(text) is not str or type(other) is not str:
        raise CelError("no such overload")


def char_at(text: str, index: int) -> str:
    """``charAt(i)``; the place behind the last character gives an empty text."""
    _check_index(index, len(text))
    return text[index : index + 1]


def index_of(text: str, part: str, start: int = 0) -> int:
    """``indexOf(part[, start])``, -1 if it is not there."""
    if start < 0:
        raise _out_of_range(start)
    if not part:
        return min(start, len(text))
    return text.find(part, start) if start < len(text) else -1


def last_index_of(text: str, part: str, start: int | None = None) -> int:
    """``lastIndexOf(part[, start])``: the last place at or before ``start``, -1 if it is not there."""
    if start is None:
        return text.rfind(part)
    if start < 0:
        raise _out_of_range(start)
    if not part:
        return min(start, len(text))
    return text.rfind(part, 0, start + len(part)) if start < len(text) else -1


def join(elements: Value, separator: str = "") -> str:
    """``join([separator])``."""
    for element in elements:
        if type(element) is not str:
            raise CelError(f"join: invalid input: {go_text(element)}")
    return separator.join(elements)


def lower_ascii(text: str) -> str:
    """``lowerAscii()``."""
    return text.translate(_LOWER)


def upper_ascii(text: str) -> str:
    """``upperAscii()``."""
    return text.translate(_UPPER)


def quote(text: str) -> str:
    """``strings.quote(text)``: quotes, and escapes only for what CEL has an escape of one letter."""
    return '"' + text.translate(_ESCAPES) + '"'


def replace(text: str, old: str, new: str, limit: int = -1) -> str:
    """``replace(old, new[, limit])``; a negative limit is none."""
    return text.replace(old, new, limit)


def split(text: str, separator: str, limit: int = -1) -> list[str]:
    """``split(separator[, limit])``: at most ``limit`` parts (negative: no limit); no separator splits characters."""
    if limit == 0:
        return []
    if separator:
        return text.split(separator, limit - 1) if limit > 0 else text.split(separator)
    if limit < 0 or limit >= len(text):
        return list(text)
    return [*text[: limit - 1], text[limit - 1 :]]


def substring(text: str, start: int, end: int | None = None) -> str:
    """``substring(start[, end])``."""
    if end is not None and start > end:
        raise CelError(f"invalid substring range. start: {start}, end: {end}")
    _check_index(start, len(text))
    if end is not None:
        _check_index(end, len(text))
    return text[start:end]


def trim(text: str) -> str:
    """``trim()``: without white space (as Unicode sees it) at both ends."""
    return text.strip(_SPACE)


def _check_index(index: int, length: int) -> None:
    if not 0 <= index <= length:
        raise _out_of_range(index)


def _out_of_range(index: int) -> CelError:
    return CelError(f"index out of range: {index}")
