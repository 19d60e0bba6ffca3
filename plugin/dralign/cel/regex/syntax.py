"""Reads a regular expression as Go's ``regexp.Compile`` does (flags of Perl), and refuses what it refuses.

Source: Go's regexp/syntax/parse.go.
"""

from __future__ import annotations

from dralign.cel.regex.charsets import ANY, NOT_NEWLINE, folded
from dralign.cel.regex.classes import read_class
from dralign.cel.regex.errors import RegexError
from dralign.cel.regex.escapes import read_char, read_named_class
from dralign.cel.regex.flags import Flags, read_group_start
from dralign.cel.regex.nodes import INFINITE, Anchor, Chars, Choice, Group, Node, Repeat, Sequence
from dralign.cel.regex.reader import Reader

__all__ = ["RegexError", "parse"]

_MAX_HEIGHT = 1000
_MAX_REPEAT = 1000
_MAX_SIZE = (128 << 20) // 40
_DIGITS = "0123456789"
_STARS = {"*": (0, INFINITE), "+": (1, INFINITE), "?": (0, 1)}
_ANCHORS = {"A": "text-start", "b": "word", "B": "no-word", "z": "text-end"}


def parse(pattern: str) -> Node:
    """Return the tree of a pattern. Raises RegexError."""
    return _Parser(pattern).parse()


class _Level:
    """A group that is not closed yet: its finished alternatives, the parts of the last one, what to restore."""

    __slots__ = ("alternatives", "captures", "flags", "parts")

    def __init__(self, flags: Flags, captures: bool) -> None:
        self.flags = flags
        self.captures = captures
        self.alternatives: list[Node] = []
        self.parts: list[Node] = []

    def end_alternative(self) -> None:
        self.alternatives.append(self.parts[0] if len(self.parts) == 1 else Sequence(self.parts))
        self.parts = []

    def close(self) -> Node:
        self.end_alternative()
        return self.alternatives[0] if len(self.alternatives) == 1 else Choice(self.alternatives)


