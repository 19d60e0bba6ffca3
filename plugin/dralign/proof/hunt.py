"""Looks for an assignment of devices that meets all constraints and puts parts of a container where they are wanted.

The allocator's own search does it, with one constraint more: it refuses the last device of the container unless the
assignment is of the wanted sort. So nothing that selectors, capacities, counters and constraints forbid is ever found, and
where the search ends without a find there is none, whatever others hold.
"""

from __future__ import annotations

from itertools import product

from dralign.cel.depth import room_for_depth
from dralign.record import Record
from dralign.sim.bind import BoundAsk, bind
from dralign.sim.cluster import Candidate
from dralign.sim.constraints import Lookup, MatchList, MatchListNarrowing
from dralign.sim.errors import AllocationError
from dralign.sim.room import Room
from dralign.sim.search import FAILED, FOUND, Search, StepLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from dralign.model.device import Device
    from dralign.model.node import Node
    from dralign.proof.judging import Judge, Together
    from dralign.proof.question import ContainerUse
    from dralign.sim.allocator import Pod
    from dralign.sim.candidates import Candidates
    from dralign.sim.constraints import Constraint
    from dralign.sim.plan import Leaf
    from dralign.sim.room import Choice
    from dralign.sim.search import End
    from dralign.sim.taken import Taken

    Assignment = list[list[Choice]]

_NOT_PINNED: Mapping[tuple[str, str], AbstractSet[int]] = {}

MOST_COMBINATIONS = 64
"""Combinations of alternatives (``firstAvailable``) that are looked at."""


class Wanted(Record):
    """What is looked for.

    Attributes:
        allows: ``allows(so far, is_last)`` says whether a device may be taken in.
        driver: only devices of this driver count; None for all.
        pinned: devices, by number, that requests are limited to, by claim and request (``main/sub`` for an alternative).
    """

    allows: Callable[[Together, bool], bool]
    driver: str | None = None
    pinned: Mapping[tuple[str, str], AbstractSet[int]] = _NOT_PINNED


class _Look(Lookup):
    """What tells devices apart for the search: driver and place."""

    __slots__ = ("_judge",)

    def __init__(self, judge: Judge) -> None:
        super().__init__("place")
        self._judge = judge

    def __call__(self, leaf: Leaf, device: Device) -> str:
        """Return a key that is the same for devices that are alike."""
        del leaf
        place = self._judge.places.of(device)
        where = place.token if place.spots is None else sorted(place.spots)
        return f"{device.driver} {where}"


class _Watch:
    """A constraint that keeps account of where a container's devices are."""

    undoes = True
    ties = False

    def __init__(self, judge: Judge, wanted: Wanted, start: Together, total: int) -> None:
        self.lookup: Lookup = _Look(judge)
        self._judge = judge
        self._wanted = wanted
        self._total = total
        self._stack = [start]

    def add(self, leaf: Leaf, device: Device) -> bool:
        """Take the device in if what is wanted can still be."""
        del leaf
        found, judge = self._stack[-1], self._judge
        if self._wanted.driver in (None, device.driver) and judge.known.has_place(device.driver):
            found = found.plus(judge.places.of(device), is_cpu=judge.known.kind(device) == "cpu")
        if not self._wanted.allows(found, len(self._stack) == self._total):
            return False
        self._stack.append(found)
        return True

    def remove(self, leaf: Leaf, device: Device) -> None:
        """Take back the last device."""
        del leaf, device
        self._stack.pop()

    def state(self) -> Hashable:
        """Return where the devices are so far."""
        return len(self._stack), self._stack[-1]


class _Hunt(Search):
    """The search; ``accepts``, if given, has the last word on each complete assignment, and then nothing is skipped."""

    __slots__ = ("accepts",)

    accepts: Callable[[Assignment], bool] | None

    def _place(self, number: int) -> End:
        if number == len(self._asks) and self.accepts is not None:
            return FOUND if self.accepts(self._room.chosen) else FAILED
        return super()._place(number)

    def _pick_listed(self, number: int, candidates: Candidates, picked: int) -> End:
        try:
            return super()._pick_listed(number, candidates, picked)
        except AllocationError as error:
            if error.kind != "all-constraint":
                raise
            return FAILED  # the allocator would report it; here it only means that this is no way to go

    def _take_back(self, claim: int) -> None:
        if self.accepts is None:
            super()._take_back(claim)
        else:
            self._room.give_back(claim)


