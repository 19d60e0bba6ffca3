"""An object is written in a version that the target release does not serve

What it does
  Looks up group, version and kind of claims, templates, classes, slices and of workloads that hold devices, in what each
  release serves by default (kubeVersion says which release will read them).

Why it matters
  A version that is not served is refused: "no matches for kind". One that is off by default works only where an
  administrator turned it on; a deprecated one stops with an upgrade.

What it needs to know
  Whether a cluster turned a beta version on cannot be seen in a manifest: this is a warning. At 1.32 and 1.33, where there
  is no other version, they count as turned on, which is said once as info.
"""

from __future__ import annotations

from dralign.admission.served import NOT_YET, OFF_BY_DEFAULT, REMOVED, UNKNOWN, served
from dralign.finding import ERROR, INFO, WARNING, Severities
from dralign.manifest import Path
from dralign.model.claim import GROUP
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.admission.served import Served
    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Manifest

RULE = Rule(
    id="api-version",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="an object is written in a version that the target release does not serve",
    tip="write the version that the release serves, or say with kubeVersion which release reads it",
    since="0.1",
)

BETA_ONLY = ("1.32", "1.33")
"""Releases without resource.k8s.io/v1: whoever uses DRA there has turned a beta version on."""

_SOFT = Severities(None, WARNING, WARNING)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per object in a version that is not served, off, or on its way out."""
    release = ctx.settings.kube_version
    judged = {id(manifest) for manifest in ctx.judged}
    said = False
    for manifest in ctx.bundle.manifests:
        if id(manifest) not in judged and manifest.group != GROUP:
            continue
        answer = served(manifest.ref.api_version, manifest.ref.kind, release)
        if answer.state == OFF_BY_DEFAULT and release in BETA_ONLY:
            if not said:
                said = True
                yield _finding(manifest, answer, release, Severities(None, INFO, INFO))
        elif answer.state in (NOT_YET, REMOVED) or (answer.state == UNKNOWN and manifest.group == GROUP):
            yield _finding(manifest, answer, release, None)
        elif answer.state == OFF_BY_DEFAULT or _is_old(answer, release):
            yield _finding(manifest, answer, release, _SOFT)


def _is_old(answer: Served, release: str) -> bool:
    return answer.deprecated is not None and _minor(answer.deprecated) <= _minor(release)


def _minor(release: str) -> int:
    return int(release.partition(".")[2])


def _finding(manifest: Manifest, answer: Served, release: str, severities: Severities | None) -> Finding:
    what = f"{manifest.ref.api_version} {manifest.ref.kind}"
    return RULE.finding(
        manifest,
        Path(("apiVersion",)),
        f"{what} {_told(answer, release)}",
        severities=severities,
        tip=f"write apiVersion: {answer.use}" if answer.use else None,
    )


def _told(answer: Served, release: str) -> str:
    match answer.state:
        case "not yet":
            return f"is not served by {release} yet"
        case "removed":
            return f"is gone since {answer.removed}; the target release is {release}"
        case "unknown":
            return f"is not a version and kind that {release} knows"
        case "off by default":
            old = f" and deprecated since {answer.deprecated}" if _is_old(answer, release) else ""
            return f"is off by default in {release}{old}: it works only where --runtime-config turns it on"
    end = f", gone in {answer.removed}" if answer.removed else ""
    return f"is deprecated since {answer.deprecated}{end}"


_CLAIM = """\
apiVersion: resource.k8s.io/{version}
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
"""

VALID = (Example("the version that is served", _CLAIM.format(version="v1")),)
INVALID = (
    Example(
        "a version that is gone",
        _CLAIM.format(version="v1alpha3"),
        messages=("resource.k8s.io/v1alpha3 ResourceClaim is gone since 1.34; the target release is 1.37",),
    ),
    Example(
        "a version ahead of the cluster",
        _CLAIM.format(version="v1"),
        messages=("resource.k8s.io/v1 ResourceClaim is not served by 1.33 yet",),
        spec={"kubeVersion": "1.33"},
    ),
    Example(
        "a beta version that few turn on",
        _CLAIM.format(version="v1beta2"),
        messages=(
            "resource.k8s.io/v1beta2 ResourceClaim is off by default in 1.37 and deprecated since 1.36: it works only where "
            "--runtime-config turns it on",
        ),
    ),
)
