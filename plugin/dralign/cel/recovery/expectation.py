"""Which tokens may come next at a state of the grammar."""

from __future__ import annotations

from dralign.cel.parsing import tokens
from dralign.cel.recovery import states

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from dralign.cel.recovery.states import State

RETURNS = -2
"""Stands in a set of next tokens for "the rule may end here"."""

_next_tokens: dict[State, frozenset[int]] = {}


def next_tokens(state: State) -> frozenset[int]:
    """Return the kinds of tokens that may come next within the rule, and RETURNS if the rule may end before one."""
    known = _next_tokens.get(state)
    if known is None:
        known = _next_tokens[state] = frozenset(_look(state))
    return known


def _look(start: State) -> set[int]:
    found: set[int] = set()
    work, seen = [start], set()
    while work:
        state = work.pop()
        if state in seen:
            continue
        seen.add(state)
        if state.kind == states.TOKEN:
            found |= state.kinds
        elif state.kind == states.STOP:
            found.add(RETURNS)
        elif state.kind == states.CALL:
            inner = next_tokens(state.callee.start)
            found |= inner - {RETURNS}
            if RETURNS in inner:
                work.append(state.after)
        else:
            work.extend(state.ways or [state.after])
    return found


def next_tokens_with_callers(state: State, callers: Iterable[State]) -> set[int]:
    """Return the kinds of tokens that may come next, those after the end of the rule and its callers included."""
    found = set(next_tokens(state))
    for caller in callers:
        if RETURNS not in found:
            break
        found.discard(RETURNS)
        found |= next_tokens(caller)
    if RETURNS in found:
        found.discard(RETURNS)
        found.add(tokens.EOF)
    return found
