"""The search: one claim after the other, one request after the other, one device after the other, with backtracking.

The first complete solution is taken, so the order of visits decides which devices a pod gets; it is the allocator's
(``allocateOne``). Methods return FOUND, FAILED, or TOO_MANY: the claim would hold more than 32 devices, which other
devices cannot mend, only other alternatives.
"""

from __future__ import annotations

from dralign.sim.errors import AllocationError
from dralign.sim.plan import MOST_DEVICES
from dralign.sim.shortcuts import Shortcuts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from dralign.sim.bind import BoundAsk
    from dralign.sim.candidates import Candidates
    from dralign.sim.room import Room

    End = Literal["found", "failed", "too many"]

FOUND: End = "found"
FAILED: End = "failed"
TOO_MANY: End = "too many"

PATIENCE = 40  # choices taken back before it pays to look for shortcuts


class StepLimitError(Exception):
    """The bound on the number of steps was reached."""


class _HopelessError(Exception):
    """Some ask has too few devices, whatever is chosen for the others."""


class Search:
    """One attempt to place all asks of a pod on one node; what is chosen ends up in ``room``.

    ``step_limit`` bounds the number of steps as the allocator counts them; shortcuts save some.
    """

    __slots__ = ("_asks", "_combinations", "_room", "_setbacks", "_shortcuts", "_step_limit", "steps")

    def __init__(self, asks: list[BoundAsk], room: Room, *, combinations: bool, step_limit: int | None) -> None:
        self._asks = asks
        self._room = room
        self._combinations = combinations
        self._step_limit = step_limit
        self._shortcuts: Shortcuts | None = None
        self._setbacks = 0
        self.steps = 0

    def run(self) -> bool:
        """Search; say whether a solution was found. Raises AllocationError or StepLimitError."""
        try:
            return self._place(0) is FOUND
        except _HopelessError:
            return False

    def _place(self, number: int) -> End:
        """Find devices for the ask at ``number`` and all behind it."""
        if number == len(self._asks):
            return FOUND
        shortcuts = self._shortcuts
        if shortcuts is None:
            return self._place_ask(number)
        situation = shortcuts.situation(number, self._room)
        end = shortcuts.end(situation)
        if end is None:
            end = self._place_ask(number)
            if end is not FOUND:
                shortcuts.note(situation, end)
        return end

    def _place_ask(self, number: int) -> End:
        ask = self._asks[number]
        end = self._place_first_available(number, ask) if ask.optional else self._pick(number, ask.leaves[0], 0, 0)
        # Fewer devices for an earlier claim would not help this one, so for them it is an ordinary failure.
        return FAILED if end is TOO_MANY and ask.opens_claim else end

    def _place_first_available(self, number: int, ask: BoundAsk) -> End:
        all_too_many = True
        for candidates in ask.leaves:
            end = self._pick(number, candidates, 0, 0)
            if end is FOUND:
                return FOUND
            all_too_many = all_too_many and end is TOO_MANY
        return TOO_MANY if all_too_many else FAILED

    def _pick(self, number: int, candidates: Candidates, picked: int, start: int) -> End:
        """Choose a leaf's next device after ``picked`` others, from position ``start`` on, and all that follows."""
        self.steps += 1
        if self._step_limit is not None and self.steps > self._step_limit:
            raise StepLimitError
        if candidates.all is not None and not candidates.all:
            return FAILED
        if picked >= candidates.needs:
            return self._place(number + 1)
        if candidates.needs - picked > MOST_DEVICES - len(self._room.chosen[self._asks[number].claim_number]):
            return TOO_MANY
        if candidates.all is not None:
            return self._pick_listed(number, candidates, picked)
        return self._pick_any(number, candidates, picked, start)

    def _pick_listed(self, number: int, candidates: Candidates, picked: int) -> End:
        """Mode All: take exactly the next device of the list. A constraint that refuses it is an error."""
        claim = self._asks[number].claim_number
        candidate, blocked = (candidates.all or [])[picked]
        if blocked or self._room.in_use(candidate.device.number, claim, admin=candidates.leaf.admin):
            return FAILED
        refusal = self._room.take(candidates, candidate, claim)
        if refusal == "constraint":
            device = candidate.device.identity
            text = f"cannot add device {device} because a claim constraint would not be satisfied"
            raise candidates.leaf.error("all-constraint", text)
        if refusal is not None:
            return FAILED
        end = self._pick(number, candidates, picked + 1, 0)
        if end is not FOUND:
            self._take_back(claim)
        return end

    def _pick_any(self, number: int, candidates: Candidates, picked: int, start: int) -> End:
        room, answers, numbers = self._room, candidates.answers, candidates.view.numbers
        claim, admin = self._asks[number].claim_number, candidates.leaf.admin
        failed_sorts: set[int] = set()
        for position in range(start, len(numbers)):
            answer = answers[position]
            if answer is False or room.in_use(numbers[position], claim, admin=admin):
                continue
            if answer is None:
                answer = candidates.judge(position)
                if answer is False:
                    continue
            if isinstance(answer, AllocationError):
                raise answer
            if self._shortcuts is not None and self._shortcuts.is_known(number, answer, failed_sorts):
                continue
            if room.take(candidates, answer, claim) is not None:
                continue
            end = self._pick(number, candidates, picked + 1, position + 1 if self._combinations else 0)
            if end is FOUND:
                return FOUND
            self._take_back(claim)
            if end is TOO_MANY:
                return TOO_MANY
        return FAILED

    def _take_back(self, claim: int) -> None:
        self._room.give_back(claim)
        self._setbacks += 1
        if self._setbacks == PATIENCE:
            self._shortcuts = Shortcuts.found(self._asks, self._room)
            if self._shortcuts is not None and not self._shortcuts.possible:
                raise _HopelessError
