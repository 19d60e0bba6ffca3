"""The network that the grammar becomes: rules made of states."""

from __future__ import annotations

# Kinds of states. TOKEN to STOP have one way on; the others are places of choice.
(TOKEN, CALL, PRECEDENCE, NAME, STOP, BLOCK, LOOP, LOOP_BODY, LOOP_BACK, PLUS, PLUS_BACK) = range(11)


class Rule:
    """A rule of the grammar: its first and last state, and the states that may follow a call of it."""

    __slots__ = ("callers", "left_recursive", "name", "start", "stop")

    def __init__(self, name: str) -> None:
        self.name = name
        self.stop = State(STOP, self)
        self.start = self.stop
        self.left_recursive = False
        self.callers: list[State] = []


class State:
    """A place in a rule.

    ``next`` is where a TOKEN (one of ``kinds``), a CALL (of ``callee`` with ``level``), a PRECEDENCE (allowed up to
    ``level``) or a NAME leads; ``ways`` are the choices of the other states. ``label`` is the field of the syntax tree
    that a token or a call fills; PRECEDENCE and NAME turn the tree node into one of that name. A choice that is
    ``adaptive`` needs more than the next token.
    """

    __slots__ = ("adaptive", "callee", "kind", "kinds", "label", "level", "next", "rule", "ways")

    def __init__(self, kind: int, rule: Rule, next: State | None = None, label: str = "", level: int = 0) -> None:  # noqa: A002
        self.kind = kind
        self.rule = rule
        self.next = next
        self.label = label
        self.level = level
        self.kinds: frozenset[int] = frozenset()
        self.callee = rule
        self.ways: list[State] = []
        self.adaptive = False

    @property
    def after(self) -> State:
        """``next`` of a state that has one."""
        if self.next is None:
            raise TypeError("a state of choice has no single way on")
        return self.next
