"""Which way to go at a place of choice: ANTLR's adaptive LL(*) prediction over the states of the grammar.

A prediction follows all ways at once, token by token, until one is left. At first it knows nothing of the rules that
called the current one (a return may go to any caller) and remembers what it learnt; only if that leaves two ways in
the same situation it starts again with the true callers. When no way is left the input is wrong, unless a way had
already left the rule: then it is taken, and the caller sees the error. Ambiguities go to the first way.

Sources: Parr, Harwell, Fisher, "Adaptive LL(*) Parsing: The Power of Dynamic Analysis" (OOPSLA 2014), and the
behaviour of github.com/antlr4-go/antlr v4.13, whose choices cel-go's messages show.
"""

from __future__ import annotations

from dralign.cel.parsing import tokens
from dralign.cel.recovery import states

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dralign.cel.recovery.states import State

    Stack = tuple[State, ...]
    """Where to return to, innermost first. Without callers an empty stack may return anywhere."""
    Thread = tuple[State, int, Stack, bool, bool]
    """State, way, stack, has the rule been left, was it left through a call that allows every precedence."""

NO_WAY = 0


class NoViableWay(Exception):  # noqa: N818  a turn of the parser, not a fault of the program
    """No way fits the tokens up to the one at ``index``."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


class Place:
    """Where the ways may stand between two tokens: stacks by state and way, and whether the rule was left for it."""

    __slots__ = ("edges", "left", "stacks", "suppressed")

    def __init__(self) -> None:
        self.stacks: dict[tuple[State, int], set[Stack]] = {}
        self.left: set[tuple[State, int]] = set()
        self.suppressed: set[tuple[State, int]] = set()
        self.edges: dict[int, Place | int] = {}

    def add(self, thread: Thread) -> None:
        """Record where a thread stands."""
        state, way, stack, left, suppressed = thread
        key = (state, way)
        self.stacks.setdefault(key, set()).add(stack)
        if left:
            self.left.add(key)
        if suppressed:
            self.suppressed.add(key)

    def absorb(self) -> None:
        """Drop stacks that go on where another one may return anywhere: that one covers them."""
        for stacks in self.stacks.values():
            if len(stacks) > 1:
                stacks -= {stack for stack in stacks if any(stack[:n] in stacks for n in range(len(stack)))}

    def identity(self) -> frozenset[object]:
        """Equal for places that behave alike."""
        return frozenset((key, frozenset(stacks), key in self.left) for key, stacks in self.stacks.items())

    def single_way(self) -> int:
        """Return the only way that is left, or NO_WAY."""
        ways = {way for _, way in self.stacks}
        return ways.pop() if len(ways) == 1 else NO_WAY

    def rivals(self) -> list[set[int]]:
        """For each situation (state and stacks), the ways that are in it."""
        groups: dict[tuple[State, frozenset[Stack]], set[int]] = {}
        for (state, way), stacks in self.stacks.items():
            groups.setdefault((state, frozenset(stacks)), set()).add(way)
        return list(groups.values())

    def is_conflict(self) -> bool:
        """Tell whether looking further without callers is of no use."""
        if all(state.kind == states.STOP for state, _ in self.stacks):
            return True
        ways_of: dict[State, set[int]] = {}
        for state, way in self.stacks:
            ways_of.setdefault(state, set()).add(way)
        return any(len(ways) > 1 for ways in self.rivals()) and all(len(ways) > 1 for ways in ways_of.values())

    def finished_way(self) -> int:
        """Return the first way that has left the rule, or NO_WAY."""
        done = (key[1] for key, stacks in self.stacks.items() if key in self.left or _is_end(key[0], stacks))
        return min(done, default=NO_WAY)


def _is_end(state: State, stacks: set[Stack]) -> bool:
    return state.kind == states.STOP and () in stacks


def _is_redundant_loop(state: State, stack: Stack) -> bool:
    """Tell whether going on in a left-recursive loop equals returning to the same loop further out."""
    return state.kind == states.LOOP and state.rule.left_recursive and bool(stack) and stack[0].rule is state.rule


def _expand(threads: Iterable[Thread], *, with_callers: bool, at_end: bool, decision: State | None = None) -> Place:
    """Follow threads to all states that need a token next."""
    place = Place()
    work, seen = list(threads), set()
    while work:
        thread = work.pop()
        if thread in seen:
            continue
        seen.add(thread)
        state, way, stack, left, suppressed = thread
        kind = state.kind
        if kind == states.TOKEN:
            place.add(thread)
            if at_end and tokens.EOF in state.kinds:
                work.append((state.after, way, stack, left, suppressed))
        elif kind == states.CALL:
            work.append((state.callee.start, way, (state.after, *stack), left, suppressed))
        elif kind == states.STOP:
            if stack:
                work.append((stack[0], way, stack[1:], left, suppressed))
            elif with_callers or not state.rule.callers:
                place.add(thread)
            else:
                outermost = decision is not None and decision.rule is state.rule
                work.extend(
                    (call.after, way, (), True, suppressed or (outermost and call.level == 0))
                    for call in state.rule.callers
                )
        else:
            ways = state.ways or [state.after]
            if _is_redundant_loop(state, stack):
                ways = ways[1:]
            work.extend((target, way, stack, left, suppressed) for target in ways)
    if not with_callers:
        place.absorb()
    return place


def _step(place: Place, token: int, *, with_callers: bool) -> Place | int:
    """Go on by one token: the new place, or the only way left (NO_WAY: none)."""
    at_end = token == tokens.EOF
    threads: list[Thread] = []
    stopped: list[Thread] = []
    for key, stacks in place.stacks.items():
        state, way = key
        left = key in place.left
        if state.kind == states.STOP:
            if with_callers or at_end:
                stopped.extend((state, way, stack, left, False) for stack in stacks)
        elif token in state.kinds:
            threads.extend((state.after, way, stack, left, False) for stack in stacks)
    ways = {thread[1] for thread in threads}
    if len(ways) == 1 and not stopped and not at_end:
        return ways.pop()
    reached = _expand(threads, with_callers=with_callers, at_end=at_end)
    if at_end:
        reached.stacks = {key: stacks for key, stacks in reached.stacks.items() if key[0].kind == states.STOP}
    if not with_callers or not any(state.kind == states.STOP for state, _ in reached.stacks):
        for thread in stopped:
            reached.add(thread)
    return reached if reached.stacks and not reached.single_way() else reached.single_way()


def _starts(decision: State, precedence: int) -> list[tuple[State, int]]:
    """Return the states in which the ways of a decision start, without those that the precedence forbids."""
    starts = []
    for way, target in enumerate(decision.ways, 1):
        heads = target.ways if target.kind == states.LOOP_BODY and decision.kind == states.LOOP else [target]
        for head in heads:
            if head.kind == states.PRECEDENCE and decision.kind == states.LOOP:
                if head.level >= precedence:
                    starts.append((head.after, way))
            else:
                starts.append((head, way))
    return starts


def _first_place(decision: State, precedence: int) -> Place:
    """Return where a prediction without callers starts; operators belong to the innermost rule that may take them."""
    threads = ((state, way, (), False, False) for state, way in _starts(decision, precedence))
    place = _expand(threads, with_callers=False, at_end=False, decision=decision)
    if decision.kind == states.LOOP and decision.rule.left_recursive:
        mine = {state: stacks for (state, way), stacks in place.stacks.items() if way == 1}
        for key in list(place.stacks):
            state, way = key
            if way != 1 and key not in place.suppressed and mine.get(state) == place.stacks[key]:
                del place.stacks[key]
    return place


_first_places: dict[tuple[State, int], Place] = {}
_known_places: dict[tuple[State, frozenset[object]], Place] = {}


def predict(decision: State, precedence: int, kind_at: Callable[[int], int], index: int, callers: Stack) -> int:
    """Return the number (from 1) of the way to take.

    Args:
        decision: the state of choice.
        precedence: the least precedence the current rule was called with.
        kind_at: gives the kind of the token at an index.
        index: index of the next token.
        callers: where the rules return to that are being parsed, innermost first.

    Raises:
        NoViableWay: no way fits.
    """
    key = (decision, precedence if decision.rule.left_recursive else 0)
    place = _first_places.get(key)
    if place is None:
        place = _first_places[key] = _first_place(*key)
    at = index
    while True:
        kind = kind_at(at)
        reached = place.edges.get(kind)
        if reached is None:
            reached = _step(place, kind, with_callers=False)
            if isinstance(reached, Place):
                reached = _known_places.setdefault((decision, reached.identity()), reached)
            place.edges[kind] = reached
        if isinstance(reached, int):
            return reached or _way_out(place, at)
        if reached.is_conflict():
            return _predict_with_callers(decision, precedence, kind_at, index, callers)
        place = reached
        if kind != tokens.EOF:
            at += 1


def _way_out(place: Place, index: int) -> int:
    way = place.finished_way()
    if way == NO_WAY:
        raise NoViableWay(index)
    return way


def _predict_with_callers(
    decision: State, precedence: int, kind_at: Callable[[int], int], index: int, callers: Stack
) -> int:
    threads = ((state, way, callers, False, False) for state, way in _starts(decision, precedence))
    place = _expand(threads, with_callers=True, at_end=False)
    at = index
    while True:
        kind = kind_at(at)
        reached = _step(place, kind, with_callers=True)
        if isinstance(reached, int):
            return reached or _way_out(place, at)
        firsts = {min(ways) for ways in reached.rivals()}
        if len(firsts) == 1:
            return firsts.pop()
        place = reached
        if kind != tokens.EOF:
            at += 1
