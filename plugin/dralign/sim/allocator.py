"""The allocator: what the claims of a pod get on a node, given what other claims hold.

One allocator serves any number of pods and nodes; it keeps what does not change between them.
"""

from __future__ import annotations

from dralign.cel.depth import room_for_depth
from dralign.sim.bind import bind
from dralign.sim.cluster import Cluster
from dralign.sim.errors import AllocationError
from dralign.sim.nodes import NodeSelectorError, selects
from dralign.sim.outcome import Allocated, Failed, NoFit, Reason, Undecided
from dralign.sim.plan import Planner
from dralign.sim.reasons import reasons
from dralign.sim.results import claim_allocation
from dralign.sim.room import Room
from dralign.sim.search import Search, StepLimitError
from dralign.sim.taken import Taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.model.inventory import Inventory
    from dralign.model.node import Node
    from dralign.sim.behaviour import Behaviour
    from dralign.sim.cluster import NodeView
    from dralign.sim.evaluation import Selectors
    from dralign.sim.outcome import Outcome
    from dralign.sim.plan import ClaimPlan
    from dralign.sim.pod_claim import PodClaim

INVALID_POOLS = "invalid resource pools were encountered"


class Pod:
    """The claims of one pod, made ready: those to be allocated, and those that are."""

    __slots__ = ("allocated", "plans")

    def __init__(self, plans: tuple[ClaimPlan, ...], allocated: tuple[PodClaim, ...]) -> None:
        self.plans = plans
        self.allocated = allocated


class Allocator:
    """Allocates claims on nodes of one inventory, as one release with one set of gates does."""

    __slots__ = ("_planner", "cluster")

    def __init__(self, inventory: Inventory, how: Behaviour, selectors: Selectors) -> None:
        self.cluster = Cluster(inventory, how)
        self._planner = Planner(inventory.classes, selectors, how)

    def taken(self) -> Taken:
        """Return what the inventory's own claims hold."""
        return Taken.of(self.cluster.inventory, shareable=self.cluster.how.consumable)

    def prepare(self, claims: Sequence[PodClaim]) -> Pod:
        """Make a pod's claims ready; one pod can be tried on many nodes."""
        unallocated = [claim for claim in claims if not claim.allocated]
        return Pod(self._planner.plan(unallocated), tuple(claim for claim in claims if claim.allocated))

    def allocate(self, pod: Pod, node: Node, taken: Taken, step_limit: int | None = None) -> Outcome:
        """Try one node. Nothing is taken by this: see :meth:`Taken.commit`. ``step_limit`` ends in Undecided."""
        try:
            if _out_of_reach(pod, node) is not None:
                return NoFit(node.name)
            with room_for_depth():
                return self._search(pod, self.cluster.view(node), taken, step_limit)
        except AllocationError as error:
            return Failed(node.name, error.kind, "pod", str(error))
        except NodeSelectorError as error:
            return Failed(node.name, "node-selector", "pod", f"failed to parse node selector: {error}")
        except StepLimitError:
            return Undecided(node.name, f"the search was given up after {step_limit} steps")
        except RecursionError:
            return Undecided(node.name, "the pod asks for too many devices to search through")

    def stamp(self, node: Node, taken: Taken) -> tuple[object, ...]:
        """Return a value that is the same as long as nothing of what a node sees changes hands."""
        try:
            return tuple(taken.stamp(pool.key) for pool in self.cluster.view(node).pools)
        except NodeSelectorError:
            return (object(),)

    def explain(self, pod: Pod, node: Node, taken: Taken) -> tuple[Reason, ...]:
        """Return why a pod does not fit on a node (or did not, when it was tried); empty where an error says it."""
        try:
            refusal = _out_of_reach(pod, node)
            if refusal is not None:
                return (refusal,)
            return reasons(pod.plans, self.cluster.view(node), self.cluster, taken)
        except (AllocationError, NodeSelectorError):
            return ()

    def _search(self, pod: Pod, view: NodeView, taken: Taken, step_limit: int | None) -> Outcome:
        how, node = self.cluster.how, view.node
        asks = bind(pod.plans, view, self.cluster, taken)
        room = Room(self.cluster, taken, len(pod.plans))
        if Search(asks, room, combinations=how.combinations, step_limit=step_limit).run():
            made = (claim_allocation(plan.claim, room.chosen[i], node, how) for i, plan in enumerate(pod.plans))
            return Allocated(node.name, tuple(made))
        if view.has_invalid_pool:
            return Failed(node.name, "invalid-pools", "node", INVALID_POOLS)
        return NoFit(node.name)


def _out_of_reach(pod: Pod, node: Node) -> Reason | None:
    """Return why a pod cannot use a claim that is allocated already from this node."""
    for claim in pod.allocated:
        if claim.reach is not None and not selects(claim.reach, node):
            return Reason(claim.name, "", None, "node", f"its devices cannot be reached from {node.name}")
    return None
