"""Matches in time proportional to pattern times text, where Python's backtracking might take for ever.

The pattern becomes a list of instructions; the search tries them in order of preference and never visits the same
instruction at the same place twice, which gives the leftmost-first match that Go gives.
"""

from __future__ import annotations

from dralign.cel.regex.charsets import contains
from dralign.cel.regex.nodes import INFINITE, Anchor, Chars, Choice, Group, Repeat, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.regex.charsets import Charset
    from dralign.cel.regex.nodes import Node

    Test = Callable[[str, int], bool]

_NOWHERE = -1
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Matcher:
    """A pattern as instructions.

    Each is a test, the characters it reads, and where to go on. Without a test it is a fork, whose ways are in order of
    preference; one that leads nowhere ends the match.
    """

    __slots__ = ("_code", "_start")

    def __init__(self, node: Node) -> None:
        self._code: list[tuple[Test | None, int, int, int]] = []
        end = self._fork(_NOWHERE, _NOWHERE)
        self._start = self._compile(node, end)

    def span(self, text: str, start: int) -> tuple[int, int] | None:
        """Return where the first match at or after ``start`` begins and ends."""
        visited: set[tuple[int, int]] = set()
        for place in range(start, len(text) + 1):
            end = self._match_at(text, place, visited)
            if end is not None:
                return place, end
        return None

    def _test(self, test: Test, length: int, then: int) -> int:
        self._code.append((test, length, then, _NOWHERE))
        return len(self._code) - 1

    def _fork(self, then: int, otherwise: int) -> int:
        self._code.append((None, 0, then, otherwise))
        return len(self._code) - 1

    def _compile(self, node: Node, then: int) -> int:
        """Add instructions for a node that go on at ``then``; return where they begin."""
        if isinstance(node, Chars):
            return self._test(_one_of(node.charset), 1, then)
        if isinstance(node, Anchor):
            return self._test(_TESTS[node.place], 0, then)
        if isinstance(node, Sequence):
            for part in reversed(node.parts):
                then = self._compile(part, then)
            return then
        if isinstance(node, Choice):
            starts = [self._compile(part, then) for part in node.parts]
            choice = starts.pop()
            for start in reversed(starts):
                choice = self._fork(start, choice)
            return choice
        if isinstance(node, Group):
            return self._compile(node.part, then)
        if isinstance(node, Repeat):
            return self._repeat(node, then)
        raise TypeError(type(node).__name__)

    def _repeat(self, node: Repeat, then: int) -> int:
        if node.most == INFINITE:
            loop = self._fork(_NOWHERE, _NOWHERE)
            body = self._compile(node.part, loop)
            ways = (body, then) if node.greedy else (then, body)
            self._code[loop] = (None, 0, *ways)
            if node.least:
                after, needed = body, node.least - 1
            else:
                # Go enters a loop over what may be empty by an instruction of its own, or the empty match would lose.
                after, needed = self._fork(*ways) if node.part.nullable else loop, 0
        else:
            after, needed = then, node.least
            for _ in range(node.most - node.least):
                body = self._compile(node.part, after)
                after = self._fork(*((body, then) if node.greedy else (then, body)))
        for _ in range(needed):
            after = self._compile(node.part, after)
        return after

    def _match_at(self, text: str, start: int, visited: set[tuple[int, int]]) -> int | None:
        pending = [(self._start, start)]
        while pending:
            state = pending.pop()
            if state in visited:
                continue
            visited.add(state)
            step, place = state
            test, length, then, otherwise = self._code[step]
            if test is not None:
                if test(text, place):
                    pending.append((then, place + length))
            elif then == _NOWHERE:
                return place
            else:
                pending.append((otherwise, place))
                pending.append((then, place))
        return None


def _one_of(charset: Charset) -> Test:
    return lambda text, place: place < len(text) and contains(charset, ord(text[place]))


def _is_word_boundary(text: str, place: int) -> bool:
    return (place > 0 and text[place - 1] in _WORD) != (place < len(text) and text[place] in _WORD)


_TESTS: dict[str, Test] = {
    "text-start": lambda _, place: place == 0,
    "text-end": lambda text, place: place == len(text),
    "line-start": lambda text, place: place == 0 or text[place - 1] == "\n",
    "line-end": lambda text, place: place == len(text) or text[place] == "\n",
    "word": _is_word_boundary,
    "no-word": lambda text, place: not _is_word_boundary(text, place),
}
