"""Claims placed one after the other: each takes the first node that fits, as a scheduler without preferences would."""

from __future__ import annotations

from dralign.sim.attempts import Attempts
from dralign.sim.outcome import Allocated, Failed, NoFit, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence as SequenceOf

    from dralign.model.node import Node
    from dralign.sim.allocator import Allocator
    from dralign.sim.outcome import Outcome
    from dralign.sim.pod_claim import PodClaim
    from dralign.sim.taken import Taken


class Sequence:
    """Places the claims of pods on nodes and keeps account of what they take, in ``taken``."""

    __slots__ = ("_attempts", "_nodes", "taken")

    def __init__(self, allocator: Allocator, nodes: SequenceOf[Node], taken: Taken) -> None:
        self._attempts = Attempts(allocator)
        self._nodes = nodes
        self.taken = taken

    def place(self, claims: SequenceOf[PodClaim], step_limit: int | None = None) -> Outcome:
        """Place one pod. Returns Allocated, what ended the attempt (an error, a search given up), or the last outcome.

        Pods are replicas if their claims share their ``spec`` objects.
        """
        attempt = self._attempts.of(claims)
        outcome: Outcome = NoFit("")
        for node in self._nodes:
            outcome = attempt.on(node, self.taken, step_limit)
            match outcome:
                case Allocated(claims=made):
                    self.taken.commit(made)
                    return outcome
                case Failed(scope="pod") | Undecided():
                    return outcome
        return outcome
