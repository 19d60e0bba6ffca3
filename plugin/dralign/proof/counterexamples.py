"""Finds a counterexample on one node: an allocation that crosses and can be reached, with as little taken as can be seen."""

from __future__ import annotations

from dralign.proof.hunt import Wanted
from dralign.proof.judging import Crossing
from dralign.proof.reach import Found
from dralign.sim.search import StepLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from dralign.proof.hunt import Assignment, Hunter
    from dralign.proof.judging import Judge, Together
    from dralign.proof.question import ContainerUse, Question
    from dralign.proof.reach import Reach
    from dralign.sim.outcome import Allocated

    Key = tuple[str, str]

_FEW = 4  # devices taken in a counterexample that nobody needs a shorter one of
_PAIR = 2  # of two requests, one is all but one


class Counterexamples:
    """Looks for crossing assignments, and for the states of the node in which they come about."""

    def __init__(self, question: Question, judge: Judge, hunter: Hunter, reach: Reach) -> None:
        self._question = question
        self._judge = judge
        self._hunter = hunter
        self._reach = reach

    def find(self, outcome: Allocated) -> Found | None:
        """Return a reachable allocation that crosses; None if there is none. ``outcome``: what an empty node gives.

        Raises StepLimitError where a bound is hit.
        """
        at_once = self._judge.crossing(outcome)
        if at_once is not None:
            return Found((), outcome, at_once)
        for use in self._question.containers:
            found = self._reachable(use)
            if found is not None:
                return self._smaller(use, found, outcome)
        return None

    def _smaller(self, use: ContainerUse, found: Found, outcome: Allocated) -> Found:
        """Look for a counterexample with less taken, in which some requests get what they get when all is free."""
        best = found
        firsts: dict[Key, set[int]] = {}
        for claim in outcome.claims:
            for result in claim.results:
                firsts.setdefault((claim.name, result.request), set()).add(result.device.number)
        for pinned in _all_but_one_and_one(firsts) if len(found.grabs) > _FEW else ():
            try:
                assignment = self._hunter.find(use, Wanted(self._crosses(use), pinned=pinned))
            except StepLimitError:
                continue
            shorter = self._reach.force_shorter(assignment, best) if assignment is not None else None
            best = shorter or best
        return best

    def _crosses(self, use: ContainerUse) -> Callable[[Together, bool], bool]:
        return lambda found, last: not last or isinstance(self._judge.settle(use, found), Crossing)

    def _reachable(self, use: ContainerUse) -> Found | None:
        """Look for any assignment that crosses; if the first cannot be reached, go through all of them."""
        wanted = Wanted(self._crosses(use))
        first = self._hunter.find(use, wanted)
        if first is None:
            return None
        reached = self._reach.force(first)
        if reached is not None:
            return reached
        finds: list[Found] = []

        def accepts(assignment: Assignment) -> bool:
            found = self._reach.force(assignment)
            finds.extend([found] if found is not None else [])
            return found is not None

        self._hunter.find(use, wanted, accepts)
        if not finds and not self._reach.is_exact:
            raise StepLimitError
        return finds[0] if finds else None


def _all_but_one_and_one(devices: Mapping[Key, set[int]]) -> Iterator[dict[Key, set[int]]]:
    """Yield the devices of all requests but one, for each of them; then those of one request alone."""
    for left_out in devices:
        yield {key: numbers for key, numbers in devices.items() if key != left_out}
    for key, numbers in devices.items() if len(devices) > _PAIR else ():
        yield {key: numbers}
