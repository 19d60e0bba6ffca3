"""The proof for nodes of one shape: can the pod be served, and can its parts be on several NUMA nodes."""

from __future__ import annotations

from dralign.model.verdict import ALIGNED, KUBELET, MAY_CROSS, SINGLE_NODE, SPANS, UNDECIDED, UNSATISFIABLE
from dralign.proof.counterexamples import Counterexamples
from dralign.proof.hunt import Hunter, Wanted
from dralign.proof.judging import Judge
from dralign.proof.owning import owned_by
from dralign.proof.placers import placer_for
from dralign.proof.plugins import kept_by_kubelet
from dralign.proof.reach import Found, Reach
from dralign.proof.shapes import places_on
from dralign.proof.spanning import too_large
from dralign.proof.ties import word_for
from dralign.record import Record
from dralign.sim.errors import AllocationError
from dralign.sim.outcome import Allocated, Failed, NoFit, Undecided
from dralign.sim.search import StepLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.verdict import By, Kind
    from dralign.proof.judging import Together
    from dralign.proof.known import Known
    from dralign.proof.question import ContainerUse, Question
    from dralign.proof.shapes import Shape
    from dralign.sim.allocator import Pod
    from dralign.sim.outcome import Outcome

_CEL = frozenset({"cel-runtime", "cel-compile", "derived"})
_INVENTORY = frozenset({"all-incomplete", "node-selector"})
"""Errors that say something of the inventory's state, not of the pod."""
_HANGS_ON_OTHERS = "all-constraint"
"""Mode All meets a device that does not go with those chosen before: with others taken they may be others."""


class ShapeProof(Record):
    """What is proved for one shape.

    Attributes:
        shape: the nodes.
        kind, by, reasons: as in the verdict.
        outcome: what the allocator does on an empty cluster.
        found: a counterexample; one of ``spans`` too.
        error: selectors fail on some device of these nodes.
    """

    shape: Shape
    kind: Kind
    outcome: Outcome
    by: tuple[By, ...] = ()
    reasons: tuple[str, ...] = ()
    found: Found | None = None
    error: str = ""


def prove_shape(question: Question, known: Known, pod: Pod, shape: Shape) -> ShapeProof:
    """Judge the first node of a shape for all."""
    proof = _proof_of(question, known, pod, shape)
    if proof.kind in (ALIGNED, SPANS, UNSATISFIABLE) and _all_may_shrink(known, pod, shape):
        if proof.found is not None:
            return proof.replace(kind=MAY_CROSS, reasons=())
        why = "mode All leaves out shared devices that are full (before 1.37): it hangs on what others hold"
        return ShapeProof(shape, UNDECIDED, proof.outcome, reasons=(why,))
    return proof


def _all_may_shrink(known: Known, pod: Pod, shape: Shape) -> bool:
    """Say whether what others hold decides how many devices mode All asks for."""
    if not known.allocator.cluster.how.all_leaves_out_full:
        return False
    leaves = (leaf for plan in pod.plans for ask in plan.asks for leaf in ask.leaves)
    wanted = any(not isinstance(leaf, AllocationError) and leaf.wants_all for leaf in leaves)
    return wanted and any(device.allow_multiple for device in known.visible(shape.nodes[0]))


def _proof_of(question: Question, known: Known, pod: Pod, shape: Shape) -> ShapeProof:
    node, own = shape.nodes[0], owned_by(question, known)
    outcome = known.allocator.allocate(pod, node, own, known.aim.steps)
    match outcome:
        case Undecided(why=why):
            return ShapeProof(shape, UNDECIDED, outcome, reasons=(why,))
        case NoFit() if not known.allocator.cluster.how.undo_defects:
            return _unfit(known, shape, outcome)
        case Failed() if outcome.kind in _INVENTORY:
            return ShapeProof(shape, UNDECIDED, outcome, reasons=(outcome.message,))
        case Failed() if outcome.kind not in {*_CEL, _HANGS_ON_OTHERS}:
            return ShapeProof(shape, UNSATISFIABLE, outcome, reasons=(outcome.message,))
    return _Prover(question, known, pod, shape, outcome).prove()


def _unfit(known: Known, shape: Shape, outcome: Outcome) -> ShapeProof:
    pools = known.allocator.cluster.view(shape.nodes[0]).pools
    updating = next((pool for pool in pools if pool.incomplete), None)
    if updating is not None:
        why = f"pool {updating} on {shape.names[0]} is being updated: not all of its slices are there"
        return ShapeProof(shape, UNDECIDED, outcome, reasons=(why,))
    return ShapeProof(shape, UNSATISFIABLE, outcome)


