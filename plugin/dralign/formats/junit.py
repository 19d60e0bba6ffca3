"""Findings for CI servers that read test reports: JUnit's XML, one test case a finding.

Those that make the run fail are failures; the others pass and say in their output what was found; silenced ones are skipped,
with the reason. One case more stands for the run, so that a report is never empty.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from dralign.formats import Format
from dralign.formats.text import excerpt, label, place, sides, subject, summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.finding import Outcome, Report


def render(outcome: Outcome) -> str:
    """Return the outcome as one test suite."""
    failures = sum(outcome.breaks(report) for report in outcome.findings)
    skipped = len(outcome.suppressed)
    counts = (
        f'tests="{len(outcome.findings) + skipped + 1}" failures="{failures}" errors="0" skipped="{skipped}" time="0"'
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="dralign" {counts}>',
        f'<testsuite name="dralign" {counts}>',
        f'<testcase classname="dralign" name="run" time="0"><system-out>{_text(summary(outcome))}</system-out></testcase>',
        *(line for report in outcome.findings for line in _found(report, outcome)),
        *(line for item in outcome.suppressed for line in _silenced(item.report, f"{item.by}: {item.reason}")),
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _found(report: Report, outcome: Outcome) -> Iterator[str]:
    yield _case(report)
    if outcome.breaks(report):
        message = f"{subject(report)}: {report.message}"
        yield f"<failure type={_attribute(report.severity)} message={_attribute(message)}>{_text(_told(report))}</failure>"
    else:
        words = f"{label(report, outcome)} {subject(report)}: {report.message}\n{_told(report)}"
        yield f"<system-out>{_text(words)}</system-out>"
    yield "</testcase>"


def _silenced(report: Report, reason: str) -> Iterator[str]:
    yield _case(report)
    yield f"<skipped message={_attribute(reason)}/>"
    yield "</testcase>"


def _case(report: Report) -> str:
    """Return the opening tag; ``file`` and ``line`` are what GitLab and others show beside the failure."""
    ref = f"{report.ref.namespace}/" if report.ref.namespace else ""
    name = f"{report.rule}: {ref}{report.ref.kind_and_name} {report.path}"
    file = report.origin or report.location.file
    line = f' line="{report.location.line}"' if report.origin is None else ""
    return f'<testcase classname={_attribute(file)} name={_attribute(name)} file={_attribute(file)}{line} time="0">'


def _told(report: Report) -> str:
    lines = (f"{place(report)}  {report.path}", *excerpt(report), *(f"{name}: {text}" for name, text in sides(report)))
    return "\n".join(lines)


def _attribute(text: str) -> str:
    return quoteattr(_printable(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _text(text: str) -> str:
    return escape(_printable(text))


def _printable(text: str) -> str:
    """Replace what XML 1.0 cannot hold in any form: control characters, halves of characters, and two that are none."""
    return "".join(char if _is_allowed(ord(char)) else "\N{REPLACEMENT CHARACTER}" for char in text)


def _is_allowed(code: int) -> bool:
    if code < 0x20:
        return code in (0x09, 0x0A, 0x0D)
    return not 0xD800 <= code <= 0xDFFF and code not in (0xFFFE, 0xFFFF)


FORMAT = Format("junit", render)
