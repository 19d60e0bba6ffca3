"""Findings for people: what breaks, where, why, what to do, how to silence it. Colour is never needed to read it."""

from __future__ import annotations

from dralign.finding import ERROR, INFO, WARNING
from dralign.formats import STDIN, Format

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.finding import FixReport, Outcome, RelatedReport, Report

RULE_COLUMN = 96
"""Rule ids stand in one column where the sentence before them leaves room."""

TIMES = "\N{MULTIPLICATION SIGN}"

OURS = ("Dralign", "Baseline")

LABELS = {ERROR: "ERROR", WARNING: "WARN ", INFO: "INFO "}


def render(outcome: Outcome) -> str:
    """Return all findings in order of place, each as a block of lines, and one line that counts them."""
    blocks = [block for report in outcome.findings for block in ("\n".join(_finding(report, outcome)), "")]
    return "\n".join([*blocks, summary(outcome)]) + "\n"


def _finding(report: Report, outcome: Outcome) -> Iterator[str]:
    """Yield the lines of one finding: what breaks, where, proof, reach, fix, silence."""
    label = "BLOCK" if outcome.breaks(report) else LABELS[report.severity]
    users = _users(report)
    head = f"{label} {_subject(report, users)}: {report.message}"
    yield f"{head:<{RULE_COLUMN}}  [{report.rule}]"
    acting = f"{report.ref.kind_and_name}  " if users else ""
    yield f"  {_place(report)}  {acting}{report.path}".rstrip()
    yield from _excerpt(report)
    yield from (f"  {line}".rstrip() for line in report.detail)
    for related in report.related:
        yield f"  {'see':<8} {_place(related)}  {related.ref.kind_and_name}: {related.message}"
    for name, text in (("proof", report.proof), ("reach", report.reach), ("tip", report.tip)):
        if text:
            yield f"  {name:<8} {text}"
    if report.fix:
        yield f"  {'fix':<8} {_fix(report, report.fix)}"
    yield f"  {'silence':<8} {_silence(report, users)}"


def _silence(report: Report, users: Sequence[RelatedReport]) -> str:
    """Return what to write to silence a finding: files of ours take no annotation."""
    if report.ref.kind in OURS:
        return f'rules: {{{report.rule}: "off"}} under spec of .dralign.yaml'
    where = f"   on {report.ref.kind_and_name}" if users else ""
    return f'ignore.dralign.dev/{report.rule}: "<reason>"{where}'


def _users(report: Report) -> tuple[RelatedReport, ...]:
    """Return the workloads that suffer where the object to act on is none itself, such as a claim template."""
    found = {related.ref: related for related in report.related if related.replicas}
    return () if report.replicas else tuple(found.values())


def _subject(report: Report, users: Sequence[RelatedReport]) -> str:
    """Name what breaks: the first workload that suffers and how many more do, or else the object itself."""
    ref, replicas = (users[0].ref, users[0].replicas) if users else (report.ref, report.replicas)
    scale = f" {TIMES}{replicas}" if replicas > 1 else ""
    more = f" and {len(users) - 1} more" if users[1:] else ""
    return f"{ref} ({ref.kind}{scale}){more}"


def _place(report: Report | RelatedReport) -> str:
    return report.origin or str(report.location)


def _excerpt(report: Report) -> Iterator[str]:
    """Yield the line in question with the one above it, and a mark under the spot."""
    width = len(str(report.excerpt[-1][0])) if report.excerpt else 1
    for number, text in report.excerpt:
        yield f"  {number:>{width}} | {text}".rstrip()
    if report.excerpt:
        label = f" {report.label}" if report.label else ""
        yield f"  {' ' * width} | {' ' * (report.location.column - 1)}^{label}"


def _fix(report: Report, fix: FixReport) -> str:
    match fix.state:
        case "held":
            return f"{fix.title}   held back: {fix.reason}"
        case "proposed" if fix.reason:
            return f"{fix.title}   {fix.safety}: {fix.reason}{_command(report, fix)}"
    return f"{fix.title}   {fix.safety}{_command(report, fix)}"


def _command(report: Report, fix: FixReport) -> str:
    """Return what to type for a safe repair; nothing where the text came from a pipe, which cannot be written."""
    file = report.location.file
    if fix.safety != "safe" or fix.state != "proposed" or file == STDIN:
        return ""
    name = file if file.replace("/", "").replace(".", "").replace("-", "").replace("_", "").isalnum() else f"'{file}'"
    return f"   dralign fix {name} --only {report.rule} --write"


def summary(outcome: Outcome) -> str:
    """Return the last line: how much was judged, what was found, what was repaired, how the run ends."""
    counts = [f"{outcome.judged} of {outcome.objects} {_plural('object', outcome.objects)} judged"]
    counts += counted(outcome.findings)
    counts += [f"{len(outcome.applied)} repaired"] if outcome.applied else []
    counts += [f"{len(outcome.suppressed)} silenced"] if outcome.suppressed else []
    breaking = [report for report in outcome.findings if outcome.breaks(report)]
    ending = f"exit 1 ({', '.join(counted(breaking))})" if breaking else "exit 0"
    return f"{' · '.join(counts)}     {ending}"


def counted(reports: Sequence[Report]) -> list[str]:
    """Return how many findings there are of each severity, in words, the worst first."""
    numbers = [(severity, sum(report.severity == severity for report in reports)) for severity in LABELS]
    return [
        f"{number} {severity if severity == INFO else _plural(severity, number)}"
        for severity, number in numbers
        if number
    ]


def _plural(word: str, number: int) -> str:
    return word if number == 1 else f"{word}s"


FORMAT = Format("text", render)
