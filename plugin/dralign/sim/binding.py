"""Binding a pod to the node that was chosen: its claims are written one after the other, which can fail.

Source: ``PreBind`` and ``bindClaim`` in k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources, 1.37.
"""

from __future__ import annotations

from dralign.sim.placement import Placed, Special, Unplaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.sim.claims import ClaimState
    from dralign.sim.device_filter import Fits
    from dralign.sim.podspec import PodSpec
    from dralign.sim.taken import Taken

PROBLEM = 'running PreBind plugin "DynamicResources": '


def bind(pod: PodSpec, claims: Sequence[ClaimState], node: str, fits: Fits, taken: Taken) -> Placed | Unplaced:
    """Give a pod what it fits with. Where that fails, claims written before keep their devices, reserved for nobody."""
    waiting = [claim for claim in claims if not claim.allocated]
    own = fits.allocations[: len(waiting)]
    for claim, allocation in zip(waiting, own, strict=True):
        if claim.allocated:  # the pod names it twice
            return _failed(f"claim {claim.full_name} got allocated elsewhere in the meantime")
        claim.take(allocation)
        taken.commit((allocation,))
    rest = fits.allocations[len(waiting) :]
    if rest and not fits.mappings:
        # The node gives the extended resources itself. A claim without requests is allocated all the same, and fails here.
        text = f"nil or empty request mappings, no update of pod {pod.full_name} ExtendedResourceClaimStatus"
        return _failed(text)
    taken.commit(rest)
    for claim in dict.fromkeys(claims):
        claim.reserve(pod.name)
    held = (*rest, *(claim.allocation for claim in claims if claim.allocation is not None))
    ready = not any(result.binding_conditions for allocation in held for result in allocation.results)
    return Placed(node, own, Special(rest[0], fits.mappings) if rest else None, ready)


def _failed(problem: str) -> Unplaced:
    return Unplaced("SchedulerError", PROBLEM + problem)
