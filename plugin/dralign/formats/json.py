"""Findings for programs: one JSON object, described by ``schemas/outcome.schema.json``."""

from __future__ import annotations

import json

from dralign import __version__
from dralign.finding import ERROR, INFO, WARNING
from dralign.formats import Format
from dralign.model.verdict_data import verdict_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.finding import Outcome, Report
    from dralign.manifest import Ref


def render(outcome: Outcome) -> str:
    """Return the outcome as indented JSON; absent values are null, never left out."""
    return json.dumps(outcome_data(outcome), indent=2, ensure_ascii=False) + "\n"


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome as plain data."""
    return {
        "version": __version__,
        "profile": outcome.profile,
        "kubeVersion": outcome.kube_version,
        "findings": [report_data(report) for report in outcome.findings],
        "verdicts": [
            {"object": _ref(item.ref), "path": item.path, **verdict_data(item.verdict)} for item in outcome.verdicts
        ],
        "suppressed": [
            report_data(item.report) | {"by": item.by, "suppressionReason": item.reason} for item in outcome.suppressed
        ],
        "summary": {
            "objects": outcome.objects,
            "judged": outcome.judged,
            "repaired": len(outcome.applied),
            "suppressed": len(outcome.suppressed),
            **{severity: sum(r.severity == severity for r in outcome.findings) for severity in (ERROR, WARNING, INFO)},
        },
    }


def report_data(report: Report) -> dict[str, Any]:
    """Return one finding as plain data."""
    fix, place = report.fix, report.location
    return {
        "rule": report.rule,
        "severity": report.severity,
        "audience": report.audience,
        "message": report.message,
        "tip": report.tip,
        "object": _ref(report.ref),
        "path": report.path,
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "related": [
            {
                "object": _ref(r.ref),
                "path": r.path,
                "message": r.message,
                "file": r.location.file,
                "line": r.location.line,
                "column": r.location.column,
            }
            for r in report.related
        ],
        "fix": fix and {"title": fix.title, "safety": fix.safety, "state": fix.state, "reason": fix.reason},
        "fingerprint": report.fingerprint,
    }


def _ref(ref: Ref) -> dict[str, Any]:
    return {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}


FORMAT = Format("json", render)
