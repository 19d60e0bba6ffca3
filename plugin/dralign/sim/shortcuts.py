"""What a long search may leave out without changing its answer.

Two situations before the same ask are alike if all that is still to be chosen finds them alike: as many free devices
of each sort, constraints, counters and capacities in the same state. If one was a dead end, so is the other. Likewise,
of two free devices that look alike to this ask and all later ones the second cannot do where the first did not.

Before that, devices go whose attributes leave another request with too few that match them.

This holds only where no error can surface on the part of the search that is left out, so every device is judged for
every leaf first, and there are no shortcuts at all if that meets an error, or where one depends on earlier choices.
"""

from __future__ import annotations

from dralign.sim.constraints import typed
from dralign.sim.errors import AllocationError
from dralign.sim.narrowing import narrow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from dralign.model.device import Device
    from dralign.sim.bind import BoundAsk
    from dralign.sim.candidates import Candidates
    from dralign.sim.cluster import Candidate
    from dralign.sim.constraints import Constraint
    from dralign.sim.room import Room
    from dralign.sim.search import End


_MOST_KEPT = 100_000  # dead ends remembered: a search that meets more is given up before long


class Shortcuts:
    """Dead ends met so far, and the means to recognise them. ``possible`` False: some ask has too few devices."""

    __slots__ = ("_asks", "_constraints", "_dead_ends", "_sorts", "possible")

    def __init__(self, asks: list[BoundAsk], *, possible: bool) -> None:
        self._asks = asks
        self._constraints = [_constraints_from(asks[number:]) for number in range(len(asks))]
        self._sorts: dict[int, dict[int, int]] = {}
        self._dead_ends: dict[Hashable, End] = {}
        self.possible = possible

    @classmethod
    def found(cls, asks: list[BoundAsk], room: Room) -> Shortcuts | None:
        """Judge every device for every leaf; None if a shortcut could hide an error."""
        everything = [candidates for ask in asks for candidates in ask.leaves]
        if not all(_is_free_of_errors(candidates) for candidates in everything):
            return None
        able = {candidates: _free_devices(candidates, room) for candidates in everything}
        narrow(asks, able)
        for candidates, devices in able.items():
            candidates.keep_only({device.number for device in devices})
        return cls(asks, possible=all(any(len(able[c]) >= max(c.needs, 1) for c in ask.leaves) for ask in asks))

    def situation(self, number: int, room: Room) -> Hashable:
        """Return a key that is the same for situations that are alike to the ask at ``number`` and all later ones."""
        sorts = self._sorts_for(number)
        used = sorted(sorts[device] for device in room.held if device in sorts)
        states = tuple(constraint.state() for constraint in self._constraints[number])
        return number, len(room.chosen[self._asks[number].claim_number]), tuple(used), states, room.state()

    def end(self, situation: Hashable) -> End | None:
        """Return how a situation ended before; None if it is new."""
        return self._dead_ends.get(situation)

    def note(self, situation: Hashable, end: End) -> None:
        """Remember that a situation leads nowhere."""
        if len(self._dead_ends) < _MOST_KEPT:
            self._dead_ends[situation] = end

    def is_known(self, number: int, candidate: Candidate, seen: set[int]) -> bool:
        """Say whether a device looks like one that was tried before, by the sorts in ``seen``; note its own."""
        sort = self._sorts_for(number)[candidate.device.number]
        if sort in seen:
            return True
        seen.add(sort)
        return False

    def _sorts_for(self, number: int) -> dict[int, int]:
        """Sort devices, by number, into those that look alike to the ask at ``number`` and all later ones."""
        known = self._sorts.get(number)
        if known is None:
            looks: dict[int, list[Hashable]] = {}
            for index, candidates in enumerate(c for ask in self._asks[number:] for c in ask.leaves):
                for candidate in _candidates(candidates):
                    looks.setdefault(candidate.device.number, []).append((index, _look(candidates, candidate)))
            names: dict[Hashable, int] = {}
            known = {device: names.setdefault(tuple(look), len(names)) for device, look in looks.items()}
            self._sorts[number] = known
        return known


def _constraints_from(asks: list[BoundAsk]) -> list[Constraint]:
    """Return the constraints that bind any of these asks."""
    found = (constraint for ask in asks for candidates in ask.leaves for constraint in candidates.constraints)
    return list(dict.fromkeys(found))


def _is_free_of_errors(candidates: Candidates) -> bool:
    if candidates.leaf.admin or not all(constraint.undoes for constraint in candidates.constraints):
        return False
    if candidates.all is not None and candidates.constraints:
        return False
    if any(isinstance(answer, AllocationError) for answer in candidates.judge_all()):
        return False
    try:
        for candidate in _candidates(candidates):
            _look(candidates, candidate)
    except AllocationError:
        return False
    return True


def _free_devices(candidates: Candidates, room: Room) -> list[Device]:
    """Return the devices for a leaf that no other claim holds."""
    devices = (candidate.device for candidate in _candidates(candidates))
    return [device for device in devices if device.number not in room.taken.whole]


def _candidates(candidates: Candidates) -> Iterator[Candidate]:
    if candidates.all is not None:
        yield from (candidate for candidate, _ in candidates.all)
    for answer in candidates.answers:
        if answer is not None and not isinstance(answer, (bool, AllocationError)):
            yield answer


def _look(candidates: Candidates, candidate: Candidate) -> Hashable:
    """Return all that the search can tell about a device for a leaf. Shares are told apart by the device itself."""
    device = candidate.device
    values = tuple(typed(constraint.lookup(candidates.leaf, device)) for constraint in candidates.constraints)
    groups = tuple((part.counter_set, part.groups) for part in device.consumes)
    return values, candidate.pool.key, candidate.usage, groups, device.number if candidate.shared else None
