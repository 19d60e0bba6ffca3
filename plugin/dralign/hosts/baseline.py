"""Baselines: the findings that were there when one was written, so that only new ones are heard.

A file of JSON, one finding a line, sorted, without times, paths of files or line numbers: what comes and goes shows in a
diff. Only ``fingerprint`` and what names the object are read back; the rest is for people.
"""

from __future__ import annotations

import json
import os

from dralign import yamlio
from dralign.document import Document
from dralign.errors import InputError, UsageError
from dralign.finding import Suppressed
from dralign.hosts.files import put
from dralign.manifest import ROOT, Manifest, Path
from dralign.settings import Known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.finding import Outcome, Report

FORM = 1
"""Value of ``dralignBaseline``: raised when fingerprints are made another way, so that an old file is not misread."""

UNUSED = "unused-ignore"
"""A baseline is no place for this rule's findings: what is of no use is to be deleted, not to be noted down."""

TEXTS = ("fingerprint", "rule", "object", "path", "message")


def read(path: str) -> tuple[Known, ...]:
    """Return the findings of a baseline.

    Raises:
        InputError: it cannot be read, or is none.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{error.strerror}; want a baseline, as --write-baseline writes it", path) from error
    document = Document(yamlio.decode(data, path).text, path, 1, 0, yamlio.JSON)
    form = document.data.get("dralignBaseline") if isinstance(document.data, dict) else None
    if form != FORM or not isinstance(document.data.get("findings"), list):
        found = "no baseline" if form is None else f"a baseline of form '{form}'"
        raise InputError(f"this is {found}; want one of form {FORM}, as --write-baseline writes it", path)
    named = {"kind": "Baseline", "metadata": {"name": os.path.basename(path)}} | document.data
    manifest = Manifest(document, ROOT, named)
    return tuple(_known(item, manifest, Path(("findings", i))) for i, item in enumerate(document.data["findings"]))


def _known(item: Any, manifest: Manifest, path: Path) -> Known:
    if not isinstance(item, dict) or any(not isinstance(item.get(key), str) for key in TEXTS):
        place = manifest.location(path)
        raise InputError(f"{path}: want texts under {', '.join(TEXTS)}", place.file, place.line, place.column)
    kind, _, name = item["object"].partition("/")
    reason = _reason(manifest.document.source)
    return Known(item["fingerprint"], item["rule"], reason, kind, item.get("namespace"), name or None, manifest, path)


def _reason(path: str) -> str:
    return f"known since {os.path.basename(path)} was written"


def write(path: str, outcome: Outcome) -> tuple[Outcome, str]:
    """Write what was found, with what the baseline of this run silenced.

    Returns the outcome that the new baseline leads to, and a line that says what was written.

    Raises:
        UsageError: it cannot be written; the file is unchanged.
    """
    kept = [item.report for item in outcome.suppressed if item.by == "baseline"]
    fresh = [report for report in outcome.findings if report.rule != UNUSED]
    entries = sorted(map(_entry, [*kept, *fresh]), key=_order)
    lines = ",".join(f"\n{json.dumps(entry, ensure_ascii=False)}" for entry in entries)
    text = f'{{"dralignBaseline": {FORM}, "findings": [{lines}\n]}}\n'
    try:
        put(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"--write-baseline: {path}: {error.strerror}; nothing was written") from error
    silenced = [*outcome.suppressed, *(Suppressed(report, "baseline", _reason(path)) for report in fresh)]
    after = outcome.replace(
        findings=tuple(report for report in outcome.findings if report.rule == UNUSED),
        suppressed=tuple(sorted(silenced, key=lambda item: item.report.order)),
    )
    return after, f"wrote {len(entries)} {'finding' if len(entries) == 1 else 'findings'} to {path}\n"


def _entry(report: Report) -> dict[str, str | None]:
    return {
        "fingerprint": report.fingerprint,
        "rule": report.rule,
        "namespace": report.ref.namespace,
        "object": f"{report.ref.kind}/{report.ref.name or ''}",
        "path": report.path,
        "message": report.message,
    }


def _order(entry: dict[str, str | None]) -> tuple[str, ...]:
    return tuple(entry[key] or "" for key in ("rule", "namespace", "object", "path", "fingerprint"))
