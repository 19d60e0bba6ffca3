"""The API server refuses the object, or does not heed what it says

What it does
  Reviews claims, templates, device classes, slices and device taint rules, and workloads that ask for devices, as the API
  server of the target release does: fields that do not exist, types, limits, names, references inside the object, amounts.
  All mistakes are said at once, in the server's own words. Of kinds whose schema only their own controller knows, claims
  and resources of the pod template are reviewed. Slices of the inventory are reviewed, too: what the server refuses tells
  nothing of the cluster.

Why it matters
  The object is refused when it is applied, one mistake at a time. What the server takes without heeding it (a count of 0,
  distinctAttribute beside matchAttribute, a key that stands twice) is a warning: the object is not what it reads.

What it needs to know
  The release (kubeVersion) and the feature gates that are on. What the cluster holds is not asked.

What the fix does
  Moves the fields of a request that is written as in v1beta1 below exactly, where v1 wants them; takes them out of exactly
  in v1beta1, where a release serves nothing newer.
"""

from __future__ import annotations

from dralign.admission.ignored import ignored_fields
from dralign.admission.served import CLASSIC_VERSIONS, served
from dralign.context.objections import distinct
from dralign.edit import Lift
from dralign.finding import ERROR, WARNING, Fix, Patch, Severities
from dralign.fixes.advice import tip_for
from dralign.fixes.shape import EXACTLY, flat_fields, into_exactly
from dralign.manifest import Path
from dralign.model.claim import GROUP, claim_from
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from dralign.admission.causes import Cause
    from dralign.context import Context, Objection
    from dralign.finding import Finding
    from dralign.manifest import Manifest
    from dralign.model.claim import Claim

RULE = Rule(
    id="object-invalid",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="the API server refuses the object, or does not heed what it says",
    tip="the message says what the API server of the target release takes",
    since="0.1",
)
_NOT_HEEDED = Severities(None, WARNING, WARNING)
_UNKNOWN_FIELD = "UnknownField"
_LONGEST = 500
"""Characters of a message; the server quotes whole structures."""
_MARKS = ("${", "{{", "__", "PLACEHOLDER")
"""What stands in a text that something else fills in before it is applied; no name of the API holds any of them."""


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per mistake."""
    for manifest in ctx.reviewed:
        yield from _doubled(manifest)
        if manifest.group != GROUP or manifest.version not in CLASSIC_VERSIONS:  # else api-version says it all
            yield from _refused(ctx, manifest)
    for claim in ctx.claims:
        yield from _not_heeded(claim)
    for manifest in ctx.refused_slices:
        yield from _refused(ctx, manifest)


def _refused(ctx: Context, manifest: Manifest) -> Iterator[Finding]:
    objections = [objection for objection in ctx.objections(manifest) if not _is_anothers(manifest, objection)]
    flat = dict.fromkeys(Path(o.path[:-1]) for o in objections if _is_flat(manifest, o))
    for request in flat:
        yield _flat_request(manifest, request)
    for objection in distinct(o for o in objections if not _is_flat(manifest, o) and not _is_said(o, flat)):
        yield _finding(ctx, manifest, objection)


def _is_anothers(manifest: Manifest, objection: Objection) -> bool:
    """Say whether a more specific rule speaks of it: of selectors, entries of resourceClaims, undeclared claims."""
    path, reason = objection.path, objection.cause.reason
    if path[-2:] == ("cel", "expression"):
        return isinstance(manifest.get(path), str)
    if path[-2:-1] == ("claims",):
        nameless = reason == "FieldValueRequired" and isinstance(manifest.get(path), dict)
        return nameless or reason == "FieldValueNotFound"
    if path[-3:-2] == ("resourceClaims",):
        return path[-1] == "source"
    return path[-2:-1] == ("resourceClaims",) and reason == "FieldValueInvalid"


def _is_flat(manifest: Manifest, objection: Objection) -> bool:
    """Say whether a field of a request stands beside ``exactly`` though it belongs below it."""
    path = objection.path
    in_request = path[-3:-2] == ("requests",) and "devices" in path
    return (
        in_request and objection.cause.reason == _UNKNOWN_FIELD and path[-1] in flat_fields(manifest, Path(path[:-1]))
    )


def _is_said(objection: Objection, flat: Collection[Path]) -> bool:
    """Say whether a field is missing below ``exactly`` only because it stands beside it."""
    path = objection.path
    return path[-2:-1] == (EXACTLY,) and path[:-2] in flat and objection.cause.reason == "FieldValueRequired"


def _flat_request(manifest: Manifest, request: Path) -> Finding:
    fields = flat_fields(manifest, request)
    several = len(fields) > 1
    noun, where = ("fields", "they belong") if several else ("field", "it belongs")
    patches = into_exactly(manifest, request)
    return RULE.finding(
        manifest,
        request,
        f"{request}: unknown {noun} {', '.join(map(repr, fields))}: in {manifest.ref.api_version} {where} below exactly",
        tip="write exactly: beside name, and these below it",
        label="the flat form of v1beta1",
        fix=Fix(f"move {', '.join(fields)} below exactly", patches) if patches else None,
    )


def _finding(ctx: Context, manifest: Manifest, objection: Objection) -> Finding:
    cause = objection.cause
    message = cause.message if cause.reason == _UNKNOWN_FIELD or not cause.field else f"{cause.field}: {cause.message}"
    gate = _gate_behind(ctx, manifest, objection)
    return RULE.finding(
        manifest,
        objection.path,
        _shortened(message)
        + (f"; feature gate {gate} is off in {ctx.settings.kube_version}, so that the field is dropped" if gate else "")
        + (f" (and {objection.others} more like it)" if objection.others else ""),
        tip=f"say featureGates: {{{gate}: true}} if the cluster has it on" if gate else _tip(ctx, manifest, cause),
        label="refused",
        fix=_out_of_exactly(ctx, manifest, objection),
    )


def _tip(ctx: Context, manifest: Manifest, cause: Cause) -> str | None:
    newer = _newer(ctx, manifest) if cause.location[-1:] == (EXACTLY,) and cause.reason == _UNKNOWN_FIELD else None
    if newer is not None:
        return f"write apiVersion: {newer}, which has it"
    if _is_a_variable(manifest.get(cause.location)):
        return "a variable stands here: check what is made of this text, not the text itself"
    claim = claim_from(manifest) if "must be the name of a request" in cause.message else None
    if claim is None:
        return tip_for(cause)
    names = [
        name
        for request in claim.requests
        for name in (request.name, *(f"{request.name}/{a.name}" for a in request.alternatives))
    ]
    return f"write the name of a request of this claim: {', '.join(map(repr, names))}"


def _is_a_variable(value: Any) -> bool:
    return isinstance(value, str) and (value.startswith("$") or any(mark in value for mark in _MARKS))


def _shortened(message: str) -> str:
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"


def _gate_behind(ctx: Context, manifest: Manifest, objection: Objection) -> str | None:
    """Return the gate that is off and lets the server drop the very field that it then misses."""
    return next((f.gate for f in ctx.disabled(manifest) if f.location[:-1] == objection.path), None)


def _newer(ctx: Context, manifest: Manifest) -> str | None:
    """Return the version to write instead of the object's, None where there is no better one."""
    return served(manifest.ref.api_version, manifest.ref.kind, ctx.settings.kube_version).use


