"""Percent escapes in the parts of a URL, as Go's net/url treats them.

Texts that hold bytes which are no UTF-8 carry them as lone surrogates (``surrogateescape``).
"""

from __future__ import annotations

from dralign.values import gotext

PATH, HOST, ZONE, USER, QUERY, FRAGMENT = "path", "host", "zone", "user", "query", "fragment"

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~"
_HOST_MARKS = "!$&'()*+,;=:[]<>\""
_UNESCAPED = {
    part: frozenset((_LETTERS + marks).encode())
    for part, marks in (
        (PATH, "$&+,/:;=@"),
        (HOST, _HOST_MARKS),
        (ZONE, _HOST_MARKS),
        (USER, "$&+,;="),
        (QUERY, ""),
        (FRAGMENT, "$&+,/:;=?@!()*"),
    )
}
_ALWAYS_VALID = frozenset(b"!$&'()*+,;=:@[]%")
_HEX_DIGITS = frozenset(b"0123456789abcdefABCDEF")
_PERCENT, _PLUS = b"%"[0], b"+"[0]


def unescape(text: str, part: str) -> str:
    """Decode the escapes of one part. Raises ValueError in Go's words."""
    data = _bytes(text)
    decoded = bytearray()
    index = 0
    while index < len(data):
        byte = data[index]
        if byte == _PERCENT:
            decoded.append(_escaped_byte(data[index : index + 3], part))
            index += 3
            continue
        if part in (HOST, ZONE) and byte < 0x80 and byte not in _UNESCAPED[part]:
            raise ValueError(f"invalid character {gotext.quote(chr(byte))} in host name")
        decoded.append(b" "[0] if byte == _PLUS and part == QUERY else byte)
        index += 1
    return decoded.decode("utf-8", "surrogateescape")


def _escaped_byte(escape_text: bytes, part: str) -> int:
    wrong = ValueError(f"invalid URL escape {gotext.quote(escape_text.decode('utf-8', 'replace'))}")
    if len(escape_text) < 3 or not _HEX_DIGITS.issuperset(escape_text[1:]):
        raise wrong
    byte = int(escape_text[1:], 16)
    if part == HOST and byte < 0x80 and escape_text != b"%25":
        raise wrong
    if part == ZONE and escape_text != b"%25" and byte != 0x20 and byte not in _UNESCAPED[HOST]:
        raise wrong
    return byte


def escape(text: str, part: str) -> str:
    """Escape what may not stand in one part as it is."""
    allowed = _UNESCAPED[part]
    return "".join(chr(byte) if byte in allowed else f"%{byte:02X}" for byte in _bytes(text))


def is_valid(text: str, part: str) -> bool:
    """Tell whether a text may stand in one part as it was written."""
    return all(byte in _ALWAYS_VALID or byte in _UNESCAPED[part] for byte in _bytes(text))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
