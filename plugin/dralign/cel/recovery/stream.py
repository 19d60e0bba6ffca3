"""The tokens of a broken expression as its parser asks for them."""

from __future__ import annotations

from dralign.cel.errors import LimitReached
from dralign.cel.parsing import tokens
from dralign.cel.parsing.lexer import LexError, lex
from dralign.cel.parsing.tokens import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.cel.errors import Issues

MAX_REPORTS = 100


class TokenStream:
    """The tokens of a source, read only as far as they are looked at: later errors must not be reported too early."""

    def __init__(self, text: str, issues: Issues) -> None:
        self.text = text
        self.issues = issues
        self.read: list[Token] = []
        self.skipped: list[LexError] = []
        self._source: Iterator[Token | LexError] = lex(text)
        self._reports = 0

    def at(self, index: int) -> Token:
        """Return a token; behind the end stands the last one."""
        while index >= len(self.read) and not (self.read and self.read[-1].kind == tokens.EOF):
            piece = next(self._source)
            if isinstance(piece, Token):
                self.read.append(piece)
            else:
                self.skipped.append(piece)
                self.report(f"token recognition error at: '{self.text[piece.offset : piece.end]}'", piece.offset)
        return self.read[min(index, len(self.read) - 1)]

    def kind(self, index: int) -> int:
        """Return the kind of a token."""
        return self.at(index).kind

    def between(self, first: Token, last: Token) -> str:
        """Return the source from one token to another, without text that is no token."""
        end = last.offset + (0 if last.kind == tokens.EOF else len(last.text))
        parts, start = [], first.offset
        for error in self.skipped:
            if start <= error.offset < end:
                parts.append(self.text[start : error.offset])
                start = error.end
        parts.append(self.text[start:end])
        return "".join(parts)

    def report(self, message: str, offset: int) -> None:
        """Report a syntax error; after a hundred, end it."""
        if self._reports >= MAX_REPORTS:
            self.issues.add(offset, f"Syntax error: More than {MAX_REPORTS} syntax errors", "syntax")
            raise LimitReached
        self._reports += 1
        self.issues.add(offset, f"Syntax error: {message}", "syntax")
