"""Pods placed one after the other: each takes the first node that fits, as a scheduler without preferences would.

Replicas are worked out once: a node on which one did not fit is not tried for the next until something is taken there.
"""

from __future__ import annotations

from dralign.sim.outcome import Allocated, Failed, NoFit, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence as SequenceOf

    from dralign.model.node import Node
    from dralign.sim.allocator import Allocator
    from dralign.sim.outcome import Outcome
    from dralign.sim.plan import PodClaim
    from dralign.sim.taken import Taken

    Stamp = tuple[object, ...]


class Sequence:
    """Places pods on nodes and keeps account of what they take, in ``taken``."""

    __slots__ = ("_allocator", "_nodes", "_refusals", "taken")

    def __init__(self, allocator: Allocator, nodes: SequenceOf[Node], taken: Taken) -> None:
        self._allocator = allocator
        self._nodes = nodes
        self.taken = taken
        self._refusals: dict[tuple[int, ...], _Refusals] = {}

    def place(self, claims: SequenceOf[PodClaim], step_limit: int | None = None) -> Outcome:
        """Place one pod. Returns Allocated, what ended the attempt (an error, a search given up), or the last outcome.

        Pods are replicas if their claims share their ``spec`` objects.
        """
        pod = self._allocator.prepare(claims)
        refusals = self._refusals_of(claims)
        outcome: Outcome = NoFit("")
        for node in self._nodes:
            stamp = self._allocator.stamp(node, self.taken)
            known = refusals.get(node, stamp)
            outcome = known or self._allocator.allocate(pod, node, self.taken, step_limit)
            match outcome:
                case Allocated(claims=made):
                    self.taken.commit(made)
                    return outcome
                case Failed(scope="pod") | Undecided():
                    return outcome
                case NoFit() | Failed() if known is None:
                    refusals.put(node, stamp, outcome)
        return outcome

    def _refusals_of(self, claims: SequenceOf[PodClaim]) -> _Refusals:
        if any(claim.allocated for claim in claims):
            return _Refusals(claims)
        return self._refusals.setdefault(tuple(id(claim.spec) for claim in claims), _Refusals(claims))


class _Refusals:
    """On which nodes replicas of a pod do not fit, and what was held there then. Keeps their specs alive."""

    __slots__ = ("_claims", "_known")

    def __init__(self, claims: SequenceOf[PodClaim]) -> None:
        self._claims = claims
        self._known: dict[str, tuple[Stamp, NoFit | Failed]] = {}

    def get(self, node: Node, stamp: Stamp) -> NoFit | Failed | None:
        """Return the outcome on a node if nothing that it sees has changed hands since."""
        known = self._known.get(node.name)
        return known[1] if known is not None and known[0] == stamp else None

    def put(self, node: Node, stamp: Stamp, outcome: NoFit | Failed) -> None:
        """Note an outcome."""
        self._known[node.name] = stamp, outcome
