"""Why a pod fits on no node, as a tree: per node shape and request what each test removed, and which single change helps."""

from __future__ import annotations

from dralign.cel.depth import room_for_depth
from dralign.model.verdict import Refusal, Removed, RequestRefusal, ShapeRefusal
from dralign.proof.changes import changes_that_help
from dralign.proof.wording import follows_from_others, losses, of_class, request_words
from dralign.record import Record
from dralign.sim.bind import bind
from dralign.sim.errors import AllocationError
from dralign.sim.outcome import Failed
from dralign.sim.room import Room
from dralign.sim.search import Search, StepLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dralign.model.node import Node
    from dralign.proof.known import Known
    from dralign.proof.question import Question
    from dralign.proof.shapes import Shape
    from dralign.sim.allocator import Pod
    from dralign.sim.candidates import Candidates
    from dralign.sim.cluster import Candidate
    from dralign.sim.outcome import Outcome, Reason
    from dralign.sim.room import Refusal as Refused
    from dralign.sim.taken import Taken

_TESTS = (
    "node",
    "pool",
    "driver",
    "class selector",
    "request selector",
    "feature",
    "capacity",
    "taint",
    "counter",
    "in use",
    "constraint",
)
"""In the order in which they are told; what comes first is said first."""


class Attempt(Record):
    """A node shape, what was taken there, and how the attempt ended."""

    shape: Shape
    taken: Taken
    outcome: Outcome


def refusal(question: Question, known: Known, attempts: Sequence[Attempt], *, lasting: bool) -> Refusal:
    """Return the reason tree of a pod that fits on none of these."""
    pod = known.allocator.prepare(question.claims)
    trees = [(_distance(tree), index, tree) for index, tree in enumerate(_tree(pod, known, a) for a in attempts)]
    trees.sort(key=lambda item: item[:2])
    nearest = attempts[trees[0][1]]
    return Refusal(
        lasting,
        tuple(tree for _, _, tree in trees),
        _words(trees[0][2]),
        changes_that_help(question, known, nearest.shape.nodes[0], nearest.taken),
    )


def _tree(pod: Pod, known: Known, attempt: Attempt) -> ShapeRefusal:
    node, taken, outcome = attempt.shape.nodes[0], attempt.taken, attempt.outcome
    found = known.allocator.explain(pod, node, taken)
    error = outcome.message if isinstance(outcome, Failed) else ""
    reach = next((reason.detail for reason in found if reason.test == "node" and reason.device is None), "")
    together = ""
    if any(reason.test == "combination" for reason in found):
        together = _runs_out(pod, known, node, taken) or "each request could be served alone, not all of them together"
    requests = tuple(_requests(pod, known, node, taken, found)) if not reach else ()
    return ShapeRefusal(attempt.shape.names, requests, error or reach, together)


def _requests(pod: Pod, known: Known, node: Node, taken: Taken, found: Sequence[Reason]) -> Iterable[RequestRefusal]:
    seen = len(known.visible(node))
    for candidates in _all_candidates(pod, known, node, taken):
        leaf = candidates.leaf
        mine = [reason for reason in found if (reason.claim, reason.request) == (leaf.claim, leaf.name)]
        removed = _removed(mine)
        gone = len({device for item in removed for device in item.devices})
        yield RequestRefusal(leaf.claim, leaf.name, max(candidates.needs, 1), seen, seen - gone, removed)


def _all_candidates(pod: Pod, known: Known, node: Node, taken: Taken) -> list[Candidates]:
    cluster = known.allocator.cluster
    try:
        asks = bind(pod.plans, cluster.view(node), cluster, taken)
    except AllocationError:
        return []
    return [candidates for ask in asks for candidates in ask.leaves]


def _removed(reasons: Sequence[Reason]) -> tuple[Removed, ...]:
    """Gather devices by test and detail, keeping the order of tests."""
    groups: dict[tuple[str, str], list[str]] = {}
    for reason in reasons:
        if reason.device is not None or reason.test == "pool":
            devices = groups.setdefault((reason.test, reason.detail), [])
            devices += [reason.device.identity] if reason.device is not None else []
    ordered = sorted(groups.items(), key=lambda item: _TESTS.index(item[0][0]))
    return tuple(Removed(test, detail, tuple(devices)) for (test, detail), devices in ordered)


def _distance(tree: ShapeRefusal) -> tuple[int, ...]:
    """Order misses: errors last, before them nodes without any device of a class, then by devices that are missing."""
    bare = sum(of_class(request) == 0 for request in tree.requests)
    missing = sum(max(request.needed - request.left, 0) for request in tree.requests)
    return (not tree.requests, bool(tree.error), bare, missing)


def _words(tree: ShapeRefusal) -> str:
    """Say the nearest miss in words: of requests that only suffer from another's shortage nothing is said."""
    where = tree.nodes[0] if len(tree.nodes) == 1 else f"{tree.nodes[0]} and {len(tree.nodes) - 1} like it"
    if tree.error:
        return f"{where}: {tree.error}"
    short = [request for request in tree.requests if request.left < request.needed]
    if not short:
        return f"{where}: {tree.together}"
    causes = [request for request in short if not all(map(follows_from_others, losses(request)))] or short
    return f"{where}: " + "; ".join(map(request_words, causes))


class _Recorder(Room):
    """Notes which counters and constraints refuse devices, and how far the search had come."""

    __slots__ = ("deepest", "refusals")

    deepest: int
    refusals: dict[str, None]

    def take(self, candidates: Candidates, candidate: Candidate, claim: int) -> Refused | None:
        """Choose a device; note what forbids it where the search was never further."""
        refused = super().take(candidates, candidate, claim)
        depth = sum(map(len, self.chosen))
        if refused is not None and depth >= self.deepest:
            if depth > self.deepest:
                self.refusals.clear()
            self.deepest = depth
            self.refusals[self._told(candidates, candidate, refused)] = None
        return refused

    def _told(self, candidates: Candidates, candidate: Candidate, refused: Refused) -> str:
        device, request = candidate.device.name, candidates.leaf.name
        if refused == "counter":
            counters = self.counters.get(candidate.pool)
            lacking = counters.lacking(candidate.usage) if counters is not None else None
            return f"{device} for {request}: too little of counter {lacking} is left"
        if refused == "constraint":
            names = " and ".join(constraint.lookup.name for constraint in candidates.constraints)
            return f"{device} for {request}: its {names} does not go with the devices chosen before"
        return f"{device} for {request}: its capacity is used up"


def _runs_out(pod: Pod, known: Known, node: Node, taken: Taken) -> str:
    """Say what refused the devices that would have completed the furthest attempt; empty where nothing can be told."""
    cluster = known.allocator.cluster
    room = _Recorder(cluster, taken, len(pod.plans))
    room.deepest, room.refusals = 0, {}
    try:
        with room_for_depth():
            asks = bind(pod.plans, cluster.view(node), cluster, taken)
            Search(asks, room, combinations=cluster.how.combinations, step_limit=known.aim.steps).run()
    except (AllocationError, StepLimitError):
        return ""
    return "; ".join(list(room.refusals)[:3])
