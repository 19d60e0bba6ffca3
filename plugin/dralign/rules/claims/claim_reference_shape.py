"""An entry of spec.resourceClaims names no claim, two of them, or names it in a way that is gone

What it does
  Looks at every entry of spec.resourceClaims: it takes either resourceClaimName or resourceClaimTemplateName, beside name.
  Reports entries with both or none of them, and those that have their reference below source, as before Kubernetes 1.31.

Why it matters
  The API server refuses such a pod. In a workload's template nothing refuses it: the workload is stored, and its pods are
  never made. Where unknown fields are let through, source is dropped without a word, and the entry names nothing.

What the fix does
  Takes the reference out of source, one level up, where the entry names nothing else.
"""

from __future__ import annotations

from dralign.edit import Lift
from dralign.finding import ERROR, Fix, Patch, Severities
from dralign.manifest import as_list
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Path
    from dralign.model.workload import PodView

RULE = Rule(
    id="claim-reference-shape",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="an entry of spec.resourceClaims names no claim, two of them, or names it in a way that is gone",
    tip="write either resourceClaimName or resourceClaimTemplateName beside name",
    since="0.1",
    standards=("B3",),
)

_REFERENCES = ("resourceClaimName", "resourceClaimTemplateName")
_KNOWN = {"name", *_REFERENCES}
_SOURCE = "source"


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per entry that does not name exactly one claim or template."""
    for pod in ctx.pods:
        if pod.found.template.takes_claims:
            at = pod.path / "resourceClaims"
            for index, entry in enumerate(as_list(pod.spec.get("resourceClaims"))):
                if isinstance(entry, dict):
                    yield from _findings(pod, entry, at / index)


def _findings(pod: PodView, entry: dict[str, Any], path: Path) -> Iterator[Finding]:
    given = [field for field in _REFERENCES if entry.get(field) is not None]
    who = f"claim {entry.get('name', '(no name)')!r}"
    if _SOURCE in entry:
        yield RULE.finding(
            pod.manifest,
            path,
            f"{who} has its reference below 'source', which is gone since Kubernetes 1.31: the API server refuses it",
            tip=f"write {_inner_reference(entry)} beside name, without source",
            label="the old form",
            fix=_without_source(pod, entry, path),
        )
    elif len(given) > 1:
        names = " and ".join(f"{field} {entry[field]!r}" for field in given)
        yield RULE.finding(
            pod.manifest,
            path,
            f"{who} has {names}: the API server takes one of them",
            tip=f"take out {given[0]} or {given[1]}",
            label="both",
        )
    elif not given and entry.keys() <= _KNOWN:
        yield RULE.finding(
            pod.manifest,
            path,
            f"{who} has neither resourceClaimName nor resourceClaimTemplateName: the API server refuses it",
            label="neither",
        )


def _inner_reference(entry: dict[str, Any]) -> str:
    source = entry[_SOURCE]
    found = (
        [f"{field}: {source[field]}" for field in _REFERENCES if field in source] if isinstance(source, dict) else []
    )
    return " or ".join(found) or "resourceClaimName or resourceClaimTemplateName"


def _without_source(pod: PodView, entry: dict[str, Any], path: Path) -> Fix | None:
    source = entry[_SOURCE]
    is_reference = isinstance(source, dict) and len(source) == 1 and source.keys() <= set(_REFERENCES)
    if not is_reference or any(field in entry for field in _REFERENCES):
        return None
    return Fix("take the reference out of source", (Patch(pod.manifest, Lift(path / _SOURCE)),))


_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  resourceClaims:
  - name: gpu
{reference}\
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      claims:
      - name: gpu
"""
_RIGHT = "    resourceClaimTemplateName: one-gpu   # per pod\n"
_OLD = "    source:\n      resourceClaimTemplateName: one-gpu   # per pod\n"

VALID = (Example("one reference", _POD.format(reference=_RIGHT)),)
INVALID = (
    Example(
        "the form of Kubernetes 1.30 and before",
        _POD.format(reference=_OLD),
        messages=(
            "claim 'gpu' has its reference below 'source', which is gone since Kubernetes 1.31: the API server refuses it",
        ),
        fixed=_POD.format(reference=_RIGHT),
    ),
    Example(
        "claim and template",
        _POD.format(reference=_RIGHT + "    resourceClaimName: shared\n"),
        messages=(
            "claim 'gpu' has resourceClaimName 'shared' and resourceClaimTemplateName 'one-gpu': the API server takes one "
            "of them",
        ),
    ),
    Example(
        "nothing named",
        _POD.format(reference=""),
        messages=(
            "claim 'gpu' has neither resourceClaimName nor resourceClaimTemplateName: the API server refuses it",
        ),
    ),
)
