"""Findings for code scanning: SARIF 2.1.0 (OASIS), with what GitHub's code scanning asks of it.

Rules carry their whole page as help. Silenced findings are results with a suppression. Repairs are told in the message: a
SARIF fix is an edit, and ours may reach over several files.
"""

from __future__ import annotations

import json

from dralign import __version__, pages, registry
from dralign.finding import ERROR, INFO, WARNING, Report
from dralign.formats import STDIN, Format
from dralign.formats.text import sides, subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.finding import Outcome, RelatedReport, Suppressed
    from dralign.rule import LoadedRule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {ERROR: "error", WARNING: "warning", INFO: "note"}
PROBLEMS = {ERROR: "error", WARNING: "warning", INFO: "recommendation"}
UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
LONGEST_DESCRIPTION = 1024
"""Characters that GitHub takes of a description."""


def render(outcome: Outcome) -> str:
    """Return the outcome as one SARIF log with one run."""
    rules = registry.rules()
    at = {loaded.rule.id: index for index, loaded in enumerate(rules)}
    results = [_result(report, at) | {"suppressions": []} for report in outcome.findings]
    results += [_result(item.report, at) | {"suppressions": [_suppression(item)]} for item in outcome.suppressed]
    driver = {
        "name": "dralign",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(loaded, outcome.profile) for loaded in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "exitCode": int(outcome.failed)}],
        "results": results,
        "properties": {
            "profile": outcome.profile,
            "kubeVersion": outcome.kube_version,
            "objects": outcome.objects,
            "judged": outcome.judged,
        },
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(loaded: LoadedRule, profile: str) -> dict[str, Any]:
    rule = loaded.rule
    severity = rule.severities.under(profile)
    level = {"level": LEVELS[severity]} if severity else {"enabled": False}
    described = [section.text for section in pages.sections(loaded)][:2]
    return {
        "id": rule.id,
        "shortDescription": {"text": pages.headline(loaded)},
        "fullDescription": {"text": " ".join(" ".join(described).split())[:LONGEST_DESCRIPTION]},
        "help": {"text": pages.page(loaded), "markdown": pages.markdown_page(loaded)},
        "defaultConfiguration": level,
        "properties": {
            "tags": ["kubernetes", "dra", *rule.standards],
            "problem.severity": PROBLEMS[severity or INFO],
        },
    }


def _result(report: Report, at: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": report.rule,
        "level": LEVELS[report.severity],
        "message": {"text": _message(report)},
        "locations": [_location(report)],
        "fingerprints": {"dralign/v1": report.fingerprint},
        "partialFingerprints": {"primaryLocationLineHash": report.fingerprint},
        "properties": {"audience": report.audience},
    }
    if report.rule in at:
        result["ruleIndex"] = at[report.rule]
    if report.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": related.message}} | _location(related)
            for number, related in enumerate(report.related, 1)
        ]
    return result


def _message(report: Report) -> str:
    """Return the message, with links to related places, and what else there is to say, one thing a line."""
    lines = [f"{subject(report)}: {report.message}"]
    lines += [f"see: [{r.ref.kind_and_name}]({i}): {r.message}" for i, r in enumerate(report.related, 1)]
    lines += [f"{name}: {text}" for name, text in sides(report) if name != "see"]
    return "\n".join(lines)


def _location(report: Report | RelatedReport) -> dict[str, Any]:
    """Return file and region: the line in question from the place on. In a file known by its name alone, none."""
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(report.origin or report.location.file)}}
    if report.origin is None:
        physical["region"] = {"startLine": report.location.line, "startColumn": report.location.column}
        physical["region"] |= _end(report) if isinstance(report, Report) else {}
    name = f"{report.ref.kind_and_name}/{report.path}"
    named = f"{report.ref.namespace}/{name}" if report.ref.namespace else name
    return {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": named, "kind": "property"}]}


def _end(report: Report) -> dict[str, int]:
    """Return where the line in question ends, if it is at hand."""
    if not report.excerpt:
        return {}
    line, text = report.excerpt[-1]
    return {"endLine": line, "endColumn": max(len(text), report.location.column) + 1}


def _uri(file: str) -> str:
    """Return a file as a URI reference (RFC 3986): relative ones stay so, since code scanning counts from the repository."""
    if file == STDIN:
        return file
    path = file.replace("\\", "/").removeprefix("./").encode("utf-8", "surrogateescape")
    name = "".join(chr(byte) if chr(byte) in UNRESERVED else f"%{byte:02X}" for byte in path)
    return f"file://{name}" if name.startswith("/") else name


def _suppression(item: Suppressed) -> dict[str, str]:
    kind = "inSource" if item.by == "annotation" else "external"
    return {"kind": kind, "status": "accepted", "justification": item.reason}


FORMAT = Format("sarif", render)
