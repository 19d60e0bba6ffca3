"""Replacements in a text, collected in any order of places and made in one go."""

from __future__ import annotations

from dralign.edit.operations import EditRefused


class Splices:
    """Pieces of a text to be replaced.

    At one place, what is inserted first comes first, and before what replaces the text that begins there.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._pieces: list[tuple[int, int, str]] = []

    def replace(self, start: int, end: int, new: str) -> None:
        """Put ``new`` in the place of what stands between the offsets."""
        if start != end or new:
            self._pieces.append((start, end, new))

    def insert(self, at: int, new: str) -> None:
        """Put ``new`` before the character at an offset."""
        self.replace(at, at, new)

    def delete(self, start: int, end: int) -> None:
        """Take out what stands between the offsets."""
        self.replace(start, end, "")

    def covers(self, at: int) -> bool:
        """Whether the character at an offset is taken out or replaced."""
        return any(start <= at < end for start, end, _ in self._pieces)

    def adds_behind(self, at: int) -> bool:
        """Whether text is put in at or behind an offset."""
        return any(start >= at and new for start, _, new in self._pieces)

    def join(self) -> str:
        """Return the text with all replacements made.

        Raises:
            EditRefused: two replacements want the same piece of text.
        """
        parts: list[str] = []
        done = 0
        for start, end, new in sorted(self._pieces, key=_place):
            if start < done:
                raise EditRefused("the edits are too close to each other")
            parts += (self.text[done:start], new)
            done = end
        parts.append(self.text[done:])
        return "".join(parts)


def _place(piece: tuple[int, int, str]) -> tuple[int, bool]:
    start, end, _ = piece
    return start, start != end