def _out_of_exactly(ctx: Context, manifest: Manifest, objection: Objection) -> Fix | None:
    """Return the fix of a request of v1 in v1beta1; none where a version that has ``exactly`` is the better one anyway."""
    path = objection.path
    inner, request = manifest.get(path), manifest.get(path[:-1])
    if path[-1:] != (EXACTLY,) or path[-3:-2] != ("requests",) or objection.cause.reason != _UNKNOWN_FIELD:
        return None
    if not isinstance(inner, dict) or not inner or inner.keys() & request.keys() or _newer(ctx, manifest):
        return None
    return Fix("take the fields out of exactly", (Patch(manifest, Lift(path)),))


def _not_heeded(claim: Claim) -> Iterator[Finding]:
    for field in ignored_fields(claim.manifest.get(claim.spec.path), claim.spec.path):
        path = Path(field.location)
        yield RULE.finding(
            claim.manifest,
            path,
            f"{path}: {field.words}",
            severities=_NOT_HEEDED,
            tip=field.tip,
            label="not heeded",
        )


def _doubled(manifest: Manifest) -> Iterator[Finding]:
    """Yield the keys that stand twice, of which Helm and Argo CD take the last; other hosts refuse such input."""
    for twice in manifest.document.duplicates:
        path = Path(twice.steps)
        if path.starts_with(manifest.base):
            yield RULE.finding(
                manifest,
                Path(path[len(manifest.base) :]),
                f"key '{twice.key}' stands here and in line {twice.first_line}: only the last one counts",
                severities=_NOT_HEEDED,
                tip="take out the one that is not meant; strict readers refuse the object",
                label="stands twice",
            )


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: two
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com   # site default
        count: {count}
"""
_FLAT = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: two
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu.nvidia.com   # site default
      count: 2
"""

VALID = (Example("what the API server takes as it is", _CLAIM.format(count=2)),)
INVALID = (
    Example(
        "a request of v1beta1 in v1",
        _FLAT,
        messages=(
            "spec.devices.requests[0]: unknown fields 'deviceClassName', 'count': in resource.k8s.io/v1 they belong below "
            "exactly",
        ),
        fixed=_CLAIM.format(count=2),
    ),
    Example(
        "every mistake at once",
        _CLAIM.format(count=-1) + "    constraint:\n    - matchAttribute: numaNode\n",
        messages=(
            "spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero",
            'unknown field "spec.devices.constraint"',
        ),
    ),
    Example(
        "a count that means another",
        _CLAIM.format(count=0),
        messages=(
            "spec.devices.requests[0].exactly.count: 0 means 1: the API server fills in the default, and one device is "
            "taken",
        ),
    ),
    Example(
        "a pod that asks for a device without the limit",
        """\
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      requests:
        nvidia.com/gpu: 1
""",
        messages=(
            "spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
        ),
    ),
)
