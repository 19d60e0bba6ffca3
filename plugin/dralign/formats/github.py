"""Findings for GitHub Actions: one workflow command each, which the runner shows beside the line.

A step shows ten annotations of each kind, so that the worst come first. Silenced findings are in the count of the last line.
"""

from __future__ import annotations

from dralign.finding import ERROR, INFO, RANK, WARNING
from dralign.formats import STDIN, Format
from dralign.formats.text import sides, subject, summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.finding import Outcome, Report

COMMANDS = {ERROR: "error", WARNING: "warning", INFO: "notice"}


def render(outcome: Outcome) -> str:
    """Return one command a finding, the worst first, and the line that counts them."""
    worst_first = sorted(outcome.findings, key=lambda report: -RANK[report.severity])
    return "".join(f"{_command(report)}\n" for report in worst_first) + f"{summary(outcome)}\n"


def _command(report: Report) -> str:
    place = {"file": report.origin or report.location.file.removeprefix("./")}
    if report.origin is None:
        place |= {"line": str(report.location.line), "col": str(report.location.column)}
    properties = {} if place["file"] == STDIN else place
    properties |= {"title": f"{subject(report)}: {report.rule}"}
    lines = (report.message, *(f"{name}: {text}" for name, text in sides(report)))
    told = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{COMMANDS[report.severity]} {told}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    """Escape the text of a command (actions/toolkit, ``escapeData``): nothing of a manifest can begin another one."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property of a command (actions/toolkit, ``escapeProperty``)."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


FORMAT = Format("github", render)
