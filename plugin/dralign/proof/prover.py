"""Proves one pod template: from the text alone where that is enough, else on the devices of the inventory."""

from __future__ import annotations

from dralign.model.verdict import ALIGNED, KUBELET, UNDECIDED, UNSATISFIABLE, Verdict
from dralign.proof.ties import proof_from_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.model.node import Node
    from dralign.proof.known import Known
    from dralign.proof.question import Question

NO_INVENTORY = "no inventory: nobody knows which devices the nodes have"


def prove(question: Question, known: Known) -> Verdict:
    """Return what holds of a pod template; never "aligned" on anything less than a proof.

    Equal questions are one; equal specs of claims are taken for equal where they are the same object.
    """
    nodes = known.eligible(question)
    key = "verdict", _content(question), tuple(node.name for node in nodes)
    if key not in known.kept:
        known.kept[key] = question, _proved(question, known, nodes)  # kept, so that specs are not taken for others
    found: Verdict = known.kept[key][1]
    return found


def _content(question: Question) -> tuple[object, ...]:
    """Return all that an answer depends on but for the nodes, to be told apart by."""
    claims = tuple((claim.name, id(claim.spec), claim.allocated, repr(claim.reach)) for claim in question.claims)
    return claims, question.containers, tuple(question.held.items()), question.shared, repr(question.pod)


def never_fits(question: Question, known: Known) -> Verdict | None:
    """Return why a pod template fits on no node however much is free; None if it does, or where nobody knows."""
    if not known.devices:
        return None
    from dralign.proof.on_nodes import fits  # noqa: PLC0415 -- the allocator, which the text alone does not need

    if fits(question, known):
        return None
    verdict = prove(question, known)
    lasting = verdict.refusal is not None and verdict.refusal.lasting
    return verdict if verdict.kind == UNSATISFIABLE and lasting else None


def _proved(question: Question, known: Known, nodes: Sequence[Node]) -> Verdict:
    if not any(question.asked(use) or use.legacy is not None for use in question.containers):
        return Verdict(UNDECIDED, reasons=("no container uses the devices of a claim",))
    if not question.claims:
        return _by_kubelet(question, known, nodes)
    if not known.devices:
        return _from_text(question, known, NO_INVENTORY)
    from dralign.proof.on_nodes import prove_on, what_is_missing_on  # noqa: PLC0415 -- as above

    missing = what_is_missing_on(question, known, nodes)
    return _from_text(question, known, missing) if missing is not None else prove_on(question, known, nodes)


def _from_text(question: Question, known: Known, missing: str) -> Verdict:
    word = proof_from_text(question, known)
    return Verdict(ALIGNED, (word,)) if word else Verdict(UNDECIDED, reasons=(missing,))


def _by_kubelet(question: Question, known: Known, nodes: Sequence[Node]) -> Verdict:
    """Judge a pod that has devices of device plugins only."""
    from dralign.proof.plugins import kept_by_kubelet  # noqa: PLC0415 -- most pods have claims

    names = tuple(node.name for node in nodes)
    answers = [kept_by_kubelet(question, known, name) for name in names or (None,)]
    told = tuple(dict.fromkeys(answer for answer in answers if isinstance(answer, str)))
    return Verdict(UNDECIDED, nodes=names, reasons=told) if told else Verdict(ALIGNED, (KUBELET,), names)