class _Parser:
    """One walk over one pattern."""

    __slots__ = ("flags", "last_repeat", "levels", "reader")

    def __init__(self, pattern: str) -> None:
        self.reader = Reader(pattern)
        self.flags = Flags()
        self.levels = [_Level(self.flags, captures=False)]
        self.last_repeat: int | None = None

    def parse(self) -> Node:
        reader = self.reader
        while not reader.is_done:
            start = reader.at
            char = reader.peek()
            if char in _STARS:
                reader.take()
                self._repeat(start, *_STARS[char], counted=False)
            elif char == "{" and (count := _read_count(reader)) is not None:
                self._count(start, *count)
            else:
                self._read_part(char)
                start = -1
            self.last_repeat = None if start < 0 else start
        if len(self.levels) > 1:
            raise RegexError("missing closing )", reader.text)
        return self._checked(self.levels[0].close())

    def _read_part(self, char: str) -> None:
        if char == "(":
            self._open()
        elif char == "[":
            self._add(Chars(read_class(self.reader, self.flags.fold)))
        elif char == "\\":
            self._read_escape()
        else:
            self.reader.take()
            self._read_single(char)

    def _read_single(self, char: str) -> None:
        if char == ")":
            self._close()
        elif char == "|":
            self.levels[-1].end_alternative()
        elif char == "^":
            self._add(Anchor("line-start" if self.flags.multiline else "text-start"))
        elif char == "$":
            self._add(Anchor("line-end" if self.flags.multiline else "text-end"))
        elif char == ".":
            self._add(Chars(ANY if self.flags.dot_newline else NOT_NEWLINE))
        else:
            self._literal(char)

    def _read_escape(self) -> None:
        reader = self.reader
        letter = reader.peek(1)
        if letter in _ANCHORS:
            reader.take(2)
            self._add(Anchor(_ANCHORS[letter]))
        elif letter == "C":
            raise RegexError("invalid escape sequence", reader.take(2))
        elif letter == "Q":
            self._read_quoted()
        else:
            charset = read_named_class(reader, self.flags.fold)
            if charset is None:
                self._literal(read_char(reader))
            else:
                self._add(Chars(charset))

    def _read_quoted(self) -> None:
        r"""Read ``\Q…\E``; without an end all that is left is quoted."""
        reader = self.reader
        reader.take(2)
        end = reader.text.find("\\E", reader.at)
        quoted = reader.take((len(reader.text) if end < 0 else end) - reader.at)
        reader.take(0 if end < 0 else 2)
        for char in quoted:
            self._literal(char)

    def _literal(self, char: str) -> None:
        charset = ((ord(char), ord(char)),)
        self._add(Chars(folded(charset) if self.flags.fold else charset))

    def _add(self, node: Node) -> None:
        self.levels[-1].parts.append(self._checked(node))

    def _open(self) -> None:
        start = read_group_start(self.reader, self.flags)
        if start.opens:
            self.levels.append(_Level(self.flags, start.captures))
        self.flags = start.flags

    def _close(self) -> None:
        if len(self.levels) == 1:
            raise RegexError("unexpected )", self.reader.text)
        level = self.levels.pop()
        self.flags = level.flags
        node = level.close()
        self._add(Group(node) if level.captures else node)

    def _count(self, start: int, least: int, most: int) -> None:
        if max(least, most) > _MAX_REPEAT or (most != INFINITE and most < least):
            raise self.reader.wrong("invalid repeat count", start)
        self._repeat(start, least, most, counted=True)

    def _repeat(self, start: int, least: int, most: int, *, counted: bool) -> None:
        reader = self.reader
        greedy = not self.flags.lazy
        if reader.peek() == "?":
            reader.take()
            greedy = not greedy
        if self.last_repeat is not None:
            raise reader.wrong("invalid nested repetition operator", self.last_repeat)
        parts = self.levels[-1].parts
        if not parts:
            raise reader.wrong("missing argument to repetition operator", start)
        node = Repeat(parts.pop(), least, most, greedy=greedy, counted=counted)
        self._add(node)
        if counted and max(least, most) >= 2 and not _repeats_within(node, _MAX_REPEAT):
            raise reader.wrong("invalid repeat count", start)

    def _checked(self, node: Node) -> Node:
        if node.height > _MAX_HEIGHT:
            raise RegexError("expression nests too deeply", self.reader.text)
        if node.size > _MAX_SIZE:
            raise RegexError("expression too large", self.reader.text)
        return node


def _read_count(reader: Reader) -> tuple[int, int] | None:
    """Read ``{2}``, ``{2,}`` or ``{2,3}``; None, and nothing read, if it is something else."""
    start = reader.at
    reader.take()
    least = most = _read_number(reader)
    if reader.peek() == ",":
        reader.take()
        most = INFINITE if reader.peek() == "}" else _read_number(reader)
    if least is None or most is None or reader.peek() != "}":
        reader.at = start
        return None
    reader.take()
    return least, most


def _read_number(reader: Reader) -> int | None:
    """Read a number without leading zeros; what has more digits than matter comes back shorter, but still too large."""
    digits = reader.take_all(_DIGITS)
    if not digits or (len(digits) > 1 and digits[0] == "0"):
        return None
    return int(digits[:9])


def _repeats_within(node: Node, limit: int) -> bool:
    """Tell whether counted repetitions inside each other stay within a limit."""
    pending = [(node, limit)]
    while pending:
        node, limit = pending.pop()
        if isinstance(node, Repeat):
            if node.counted:
                count = node.least if node.most == INFINITE else node.most
                if node.most == 0:
                    continue
                if count > limit:
                    return False
                limit = limit // count if count > 0 else limit
            pending.append((node.part, limit))
        elif isinstance(node, Group):
            pending.append((node.part, limit))
        elif isinstance(node, (Sequence, Choice)):
            pending.extend((part, limit) for part in node.parts)
    return True