class _Prover:
    """Judges one node on which the pod fits, or a selector fails."""

    def __init__(self, question: Question, known: Known, pod: Pod, shape: Shape, outcome: Outcome) -> None:
        node, own = shape.nodes[0], owned_by(question, known)
        layout = known.layout(node)
        placer = placer_for(layout, known.kubelet(node), question.pod, node.name)
        self._question = question
        self._known = known
        self._shape = shape
        self._node = node
        self._own = own
        self._outcome = outcome
        self._layout = layout
        self._judge = Judge(question, known, places_on(node, known), placer)
        self._hunter = Hunter(self._judge, pod, node, own)
        self._reach = Reach(self._judge, pod, node, own)

    def prove(self) -> ShapeProof:
        """Return what holds."""
        try:
            if not isinstance(self._outcome, Allocated):
                return self._for_failure()
            error = next(self._hunter.errors(), None)
            if error is not None:
                return self._proof(UNDECIDED).replace(error=str(error))
            return self._for_places(self._outcome)
        except StepLimitError:
            why = f"the search was given up: more than {self._known.aim.steps} steps or {self._known.aim.tries} tries"
            return self._proof(UNDECIDED, why)
        except RecursionError:
            return self._proof(UNDECIDED, "the pod asks for too many devices to search through")

    def _proof(self, kind: Kind, *reasons: str) -> ShapeProof:
        return ShapeProof(self._shape, kind, self._outcome, reasons=reasons)

    def _for_failure(self) -> ShapeProof:
        """Settle what selectors that fail leave open: they fail whatever comes first, or in some orders only."""
        if not isinstance(self._outcome, Failed):
            return self._for_defects()
        kind = UNDECIDED if self._hunter.fits_somehow() else UNSATISFIABLE
        if self._outcome.kind == _HANGS_ON_OTHERS:
            return self._proof(kind, f"it hangs on what others hold: {self._outcome.message}")
        return self._proof(kind).replace(error=self._outcome.message)

    def _for_defects(self) -> ShapeProof:
        """Settle what 1.36 does not find on an empty node: it may find it once others hold some devices."""
        if self._hunter.fits_somehow():
            why = "1.36 misses devices that would do; it hangs on what others hold whether it finds them"
            return self._proof(UNDECIDED, why)
        return _unfit(self._known, self._shape, self._outcome)

    def _for_places(self, outcome: Allocated) -> ShapeProof:
        holders = [use for use in self._question.containers if self._question.asked(use)]
        if self._layout is not None and self._layout.is_single:
            return self._proof(ALIGNED).replace(by=(SINGLE_NODE,))
        found = Counterexamples(self._question, self._judge, self._hunter, self._reach).find(outcome)
        if found is not None:
            large = self._too_large(found)
            return (self._proof(SPANS, large) if large else self._proof(MAY_CROSS)).replace(found=found)
        doubts = [doubt for use in holders for doubt in (self._doubt(use),) if doubt is not None]
        plugged = kept_by_kubelet(self._question, self._known, self._node.name)
        doubts += [plugged] if isinstance(plugged, str) else []
        if doubts:
            return self._proof(UNDECIDED, *dict.fromkeys(doubts))
        words: list[By] = [word_for(self._question, use, self._known) for use in holders]
        words += [KUBELET] if plugged else []
        return self._proof(ALIGNED).replace(by=tuple(dict.fromkeys(words)))

    def _doubt(self, use: ContainerUse) -> str | None:
        """Return why nobody knows whether a container's parts are together; None if they surely are."""
        reasons: list[str] = []

        def doubtful(found: Together, last: bool) -> bool:
            answer = self._judge.settle(use, found) if last else None
            reasons.extend([answer] if isinstance(answer, str) else [])
            return not last or isinstance(answer, str)

        held = self._judge.settle(use, self._judge.gather(self._judge.held(use)))
        if isinstance(held, str) and self._judge.held(use):
            return held
        return reasons[0] if self._hunter.find(use, Wanted(doubtful)) is not None else None

    def _too_large(self, found: Found) -> str | None:
        use = next(use for use in self._question.containers if use.name == found.crossing.container)
        return too_large(self._judge, use, found.outcome, self._node, self._own)
