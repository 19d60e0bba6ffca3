"""What is wrong with an expression, and the text in which cel-go says it.

Positions are cel-go's: lines count from 1, columns from 1 in characters; a problem without a place stands at -1:0.
"""

from __future__ import annotations

from dralign.record import Record

NO_PLACE = -2
"""Offset of problems that have no place in the source; cel-go prints -1:0."""

GAP = -1
"""Offset of what a broken expression lacks, and of the end of an empty one; cel-go prints 1:0."""

MAX_ISSUES = 100
"""cel-go keeps this many problems of one step and only counts the others."""

_MAX_SNIPPET_BYTES = 16384


class Issue(Record):
    """One problem of an expression.

    Args:
        line: 1-based line, -1 without a place.
        column: 1-based column in characters, 0 without a place.
        message: cel-go's words, without place and source line.
        kind: the class of the problem: ``syntax``, ``recursion``, ``macro``, ``undeclared``, ``undefined_field``,
            ``no_overload``, ``output_type`` and so on.
    """

    line: int
    column: int
    message: str
    kind: str


class CompileError(Exception):
    """An expression was refused. ``str()`` is the full text as cel-go prints it."""

    def __init__(self, issues: list[Issue], text: str) -> None:
        super().__init__(text)
        self.issues = tuple(issues)


class LimitReached(Exception):  # noqa: N818  the problem itself is among the issues
    """The parser gives up: what was found up to there has been reported."""


class Source:
    """The text of an expression with its line breaks."""

    __slots__ = ("_line_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._line_starts: list[int] | None = None

    def _starts(self) -> list[int]:
        """Offsets at which lines 2, 3, … start; the last one lies behind the end."""
        if self._line_starts is None:
            starts = [i + 1 for i, char in enumerate(self.text) if char == "\n"] if "\n" in self.text else []
            starts.append(len(self.text) + 1)
            self._line_starts = starts
        return self._line_starts

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character offset; offsets beyond the end belong to the last line."""
        if offset == NO_PLACE:
            return -1, 0
        line, column = 1, offset
        for start in self._starts():
            if start > offset:
                break
            line, column = line + 1, offset - start
        return line, column + 1

    def line(self, number: int) -> str | None:
        """Return a line without its break, or None if there is no such line."""
        starts = [0, *self._starts()]
        if not self.text or not 1 <= number <= len(starts) - 1:
            return None
        return self.text[starts[number - 1] : starts[number] - 1]


class Issues:
    """Collects the problems that one step finds in one source."""

    __slots__ = ("_dropped", "found", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Issue] = []
        self._dropped = 0

    def __bool__(self) -> bool:
        return bool(self.found)

    def add(self, offset: int, message: str, kind: str) -> None:
        """Record a problem at a character offset (``NO_PLACE``: nowhere)."""
        if len(self.found) >= MAX_ISSUES:
            self._dropped += 1
            return
        line, column = self.source.place(offset)
        self.found.append(Issue(line, column, message, kind))

    def error(self) -> CompileError:
        """Make the exception that carries all problems in the order of their places."""
        ordered = sorted(self.found, key=lambda issue: (issue.line, issue.column))
        parts = [render(issue, self.source) for issue in ordered]
        if self._dropped:
            parts.append(f"{self._dropped} more errors were truncated")
        return CompileError(ordered, "\n".join(parts))


def render(issue: Issue, source: Source) -> str:
    """Print a problem as cel-go does: place, message, the source line, and a mark under the spot."""
    head = f"ERROR: <input>:{issue.line}:{issue.column}: {issue.message}"
    snippet = source.line(issue.line)
    if snippet is None or len(snippet.encode("utf-8", "surrogatepass")) > _MAX_SNIPPET_BYTES:
        return head
    snippet = snippet.replace("\t", " ")
    column = max(issue.column - 1, 0)
    before, spot = snippet[:column], snippet[column : column + 1]
    dots = "".join("." if char.isascii() else "\uff0e" for char in before)
    mark = "^" if spot.isascii() else "\uff3e"
    return f"{head}\n | {snippet}\n | {dots}{mark}"
