"""One simulation: every pod template that holds devices becomes a case."""

from __future__ import annotations

from dralign.context import Context, Surroundings
from dralign.context.verdicts import Judged
from dralign.engine import verdict_report
from dralign.finding import Outcome
from dralign.model.verdict import MAY_CROSS, UNSATISFIABLE
from dralign.record import Record
from dralign.simulate.asking import asks_of
from dralign.simulate.changes import Changes
from dralign.simulate.fitting import fit_of
from dralign.simulate.placing import drawings_of
from dralign.simulate.replaying import replayed
from dralign.simulate.report import Case, Simulated
from dralign.simulate.telling import lines_of, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dralign.bundle import Bundle
    from dralign.model.workload import PodView
    from dralign.rule import LoadedRule
    from dralign.settings import Settings
    from dralign.simulate.replaying import Saved

    Tell = Callable[[int, int], None]

PROVED = ("strict", "pedantic")
"""Profiles in which what may cross fails."""


class Wish(Record):
    """What is asked beside the verdicts.

    Attributes:
        replicas: how many are to be placed; None: as many as each workload says.
        all_that_fit: as many as there is room for, whatever ``replicas`` says.
        arguments: what was typed behind the verb and can be typed again, ``--format`` and the like left out.
        saved: cases to replay; then nothing else is simulated.
    """

    replicas: int | None = None
    all_that_fit: bool = False
    arguments: str = ""
    saved: tuple[Saved, ...] = ()

    def wanted(self, pod: PodView) -> int | None:
        """Return how many replicas of a pod to place; None for as many as there is room for."""
        if self.all_that_fit:
            return None
        return self.replicas if self.replicas is not None else 1 if pod.replicas is None else pod.replicas


def simulate(
    bundle: Bundle,
    settings: Settings,
    rules: Sequence[LoadedRule],
    surroundings: Surroundings,
    wish: Wish,
    tell: Tell,
) -> Simulated:
    """Prove, draw, explain and count every pod template that holds devices; ``tell`` hears how far it is.

    Raises:
        CaseError: a saved case is about none of the pods.
    """
    context = Context(bundle, settings, surroundings)
    if wish.saved:
        return _again(context, wish)
    changes = Changes(bundle, settings, rules, surroundings)
    pods = [pod for pod in context.pods if context.holds_devices(pod)]
    cases = []
    for number, pod in enumerate(pods):
        tell(number, len(pods))
        verdict = context.verdict_of(pod)
        if verdict is not None:
            cases.append(_case(context, Judged(pod, verdict), wish, changes))
    bad = {UNSATISFIABLE, MAY_CROSS} if settings.profile in PROVED else {UNSATISFIABLE}
    failed = any(case.report.verdict.kind in bad for case in cases)
    return Simulated(_outcome(context, cases), tuple(cases), wish.arguments, failed)


def _again(context: Context, wish: Wish) -> Simulated:
    cases = tuple(replayed(context, wish.saved))
    failed = not all(case.replay is not None and case.replay.reproduces for case in cases)
    return Simulated(_outcome(context, cases), cases, wish.arguments, failed)


def _outcome(context: Context, cases: Sequence[Case]) -> Outcome:
    """Return what other formats know of cases."""
    settings = context.settings
    return Outcome(
        (),
        (),
        (),
        context.bundle.objects,
        len(context.judged),
        settings.fail_on,
        settings.profile,
        settings.kube_version,
        verdicts=tuple(case.report for case in cases),
    )


def _case(context: Context, judged: Judged, wish: Wish, changes: Changes) -> Case:
    pod, verdict = judged.pod, judged.verdict
    question, wanted = context.question(pod), wish.wanted(pod)
    fit = fit_of(context, pod, wanted)
    change = changes.for_pod(pod, wanted, fit) if verdict.kind == MAY_CROSS else None
    tip = changes.tip_for(pod) if verdict.kind == MAY_CROSS and change is None else None
    return Case(
        verdict_report(judged),
        name_of(context, pod),
        asks_of(context, pod),
        fit,
        () if isinstance(question, str) else drawings_of(question, context.known, verdict),
        (*lines_of(context, question, verdict), *([("tip", tip)] if tip else [])),
        change,
    )
