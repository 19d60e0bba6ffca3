"""Which single change of a pod's claims would make them fit on a node: each is tried on the allocator."""

from __future__ import annotations

from dralign.model.claim import ALL
from dralign.sim.outcome import Allocated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dralign.model.claim import ClaimSpec, Request
    from dralign.model.node import Node
    from dralign.proof.known import Known
    from dralign.proof.question import Question
    from dralign.sim.pod_claim import PodClaim
    from dralign.sim.taken import Taken

    Change = tuple[str, PodClaim]

MOST_TOLD = 3
FEWEST_TIED = 2
"""A constraint over this many requests ties nothing any more once one of them is left out."""


def changes_that_help(question: Question, known: Known, node: Node, taken: Taken) -> tuple[str, ...]:
    """Return changes in words, the smallest ones; empty if no single one is enough."""
    found: list[str] = []
    for number, claim in enumerate(question.claims):
        for words, changed in _changes(claim) if not claim.allocated else ():
            claims = (*question.claims[:number], changed, *question.claims[number + 1 :])
            outcome = known.allocator.allocate(known.allocator.prepare(claims), node, taken, known.aim.steps // 10)
            if isinstance(outcome, Allocated):
                found.append(f"{words} of {claim.name}" if len(question.claims) > 1 else words)
            if len(found) == MOST_TOLD:
                return tuple(found)
    return tuple(found)


def _changes(claim: PodClaim) -> Iterator[Change]:
    spec = claim.spec
    for index, constraint in enumerate(spec.constraints):
        for request in spec.requests if len(spec.requests) > FEWEST_TIED else ():
            yield from _exempting(claim, index, request)
        rest = spec.constraints[:index] + spec.constraints[index + 1 :]
        attribute = constraint.match_attribute or constraint.distinct_attribute
        yield f"without constraints[{index}] ({attribute})", claim.replace(spec=spec.replace(constraints=rest))
    for place, request in enumerate(spec.requests):
        for leaf in request.leaves():
            for words, changed in _changes_of(leaf):
                yield words, claim.replace(spec=_with(spec, place, leaf, changed))
    if len(spec.requests) > 1:
        for place, request in enumerate(spec.requests):
            rest_of = spec.requests[:place] + spec.requests[place + 1 :]
            yield f"without request {request.name}", claim.replace(spec=spec.replace(requests=rest_of))


def _exempting(claim: PodClaim, index: int, request: Request) -> Iterator[Change]:
    """Leave one request out of a constraint that binds at least two others."""
    spec = claim.spec
    constraint = spec.constraints[index]
    bound = tuple(other.name for other in spec.requests if constraint.covers(other))
    if request.name in bound and len(bound) > FEWEST_TIED:
        kept = constraint.replace(requests=tuple(name for name in bound if name != request.name))
        constraints = (*spec.constraints[:index], kept, *spec.constraints[index + 1 :])
        attribute = constraint.match_attribute or constraint.distinct_attribute
        words = f"constraints[{index}] ({attribute}) without request {request.name}"
        yield words, claim.replace(spec=spec.replace(constraints=constraints))


def _changes_of(leaf: Request) -> Iterator[tuple[str, Request]]:
    for index, selector in enumerate(leaf.selectors):
        rest = leaf.selectors[:index] + leaf.selectors[index + 1 :]
        yield f"without selectors[{index}] of request {leaf.name} ({selector.expression})", leaf.replace(selectors=rest)
    if leaf.mode == ALL:
        yield f"count: 1 instead of All in request {leaf.name}", leaf.replace(mode="ExactCount", count=1)
    elif leaf.count > 1:
        for fewer in _fewer(leaf.count):
            yield f"count: {fewer} instead of {leaf.count} in request {leaf.name}", leaf.replace(count=fewer)
    if leaf.capacity:
        yield f"without the capacity of request {leaf.name}", leaf.replace(capacity={})
    exists = ({"operator": "Exists"},)
    yield f"a toleration in request {leaf.name} for the devices' taints", leaf.replace(tolerations=exists)


def _fewer(count: int) -> tuple[int, ...]:
    """Return smaller counts worth a try, largest first."""
    return tuple(dict.fromkeys((count - 1, count // 2, 1)))


def _with(spec: ClaimSpec, place: int, leaf: Request, changed: Request) -> ClaimSpec:
    """Put a changed request, or a changed alternative of it, in its place."""

    def swap(request: Request, replace: Callable[[Request], Request]) -> Request:
        if not request.alternatives:
            return replace(request)
        return request.replace(alternatives=tuple(replace(a) if a is leaf else a for a in request.alternatives))

    requests = tuple(
        swap(request, lambda _: changed) if index == place else request for index, request in enumerate(spec.requests)
    )
    return spec.replace(requests=requests)