class Hunter:
    """Looks through the assignments of one pod on one node."""

    def __init__(self, judge: Judge, pod: Pod, node: Node, own: Taken) -> None:
        self._judge = judge
        self._pod = pod
        self._node = node
        self._own = own

    def find(
        self, use: ContainerUse, wanted: Wanted, accepts: Callable[[Assignment], bool] | None = None
    ) -> Assignment | None:
        """Return an assignment with a container as wanted; None if there is none. Raises StepLimitError."""
        with room_for_depth():
            for number, asks in enumerate(self._combinations()):
                if number >= MOST_COMBINATIONS:
                    raise StepLimitError
                found = self._search(asks, use, wanted, accepts)
                if found is not None:
                    return found
        return None

    def errors(self) -> Iterator[AllocationError]:
        """Yield the errors of expressions on devices that the node sees, in the order of requests."""
        for ask in self._bound():
            for candidates in ask.leaves:
                yield from (answer for answer in candidates.judge_all() if isinstance(answer, AllocationError))
                yield from _underivable(candidates).values()

    def fits_somehow(self) -> bool:
        """Say whether any devices would do, those that make a selector fail left out. Raises StepLimitError.

        None do where mode All asks for a device that makes one fail: it is met in every order.
        """
        try:
            asks = self._bound()
        except AllocationError:
            return False
        for candidates in (candidates for ask in asks for candidates in ask.leaves):
            _forget_errors(candidates)
        with room_for_depth():
            return self._run(asks, None) is not None

    def _search(
        self, asks: list[BoundAsk], use: ContainerUse, wanted: Wanted, accepts: Callable[[Assignment], bool] | None
    ) -> Assignment | None:
        judge = self._judge
        mine = [ask.leaves[0] for ask in asks if _is_of(use, ask) and not ask.leaves[0].leaf.admin]
        held = judge.held(use)
        start = judge.gather(part for part in held if wanted.driver in (None, part.device.driver))
        watch = _Watch(judge, wanted, start, sum(candidates.needs for candidates in mine))
        for ask in asks:
            candidates = ask.leaves[0]
            _forget_errors(candidates)
            pinned = wanted.pinned.get((candidates.leaf.claim, candidates.leaf.name))
            if pinned is not None:
                candidates.keep_only(set(pinned))
        for candidates in mine:
            candidates.constraints.append(watch)
        return self._run(asks, accepts) if mine else None

    def _run(self, asks: list[BoundAsk], accepts: Callable[[Assignment], bool] | None) -> Assignment | None:
        known = self._judge.known
        cluster = known.allocator.cluster
        room = Room(cluster, self._own, len(self._pod.plans))
        search = _Hunt(asks, room, combinations=cluster.how.combinations, step_limit=known.aim.steps)
        search.accepts = accepts
        return room.chosen if search.run() else None

    def _combinations(self) -> Iterator[list[BoundAsk]]:
        """Yield the asks with one alternative each; every time with constraints of their own."""
        numbers = [range(len(ask.leaves)) for ask in self._bound()]
        for chosen in product(*numbers):
            asks = self._bound()
            for ask, number in zip(asks, chosen, strict=True):
                ask.leaves = [ask.leaves[number]]
                ask.optional = False
            yield asks

    def _bound(self) -> list[BoundAsk]:
        cluster = self._judge.known.allocator.cluster
        asks = bind(self._pod.plans, cluster.view(self._node), cluster, self._own)
        if cluster.how.undo_defects:
            _mend(asks)
        return asks


def _is_of(use: ContainerUse, ask: BoundAsk) -> bool:
    return use.reaches(ask.leaves[0].leaf.claim, ask.name)


def _mend(asks: list[BoundAsk]) -> None:
    """Put constraints without the defects of 1.36 in the place of its own: they allow all that those do, and more.

    A distinctAttribute is left out altogether, since 1.36 forgets most of what it has seen.
    """
    mended: dict[Constraint, MatchList] = {}
    for candidates in (candidates for ask in asks for candidates in ask.leaves):
        kept: list[Constraint] = []
        for constraint in candidates.constraints:
            if isinstance(constraint, MatchListNarrowing):
                kept.append(mended.setdefault(constraint, MatchList(constraint.lookup)))
            elif constraint.undoes:
                kept.append(constraint)
        candidates.constraints = kept


def _forget_errors(candidates: Candidates) -> None:
    """Take devices that make an expression fail for unfit: no allocation holds one."""
    failing = _underivable(candidates)
    for position, answer in enumerate(candidates.judge_all()):
        if isinstance(answer, AllocationError) or candidates.view.devices[position] in failing:
            candidates.answers[position] = False
    if any(candidate.device in failing for candidate, _ in candidates.all or ()):
        candidates.all = []  # nothing to choose from: mode All needs that very device


def _underivable(candidates: Candidates) -> dict[Device, AllocationError]:
    """Return devices on which an attribute that the request derives, and a constraint asks for, fails."""
    found: dict[Device, AllocationError] = {}
    answers = (answer for answer in candidates.judge_all() if isinstance(answer, Candidate))
    devices = [answer.device for answer in answers] + [candidate.device for candidate, _ in candidates.all or ()]
    for constraint in candidates.constraints if candidates.leaf.derived else ():
        for device in devices:
            try:
                constraint.lookup(candidates.leaf, device)
            except AllocationError as error:
                found.setdefault(device, error)
    return found


def numbers_of(assignment: Sequence[Sequence[Choice]]) -> frozenset[int]:
    """Return the devices that an assignment holds; admin access holds none."""
    return frozenset(
        choice.candidate.device.number
        for choices in assignment
        for choice in choices
        if not choice.candidates.leaf.admin
    )
