"""Findings for people: what breaks, where, why, what to do, how to silence it. Colour is never needed to read it."""

from __future__ import annotations

from dralign.finding import ERROR, INFO, WARNING
from dralign.formats import STDIN, Format
from dralign.formats._verdicts import counted as verdict_counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.finding import FixReport, Outcome, RelatedReport, Report

RULE_COLUMN = 96
"""Rule ids stand in one column where the sentence before them leaves room."""

TIMES = "\N{MULTIPLICATION SIGN}"

SEEN = 8
"""Related places that are shown: a class or a template can have hundreds of users."""

COLOURS = {"BLOCK": "1;31", "ERROR": "31", "WARN": "33", "INFO": "36"}
"""Codes of ECMA-48 for the labels: bold red, red, yellow, cyan."""

HARMLESS = {code: f"\\x{code:02x}" for code in (*range(9), *range(10, 32), *range(127, 160))}
"""Control characters as people write them: a name in a manifest cannot steer a terminal, nor begin a line of its own."""

OURS = ("Dralign", "Baseline")

LABELS = {ERROR: "ERROR", WARNING: "WARN", INFO: "INFO"}


def render(outcome: Outcome) -> str:
    """Return all findings in order of place, each as a block of lines, what was proved, and one line that counts."""
    blocks = [line for report in outcome.findings for line in (*_finding(report, outcome), "")]
    proved = [" · ".join(verdict_counts(outcome.verdicts))] if outcome.verdicts else []
    lines = (*blocks, *proved, summary(outcome))
    return "\n".join(line if line.isprintable() else line.translate(HARMLESS) for line in lines) + "\n"


def statistics(outcome: Outcome) -> str:
    """Return one line a rule instead of its findings: how many of each severity, silenced ones, and in how many files."""
    silenced = [item.report for item in outcome.suppressed]
    rows = [("rule", *LABELS, "silenced", "files")]
    for rule in sorted({report.rule for report in (*outcome.findings, *silenced)}):
        found = [report for report in outcome.findings if report.rule == rule]
        quiet = [report for report in silenced if report.rule == rule]
        numbers = [sum(report.severity == severity for report in found) for severity in LABELS]
        files = {report.origin or report.location.file for report in (*found, *quiet)}
        rows.append((rule, *(str(number) if number else "." for number in (*numbers, len(quiet))), str(len(files))))
    width = max(len(row[0]) for row in rows)
    lines = [f"{row[0]:<{width}}" + "".join(f"  {cell:>8}" for cell in row[1:]) for row in rows if len(rows) > 1]
    return "\n".join([*lines, *([""] if lines else []), summary(outcome)]) + "\n"


def painted(text: str) -> str:
    """Return a rendered text with its labels in colour, for terminals; nothing is said by colour alone."""
    return "\n".join(_painted(line) for line in text.split("\n"))


def _painted(line: str) -> str:
    word = line[:5].rstrip()
    return f"\x1b[{COLOURS[word]}m{word}\x1b[0m{line[len(word) :]}" if word in COLOURS else line


def _finding(report: Report, outcome: Outcome) -> Iterator[str]:
    """Yield the lines of one finding: what breaks, where, proof, reach, fix, silence."""
    head = f"{label(report, outcome):<5} {subject(report)}: {report.message}"
    yield f"{head:<{RULE_COLUMN}}  [{report.rule}]"
    acting = f"{report.ref.kind_and_name}  " if users(report) else ""
    yield f"  {place(report)}  {acting}{report.path}".rstrip()
    yield from (f"  {line}" for line in excerpt(report))
    yield from (f"  {name:<8} {text}" for name, text in sides(report))


def label(report: Report, outcome: Outcome) -> str:
    """Return one word for how bad a finding is: ``BLOCK`` where it makes the run fail."""
    return "BLOCK" if outcome.breaks(report) else LABELS[report.severity]


def sides(report: Report) -> Iterator[tuple[str, str]]:
    """Yield what else there is to say of a finding, as name and text: places, proof, reach, what to do, how to silence."""
    for related in report.related[:SEEN]:
        yield "see", f"{place(related)}  {related.ref.kind_and_name}: {related.message}"
    if report.related[SEEN:]:
        yield "see", f"{len(report.related) - SEEN} more places, all in --format json"
    for name, text in (("proof", report.proof), ("reach", report.reach), ("tip", report.tip)):
        if text:
            yield name, text
    if report.fix:
        yield "fix", _fix(report, report.fix)
    yield "silence", _silence(report)


def _silence(report: Report) -> str:
    """Return what to write to silence a finding: files of ours take no annotation."""
    if report.ref.kind in OURS:
        return f'rules: {{{report.rule}: "off"}} under spec of .dralign.yaml'
    where = f"   on {report.ref.kind_and_name}" if users(report) else ""
    return f'ignore.dralign.dev/{report.rule}: "<reason>"{where}'


def users(report: Report) -> tuple[RelatedReport, ...]:
    """Return the workloads that suffer where the object to act on is none itself, such as a claim template."""
    found = {related.ref: related for related in report.related if related.replicas}
    return () if report.replicas else tuple(found.values())


def subject(report: Report) -> str:
    """Name what breaks: the first workload that suffers and how many more do, or else the object itself."""
    suffering = users(report)
    first = suffering[0] if suffering else report
    scale = f" {TIMES}{first.replicas}" if first.replicas > 1 else ""
    more = f" and {len(suffering) - 1} more" if suffering[1:] else ""
    return f"{first.ref} ({first.ref.kind}{scale}){more}"


def place(report: Report | RelatedReport) -> str:
    """Return the file that the object came from, where that is known, or the place in the text that was read."""
    return report.origin or str(report.location)


def excerpt(report: Report) -> Iterator[str]:
    """Yield the line in question with the one above it, a mark under the spot, and what belongs to it."""
    width = len(str(report.excerpt[-1][0])) if report.excerpt else 1
    for number, text in report.excerpt:
        yield f"{number:>{width}} | {text}".rstrip()
    if report.excerpt:
        note = f" {report.label}" if report.label else ""
        yield f"{' ' * width} | {' ' * (report.location.column - 1)}^{note}"
    yield from (line.rstrip() for line in report.detail)


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
