"""Backslash escapes of regular expressions."""

from __future__ import annotations

from dralign.cel.regex.charsets import MAX_RUNE, PERL, complement, folded
from dralign.cel.regex.errors import RegexError
from dralign.cel.regex.unicode_names import named_charset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.regex.charsets import Charset
    from dralign.cel.regex.reader import Reader

_OCTAL = "01234567"
_HEX = "0123456789abcdefABCDEF"
_CONTROL = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def read_named_class(reader: Reader, fold: bool) -> Charset | None:
    r"""Read ``\d``, ``\pL`` or ``\p{Greek}``; None if it is another escape."""
    letter = reader.peek(1)
    if letter in ("p", "P"):
        return _read_unicode_class(reader, fold)
    charset = PERL.get(letter.lower())
    if charset is None:
        return None
    reader.take(2)
    charset = folded(charset) if fold else charset
    return complement(charset) if letter.isupper() else charset


def _read_unicode_class(reader: Reader, fold: bool) -> Charset:
    start = reader.at
    negated = reader.take(2)[1] == "P"
    name = reader.take() if not reader.is_done else ""
    if name == "{":
        end = reader.text.find("}", reader.at)
        if end < 0:
            raise reader.wrong_rest("invalid character class range", start)
        name = reader.text[reader.at : end]
        reader.at = end + 1
    if name.startswith("^"):
        negated, name = not negated, name[1:]
    charset = named_charset(name)
    if charset is None:
        raise reader.wrong("invalid character class range", start)
    charset = folded(charset) if fold else charset
    return complement(charset) if negated else charset


def read_char(reader: Reader) -> str:
    r"""Read an escape that stands for one character: ``\n``, ``\x41``, ``\101``, ``\.``."""
    start = reader.at
    reader.take()
    if reader.is_done:
        raise RegexError("trailing backslash at end of expression", "")
    letter = reader.take()
    if letter in _CONTROL:
        return _CONTROL[letter]
    next_char = reader.peek()
    if letter == "0" or (letter in _OCTAL and next_char and next_char in _OCTAL):
        digits = letter
        while len(digits) < 3 and (next_char := reader.peek()) and next_char in _OCTAL:
            digits += reader.take()
        return chr(int(digits, 8))
    if letter == "x" and next_char:
        return _read_hex(reader, start)
    if letter.isascii() and not letter.isalnum():
        return letter
    raise reader.wrong("invalid escape sequence", start)


def _read_hex(reader: Reader, start: int) -> str:
    if reader.peek() != "{":
        digits = reader.take(2)
        if len(digits) == 2 and all(digit in _HEX for digit in digits):
            return chr(int(digits, 16))
        raise reader.wrong("invalid escape sequence", start)
    reader.take()
    first = reader.at
    value = 0
    while not reader.is_done and value <= MAX_RUNE:
        char = reader.take()
        if char == "}" and reader.at > first + 1:
            return chr(value)
        value = value * 16 + int(char, 16) if char in _HEX else MAX_RUNE + 1
    raise reader.wrong("invalid escape sequence", start)
