"""What would align a pod: the repair is made in memory, and its text is proved again."""

from __future__ import annotations

from dralign import engine
from dralign.context import Context
from dralign.model.verdict import ALIGNED
from dralign.record import Record
from dralign.simulate.fitting import fit_of
from dralign.simulate.placing import drawings_of, got
from dralign.simulate.report import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.bundle import Bundle
    from dralign.context import Surroundings
    from dralign.finding import Outcome, Report
    from dralign.manifest import Ref
    from dralign.model.workload import PodView
    from dralign.rule import LoadedRule
    from dralign.settings import Settings
    from dralign.simulate.report import Fit

STRATEGIES = ("constraint", "cpu-claim")
"""Ways to align that are tried, the one that asks least of the nodes first."""

NEAR = frozenset({"numa-constraint-missing", "nic-constraint-missing", "numa-crossing", "numa-fallback"})
"""Rules whose repairs do nothing but tie devices: they are tried without any others first."""


ALIGNMENT = frozenset({"A2", "A6", "B2"})
"""Requirements of the two standards that are about being near."""

ALL_OF_THEM = 1
"""The way that makes all repairs with a constraint."""


class _Repaired(Record):
    """The bundle after one way to repair it."""

    context: Context
    outcome: Outcome
    flags: str


class Changes:
    """Repairs of one bundle, each made when it is first asked for."""

    def __init__(
        self, bundle: Bundle, settings: Settings, rules: Sequence[LoadedRule], surroundings: Surroundings
    ) -> None:
        self._bundle = bundle
        self._settings = settings
        self._rules = rules
        self._surroundings = surroundings
        self._made: dict[int, _Repaired] = {}
        self._on_alignment = {item.rule.id for item in rules if ALIGNMENT.intersection(item.rule.standards)}
        self._ways = [("constraint", NEAR), *((strategy, frozenset[str]()) for strategy in STRATEGIES)]

    def for_pod(self, pod: PodView, wanted: int | None, had: Fit | None) -> Change | None:
        """Return the first way that aligns a pod, and leaves it a node if it ``had`` any; None where none does."""
        for number in range(len(self._ways)):
            repaired = self._repaired(number)
            same = [item for item in repaired.context.pods if _is_same(item, pod)]
            verdict = repaired.context.verdict_of(same[0]) if same else None
            if verdict is None or verdict.kind != ALIGNED:
                continue
            titles = _titles(repaired.outcome.applied, pod)
            question = repaired.context.question(same[0])
            if not titles or isinstance(question, str):
                continue
            drawings = drawings_of(question, repaired.context.known, verdict)
            fit = fit_of(repaired.context, same[0], wanted)
            if fit is not None and not fit.placed and had is not None and had.placed:
                continue  # aligned where it cannot run
            gives = got(repaired.context.known, drawings[0]) if drawings else ""
            return Change(titles, repaired.flags, gives, fit)
        return None

    def tip_for(self, pod: PodView) -> str | None:
        """Return what a rule on alignment says should be done where no repair aligns a pod; None where none speaks."""
        repaired = self._repaired(ALL_OF_THEM)
        ref = pod.manifest.ref
        found = [report for report in repaired.outcome.findings if report.tip and ref in _objects(report)]
        first = next((report for report in found if report.rule in self._on_alignment), None)
        return f"{first.tip}   [{first.rule}]" if first is not None else None

    def _repaired(self, number: int) -> _Repaired:
        if number not in self._made:
            strategy, only = self._ways[number]
            alignment = self._settings.alignment.replace(strategy=strategy)
            settings = self._settings.replace(mode="fix", alignment=alignment, only=only)
            around = self._surroundings
            outcome, after = engine.run(
                self._bundle, settings, self._rules, around.catalogue, around.inventory, around.previous
            )
            context = Context(after, settings, around)
            self._made[number] = _Repaired(context, outcome, f"--align {strategy}")
        return self._made[number]


def _is_same(one: PodView, other: PodView) -> bool:
    return one.manifest.ref == other.manifest.ref and one.path == other.path


def _titles(applied: Sequence[Report], pod: PodView) -> tuple[str, ...]:
    """Return the repairs of a pod and of what it uses."""
    ref = pod.manifest.ref
    near = (report for report in applied if report.fix and ref in _objects(report))
    return tuple(dict.fromkeys(report.fix.title for report in near if report.fix))


def _objects(report: Report) -> tuple[Ref, ...]:
    return (report.ref, *(related.ref for related in report.related))
