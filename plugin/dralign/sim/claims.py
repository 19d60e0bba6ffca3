"""ResourceClaims of a cluster while pods are scheduled: what they ask for, what they got, and who may use them."""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.model.claim import claim_spec
from dralign.model.node import NodeSelector, node_selector_from
from dralign.sim.pod_claim import PodClaim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.model.claim import ClaimSpec
    from dralign.sim.outcome import ClaimAllocation

MOST_USERS = 256
"""``ResourceClaimReservedForMaxSize``: the most pods that may share a claim."""


class ClaimState:
    """One claim. ``allocation`` is what it got here, ``reach`` the nodes it can then be used from, None for all.

    ``allocated`` is also set for claims that came with their devices. ``reserved_for`` are the names of its pods.
    """

    __slots__ = ("allocated", "allocation", "name", "namespace", "reach", "reserved_for", "spec")

    def __init__(self, namespace: str, name: str, spec: ClaimSpec) -> None:
        self.namespace = namespace
        self.name = name
        self.spec = spec
        self.allocated = False
        self.allocation: ClaimAllocation | None = None
        self.reach: NodeSelector | None = None
        self.reserved_for: list[str] = []

    @property
    def full_name(self) -> str:
        """Return ``namespace/name``."""
        return f"{self.namespace}/{self.name}"

    @property
    def may_be_reserved(self) -> bool:
        """Whether one more pod may use the claim."""
        return len(self.reserved_for) < MOST_USERS

    def unallocated(self) -> PodClaim:
        """Return the claim as the allocator takes it."""
        return PodClaim(self.full_name, self.spec)

    def take(self, allocation: ClaimAllocation) -> None:
        """Note what the claim got."""
        self.allocated = True
        self.allocation = allocation
        term = allocation.node_selector
        self.reach = None if term is None else NodeSelector((term,))

    def reserve(self, pod: str) -> None:
        """Note a pod that uses the claim."""
        self.reserved_for.append(pod)


def claim_state_from(data: Mapping[str, Any], namespace: str) -> ClaimState:
    """Read a ResourceClaim, allocated or not."""
    metadata, status = as_map(data.get("metadata")), as_map(data.get("status"))
    state = ClaimState(namespace, as_text(metadata.get("name")) or "", claim_spec(as_map(data.get("spec"))))
    allocation = status.get("allocation")
    if isinstance(allocation, dict):
        state.allocated = True
        state.reach = node_selector_from(allocation.get("nodeSelector"))
    users = (as_text(as_map(item).get("name")) for item in as_list(status.get("reservedFor")))
    state.reserved_for = [name for name in users if name is not None]
    return state
