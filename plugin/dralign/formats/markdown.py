"""Findings for a pull request's comment or a step summary: Markdown as GitHub and GitLab show it.

A table of all findings, the worst first, and the whole of each behind a fold. What comes from manifests cannot bring markup,
links or mentions along.
"""

from __future__ import annotations

from dralign.finding import RANK
from dralign.formats import Format
from dralign.formats.text import counted, excerpt, label, place, sides, subject, summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.finding import Outcome, Report

LONGEST = 60_000
"""Characters that a text may have, some below the 65,536 that GitHub takes in a comment."""

MARKS = "\\`*_[]|~"
"""Punctuation that can begin markup inside of a line, and that a backslash makes plain."""

COMMENT = "<!-- -->"
"""Parts a sign from the word behind it, so that it mentions nobody and no issue, and is no link."""


def render(outcome: Outcome) -> str:
    """Return headline, count, table and details; where a comment cannot hold them all, the text says what is left out."""
    worst_first = sorted(outcome.findings, key=lambda report: -RANK[report.severity])
    title = ", ".join(counted(outcome.findings)) or "nothing found"
    head = f"### dralign: {title}\n\n{summary(outcome)}\n"
    if not worst_first:
        return head
    rows = [_row(report, outcome) for report in worst_first]
    table = _fitting(rows, LONGEST // 2)
    details = _fitting(
        [_details(report, outcome) for report in worst_first], LONGEST - len(head) - sum(map(len, table))
    )
    return "".join(
        (head, "\n| | what breaks | where | rule |\n|---|---|---|---|\n", *table, *_rest(rows, table), "\n", *details)
    )


def _fitting(parts: Sequence[str], room: int) -> list[str]:
    """Return as many of the first parts as there is room for."""
    taken = []
    for part in parts:
        room -= len(part)
        if room < 0:
            break
        taken.append(part)
    return taken


def _rest(rows: Sequence[str], table: Sequence[str]) -> Iterator[str]:
    left = len(rows) - len(table)
    if left:
        yield f"\n{left} more findings are too many for a comment; `dralign check` shows all.\n"


def _row(report: Report, outcome: Outcome) -> str:
    what = f"**{_plain(subject(report))}** {_plain(report.message)}"
    return f"| {label(report, outcome)} | {what} | {_plain(place(report))} | `{report.rule}` |\n"


def _details(report: Report, outcome: Outcome) -> str:
    """Return one finding behind a fold; its lines stand in a fence that nothing in them can close."""
    where = f"{place(report)}  {report.ref.kind_and_name}  {report.path}".rstrip()
    lines = [where, *excerpt(report), *(f"{name:<8} {text}" for name, text in sides(report))]
    fence = "`" * (3 + max(line.count("`") for line in lines))
    head = f"{label(report, outcome)} {_html(subject(report))}: {_html(report.rule)}"
    body = "\n".join(" ".join(line.splitlines()) for line in lines)
    return f"<details><summary>{head}</summary>\n\n{fence}text\n{body}\n{fence}\n\n</details>\n"


def _plain(text: str) -> str:
    """Return a text that is shown as it is: on one line, without markup."""
    return _html("".join(f"\\{char}" if char in MARKS else char for char in text))


def _html(text: str) -> str:
    """Return a text that brings no tag, link or mention along, on one line."""
    words = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return words.replace("@", f"@{COMMENT}").replace("#", f"#{COMMENT}").replace("://", f":{COMMENT}//")


FORMAT = Format("markdown", render)
