"""Proves one pod template on the devices of the inventory, node shape by node shape."""

from __future__ import annotations

from dralign.model.verdict import (
    ALIGNED,
    CPUS,
    MAY_CROSS,
    MEMORY,
    SPANS,
    UNDECIDED,
    UNSATISFIABLE,
    ShapeVerdict,
    Verdict,
    Witness,
)
from dralign.proof.empty import what_is_missing
from dralign.proof.owning import owned_by
from dralign.proof.placers import Outside
from dralign.proof.refusal import Attempt, refusal
from dralign.proof.replay import placed, reproduces
from dralign.proof.shape_proof import prove_shape
from dralign.proof.shapes import shapes_of
from dralign.sim.outcome import Allocated, Failed, NoFit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dralign.model.node import Node
    from dralign.model.verdict import By, Kind, Placement
    from dralign.proof.known import Known
    from dralign.proof.question import Question
    from dralign.proof.reach import Found
    from dralign.proof.shape_proof import ShapeProof
    from dralign.sim.allocator import Pod


def what_is_missing_on(question: Question, known: Known, nodes: Sequence[Node]) -> str | None:
    """Return why the inventory cannot tell whether a pod is served, None if it can."""
    return what_is_missing(known.allocator.prepare(question.claims), known, nodes)


def fits(question: Question, known: Known) -> bool:
    """Say whether any node serves a pod while nobody else holds anything; False too where that is not found out."""
    pod, own = known.allocator.prepare(question.claims), owned_by(question, known)
    shapes = shapes_of(pod, known.eligible(question), known)
    outcomes = (known.allocator.allocate(pod, shape.nodes[0], own, known.aim.steps) for shape in shapes)
    return any(isinstance(outcome, Allocated) for outcome in outcomes)


def prove_on(question: Question, known: Known, nodes: Sequence[Node]) -> Verdict:
    """Return what holds on these nodes of the inventory."""
    pod = known.allocator.prepare(question.claims)
    proofs = [prove_shape(question, known, pod, shape) for shape in shapes_of(pod, nodes, known)]
    verdict = _joined(question, known, proofs).replace(example=_example(question, known, proofs))
    return verdict if verdict.kind == UNSATISFIABLE else _now(question, known, pod, nodes, verdict)


def _joined(question: Question, known: Known, proofs: Sequence[ShapeProof]) -> Verdict:
    shapes = tuple(_shape(proof) for proof in proofs)
    fits = [proof for proof in proofs if proof.kind != UNSATISFIABLE]
    error = next((proof.error for proof in proofs if proof.error), "")
    if not fits:
        attempts = [Attempt(proof.shape, owned_by(question, known), proof.outcome) for proof in proofs]
        tree = refusal(question, known, attempts, lasting=True)
        why = f"CEL error on {error}" if error else tree.nearest
        return Verdict(UNSATISFIABLE, (), _names(proofs), shapes, reasons=(why,), refusal=tree)
    if error:
        return Verdict(UNDECIDED, (), _names(fits), shapes, reasons=(f"CEL error on {error}",))
    kinds = {proof.kind for proof in fits}
    if MAY_CROSS in kinds or {SPANS, ALIGNED} <= kinds:  # on other nodes it could be aligned
        return _crossing(question, known, fits, shapes)
    kind: Kind = next(kind for kind in (UNDECIDED, SPANS, ALIGNED) if kind in kinds)
    deciding = [proof for proof in fits if proof.kind == kind]
    reasons = tuple(dict.fromkeys(reason for proof in deciding for reason in proof.reasons))
    words: dict[By, None] = dict.fromkeys(word for proof in deciding for word in proof.by)
    return Verdict(kind, tuple(words) if kind == ALIGNED else (), _names(deciding), shapes, reasons=reasons)


def _example(question: Question, known: Known, proofs: Sequence[ShapeProof]) -> Placement | None:
    made = ((p.shape.nodes[0], p.outcome) for p in proofs if isinstance(p.outcome, Allocated))
    return next((placed(question, known, node, outcome) for node, outcome in made), None)


def _shape(proof: ShapeProof) -> ShapeVerdict:
    error = (f"CEL error on {proof.error}",) if proof.error else ()
    return ShapeVerdict(proof.shape.names, proof.kind, proof.by, error or proof.reasons)


def _names(proofs: Iterable[ShapeProof]) -> tuple[str, ...]:
    return tuple(name for proof in proofs for name in proof.shape.names)


def _crossing(
    question: Question, known: Known, fits: Sequence[ShapeProof], shapes: tuple[ShapeVerdict, ...]
) -> Verdict:
    """Take the counterexample with the fewest devices taken; one that does not replay is none."""
    found = [(proof.found, proof.shape) for proof in fits if proof.found is not None]
    best, shape = min(found, key=lambda item: len(item[0].grabs))
    witness = _witness(question, known, shape.nodes[0], best)
    if not reproduces(question, known, witness):
        return Verdict(UNDECIDED, (), shape.names, shapes, reasons=("a counterexample did not replay",))
    return Verdict(MAY_CROSS, (), shape.names, shapes, witness)


def _witness(question: Question, known: Known, node: Node, found: Found) -> Witness:
    made = placed(question, known, node, found.outcome)
    crossing = found.crossing
    lies = {CPUS: crossing.cpus, MEMORY: crossing.memory}
    left = {f"{what}{crossing.container}": outside.nodes for what, outside in lies.items() if outside is not None}
    outside = crossing.cpus or crossing.memory or Outside((), {}, {})
    taken = tuple(grab.as_held() for grab in found.grabs)
    numa = {**made.numa, **left}
    return Witness(
        node.name, made.placement, numa, taken, outside.cpus, outside.memory, crossing.container, crossing.crossed
    )


def _now(question: Question, known: Known, pod: Pod, nodes: Sequence[Node], verdict: Verdict) -> Verdict:
    """Look whether the pod fits beside what is taken now."""
    if not known.inventory.taken:
        return verdict
    taken = known.allocator.taken()
    attempts = []
    for shape in shapes_of(pod, nodes, known, taken):
        outcome = known.allocator.allocate(pod, shape.nodes[0], taken, known.aim.steps)
        if isinstance(outcome, Allocated):
            return verdict.replace(example=placed(question, known, shape.nodes[0], outcome))
        if not isinstance(outcome, (NoFit, Failed)):
            return verdict
        attempts.append(Attempt(shape, taken, outcome))
    if not any(isinstance(attempt.outcome, NoFit) for attempt in attempts):
        return verdict
    tree = refusal(question, known, attempts, lasting=False)
    names = tuple(name for attempt in attempts for name in attempt.shape.names)
    return Verdict(UNSATISFIABLE, (), names, verdict.shapes, reasons=(tree.nearest,), refusal=tree, once_free=verdict)
