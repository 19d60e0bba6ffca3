"""Pages about rules, from the rules themselves: ``dralign explain``, help in reports, and the tables of the README."""

from __future__ import annotations

import sys
from textwrap import dedent, indent

from dralign.guidelines import GUIDELINES
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.rule import Example, LoadedRule, Rule


class Section(Record):
    """One part of a page: prose, or lines that are to stay as they are."""

    title: str
    text: str
    is_code: bool = False


def page(loaded: LoadedRule) -> str:
    """Return the page of one rule as text: what, why, severities, wrong, right, standards, how to silence it."""
    parts = [f"{section.title}\n{indent(section.text, '  ')}" for section in sections(loaded)]
    return "\n\n".join((f"{loaded.rule.id}\n\n{headline(loaded)}", *parts)) + "\n"


def markdown_page(loaded: LoadedRule) -> str:
    """Return the page of one rule as Markdown, without its headline."""
    return "\n\n".join(
        f"**{section.title}**\n\n" + (f"```yaml\n{section.text}\n```" if section.is_code else section.text)
        for section in sections(loaded)
    )


def headline(loaded: LoadedRule) -> str:
    """Return the first line of a rule's docstring: what is wrong."""
    return _doc(loaded).partition("\n")[0]


def _doc(loaded: LoadedRule) -> str:
    return (sys.modules[loaded.module].__doc__ or "").strip()


def sections(loaded: LoadedRule) -> Iterator[Section]:
    """Yield the parts of a rule's page in order; the first ones are those of its docstring."""
    rule, module = loaded.rule, sys.modules[loaded.module]
    yield from _written(_doc(loaded))
    yield Section("Severity (minimal / default / strict)", severities(rule))
    yield Section("What to type", rule.tip)
    for example in module.INVALID[:1]:
        yield Section(f"Wrong: {example.title}", _wrong(example), is_code=True)
        if example.fixed:
            yield Section(f"Repaired{_asked_for(example)}", _difference(example.text, example.fixed), is_code=True)
    for example in module.VALID[:1]:
        yield Section(f"Right: {example.title}", example.text.rstrip("\n"), is_code=True)
    held = [f"{item.id}  {item.demands}" for item in GUIDELINES if item.id in rule.standards]
    if held:
        yield Section("Standards", "\n".join(held))
    yield Section("Since", f"dralign {rule.since}")
    yield Section("How to silence it", _silence(rule.id), is_code=True)


def _written(doc: str) -> Iterator[Section]:
    """Yield the sections of a docstring below its headline: a title, and what is indented under it."""
    title, lines = "", list[str]()
    for line in (*doc.split("\n")[1:], "end"):
        if line and not line.startswith(" "):
            if title:
                yield Section(title, dedent("\n".join(lines)).strip("\n"))
            title, lines = line, []
        else:
            lines.append(line)


def _silence(rule: str) -> str:
    lines = (
        "# on the object or its pod template, under metadata.annotations:",
        f'ignore.dralign.dev/{rule}: "<reason>"',
        "# in .dralign.yaml, under spec; kind, namespace, name and expires (YYYY-MM-DD) may be left out:",
        "ignore:",
        f'- {{rule: {rule}, kind: Pod, namespace: dev-*, name: web, reason: "<reason>", expires: "2030-01-31"}}',
        "# all that is there today: dralign check --write-baseline FILE, and from then on --baseline FILE",
    )
    return "\n".join(lines)


def _wrong(example: Example) -> str:
    messages = "".join(f"\n# -> {message}" for message in example.messages)
    return f"{example.text.rstrip(chr(10))}{messages}"


def _asked_for(example: Example) -> str:
    alignment = (example.spec or {}).get("alignment", {})
    zone = f" --zone {alignment['zone']}" if "zone" in alignment else ""
    return f" with --align {alignment['strategy']}{zone}" if "strategy" in alignment else ""


def _difference(before: str, after: str) -> str:
    from difflib import unified_diff  # noqa: PLC0415 -- slow to import, and few pages are read

    lines = list(unified_diff(before.splitlines(), after.splitlines(), n=2, lineterm=""))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def severities(rule: Rule) -> str:
    """Return the three severities as words, ``-`` where a profile is silent."""
    levels = (rule.severities.minimal, rule.severities.default, rule.severities.strict)
    raised = (
        f"; {rule.severities.explicit} for workloads marked serving or training" if rule.severities.explicit else ""
    )
    return " / ".join(level or "-" for level in levels) + raised


def table(rules: Sequence[LoadedRule]) -> str:
    """Return ids and summaries of all rules, one a line."""
    width = max(len(item.rule.id) for item in rules)
    return "".join(f"{item.rule.id:<{width}}  {item.rule.summary}\n" for item in rules)


def markdown_table(rules: Sequence[LoadedRule]) -> str:
    """Return the rule table of the README."""
    rows = ["| rule | finds | minimal / default / strict | repairs | standard |", "|---|---|---|---|---|"]
    for item in rules:
        repairs = any(example.fixed for example in sys.modules[item.module].INVALID)
        cells = (
            f"`{item.rule.id}`",
            item.rule.summary,
            severities(item.rule),
            "yes" if repairs else "",
            " ".join(item.rule.standards),
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def guideline_table(rules: Sequence[LoadedRule]) -> str:
    """Return the guideline table of the README: one row for each guideline, with the rules that hold it."""
    rows = ["| guideline | rules | checked | repaired | no manifest can tell |", "|---|---|---|---|---|"]
    for item in GUIDELINES:
        held = ", ".join(f"`{loaded.rule.id}`" for loaded in rules if item.id in loaded.rule.standards)
        rows.append(f"| **{item.id}** {item.demands} | {held} | {item.checked} | {item.repaired} | {item.unknown} |")
    return "\n".join(rows) + "\n"
