"""The price of a constraint: how many replicas of a pod fit on the inventory with it and without it."""

from __future__ import annotations

from dralign.model.node import NodeSelector
from dralign.record import Record
from dralign.sim.outcome import Allocated, Failed, Undecided
from dralign.sim.sequence import Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.proof.known import Known
    from dralign.proof.question import Question
    from dralign.sim.outcome import ClaimAllocation
    from dralign.sim.plan import PodClaim

MOST_REPLICAS = 10_000


class Fit(Record):
    """How many replicas fit, each on the first node that takes it; ``limit``: what ended the count before the room did."""

    replicas: int
    limit: str = ""


class Price(Record):
    """Replicas that fit beside what is taken now, as written and without any matchAttribute."""

    written: Fit
    unconstrained: Fit


def price(question: Question, known: Known, most: int = MOST_REPLICAS) -> Price:
    """Count replicas, at most ``most``, on the nodes where the pod may run."""
    loose = tuple(_without_ties(claim) for claim in question.claims)
    written = _count(question, question.claims, known, most)
    tied = any(c.match_attribute for claim in question.claims for c in claim.spec.constraints)
    return Price(written, _count(question, loose, known, most) if tied else written)


def _without_ties(claim: PodClaim) -> PodClaim:
    kept = tuple(constraint for constraint in claim.spec.constraints if constraint.match_attribute is None)
    return claim.replace(spec=claim.spec.replace(constraints=kept))


def _count(question: Question, claims: tuple[PodClaim, ...], known: Known, most: int) -> Fit:
    line = Sequence(known.allocator, known.eligible(question), known.allocator.taken())
    for replicas in range(most):
        if replicas and all(claim.allocated for claim in claims):
            return Fit(most, "every replica shares the same devices")
        outcome = line.place(claims, known.aim.steps)
        match outcome:
            case Allocated(claims=made):
                claims = _shared_from(claims, question.shared, made)
            case Undecided(why=why):
                return Fit(replicas, why)
            case Failed(message=message):
                return Fit(replicas, message)
            case _:
                return Fit(replicas)
    return Fit(most, f"not counted beyond {most}")


def _shared_from(
    claims: tuple[PodClaim, ...], shared: frozenset[str], made: tuple[ClaimAllocation, ...]
) -> tuple[PodClaim, ...]:
    """Return the claims of the next replica: those that all replicas share have their devices now."""
    reach = {item.name: _selector(item) for item in made if item.name in shared}
    return tuple(
        claim.replace(allocated=True, reach=reach[claim.name]) if claim.name in reach else claim for claim in claims
    )


def _selector(made: ClaimAllocation) -> NodeSelector | None:
    return NodeSelector((made.node_selector,)) if made.node_selector is not None else None
