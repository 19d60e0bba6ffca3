"""A pattern and a place in it."""

from __future__ import annotations

from dralign.cel.regex.errors import RegexError


class Reader:
    """Walks over a pattern from left to right."""

    __slots__ = ("at", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.text)

    def peek(self, ahead: int = 0) -> str:
        """Return a character ahead, or an empty text behind the end."""
        return self.text[self.at + ahead : self.at + ahead + 1]

    def sees(self, text: str) -> bool:
        """Tell whether a text stands here."""
        return self.text.startswith(text, self.at)

    def take(self, count: int = 1) -> str:
        """Return the next characters and step over them."""
        start = self.at
        self.at += count
        return self.text[start : self.at]

    def take_all(self, chars: str) -> str:
        """Return the run of these characters that starts here and step over it."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in chars:
            self.at += 1
        return self.text[start : self.at]

    def since(self, start: int) -> str:
        """Return what was read since a place."""
        return self.text[start : self.at]

    def wrong(self, code: str, start: int) -> RegexError:
        """Make the error about what was read since a place."""
        return RegexError(code, self.since(start))

    def wrong_rest(self, code: str, start: int) -> RegexError:
        """Make the error about all from a place on."""
        return RegexError(code, self.text[start:])
