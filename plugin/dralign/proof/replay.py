"""Replays a witness: puts the node into its state and asks the allocator what the pod gets there."""

from __future__ import annotations

from dralign.proof.owning import owned_by
from dralign.sim.outcome import Allocated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.verdict import Witness
    from dralign.proof.known import Known
    from dralign.proof.question import Question
    from dralign.sim.outcome import Outcome


def replay(question: Question, known: Known, witness: Witness) -> Outcome:
    """Return what the allocator does in the state of a witness. Raises KeyError for a node or device that is not there."""
    node = next((node for node in known.nodes if node.name == witness.node), None)
    if node is None:
        raise KeyError(witness.node)
    taken = owned_by(question, known)
    for held in witness.taken:
        taken.take(known.devices[held.device], held.consumed)
    return known.allocator.allocate(known.allocator.prepare(question.claims), node, taken, known.aim.steps)


def reproduces(question: Question, known: Known, witness: Witness) -> bool:
    """Say whether the allocator gives the pod exactly the devices that the witness names."""
    outcome = replay(question, known, witness)
    return isinstance(outcome, Allocated) and placement_of(question, outcome) == witness.placement


def placement_of(question: Question, outcome: Allocated) -> dict[str, tuple[str, ...]]:
    """Return devices by ``claim/request``, those of claims that are allocated already first."""
    held = ((claim, item.request, item.device) for claim, results in question.held.items() for item in results)
    made = ((made.name, item.request, item.device.identity) for made in outcome.claims for item in made.results)
    found: dict[str, tuple[str, ...]] = {}
    for claim, request, device in (*held, *made):
        key = f"{claim}/{request}"
        found[key] = (*found.get(key, ()), device)
    return found
