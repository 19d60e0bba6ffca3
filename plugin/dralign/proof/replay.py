"""Replays a witness: puts the node into its state and asks the allocator what the pod gets there."""

from __future__ import annotations

from dralign.model.verdict import Placement
from dralign.proof.judging import Judge
from dralign.proof.owning import owned_by
from dralign.proof.placers import placer_for
from dralign.proof.shapes import places_on
from dralign.sim.outcome import Allocated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.node import Node
    from dralign.model.verdict import Witness
    from dralign.proof.known import Known
    from dralign.proof.question import Question
    from dralign.sim.outcome import Outcome
    from dralign.sim.taken import Taken


def replay(question: Question, known: Known, witness: Witness) -> Outcome:
    """Return what the allocator does in the state of a witness. Raises KeyError for a node or device that is not there."""
    node = known.node(witness.node)
    if node is None:
        raise KeyError(witness.node)
    taken = state_of(question, known, witness)
    return known.allocator.allocate(known.allocator.prepare(question.claims), node, taken, known.aim.steps)


def state_of(question: Question, known: Known, witness: Witness) -> Taken:
    """Return what is held in the state of a witness. Raises KeyError for a device that is not there."""
    taken = owned_by(question, known)
    for held in witness.taken:
        taken.take(known.devices[held.device], held.consumed)
    return taken


def crosses(question: Question, known: Known, outcome: Allocated) -> bool:
    """Say whether an allocation is apart for sure, on the NUMA nodes as they are known now."""
    node = known.node(outcome.node)
    if node is None:
        return False
    placer = placer_for(known.layout(node), known.kubelet(node), question.pod, node.name)
    return Judge(question, known, places_on(node, known), placer).crossing(outcome) is not None


def reproduces(question: Question, known: Known, witness: Witness) -> bool:
    """Say whether the allocator gives the pod exactly the devices that the witness names."""
    outcome = replay(question, known, witness)
    return isinstance(outcome, Allocated) and placement_of(question, outcome) == witness.placement


def placed(question: Question, known: Known, node: Node, outcome: Allocated) -> Placement:
    """Return an allocation as plain data, with the NUMA nodes of its devices."""
    placement = placement_of(question, outcome)
    places = places_on(node, known)
    names = sorted({name for names in placement.values() for name in names} & known.devices.keys())
    numa = {name: places.of(known.devices[name]).numa for name in names}
    return Placement(node.name, placement, {name: nodes for name, nodes in numa.items() if nodes})


def placement_of(question: Question, outcome: Allocated) -> dict[str, tuple[str, ...]]:
    """Return devices by ``claim/request``, those of claims that are allocated already first."""
    held = ((claim, item.request, item.device) for claim, results in question.held.items() for item in results)
    made = ((made.name, item.request, item.device.identity) for made in outcome.claims for item in made.results)
    found: dict[str, tuple[str, ...]] = {}
    for claim, request, device in (*held, *made):
        key = f"{claim}/{request}"
        found[key] = (*found.get(key, ()), device)
    return found
