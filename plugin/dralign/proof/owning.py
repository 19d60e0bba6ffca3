"""What the pod's own allocated claims hold: always taken, whatever else is."""

from __future__ import annotations

from dralign.sim.taken import Taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.proof.known import Known
    from dralign.proof.question import Question


def owned_by(question: Question, known: Known) -> Taken:
    """Return a cluster in which nobody holds anything but the claims of this pod that are allocated already."""
    taken = Taken()
    for results in question.held.values():
        for result in results:
            device = known.devices.get(result.device)
            if device is not None and device.allow_multiple is not True:
                taken.take(device)
    return taken
