"""What all views for people say alike."""

from __future__ import annotations

from dralign.formats._verdicts import WORDS, counted, refusal_lines
from dralign.model.verdict import UNSATISFIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.simulate import Case, Change, Fit, Simulated


def heading(case: Case) -> str:
    """Return what is proved, or what became of a saved case, in capitals: what a reader looks for first."""
    if case.replay is not None:
        return "REPRODUCES" if case.replay.reproduces else "DOES NOT REPRODUCE"
    return WORDS[case.report.verdict.kind].upper()


def fit_words(fit: Fit) -> str:
    """Return how many replicas fit: ``6 of 6 replicas fit``."""
    several = f"{fit.places} fit"
    one = f"{fit.places.removesuffix('s')} fits"
    if fit.wanted is None:
        return f"{fit.placed} {one if fit.placed == 1 else several}"
    return f"{fit.placed} of {fit.wanted} {one if fit.wanted == 1 else several}"


def lines(case: Case, simulated: Simulated) -> Iterator[tuple[str, str]]:
    """Yield all that is said of a case below its picture, as name and text."""
    if case.replay is not None:
        yield from [("differs", case.replay.differs)] if case.replay.differs else case.lines
        if case.replay.differs and case.replay.origin:
            yield "saved", f"by {case.replay.origin}"
        return
    refusal = case.report.verdict.refusal
    if refusal is not None:
        yield from (("why" if not number else "", line) for number, line in enumerate(refusal_lines(refusal)))
    yield from (line for line in case.lines if line[0] != "bounds")
    if case.change is not None:
        yield "change", _change(case.change, simulated)
    yield from _price(case)
    if case.report.verdict.witness is not None:
        yield (
            "replay",
            f"{_command('simulate', simulated)} --format json=case.json, then the same with --replay case.json",
        )
    yield from (line for line in case.lines if line[0] == "bounds")


def _change(change: Change, simulated: Simulated) -> str:
    gives = f"{change.gives}, aligned" if change.gives else "aligned"
    command = f"{_command('fix', simulated)} {change.flags} --diff"
    return f"{'; '.join(change.titles)} \N{RIGHTWARDS ARROW} {gives}   {command}"


def _command(verb: str, simulated: Simulated) -> str:
    return f"dralign {verb} {simulated.arguments}".rstrip()


def _price(case: Case) -> Iterator[tuple[str, str]]:
    """Yield what a constraint costs, and why not more fit."""
    fit = case.fit
    if fit is None:
        return
    after = case.change.fit if case.change is not None else None
    if after is not None:
        yield "price", _compared(after.placed, fit.placed, fit)
    elif fit.loose is not None:
        yield "price", f"{_compared(fit.placed, fit.loose, fit)} (without the constraint)"
    if fit.stop and case.report.verdict.kind != UNSATISFIABLE:
        yield "next", f"one replica more: {fit.stop}" if fit.places == "replicas" else fit.stop


def _compared(with_it: int, without: int, fit: Fit) -> str:
    if with_it == without:
        return f"none: {fit_words(fit.replace(placed=with_it))}, as many as without"
    return f"{with_it} instead of {without} {fit.places} fit"


def closing(simulated: Simulated) -> str:
    """Return the last line: how much was judged, what was proved, how the run ends."""
    outcome = simulated.outcome
    counts = [f"{outcome.judged} of {outcome.objects} object{'' if outcome.objects == 1 else 's'} judged"]
    if not simulated.cases:
        counts.append("no pod that holds devices")
    return f"{' · '.join([*counts, *counted(outcome.verdicts)])}     exit {int(simulated.failed)}"
