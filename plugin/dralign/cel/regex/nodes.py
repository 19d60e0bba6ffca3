"""The parts of a regular expression."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.regex.charsets import Charset

INFINITE = -1


class Node:
    """Any part.

    ``height`` counts the levels below and including it, ``size`` the instructions Go would need, ``nullable`` says
    whether it can match the empty text.
    """

    __slots__ = ("height", "nullable", "size")

    height: int
    size: int
    nullable: bool


class Chars(Node):
    """One character of a set."""

    __slots__ = ("charset",)

    def __init__(self, charset: Charset) -> None:
        self.charset = charset
        self.height = self.size = 1
        self.nullable = False


class Anchor(Node):
    """A place: ``text-start``, ``text-end``, ``line-start``, ``line-end``, ``word``, ``no-word``."""

    __slots__ = ("place",)

    def __init__(self, place: str) -> None:
        self.place = place
        self.height = self.size = 1
        self.nullable = True


class Sequence(Node):
    """Parts in a row; none match the empty text."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts
        self.height = 1 + max((part.height for part in parts), default=0)
        self.size = max(1, sum(part.size for part in parts))
        self.nullable = all(part.nullable for part in parts)


class Choice(Node):
    """The first of several parts that matches."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts
        self.height = 1 + max(part.height for part in parts)
        self.size = sum(part.size for part in parts) + len(parts) - 1
        self.nullable = any(part.nullable for part in parts)


class Group(Node):
    """A capturing group."""

    __slots__ = ("part",)

    def __init__(self, part: Node) -> None:
        self.part = part
        self.height = 1 + part.height
        self.size = 2 + part.size
        self.nullable = part.nullable


class Repeat(Node):
    """A part ``least`` to ``most`` times (INFINITE: no limit), as often as possible or as rarely.

    ``counted`` tells ``{2,3}`` from ``*``, ``+`` and ``?``.
    """

    __slots__ = ("counted", "greedy", "least", "most", "part")

    def __init__(self, part: Node, least: int, most: int, *, greedy: bool, counted: bool) -> None:
        self.part = part
        self.least = least
        self.most = most
        self.greedy = greedy
        self.counted = counted
        self.height = 1 + part.height
        self.size = self._size()
        self.nullable = least == 0 or part.nullable

    def _size(self) -> int:
        if not self.counted:
            return self.part.size + (2 if self.least == 0 and self.most == INFINITE else 1)
        if self.most == INFINITE:
            return self.part.size + 2 if self.least == 0 else 1 + self.least * self.part.size
        return max(1, self.most * self.part.size + self.most - self.least)
