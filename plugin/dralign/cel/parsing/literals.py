"""Values of the literals as written: numbers, and strings with their escape sequences (after GoogleSQL, as cel-go)."""

from __future__ import annotations

from dralign.cel.values import Uint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.ast import Constant

_INT_RANGE = range(-(2**63), 2**63)
_UINT_RANGE = range(2**64)
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_HEX_DIGITS = {"x": 2, "X": 2, "u": 4, "U": 8}


def int_value(text: str) -> int:
    """Read a signed integer, decimal or ``0x…``.

    Raises:
        ValueError: it does not fit 64 bits.
    """
    value = _whole(text)
    if value not in _INT_RANGE:
        raise ValueError("invalid int literal")
    return value


def uint_value(text: str) -> Uint:
    """Read an unsigned integer with its final ``u``.

    Raises:
        ValueError: it does not fit 64 bits.
    """
    value = _whole(text[:-1])
    if value not in _UINT_RANGE:
        raise ValueError("invalid uint literal")
    return Uint(value)


def _whole(text: str) -> int:
    digits = text.lstrip("-")
    magnitude = int(digits, 16) if digits.startswith("0x") else _decimal(digits)
    return -magnitude if digits != text else magnitude


def _decimal(digits: str) -> int:
    """Read decimal digits; more than a 64-bit number has are not worked out (Python refuses very long ones)."""
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) <= 20 else 2**64


def double_value(text: str) -> float:
    """Read a floating-point number.

    Raises:
        ValueError: it is beyond the range of a double.
    """
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("invalid double literal")
    return value


def string_value(text: str) -> str:
    """Read a string literal with its quotes and prefix.

    Raises:
        ValueError: an escape sequence names no character.
    """
    body, raw = _body(text)
    return body if raw or "\\" not in body else "".join(_characters(body))


def bytes_value(text: str) -> bytes:
    """Read a bytes literal without its ``b``: octal and hexadecimal escapes are bytes, the rest is UTF-8.

    Raises:
        ValueError: it has an escape sequence for a Unicode character.
    """
    body, raw = _body(text)
    if raw or "\\" not in body:
        return body.encode("utf-8", "surrogatepass")
    parts = []
    for plain, escape in _pieces(body):
        if escape[:1] in ("u", "U"):
            raise ValueError("unable to unescape string")
        parts.append(plain.encode("utf-8", "surrogatepass"))
        if escape[:1] in ("x", "X") or escape.isdigit():
            parts.append(bytes((_code(escape),)))
        elif escape:
            parts.append(_SIMPLE.get(escape, escape).encode())
    return b"".join(parts)


def _body(text: str) -> tuple[str, bool]:
    """Return what stands between the quotes, with unified line ends, and whether it is raw."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    raw = text[0] in "rR"
    if raw:
        text = text[1:]
    width = 3 if len(text) >= 6 and text[:3] in ("'''", '"""') else 1
    return text[width:-width], raw


def _pieces(body: str) -> list[tuple[str, str]]:
    """Split into pairs: text without escape sequences, and the one behind it without its backslash."""
    pieces = []
    start, at = 0, body.find("\\")
    while at >= 0:
        mark = body[at + 1]
        length = 3 if mark in "0123" else 1 + _HEX_DIGITS.get(mark, 0)
        pieces.append((body[start:at], body[at + 1 : at + 1 + length]))
        start = at + 1 + length
        at = body.find("\\", start)
    pieces.append((body[start:], ""))
    return pieces


def _code(escape: str) -> int:
    return int(escape, 8) if escape.isdigit() else int(escape[1:], 16)


def _characters(body: str) -> list[str]:
    parts = []
    for plain, escape in _pieces(body):
        parts.append(plain)
        if escape.isdigit() or escape[:1] in _HEX_DIGITS:
            code = _code(escape)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                raise ValueError("invalid unicode code point")
            parts.append(chr(code))
        elif escape:
            parts.append(_SIMPLE.get(escape, escape))
    return parts


READERS: dict[str, Callable[[str], Constant]] = {
    "int": int_value,
    "uint": uint_value,
    "double": double_value,
    "string": string_value,
    "bytes": lambda text: bytes_value(text[1:]),
}
"""How the text of each kind of literal becomes its value."""
