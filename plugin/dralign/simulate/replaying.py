"""Saved cases: read back from what a simulation or a check wrote, and played again on the bundle as it is now."""

from __future__ import annotations

from dralign.context.verdicts import Judged
from dralign.engine import verdict_report
from dralign.manifest import as_list, as_map, as_text
from dralign.model.verdict import MAY_CROSS, Verdict
from dralign.model.verdict_data import witness_from
from dralign.proof.replay import crosses, placed, replay
from dralign.record import Record
from dralign.sim.outcome import Allocated, Failed, Undecided
from dralign.simulate.asking import asks_of
from dralign.simulate.placing import drawn_case
from dralign.simulate.report import Case, Replay
from dralign.simulate.telling import lines_of, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from dralign.context import Context
    from dralign.model.verdict import Witness
    from dralign.model.workload import PodView
    from dralign.proof import Question


class CaseError(Exception):
    """A file in which no case is saved, or one of other pods; the text says what is wrong."""


class Saved(Record):
    """A case as it was saved.

    Attributes:
        ref: names its pod template (kind, namespace, name, path); None where it does not say.
        witness: the case.
        arguments: what was typed behind ``dralign simulate`` when it was saved; empty where nobody knows.
    """

    ref: tuple[str, str, str, str] | None
    witness: Witness
    arguments: str = ""

    @property
    def name(self) -> str:
        """The pod template in words."""
        if self.ref is None:
            return f"case on {self.witness.node}"
        kind, namespace, name, _ = self.ref
        return f"{kind} {f'{namespace}/' if namespace else ''}{name}"

    @property
    def origin(self) -> str:
        """The command that saved it, which names the files that it needs."""
        return f"dralign simulate {self.arguments}" if self.arguments else ""


def saved_in(data: Any) -> tuple[Saved, ...]:
    """Read the cases of an outcome, of one verdict, or a witness alone. Raises CaseError, which says what is wrong."""
    if not isinstance(data, dict):
        raise CaseError("want the JSON of an outcome, of a verdict or of a witness")
    if "verdicts" in data:
        verdicts = [as_map(item) for item in as_list(data["verdicts"])]
        typed = as_text(data.get("arguments")) or ""
        found = tuple(_saved(item, typed) for item in verdicts if item.get("witness") is not None)
        if not found:
            raise CaseError("none of its verdicts has a witness: there is nothing to replay")
        return found
    if "verdict" in data or "witness" in data:
        if data.get("witness") is None:
            raise CaseError("the verdict has no witness: there is nothing to replay")
        return (_saved(data),)
    return (Saved(None, _witness(data)),)


def _saved(verdict: dict[str, Any], arguments: str = "") -> Saved:
    about = as_map(verdict.get("object"))
    words = [as_text(about.get(key)) or "" for key in ("kind", "namespace", "name")]
    path = as_text(verdict.get("path")) or ""
    ref = (words[0], words[1], words[2], path) if about else None
    return Saved(ref, _witness(as_map(verdict["witness"])), arguments)


def _witness(data: dict[str, Any]) -> Witness:
    try:
        found = witness_from(data)
    except ValueError as error:
        raise CaseError(str(error)) from error
    if not found.placement:
        raise CaseError("witness.placement: want devices by claim/request")
    return found


def replayed(context: Context, saved: Sequence[Saved]) -> Iterator[Case]:
    """Yield each saved case as it comes out now.

    Raises:
        CaseError: the bundle has no pod template that a case could be about.
    """
    for item in saved:
        pods = [pod for pod in context.pods if context.holds_devices(pod) and _is_about(context, item, pod)]
        if not pods:
            origin = f"; it was saved by '{item.origin}'" if item.origin else ""
            raise CaseError(f"{item.name} is not among the pods that were read{origin}")
        cases = [_case(context, pod, item) for pod in pods]
        yield next((case for case in cases if case.replay and case.replay.reproduces), cases[0])


def _is_about(context: Context, saved: Saved, pod: PodView) -> bool:
    """Say whether a case is about a pod template: by name, or by its claims where the case has no name."""
    if saved.ref is not None:
        ref = pod.manifest.ref
        return saved.ref == (ref.kind, ref.namespace or "", ref.name or "", str(pod.path))
    question = context.question(pod)
    if isinstance(question, str):
        return False
    names = {f"{claim.name}/{request.name}" for claim in question.claims for request in claim.spec.requests}
    return all("/".join(key.split("/")[:2]) in names for key in saved.witness.placement)


def _case(context: Context, pod: PodView, saved: Saved) -> Case:
    question, witness = context.question(pod), saved.witness
    verdict = Verdict(MAY_CROSS, nodes=(witness.node,), witness=witness)
    differs = question if isinstance(question, str) else _difference(context, question, witness)
    drawn = None if isinstance(question, str) else drawn_case(question, context.known, witness, (witness.node,))
    return Case(
        verdict_report(Judged(pod, verdict if not differs else verdict.replace(reasons=(differs,)))),
        name_of(context, pod),
        asks_of(context, pod),
        drawings=(drawn,) if drawn is not None else (),
        lines=tuple(line for line in lines_of(context, question, verdict) if line[0] in ("proof", "why")),
        replay=Replay(not differs, differs, saved.origin),
    )


def _difference(context: Context, question: Question, witness: Witness) -> str:
    """Return what comes out otherwise than it was saved, empty where nothing does."""
    known = context.known
    if known.node(witness.node) is None:
        return f"node {witness.node} is not in the inventory"
    gone = [held.device for held in witness.taken if held.device not in known.devices]
    if gone:
        return f"{gone[0]}, which others held, is not in the inventory"
    outcome = replay(question, known, witness)
    match outcome:
        case Failed(message=message):
            return f"the allocator reports: {message}"
        case Undecided(why=why):
            return why
        case Allocated():
            return _other_devices(context, question, witness, outcome)
    return "the claims do not fit there any more in this state"


def _other_devices(context: Context, question: Question, witness: Witness, outcome: Allocated) -> str:
    known = context.known
    node = known.node(witness.node)
    now = placed(question, known, node, outcome) if node is not None else None
    if now is None:
        return f"node {witness.node} is not in the inventory"
    for key in (*witness.placement, *(key for key in now.placement if key not in witness.placement)):
        before, after = (", ".join(item.placement.get(key, ())) or "nothing" for item in (witness, now))
        if before != after:
            return f"{key} gets {after}, not {before}"
    for device, nodes in now.numa.items():
        if nodes != witness.numa.get(device, nodes):
            return f"{device} is on NUMA node {_numbers(nodes)}, not {_numbers(witness.numa[device])}"
    return "" if crosses(question, known, outcome) else "its devices, CPUs and memory are together there"


def _numbers(nodes: tuple[int, ...]) -> str:
    return " and ".join(map(str, nodes))
