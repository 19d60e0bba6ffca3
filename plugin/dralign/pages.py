"""Pages about rules, from the rules themselves: ``dralign explain`` and the table of the README."""

from __future__ import annotations

import sys
from textwrap import indent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.rule import Example, LoadedRule, Rule


def page(loaded: LoadedRule) -> str:
    """Return the page of one rule: its docstring, its severities, a wrong and a right example, how to silence it."""
    rule, module = loaded.rule, sys.modules[loaded.module]
    doc = (module.__doc__ or "").strip()
    parts = [
        f"{rule.id}\n\n{doc}",
        f"Severity (minimal / default / strict)\n  {severities(rule)}",
        f"What to type\n  {rule.tip}",
        *(_example("Wrong", example) for example in module.INVALID[:1]),
        *(_example("Right", example) for example in module.VALID[:1]),
        _silence(rule.id),
    ]
    return "\n\n".join(parts) + "\n"


def _silence(rule: str) -> str:
    lines = (
        "How to silence it",
        "  on the object or its pod template:",
        f'    ignore.dralign.dev/{rule}: "<reason>"',
        "  in .dralign.yaml:",
        f"    spec: {{ignore: [{{rule: {rule}, reason: ...}}]}}",
    )
    return "\n".join(lines)


def _example(head: str, example: Example) -> str:
    messages = "".join(f"  -> {message}\n" for message in example.messages)
    return f"{head}: {example.title}\n\n{indent(example.text, '  ')}{messages}".rstrip("\n")


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
