"""A plan on one node: what each leaf can choose from there, and the checks that come before any search.

Follows the first half of ``Allocate`` and ``validateDeviceRequest``: errors surface claim by claim, request by request.
"""

from __future__ import annotations

from dralign.sim.candidates import Candidates
from dralign.sim.constraints import constraint_for
from dralign.sim.errors import AllocationError
from dralign.sim.plan import MOST_DEVICES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.sim.cluster import Cluster, NodeView
    from dralign.sim.plan import Ask, ClaimPlan
    from dralign.sim.taken import Taken


class BoundAsk:
    """One ask on one node."""

    __slots__ = ("claim_number", "leaves", "name", "opens_claim", "optional")

    def __init__(self, ask: Ask, leaves: list[Candidates], *, opens_claim: bool) -> None:
        self.claim_number = ask.claim_number
        self.name = ask.name
        self.optional = ask.optional
        self.leaves = leaves
        self.opens_claim = opens_claim


def bind(plans: Sequence[ClaimPlan], view: NodeView, cluster: Cluster, taken: Taken) -> list[BoundAsk]:
    """Return the asks of all claims, in order, with fresh constraints. Raises AllocationError."""
    return [ask for plan in plans for ask in _bind_claim(plan, view, cluster, taken)]


def _bind_claim(plan: ClaimPlan, view: NodeView, cluster: Cluster, taken: Taken) -> list[BoundAsk]:
    asks: list[BoundAsk] = []
    total = 0
    for ask in plan.asks:
        leaves = _bind_leaves(ask, view, cluster, taken)
        fewest = min((leaf.needs for leaf in leaves), default=0)
        if fewest > MOST_DEVICES - total:
            text = f"adding {fewest} devices exceeds the claim limit of {MOST_DEVICES}, with {total} accounted for"
            raise AllocationError("too-many-devices", f"claim {plan.claim.name}, request {ask.name}: {text}")
        total += fewest
        asks.append(BoundAsk(ask, leaves, opens_claim=not asks))
    if plan.error is not None:
        raise plan.error
    _constrain(plan, asks, cluster)
    return asks


def _bind_leaves(ask: Ask, view: NodeView, cluster: Cluster, taken: Taken) -> list[Candidates]:
    if ask.error is not None:
        raise ask.error
    leaves = []
    for leaf in ask.leaves:
        if isinstance(leaf, AllocationError):
            raise leaf
        leaves.append(Candidates(leaf, view, cluster, taken))
    return leaves


def _constrain(plan: ClaimPlan, asks: list[BoundAsk], cluster: Cluster) -> None:
    for written in plan.claim.spec.constraints:
        constraint = constraint_for(written, cluster.how)
        if constraint is None:
            continue
        for ask in asks:
            for candidates in ask.leaves:
                if candidates.leaf.bound_by(written):
                    candidates.constraints.append(constraint)
