"""Allocations tried before: the same claims on a node are worked out again only if something there changed hands."""

from __future__ import annotations

from dralign.sim.outcome import Allocated, Failed, NoFit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.model.claim import ClaimSpec
    from dralign.model.node import Node
    from dralign.sim.allocator import Allocator, Pod
    from dralign.sim.outcome import Outcome
    from dralign.sim.pod_claim import PodClaim
    from dralign.sim.taken import Taken

    Stamp = tuple[object, ...]
    Kept = NoFit | Allocated | Failed


class Attempts:
    """Tries claims on nodes. Claims count as the same if they share their ``spec`` objects, whatever their names.

    Answers that depend on names or on claims that are allocated already are not kept.
    """

    __slots__ = ("_allocator", "_known")

    def __init__(self, allocator: Allocator) -> None:
        self._allocator = allocator
        self._known: dict[tuple[int, ...], _Known] = {}

    def of(self, claims: Sequence[PodClaim]) -> Attempt:
        """Return the attempt to allocate the claims of one pod."""
        return Attempt(self._allocator, claims, self._known_for(claims))

    def _known_for(self, claims: Sequence[PodClaim]) -> _Known:
        specs = tuple(claim.spec for claim in claims)
        if any(claim.allocated for claim in claims):
            return _Known(specs)
        return self._known.setdefault(tuple(map(id, specs)), _Known(specs))


class Attempt:
    """The claims of one pod, to be tried on any number of nodes."""

    __slots__ = ("_allocator", "_claims", "_known", "pod")

    def __init__(self, allocator: Allocator, claims: Sequence[PodClaim], known: _Known) -> None:
        self._allocator = allocator
        self._claims = claims
        self._known = known
        self.pod: Pod = allocator.prepare(claims)

    def on(self, node: Node, taken: Taken, step_limit: int | None = None) -> Outcome:
        """Return what the claims get on a node; nothing is taken by this."""
        stamp = self._allocator.stamp(node, taken)
        known = self._known.outcomes.get(node.name)
        if known is not None and known[0] == stamp:
            return self._renamed(known[1])
        outcome = self._allocator.allocate(self.pod, node, taken, step_limit)
        match outcome:
            case NoFit() | Allocated() | Failed(scope="node"):
                self._known.outcomes[node.name] = stamp, outcome
        return outcome

    def _renamed(self, outcome: Kept) -> Kept:
        if not isinstance(outcome, Allocated):
            return outcome
        pairs = zip(outcome.claims, self._claims, strict=True)
        return outcome.replace(claims=tuple(made.replace(name=claim.name) for made, claim in pairs))


class _Known:
    """Outcomes by node, each with what was held there then. Keeps the specs alive, whose ids are the key."""

    __slots__ = ("outcomes", "specs")

    def __init__(self, specs: tuple[ClaimSpec, ...]) -> None:
        self.specs = specs
        self.outcomes: dict[str, tuple[Stamp, Kept]] = {}
