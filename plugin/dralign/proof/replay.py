"""Replays a witness: puts the node into its state and asks the allocator what the pod gets there."""

from __future__ import annotations

from dralign.model.verdict import Placement
from dralign.proof.owning import owned_by
from dralign.proof.shapes import places_on
from dralign.sim.outcome import Allocated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.node import Node
    from dralign.model.verdict import Witness
    from dralign.proof.known import Known
    from dralign.proof.question import Question
    from dralign.sim.outcome import Outcome


def replay(question: Question, known: Known, witness: Witness) -> Outcome:
    """Return what the allocator does in the state of a witness. Raises KeyError for a node or device that is not there."""
    node = known.node(witness.node)
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
