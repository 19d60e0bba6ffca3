"""An object changes where the API server lets nothing change

What it does
  Compares two versions of an object as the API server does with an update: those of --previous with the input, and objects
  of one name that stand twice in one stream. Claims and claim templates cannot change at all, workloads not in their
  selectors, Jobs not in their pod template. Hooks, which are deleted before they are made anew, are left alone.

Why it matters
  The API server refuses the update, and everything behind it in the release is not applied: the new template never comes,
  and the workload goes on with the devices of the old one.

What it needs to know
  The version before: --previous PATH, a file or folder with what was applied last. Pods that were read from a cluster are
  not compared: too much is written into them there.
"""

from __future__ import annotations

from dralign.finding import ERROR, Related, Severities
from dralign.fixes.placement import ARGO_HOOK, HELM_HOOK
from dralign.manifest import Path
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.admission.replaced import Refused
    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Manifest

RULE = Rule(
    id="template-immutable",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="an object changes where the API server lets nothing change",
    tip="give the new version another name and name that in the workloads, or take the change back",
    since="0.1",
)

_REPLACED = "argocd.argoproj.io/sync-options"
_LONGEST = 60
_TIPS = {
    "ResourceClaimTemplate": "give the new template another name, such as '{name}-2', and name that in the workloads",
    "ResourceClaim": "give the new claim another name and name that in the pods, or delete the old one first",
    "Job": "give the new Job another name, or delete the old one first",
}


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per field that must not change."""
    for before, manifest in ctx.versions():
        if not _is_replaced(manifest):
            for refused in ctx.refused_changes(before, manifest):
                yield _finding(before, manifest, refused)


def _is_replaced(manifest: Manifest) -> bool:
    """Say whether the object is deleted and made anew instead of being updated."""
    options = str(manifest.annotations.get(_REPLACED) or "")
    return HELM_HOOK in manifest.annotations or ARGO_HOOK in manifest.annotations or "Replace=true" in options


def _finding(before: Manifest, manifest: Manifest, refused: Refused) -> Finding:
    change = refused.change
    path = Path(change.location if change else refused.cause.location)
    told = f"{path} was {_shown(change.before)} and is {_shown(change.after)}" if change else str(path)
    name = manifest.ref.name
    tip = _TIPS.get(manifest.ref.kind)
    return RULE.finding(
        manifest,
        path,
        f"{manifest.ref.kind} '{name}' cannot be changed: {told}; the API server refuses the update: "
        f"{_last_words(refused.cause.message)}",
        tip=tip.format(name=name) if tip else None,
        label="must not change",
        related=(Related(before, path, "the version before"),),
    )


def _shown(value: Any) -> str:
    from dralign.admission.causes import to_json  # noqa: PLC0415 -- few objects come in two versions
    from dralign.admission.changes import MISSING  # noqa: PLC0415

    text = "not there" if value is MISSING else to_json(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _last_words(message: str) -> str:
    """Return the server's words without the value that it quotes, which can be a whole pod."""
    return message.partition("\n")[0].rpartition(": ")[2]


_TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: {name}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
          count: {count}
"""

VALID = (
    Example(
        "another name for another template",
        _TEMPLATE.format(name="gpus", count=1) + "---\n" + _TEMPLATE.format(name="gpus-2", count=2),
    ),
)
INVALID = (
    Example(
        "two versions in one stream",
        _TEMPLATE.format(name="gpus", count=1) + "---\n" + _TEMPLATE.format(name="gpus", count=2),
        messages=(
            "ResourceClaimTemplate 'gpus' cannot be changed: spec.spec.devices.requests[0].exactly.count was 1 and is 2; "
            "the API server refuses the update: field is immutable",
        ),
    ),
)
