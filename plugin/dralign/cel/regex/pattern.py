"""A compiled pattern, ready to search."""

from __future__ import annotations

import re

from dralign.cel.regex.matcher import Matcher
from dralign.cel.regex.python import python_source, ways
from dralign.cel.regex.syntax import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.cel.regex.nodes import Node

_FEW_STEPS = 2_000_000  # what Python's engine does in a fraction of a second
_LONGEST_SOURCE = 50_000  # above, Python's engine takes long to compile
_KNOWN_LIMIT = 512


class Pattern:
    """A pattern that Go accepts. ``safe_length`` is the longest text that Python's engine may be given."""

    __slots__ = ("_matcher", "_node", "_python", "safe_length")

    def __init__(self, node: Node) -> None:
        self._node = node
        self._python: re.Pattern[str] | None = None
        self._matcher: Matcher | None = None
        self.safe_length = _safe_length(node)

    @property
    def python(self) -> re.Pattern[str]:
        """The pattern for Python's engine."""
        if self._python is None:
            self._python = re.compile(python_source(self._node))
        return self._python

    def matches(self, text: str) -> bool:
        """Tell whether the pattern matches anywhere in a text."""
        return self.span(text, 0) is not None

    def find(self, text: str) -> str:
        """Return the first match, empty if there is none."""
        span = self.span(text, 0)
        return "" if span is None else text[span[0] : span[1]]

    def find_all(self, text: str, limit: int = -1) -> list[str]:
        """Return all matches that do not overlap, or the first ``limit``."""
        found: list[str] = []
        for start, end in self._spans(text):
            if len(found) == limit:
                break
            found.append(text[start:end])
        return found

    def span(self, text: str, start: int) -> tuple[int, int] | None:
        """Return begin and end of the first match at or after a place."""
        if len(text) <= self.safe_length:
            match = self.python.search(text, start)
            return None if match is None else match.span()
        if self._matcher is None:
            self._matcher = Matcher(self._node)
        return self._matcher.span(text, start)

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield matches as Go does: an empty one right behind another is left out."""
        place, previous_end = 0, -1
        while place <= len(text):
            span = self.span(text, place)
            if span is None:
                return
            start, end = span
            if end > start or start != previous_end:
                yield span
            previous_end = end
            place = end if end > place else place + 1


def _safe_length(node: Node) -> int:
    """Return the longest text on which backtracking stays short."""
    if node.size > _LONGEST_SOURCE:
        return -1
    length = -1
    for candidate in (16, 64, 256, 1024, 4096, 16_384, 65_536, 1_000_000):
        if (candidate + 1) * ways(node, candidate) > _FEW_STEPS:
            break
        length = candidate
    return length


_known: dict[str, Pattern] = {}


def compile_pattern(pattern: str) -> Pattern:
    """Compile a pattern, or take it from the ones compiled before. Raises RegexError."""
    known = _known.get(pattern)
    if known is None:
        if len(_known) >= _KNOWN_LIMIT:
            _known.clear()
        known = _known[pattern] = Pattern(parse(pattern))
    return known
