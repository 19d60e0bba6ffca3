"""Whether a pod is too large for any NUMA node, so that nothing could align it."""

from __future__ import annotations

from dralign.cel.analysis import facts
from dralign.model.claim import ALL
from dralign.model.driver import NUMA as NUMA_ROLE
from dralign.model.driver import PARENT, PCI_BUS_ID, PCIE_ROOT, SOCKET, UNIQUE
from dralign.proof.hunt import Hunter, Wanted
from dralign.sim.errors import AllocationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.claim import Request
    from dralign.model.node import Node
    from dralign.proof.judging import Judge
    from dralign.proof.known import Known
    from dralign.proof.question import ContainerUse
    from dralign.sim.outcome import Allocated
    from dralign.sim.pod_claim import PodClaim
    from dralign.sim.taken import Taken

_PLACING = (NUMA_ROLE, PCIE_ROOT, PCI_BUS_ID, PARENT, UNIQUE, SOCKET)


def too_large(judge: Judge, use: ContainerUse, outcome: Allocated, node: Node, own: Taken) -> str | None:
    """Return what of a container no single NUMA node of this node holds, in words; None if one could hold all of it.

    Constraints, and selectors that choose a place, are left aside: they are not what makes it large. Raises
    StepLimitError.
    """
    parts = judge.parts(outcome, use)
    layout = judge.places.layout
    if layout is not None and not judge.gather(parts).claims_cpus and use.cpus > max(layout.cpus.values()):
        return f"{use.name} asks for {use.cpus} CPUs; no NUMA node of {node.name} has more than {max(layout.cpus.values())}"
    loose = judge.known.allocator.prepare([_loosened(claim, judge.known) for claim in judge.question.claims])
    hunter = Hunter(judge, loose, node, own)
    for driver in dict.fromkeys(part.device.driver for part in parts):
        if not _fits_together(hunter, use, driver):
            count = sum(part.device.driver == driver for part in parts)
            return f"{use.name} takes {count} devices of {driver}: more than any NUMA node of {node.name} holds"
    return None


def _fits_together(hunter: Hunter, use: ContainerUse, driver: str) -> bool:
    """Say whether one place could hold all devices of a driver; also where a selector that was left aside guards others."""
    try:
        return hunter.find(use, Wanted(lambda found, _: not found.is_apart, driver)) is not None
    except AllocationError:
        return True


def _loosened(claim: PodClaim, known: Known) -> PodClaim:
    requests = tuple(_without_place(request, known) for request in claim.spec.requests)
    return claim.replace(spec=claim.spec.replace(requests=requests, constraints=()))


def _without_place(request: Request, known: Known) -> Request:
    """Drop selectors that choose a place; what mode All selects is how much it takes, and stays."""
    dropped = request.mode != ALL
    kept = tuple(s for s in request.selectors if not (dropped and _chooses_place(s.expression, known)))
    alternatives = tuple(_without_place(alternative, known) for alternative in request.alternatives)
    return request.replace(selectors=kept, alternatives=alternatives)


def _chooses_place(expression: str, known: Known) -> bool:
    names = _placing_names(known)
    return any(f"{read.domain}/{read.name}" in names for read in facts((expression,)).reads)


def _placing_names(known: Known) -> frozenset[str]:
    if "placing" not in known.kept:
        rows = (row for profile in known.catalogue.profiles for row in profile.attributes)
        known.kept["placing"] = frozenset((known.aim.attribute, *(row.name for row in rows if row.role in _PLACING)))
    found: frozenset[str] = known.kept["placing"]
    return found
