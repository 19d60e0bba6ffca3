"""The scheduler's plugin DynamicResources: whether a pod's claims can be had on a node.

Source: ``PreFilter`` and ``Filter`` in k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources, 1.37.
"""

from __future__ import annotations

from dralign.record import Record
from dralign.sim.allocator import Allocator
from dralign.sim.attempts import Attempts
from dralign.sim.extended import SPECIAL_CLAIM, ExtendedResources
from dralign.sim.nodes import NodeSelectorError, selects
from dralign.sim.outcome import Allocated, Failed, Undecided
from dralign.sim.pod_claim import PodClaim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.model.inventory import Inventory
    from dralign.model.node import Node
    from dralign.sim.behaviour import Behaviour
    from dralign.sim.claims import ClaimState
    from dralign.sim.evaluation import Selectors
    from dralign.sim.extended import Mapped
    from dralign.sim.fit import NodeRoom
    from dralign.sim.outcome import ClaimAllocation
    from dralign.sim.podspec import PodSpec

IN_USE = "resourceclaim in use"
CANNOT_FIT = "cannot fit resource"
CANNOT_ALLOCATE = "cannot allocate all claims"
NOT_AVAILABLE = "resourceclaim not available on the node"
ERROR = 'running "DynamicResources" filter plugin: '
HINT = (
    ". consider using CEL optional chaining (.? followed by orValue()) "
    "or guarding the check with has() for optional fields"
)
NODE_OPERATIONS = "DRAOptionalNodeOperations"


class Fits(Record):
    """The claims can be had: allocations of those without one, in the pod's order, the special claim's last."""

    allocations: tuple[ClaimAllocation, ...] = ()
    mappings: tuple[Mapped, ...] = ()


class Refused(Record):
    """The pod does not fit on this node."""

    reason: str


class Error(Record):
    """An error that ends the attempt for all nodes."""

    message: str


class GivenUp(Record):
    """The search was given up."""

    why: str


class Devices:
    """The devices of an inventory, what is held of them, and the extended resources that they serve."""

    __slots__ = ("_attempts", "allocator", "extended", "step_limit", "taken")

    def __init__(
        self, inventory: Inventory, how: Behaviour, selectors: Selectors, step_limit: int | None = None
    ) -> None:
        self.allocator = Allocator(inventory, how, selectors)
        self.extended = ExtendedResources(inventory.classes.values())
        self.taken = self.allocator.taken()
        self.step_limit = step_limit
        self._attempts = Attempts(self.allocator)

    def refusal(self, claims: Sequence[ClaimState]) -> str | None:
        """Return what is against a pod on every node: a claim with too many users, or a class that does not exist."""
        return next(self._refusals(claims), None)

    def on(self, room: NodeRoom, pod: PodSpec, claims: Sequence[ClaimState]) -> Fits | Refused | Error | GivenUp:
        """Try a pod on a node."""
        asked = self.extended.asked(pod)
        wanted = [claim.unallocated() for claim in claims if not claim.allocated]
        mappings: tuple[Mapped, ...] = ()
        if asked:
            if not self._can_give(room, asked):
                return Refused(CANNOT_FIT)
            special = self.extended.claim(pod, asked, room)
            mappings = special.mappings
            if mappings or claims:
                wanted.append(PodClaim(f"{pod.namespace}/{SPECIAL_CLAIM}", special.spec))
        found = self._allocate(wanted, mappings, room.node)
        if isinstance(found, Fits) and not all(_available(claim, room.node) for claim in claims if claim.allocated):
            return Refused(NOT_AVAILABLE)
        return found

    def _refusals(self, claims: Sequence[ClaimState]) -> Iterator[str]:
        for claim in claims:
            if claim.allocated:
                if not claim.may_be_reserved:
                    yield IN_USE
                continue
            for request in claim.spec.requests:
                if request.alternatives and not self.allocator.cluster.how.prioritized:
                    text = "has subrequests, but the DRAPrioritizedList feature is disabled"
                    yield f"resource claim {claim.full_name}, request {request.name}: {text}"
                for leaf in request.leaves():
                    if leaf.device_class not in self.allocator.cluster.inventory.classes:
                        name = request.name if leaf is request else f"{request.name}/{leaf.name}"
                        yield f"request {name}: device class {leaf.device_class} does not exist"

    def _can_give(self, room: NodeRoom, asked: Sequence[str]) -> bool:
        return room.has is None or all(self.extended.serves(name) or name in room.has for name in asked)

    def _allocate(
        self, wanted: Sequence[PodClaim], mappings: tuple[Mapped, ...], node: Node
    ) -> Fits | Refused | Error | GivenUp:
        if not wanted:
            return Fits()
        match self._attempts.of(wanted).on(node, self.taken, self.step_limit):
            case Allocated(claims=made):
                return Fits(made, mappings)
            case Failed(scope="pod", message=message):
                hinted = self.allocator.cluster.how.hints and "no such key:" in message
                return Error(ERROR + message + (HINT if hinted else ""))
            case Failed(message=message):
                return Refused(message)
            case Undecided(why=why):
                return GivenUp(why)
        return Refused(CANNOT_ALLOCATE)


def _available(claim: ClaimState, node: Node) -> bool:
    """Say whether an allocated claim can be used on a node."""
    if claim.allocation is not None and any(result.skip_operations for result in claim.allocation.results):
        return NODE_OPERATIONS in node.declared_features and _reached(claim, node)
    return _reached(claim, node)


def _reached(claim: ClaimState, node: Node) -> bool:
    try:
        return claim.reach is None or selects(claim.reach, node)
    except NodeSelectorError:
        return False
