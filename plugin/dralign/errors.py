"""The two faults that are the caller's, not ours: both end in one line on stderr and exit status 2.

Any other exception that leaves the program is a bug of ours and ends in exit status 3.
"""

from __future__ import annotations


class UsageError(Exception):
    """Called or configured wrongly. The text names the thing, the value and what was wanted."""


class InputError(Exception):
    """An input that cannot be read.

    Args:
        message: what is wrong and what was wanted, one line.
        file: path as the user gave it, ``-`` for standard input, or None where no file is the matter.
        line: 1-based line in that file, or None.
        column: 1-based column in characters, or None.
    """

    def __init__(
        self, message: str, file: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        """``file:line:column: message``, without the parts that are not known."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message
