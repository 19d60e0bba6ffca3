"""Parses a broken expression as ANTLR does, to report what cel-go reports where cel-go reports it.

The parser walks the states of the grammar. Before each choice it checks that the next token can go on; on a token it
cannot match it tries to drop that token, then to do without a missing one, and else gives the rule up, skipping tokens
until one that a calling rule can go on with. After an error nothing more is reported until a token matches again.
Nothing here recurses, so that deep input costs no stack.
"""

from __future__ import annotations

from dralign.cel.errors import NO_PLACE, LimitReached
from dralign.cel.parsing import tokens
from dralign.cel.parsing.tokens import Token
from dralign.cel.parsing.tree import Tree, finish
from dralign.cel.recovery import states
from dralign.cel.recovery.expectation import RETURNS, next_tokens, next_tokens_with_callers
from dralign.cel.recovery.grammar import RULES
from dralign.cel.recovery.prediction import NoViableWay, predict
from dralign.cel.recovery.stream import TokenStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.errors import Issues
    from dralign.cel.parsing.tree import Node
    from dralign.cel.recovery.states import Rule, State

MAX_RULE_DEPTH = 250
MAX_RECOVERIES = 30
MAX_SKIPPED = 256
_LAST_NAMED_KIND = tokens.NULL


class _Fault(Exception):  # noqa: N818  a turn of the parser, not a fault of the program
    """The rule at hand cannot go on."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class _Frame:
    """A rule that is being parsed: where it stands and the tree it makes."""

    __slots__ = ("level", "node", "rule", "state")

    def __init__(self, rule: Rule, level: int, node: Tree) -> None:
        self.rule = rule
        self.level = level
        self.state = rule.start
        self.node = node


def _quote(text: str) -> str:
    escaped = text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
    return f"'{escaped}'"


def parse_broken(text: str, issues: Issues) -> Node | None:
    """Parse an expression in which anything may be wrong.

    Returns:
        The syntax tree, with gaps where something is missing. Problems go to ``issues``.

    Raises:
        LimitReached: a limit is reached.
    """
    return _Parser(text, issues).parse()


class _Parser:
    def __init__(self, text: str, issues: Issues) -> None:
        self.issues = issues
        self.tokens = TokenStream(text, issues)
        self.index = 0
        self.frames: list[_Frame] = []
        self.depth = dict.fromkeys(RULES.values(), 0)
        self.recovering = False
        self.recoveries = 0
        self.last_index = -1
        self.last_states: set[State] = set()
        self.result: Node | None = None

    def parse(self) -> Node | None:
        self._enter(RULES["start"], 0)
        while self.frames:
            frame = self.frames[-1]
            try:
                self._go_on(frame)
            except _Fault as fault:
                self._give_up_rule(frame, fault)
        return self.result

    # The walk

    def _go_on(self, frame: _Frame) -> None:
        state = frame.state
        kind = state.kind
        if kind == states.TOKEN:
            frame.node.put(state.label, self._match(state))
            frame.state = state.after
        elif kind == states.CALL:
            self._enter(state.callee, state.level)
        elif kind == states.STOP:
            self._leave(frame)
        elif kind == states.NAME:
            frame.node.name = state.label
            frame.state = state.after
        elif kind == states.PRECEDENCE:
            self._grow(frame, state)
        else:
            self._choose(frame, state)

    def _enter(self, rule: Rule, level: int) -> None:
        self.frames.append(_Frame(rule, level, Tree(rule.name, self.tokens.at(self.index))))
        self._deepen(rule)

    def _deepen(self, rule: Rule) -> None:
        self.depth[rule] += 1
        if self.depth[rule] > MAX_RULE_DEPTH:
            self.issues.add(NO_PLACE, f"expression recursion limit exceeded: {MAX_RULE_DEPTH}", "recursion")
            raise LimitReached

    def _rise(self, rule: Rule) -> None:
        self.depth[rule] = max(0, self.depth[rule] - 1)

    def _leave(self, frame: _Frame) -> None:
        self.frames.pop()
        self._rise(frame.rule)
        made = finish(frame.node)
        if not self.frames:
            self.result = made
            return
        caller = self.frames[-1]
        caller.node.put(caller.state.label, made)
        caller.state = caller.state.after

    def _grow(self, frame: _Frame, state: State) -> None:
        """Make the tree so far the left side of a new one."""
        grown = Tree(state.label, frame.node.start)
        grown.put("left", finish(frame.node))
        frame.node = grown
        self._deepen(frame.rule)
        frame.state = state.after

    def _choose(self, frame: _Frame, state: State) -> None:
        self._check(state)
        choice = state.after if state.kind == states.LOOP_BACK else state
        way = self._way(frame, choice)
        if choice.kind == states.LOOP and choice.rule.left_recursive and way == 1:
            self._rise(frame.rule)
        frame.state = choice.ways[way - 1]

    def _way(self, frame: _Frame, choice: State) -> int:
        if len(choice.ways) == 1:
            return 1
        if choice.adaptive:
            callers = tuple(self._callers())
            try:
                return predict(choice, frame.level, self.tokens.kind, self.index, callers)
            except NoViableWay as stuck:
                raise self._no_viable(stuck.index) from None
        kind = self.tokens.kind(self.index)
        for way, target in enumerate(choice.ways, 1):
            if kind in next_tokens(target):
                return way
        if choice.ways[-1].kind == states.NAME:
            raise self._no_viable(self.index)
        return len(choice.ways)  # what is optional is left out

    def _callers(self) -> list[State]:
        """Where the rules at hand return to, innermost first."""
        return [frame.state.after for frame in reversed(self.frames[:-1])]

    # Reports

    def _expected(self) -> set[int]:
        return next_tokens_with_callers(self.frames[-1].state, self._callers())

    def _expected_names(self) -> str:
        names = [tokens.NAMES[kind] for kind in sorted(self._expected())]
        return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"

    def _no_viable(self, index: int) -> _Fault:
        first, last = self.tokens.at(self.index), self.tokens.at(index)
        text = "<EOF>" if first.kind == tokens.EOF else self.tokens.between(first, last)
        if text[1:] in ("true", "false", "null"):  # cel-go words a keyword behind a dot so
            return _Fault(f"mismatched input '{text[1:]}' expecting IDENTIFIER", last.offset)
        return _Fault(f"no viable alternative at input {_quote(text)}", last.offset)

    def _mismatch(self) -> _Fault:
        token = self.tokens.at(self.index)
        return _Fault(f"mismatched input {_quote(token.text)} expecting {self._expected_names()}", token.offset)

    def _report(self, message: str, offset: int) -> None:
        if not self.recovering:
            self.recovering = True
            self.tokens.report(message, offset)

    def _report_unwanted(self) -> None:
        if not self.recovering:
            token = self.tokens.at(self.index)
            self._report(f"extraneous input {_quote(token.text)} expecting {self._expected_names()}", token.offset)

    # Matching and recovery

    def _matched(self) -> None:
        self.recovering = False
        self.last_index = -1
        self.last_states = set()

    def _consume(self) -> Token:
        token = self.tokens.at(self.index)
        if token.kind != tokens.EOF:
            self.index += 1
            self.tokens.at(self.index)
        return token

    def _match(self, state: State) -> Token:
        if self.tokens.kind(self.index) in state.kinds:
            self._matched()
            return self._consume()
        self._count_recovery()
        if self._drop_one():
            return self._consume()
        if self.tokens.kind(self.index) in next_tokens_with_callers(state.after, self._callers()):
            return self._missing()
        raise self._mismatch()

    def _drop_one(self) -> bool:
        """Skip the next token if the one behind it fits."""
        if self.tokens.kind(self.index + 1) not in self._expected():
            return False
        self._report_unwanted()
        self._consume()
        self._matched()
        return True

    def _missing(self) -> Token:
        """Report a missing token and make it up."""
        token = self.tokens.at(self.index)
        if not self.recovering:
            self._report(f"missing {self._expected_names()} at {_quote(token.text)}", token.offset)
        kind = min(self._expected())
        name = tokens.NAMES[kind] if kind <= _LAST_NAMED_KIND else "undefined"
        if token.kind == tokens.EOF and self.index > 0:
            token = self.tokens.at(self.index - 1)
        return Token(kind, token.offset, f"<missing {name}>")

    def _check(self, state: State) -> None:
        """Before a choice: report a token that fits no way, and drop it or what follows if that helps."""
        if self.recovering:
            return
        following = next_tokens(state)
        if RETURNS in following or self.tokens.kind(self.index) in following:
            return
        if state.kind in (states.LOOP_BACK, states.PLUS_BACK):
            self._report_unwanted()
            self._skip_until(self._expected() | self._recovery_set(), limit=None)
        elif not self._drop_one():
            raise self._mismatch()

    def _count_recovery(self) -> None:
        if self.recoveries == MAX_RECOVERIES:
            token = self.tokens.at(self.index)
            self.tokens.report(f"error recovery attempt limit exceeded: {MAX_RECOVERIES}", token.offset)
            raise LimitReached
        self.recoveries += 1

    def _give_up_rule(self, frame: _Frame, fault: _Fault) -> None:
        self._report(fault.message, fault.offset)
        self._count_recovery()
        skipped = 0
        if self.last_index == self.index and frame.state in self.last_states:
            self._consume()  # twice at the same spot: go on by at least one token
            skipped = 1
        self.last_index = self.index
        self.last_states.add(frame.state)
        self._skip_until(self._recovery_set(), limit=MAX_SKIPPED - skipped)
        self._leave(frame)

    def _recovery_set(self) -> set[int]:
        """Kinds of tokens with which any of the calling rules could go on."""
        found: set[int] = set()
        for state in self._callers():
            found |= next_tokens(state)
        return found - {RETURNS}

    def _skip_until(self, kinds: set[int], limit: int | None) -> None:
        count = 0
        while self.tokens.kind(self.index) not in kinds and self.tokens.kind(self.index) != tokens.EOF:
            if count == limit:
                message = f"error recovery token lookahead limit exceeded: {MAX_SKIPPED}"
                self.issues.add(NO_PLACE, message, "syntax")
                raise LimitReached
            count += 1
            self._consume()
