"""Findings for people: what breaks, where, why, what to do, how to silence it. Colour is never needed to read it."""

from __future__ import annotations

from dralign.finding import ERROR, INFO, WARNING
from dralign.formats import Format

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.finding import FixReport, Outcome, Report

RULE_COLUMN = 96
"""Rule ids stand in one column where the sentence before them leaves room."""

LABELS = {ERROR: "ERROR", WARNING: "WARN ", INFO: "INFO "}


def render(outcome: Outcome) -> str:
    """Return all findings, worst news last read first, and one line that counts them."""
    blocks = [block for report in outcome.findings for block in ("\n".join(_finding(report, outcome)), "")]
    return "\n".join([*blocks, _summary(outcome)]) + "\n"


def _finding(report: Report, outcome: Outcome) -> Iterator[str]:
    label = "BLOCK" if outcome.breaks(report) else LABELS[report.severity]
    head = f"{label} {report.ref} ({report.ref.kind}): {report.message}"
    yield f"{head:<{RULE_COLUMN}}  [{report.rule}]"
    yield f"  {_place(report)}  {report.path}"
    yield from _excerpt(report)
    yield from (f"  {line}".rstrip() for line in report.detail)
    for related in report.related:
        yield f"  {'see':<8} {related.location}  {related.ref.kind_and_name}: {related.message}"
    if report.tip:
        yield f"  {'tip':<8} {report.tip}"
    if report.fix:
        yield f"  {'fix':<8} {_fix(report.fix)}"
    yield f'  {"silence":<8} ignore.dralign.dev/{report.rule}: "<reason>"'


def _place(report: Report) -> str:
    return report.origin or str(report.location)


def _excerpt(report: Report) -> Iterator[str]:
    """Yield the line in question with the one above it, and a mark under the spot."""
    width = len(str(report.excerpt[-1][0])) if report.excerpt else 1
    for number, text in report.excerpt:
        yield f"  {number:>{width}} | {text}".rstrip()
    if report.excerpt:
        label = f" {report.label}" if report.label else ""
        yield f"  {' ' * width} | {' ' * (report.location.column - 1)}^{label}"


def _fix(fix: FixReport) -> str:
    match fix.state:
        case "held":
            return f"{fix.title}   held back: {fix.reason}"
        case "proposed" if fix.reason:
            return f"{fix.title}   {fix.safety}: {fix.reason}"
    return f"{fix.title}   {fix.safety}"


def _summary(outcome: Outcome) -> str:
    """Return the last line: how much was judged, what was found, what was repaired, how the run ends."""
    counts = [f"{outcome.judged} of {outcome.objects} {_plural('object', outcome.objects)} judged"]
    for severity in (ERROR, WARNING, INFO):
        number = sum(report.severity == severity for report in outcome.findings)
        counts += [f"{number} {_plural(severity, number) if severity != INFO else severity}"] if number else []
    counts += [f"{len(outcome.applied)} repaired"] if outcome.applied else []
    counts += [f"{len(outcome.suppressed)} silenced"] if outcome.suppressed else []
    breaking = sum(outcome.breaks(report) for report in outcome.findings)
    ending = f"exit 1 ({breaking} at or above {outcome.fail_on})" if breaking else "exit 0"
    return f"{' · '.join(counts)}     {ending}"


def _plural(word: str, number: int) -> str:
    return word if number == 1 else f"{word}s"


FORMAT = Format("text", render)
