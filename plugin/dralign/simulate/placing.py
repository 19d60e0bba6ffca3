"""The nodes that decide, drawn: what others hold of them, and what the pod gets."""

from __future__ import annotations

from dralign.drawing import HERE, Marks, marks_with, picture_of
from dralign.model.verdict import CPUS, MAY_CROSS, MEMORY, UNSATISFIABLE
from dralign.proof.owning import owned_by
from dralign.proof.replay import replay, state_of
from dralign.sim.nodes import NodeSelectorError
from dralign.sim.outcome import Allocated
from dralign.simulate.asking import word
from dralign.simulate.report import Drawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dralign.model.node import Node
    from dralign.model.verdict import Verdict, Witness
    from dralign.proof import Known, Question
    from dralign.sim.outcome import Outcome
    from dralign.sim.taken import Taken

MOST = 8
"""Node shapes that are drawn of one pod template."""


def drawings_of(question: Question, known: Known, verdict: Verdict) -> tuple[Drawn, ...]:
    """Return the nodes on which a verdict rests, one for each shape: of a counterexample the one that it names."""
    if verdict.kind == MAY_CROSS and verdict.witness is not None:
        found = drawn_case(question, known, verdict.witness, _alike(verdict, verdict.witness.node))
        return (found,) if found is not None else ()
    if verdict.kind == UNSATISFIABLE:
        return tuple(_missed(question, known, verdict))
    shapes = [shape.nodes for shape in verdict.shapes if shape.kind == verdict.kind]
    return tuple(item for names in shapes[:MOST] for item in (_now(question, known, names),) if item is not None)


def drawn_case(question: Question, known: Known, witness: Witness, alike: tuple[str, ...]) -> Drawn | None:
    """Return the node of a counterexample in its state; None where node or devices are not there."""
    node = known.node(witness.node)
    if node is None or any(held.device not in known.devices for held in witness.taken):
        return None
    taken, outcome = state_of(question, known, witness), replay(question, known, witness)
    drawn = _drawn(question, known, node, alike, taken, outcome)
    if drawn is None:
        return None
    marks = _with_kubelet(question, drawn.marks, witness)
    one, other = (_where(witness, key) for key in witness.crossed)
    words = f"crossed: {_part(known, witness, witness.crossed[0])}, {_part(known, witness, witness.crossed[1])}"
    between = (one[0], other[0]) if one and other else ()
    return drawn.replace(marks=marks.replace(crossing=words, between=between), link=witness.crossed)


def _alike(verdict: Verdict, node: str) -> tuple[str, ...]:
    return next((shape.nodes for shape in verdict.shapes if node in shape.nodes), (node,))


def _missed(question: Question, known: Known, verdict: Verdict) -> Iterator[Drawn]:
    """Yield the node that comes nearest, where what others hold is the matter."""
    refusal = verdict.refusal
    shape = refusal.shapes[0] if refusal is not None and refusal.shapes else None
    node = known.node(shape.nodes[0]) if shape is not None and shape.nodes else None
    if refusal is None or refusal.lasting or shape is None or node is None:
        return
    drawn = _drawn(question, known, node, shape.nodes, known.allocator.taken(), None)
    if drawn is not None:
        yield drawn


def _now(question: Question, known: Known, names: tuple[str, ...]) -> Drawn | None:
    """Return a node with what the pod gets there now, on the first of its like with room; else on an empty one."""
    pod = known.allocator.prepare(question.claims)
    nodes = [node for node in map(known.node, names) if node is not None]
    for node, taken in (*((node, known.allocator.taken()) for node in nodes), (nodes[0], owned_by(question, known))):
        outcome = known.allocator.allocate(pod, node, taken, known.aim.steps)
        if isinstance(outcome, Allocated):
            return _drawn(question, known, node, names, taken, outcome)
    return None


def _drawn(
    question: Question, known: Known, node: Node, names: tuple[str, ...], taken: Taken, outcome: Outcome | None
) -> Drawn | None:
    try:
        view = known.allocator.cluster.view(node)
    except NodeSelectorError:
        return None
    picture = picture_of(node.name, view.devices, known.layout(node), known.catalogue)
    own = frozenset(item.device for results in question.held.values() for item in results)
    claims = outcome.claims if isinstance(outcome, Allocated) else ()
    own &= known.devices.keys() if claims else frozenset()
    marks = marks_with(picture, view, known.allocator.cluster, taken, claims, own)
    return Drawn((node.name, *(name for name in names if name != node.name)), picture, marks)


def _with_kubelet(question: Question, marks: Marks, witness: Witness) -> Marks:
    """Add the CPUs that no claim holds: those that others own, and those that the kubelet gives to the pod."""
    cpus: dict[int, tuple[int, int]] = dict(marks.cpus)
    notes: dict[int, str] = dict(marks.notes)
    for node, count in witness.exclusive_cpus.items():
        others, here = cpus.get(node, (0, 0))
        cpus[node] = others + count, here
    for use in question.containers:
        nodes = witness.numa.get(CPUS + use.name, ())
        for node in nodes if use.cpus else ():
            others, here = cpus.get(node, (0, 0))
            share = -(-use.cpus // len(nodes))
            cpus[node] = others, here + share
            note = f"{HERE} {share} here (container {use.name})"
            notes[node] = f"{notes[node]}   {note}" if node in notes else note
    memory: Mapping[int, int] = {**marks.memory, **{n: size for n, size in witness.exclusive_memory.items() if size}}
    return marks.replace(cpus=cpus, notes=notes, memory=memory)


def _where(witness: Witness, key: str) -> tuple[int, ...]:
    return witness.numa.get(key, ())


def _part(known: Known, witness: Witness, key: str) -> str:
    """Return one of the two parts that are apart, with its NUMA node: ``GPU on 1``."""
    on = " and ".join(map(str, _where(witness, key)))
    if key.startswith(CPUS):
        return f"CPUs on {on}"
    if key.startswith(MEMORY):
        return f"memory on {on}"
    device = known.devices.get(key)
    kind = (known.kind(device) if device is not None else None) or ""
    return f"{'CPUs' if kind == 'cpu' else word(kind)} on {on}"


def got(known: Known, drawn: Drawn) -> str:
    """Return the devices that a pod gets on a drawn node, CPUs and memory last: ``gpu-4 + cpudevnuma001``."""
    mine = [identity for identity, mark in drawn.marks.devices.items() if mark == HERE]
    kinds = {identity: known.kind(known.devices[identity]) for identity in mine}
    order = sorted(mine, key=lambda identity: (kinds[identity] in ("cpu", "memory"), kinds[identity] == "memory"))
    return " + ".join(identity.rpartition("/")[2] for identity in order)
