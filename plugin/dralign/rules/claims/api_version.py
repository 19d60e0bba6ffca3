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

What the fix does
  Writes claims, templates, classes, slices and taint rules in the version that the release serves: request bodies move
  below exactly, what devices have below basic moves up. The text moves with its comments. Objects of classic DRA
  (v1alpha2: resourceClassName, parameters in objects of their own) have no such twin: the tip says what became of them.
"""

from __future__ import annotations

from dralign.admission.served import CLASSIC_VERSIONS, NOT_YET, OFF_BY_DEFAULT, REMOVED, UNKNOWN, served
from dralign.finding import ERROR, INFO, WARNING, Severities
from dralign.fixes.upgrade import upgrade
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
                yield _finding(ctx, manifest, answer, Severities(None, INFO, INFO))
        elif answer.state in (NOT_YET, REMOVED) or (answer.state == UNKNOWN and manifest.group == GROUP):
            yield _finding(ctx, manifest, answer, None)
        elif answer.state == OFF_BY_DEFAULT or _is_old(answer, release):
            yield _finding(ctx, manifest, answer, _SOFT)


def _is_old(answer: Served, release: str) -> bool:
    return answer.deprecated is not None and _minor(answer.deprecated) <= _minor(release)


def _minor(release: str) -> int:
    return int(release.partition(".")[2])


def _finding(ctx: Context, manifest: Manifest, answer: Served, severities: Severities | None) -> Finding:
    release = ctx.settings.kube_version
    classic = _classic(manifest) if manifest.group == GROUP else None
    is_right_there = answer.state == OFF_BY_DEFAULT and release in BETA_ONLY
    can_move = manifest.group == GROUP and classic is None and not is_right_there
    return RULE.finding(
        manifest,
        Path(("apiVersion",)),
        f"{manifest.ref.api_version} {manifest.ref.kind} {_told(answer, release)}",
        severities=severities,
        tip=classic or (f"write apiVersion: {answer.use}" if answer.use else None),
        fix=upgrade(ctx, manifest, answer.use) if answer.use and can_move else None,
    )


def _classic(manifest: Manifest) -> str | None:
    """Return what became of an object of classic DRA (KEP-3063, gone since 1.32); None for any other."""
    match manifest.ref.kind:
        case "ResourceClaim" | "ResourceClaimTemplate" if manifest.version in CLASSIC_VERSIONS:
            spec = Path(("spec", "spec") if manifest.ref.kind == "ResourceClaimTemplate" else ("spec",))
            name = manifest.get(spec / "resourceClassName") or "<class>"
            return (
                f"write apiVersion: {GROUP}/v1, and instead of resourceClassName and parametersRef a request with "
                f"exactly.deviceClassName: {name}; parameters become its selectors, or devices.config"
            )
        case "ResourceClass":
            driver = manifest.get(("driverName",)) or "<driver>"
            return (
                f"write kind: DeviceClass in {GROUP}/v1 with the selector device.driver == '{driver}'; parametersRef "
                "becomes spec.config"
            )
        case "ResourceClaimParameters" | "ResourceClassParameters":
            return "take it out: requests and parameters stand in the claim and the DeviceClass themselves"
        case "PodSchedulingContext" | "PodScheduling":
            return "take it out: the scheduler allocates devices itself, and nothing reads this object"
        case "ResourceSlice" if manifest.version in CLASSIC_VERSIONS:
            return "take it out: the driver publishes its slices itself, in the version that its release writes"
    return None


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
        fixed=_CLAIM.format(version="v1"),
    ),
    Example(
        "a version ahead of the cluster, with a field that no version of it knows",
        _CLAIM.format(version="v1") + "        capacity: {requests: {memory: 10Gi}}\n",
        messages=("resource.k8s.io/v1 ResourceClaim is not served by 1.33 yet",),
        spec={"kubeVersion": "1.33"},
    ),
    Example(
        "a beta version that few turn on; its requests are flat",
        """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu.nvidia.com  # of the driver's chart
      count: 2
""",
        messages=(
            "resource.k8s.io/v1beta1 ResourceClaim is off by default in 1.37 and deprecated since 1.35: it works only where "
            "--runtime-config turns it on",
        ),
        fixed="""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com  # of the driver's chart
        count: 2
""",
    ),
    Example(
        "a slice of an early driver",
        """\
apiVersion: resource.k8s.io/v1alpha3
kind: ResourceSlice
metadata:
  name: node-a-gpus
spec:
  driver: gpu.nvidia.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    basic:
      attributes:
        numa: {int: 0}
      capacity:
        memory: 80Gi
""",
        messages=("resource.k8s.io/v1alpha3 ResourceSlice is gone since 1.34; the target release is 1.37",),
        fixed="""\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-a-gpus
spec:
  driver: gpu.nvidia.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes:
      numa: {int: 0}
    capacity:
      memory:
        value: 80Gi
""",
    ),
    Example(
        "a claim of classic DRA has no twin",
        """\
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClaim
metadata:
  name: shared
spec:
  resourceClassName: gpu.nvidia.com
""",
        messages=("resource.k8s.io/v1alpha2 ResourceClaim is gone since 1.31; the target release is 1.37",),
    ),
)
