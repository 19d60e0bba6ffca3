"""The question: one pod template as the proof sees it, in plain data."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dralign.kubelet.pods import Pod
    from dralign.model.claim import Request
    from dralign.model.node import Node
    from dralign.sim.pod_claim import PodClaim

_NOTHING: Mapping[str, tuple[HeldResult, ...]] = {}


class HeldResult(Record):
    """One device of a claim that is allocated already: for which request (``main/sub`` for an alternative) and which."""

    request: str
    device: str


class ContainerUse(Record):
    """One container that holds devices.

    Attributes:
        name: of the container.
        requests: (claim, request) it reaches, by the claim's name in ``Question.claims``; request None is all of them.
            Devices that drivers give to the pod as a whole (NICs) belong to every container here.
        cpus: logical CPUs that it asks for, rounded up; 0 where it does not say.
        legacy: whether it has devices of a device plugin that publishes their NUMA nodes (False: of one that does not);
            None where it has none.
    """

    name: str
    requests: frozenset[tuple[str, str | None]]
    cpus: int = 0
    legacy: bool | None = None

    def reaches(self, claim: str, request: str) -> bool:
        """Say whether the container gets the devices of a request, named by the main request."""
        return (claim, request) in self.requests or (claim, None) in self.requests


class Question(Record):
    """One pod template.

    Attributes:
        claims: the pod's claims, in its order.
        containers: those that hold devices.
        held: devices of claims that are allocated already, by the claim's name.
        shared: names of claims that all replicas share: those that no template makes.
        eligible: whether the pod may run on a node, as far as selectors, affinity and taints say.
        pod: the pod as the kubelet sees it; None where nobody asks what the kubelet does.
    """

    claims: tuple[PodClaim, ...]
    containers: tuple[ContainerUse, ...]
    held: Mapping[str, tuple[HeldResult, ...]] = _NOTHING
    shared: frozenset[str] = frozenset()
    eligible: Callable[[Node], bool] | None = None
    pod: Pod | None = None

    def asked(self, container: ContainerUse) -> tuple[tuple[PodClaim, Request], ...]:
        """Return the requests of claims that a container reaches, those for admin access left out: they hold nothing."""
        return tuple(
            (claim, request)
            for claim in self.claims
            for request in claim.spec.requests
            if container.reaches(claim.name, request.name) and not all(leaf.admin_access for leaf in request.leaves())
        )
