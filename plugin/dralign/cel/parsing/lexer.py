"""Cuts the text of an expression into tokens.

The longest match wins, as in the lexer that ANTLR makes from cel-go's grammar. Where nothing matches, the characters
up to and including the one that no token could go on with are skipped, and that text is the error.
"""

from __future__ import annotations

from dralign.cel.errors import GAP
from dralign.cel.parsing import tokens
from dralign.cel.parsing.tokens import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = frozenset(" \t\r\n\f")
_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")
_WORD_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_WORD = _WORD_START | _DIGITS
_ESCAPED_NAME = _WORD | frozenset(".-/ ")
_SIMPLE_ESCAPES = frozenset("abfnrtv\"'\\?`")
_HEX_ESCAPES = {"x": 2, "X": 2, "u": 4, "U": 8}
_QUOTES = frozenset("\"'")
_STRING_PREFIXES = frozenset(("r", "R", "b", "B", "br", "bR", "Br", "BR"))

_FIXED_KIND = tokens.FIXED.get
_KEYWORD_KIND = {word: kind for word, kind in tokens.FIXED.items() if word.isalpha()}.get


class LexError:
    """Text that is no token: ``offset`` is its first character, ``end`` lies behind its last."""

    __slots__ = ("end", "offset")

    def __init__(self, offset: int, end: int) -> None:
        self.offset = offset
        self.end = end


def lex(text: str) -> Iterator[Token | LexError]:
    """Yield tokens and errors in order, ending with one ``EOF`` token; white space and comments are left out."""
    at, size = 0, len(text)
    while at < size:
        char = text[at]
        if char in _SPACE:
            at += 1
            continue
        if char in _WORD_START:
            token, at = _word(text, at)
            yield token
        elif char in _DIGITS or (char == "." and text[at + 1 : at + 2] in _DIGITS):
            token, at = _number(text, at)
            yield token
        elif char in _QUOTES:
            piece = _quoted(text, at, tokens.STRING, at, raw=False)
            yield piece
            at = piece.end if isinstance(piece, LexError) else at + len(piece.text)
        elif char == "/" and text.startswith("//", at):
            end = text.find("\n", at)
            at = size if end < 0 else end
        else:
            piece = _mark(text, at)
            yield piece
            at = piece.end if isinstance(piece, LexError) else at + len(piece.text)
    yield Token(tokens.EOF, size or GAP, "<EOF>")  # the end of nothing has no place


def _word(text: str, start: int) -> tuple[Token, int]:
    """Read an identifier, a keyword, or a string with a prefix."""
    end, size = start + 1, len(text)
    while end < size and text[end] in _WORD:
        end += 1
    word = text[start:end]
    if end < size and text[end] in _QUOTES and word in _STRING_PREFIXES:
        kind = tokens.STRING if word in "rR" else tokens.BYTES
        piece = _quoted(text, start, kind, end, raw=word[-1] in "rR")
        if isinstance(piece, Token):
            return piece, start + len(piece.text)
    return Token(_KEYWORD_KIND(word, tokens.IDENT), start, word), end


def _run(text: str, at: int, chars: frozenset[str]) -> int:
    """Return the end of the run of ``chars`` that starts at ``at``."""
    size = len(text)
    while at < size and text[at] in chars:
        at += 1
    return at


def _number(text: str, start: int) -> tuple[Token, int]:
    """Read an integer, an unsigned integer or a floating-point number."""
    end = _run(text, start, _DIGITS)
    kind = tokens.INT
    if end == start + 1 and text[start] == "0" and text.startswith("x", end):
        behind = _run(text, end + 1, _HEX)
        end = behind if behind > end + 1 else end
    else:
        fraction = _run(text, end + 1, _DIGITS) if text.startswith(".", end) else end + 1
        if fraction > end + 1:
            kind, end = tokens.FLOAT, fraction
        exponent = _exponent(text, end)
        if exponent > end:
            kind, end = tokens.FLOAT, exponent
    if kind == tokens.INT and text[end : end + 1] in ("u", "U"):
        kind, end = tokens.UINT, end + 1
    return Token(kind, start, text[start:end]), end


def _exponent(text: str, at: int) -> int:
    """Return the end of ``e+10`` and the like, or ``at`` where there is none."""
    if text[at : at + 1] not in ("e", "E"):
        return at
    digits = at + 2 if text[at + 1 : at + 2] in ("+", "-") else at + 1
    end = _run(text, digits, _DIGITS)
    return end if end > digits else at


def _quoted(text: str, start: int, kind: int, quote: int, *, raw: bool) -> Token | LexError:
    """Read a string whose prefix starts at ``start`` and whose first quote stands at ``quote``."""
    mark = text[quote]
    end = text.find(mark, quote + 1) + 1
    if end > quote + 2 and not _needs_care(text, quote, end):
        return Token(kind, start, text[start:end])
    if text.startswith(mark * 3, quote):
        end, closed = _find_close(text, quote + 3, mark * 3, raw)
        if not closed:
            end, closed = quote + 2, True  # the first two quotes are an empty string by themselves
    else:
        end, closed = _find_close(text, quote + 1, mark, raw)
    return Token(kind, start, text[start:end]) if closed else LexError(start, min(end + 1, len(text)))


def _needs_care(text: str, start: int, end: int) -> bool:
    """Tell whether something between the quotes is no plain character of a one-line string."""
    body = text[start:end]
    return "\\" in body or "\n" in body or "\r" in body


def _find_close(text: str, at: int, mark: str, raw: bool) -> tuple[int, bool]:
    """Return the end of the string and True, or the offset at which it cannot go on and False."""
    size, one_line = len(text), len(mark) == 1
    while at < size:
        char = text[at]
        if char == mark[0] and (one_line or text.startswith(mark, at)):
            return at + len(mark), True
        if one_line and char in "\n\r":
            return at, False
        if char == "\\" and not raw:
            at, valid = _escape(text, at)
            if not valid:
                return at, False
        else:
            at += 1
    return at, False


def _escape(text: str, at: int) -> tuple[int, bool]:
    """Step over an escape sequence; False with the offset of the character that spoils it."""
    char = text[at + 1 : at + 2]
    if char in _SIMPLE_ESCAPES:
        return at + 2, True
    if char in _HEX_ESCAPES:
        return _digits(text, at + 2, _HEX_ESCAPES[char], _HEX)
    if char and char in "0123":
        return _digits(text, at + 2, 2, _OCTAL)
    return at + 1, False


def _digits(text: str, at: int, count: int, allowed: frozenset[str]) -> tuple[int, bool]:
    end = at + count
    while at < end:
        if text[at : at + 1] not in allowed:
            return at, False
        at += 1
    return at, True


def _mark(text: str, at: int) -> Token | LexError:
    """Read an operator, a bracket or a name in backticks."""
    pair = text[at : at + 2]
    kind = _FIXED_KIND(pair)
    if kind is not None:
        return Token(kind, at, pair)
    char = text[at]
    kind = _FIXED_KIND(char)
    if kind is not None:
        return Token(kind, at, char)
    if char == "`":
        end = _run(text, at + 1, _ESCAPED_NAME)
        if text.startswith("`", end) and end > at + 1:
            return Token(tokens.ESCAPED_IDENT, at, text[at : end + 1])
        return LexError(at, min(end + 1, len(text)))
    starts_pair = char in "&|="
    return LexError(at, min(at + 2, len(text)) if starts_pair else at + 1)
