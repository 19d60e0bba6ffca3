"""How Go writes a string between quotes (``%q``), for error texts that must read as Kubernetes writes them."""

from __future__ import annotations

_SHORT = {
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
_ASCII_END = 0x7F


def quote(text: str) -> str:
    """Return ``text`` in double quotes as Go's ``strconv.Quote`` does; what is not printable is escaped."""
    return '"' + "".join(char if char.isprintable() and char not in '"\\' else _escape(char) for char in text) + '"'


def _escape(char: str) -> str:
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if code <= _ASCII_END:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
