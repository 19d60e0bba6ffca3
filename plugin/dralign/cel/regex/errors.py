"""What is wrong with a pattern, in Go's words."""

from __future__ import annotations


class RegexError(ValueError):
    """A pattern that Go refuses. ``str()`` gives the text of Go's error."""

    def __init__(self, code: str, part: str) -> None:
        super().__init__(f"error parsing regexp: {code}: `{part}`")
