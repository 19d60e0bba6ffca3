"""Pods placed one after the other on an inventory: what becomes of each, and how many replicas fit."""

from __future__ import annotations

from dralign.model.node import Node
from dralign.record import Record
from dralign.sim.behaviour import behaviour
from dralign.sim.placement import Placed, Unknown, Unplaced
from dralign.sim.podspec import DEFAULT_SCHEDULER
from dralign.sim.scheduler import Options, Scheduler
from dralign.sim.selectors import ReleaseSelectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.model.inventory import Inventory
    from dralign.sim.claim_book import ClaimBook, PodClaims
    from dralign.sim.placement import Placement
    from dralign.sim.podspec import PodSpec

GROUPS = "GenericWorkload"
GATED = "Scheduling is blocked due to non-empty scheduling gates"
NOT_TRIED = "the pod has no PodScheduled condition"
QUICK = Options(exhaustive=False)


class Decision(Record):
    """What becomes of one pod, and its claims."""

    placement: Placement
    claims: PodClaims


class Replicas(Record):
    """Replicas that were placed, and what becomes of the next one; None if no more were wanted."""

    placed: tuple[Placed, ...]
    next: Placement | None


class Simulation:
    """A cluster whose pods are placed in the order in which they come; what they get is held.

    Without ``options`` each pod takes the first node that fits.
    """

    __slots__ = ("_heeds_groups", "claims", "scheduler")

    def __init__(
        self,
        inventory: Inventory,
        release: str,
        features: frozenset[str],
        claims: ClaimBook,
        options: Options = QUICK,
    ) -> None:
        self.claims = claims
        self._heeds_groups = GROUPS in features
        how, selectors = behaviour(release, features), ReleaseSelectors(release, features)
        self.scheduler = Scheduler(inventory, how, selectors, options)

    def place(self, pod: PodSpec) -> Decision:
        """Place one pod."""
        claims = self.claims.of(pod, makes=self._has_group(pod))
        return Decision(self._decide(pod, claims), claims)

    def again(self, pod: PodSpec, before: Decision) -> Decision:
        """Place a pod that was not placed before, with the claims that it has.

        After an error such attempts come again and again: what was said before is as likely as what is said now.
        """
        then, now = before.placement, self._decide(pod, before.claims)
        match then, now:
            case Unplaced(reason="SchedulerError"), Unplaced(reason="SchedulerError"):
                said = dict.fromkeys((*now.others, then.message, *then.others))
                now = now.replace(others=tuple(text for text in said if text != now.message))
        return before.replace(placement=now)

    def replicas(self, pod: PodSpec, most: int | None = None) -> Replicas:
        """Place replicas of a pod until one does not fit, or ``most`` are placed."""
        placed: list[Placed] = []
        for placement in self._one_by_one(pod):
            if not isinstance(placement, Placed):
                return Replicas(tuple(placed), placement)
            placed.append(placement)
            if len(placed) == most:
                break
        return Replicas(tuple(placed), None)

    def _one_by_one(self, pod: PodSpec) -> Iterator[Placement]:
        """Yield the placements of replicas without end.

        A node that refuses a replica refuses all later ones, unless they share a claim or look at where the others are.
        """
        shares = any(entry.claim_name is not None for entry in pod.claims)
        alone = not (shares or pod.near or pod.apart or pod.spreads or pod.node_name is not None or pod.group)
        open_nodes = list(self.scheduler.rooms)
        while True:
            claims = self.claims.of(pod)
            if alone and claims.states is not None and self._is_due(pod):
                placement = self.scheduler.place(pod, claims.states, open_nodes)
                if isinstance(placement, Placed):
                    del open_nodes[: open_nodes.index(placement.node)]
                    yield placement
                    continue
            yield self._decide(pod, claims)

    def _decide(self, pod: PodSpec, claims: PodClaims) -> Placement:
        if pod.node_name is not None:
            self.scheduler.occupy(pod)
            return Placed(pod.node_name)
        if pod.spec.get("schedulingGates"):
            return Unplaced("SchedulingGated", GATED)
        if claims.states is None or not self._is_due(pod) or not self._has_group(pod):
            return Unplaced("NoCondition", NOT_TRIED)
        if self._heeds_groups and pod.group is not None:
            return Unknown(f"the pods of PodGroup {pod.group} are placed together, which is not simulated")
        return self.scheduler.place(pod, claims.states)

    def _has_group(self, pod: PodSpec) -> bool:
        """Say whether the pod's group exists, if it has one and groups are known."""
        return not self._heeds_groups or pod.group is None or (pod.namespace, pod.group) in self.claims.groups

    @staticmethod
    def _is_due(pod: PodSpec) -> bool:
        """Say whether the scheduler takes a pod up: it is not another one's, and nothing holds it back."""
        return not pod.spec.get("schedulingGates") and pod.spec.get("schedulerName") in (None, "", DEFAULT_SCHEDULER)


def with_named_nodes(inventory: Inventory) -> Inventory:
    """Return an inventory that has a Node for every node its slices name; of those added nothing else is known."""
    named = (
        name
        for piece in inventory.slices
        for name in (piece.scope.node_name, *(device.scope.node_name for device in piece.devices))
        if name is not None and name not in inventory.nodes
    )
    added = [Node(name, {}) for name in dict.fromkeys(named)]
    if not added:
        return inventory
    return inventory.replaced(nodes=(*inventory.nodes.values(), *added))
