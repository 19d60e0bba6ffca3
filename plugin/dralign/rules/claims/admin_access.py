"""A claim asks for admin access in a namespace that does not allow it

What it does
  Looks at requests with adminAccess: true, and at the Namespace object that the claim or template lives in: it must carry
  the label resource.kubernetes.io/admin-access: "true" (KEP-5018).

Why it matters
  The API server refuses the claim, the template, and every claim made from one: the pod waits.

What it needs to know
  The Namespace. Where the input does not hold it, this is said as info.

What the fix does
  Writes the label. It lets everybody who may make claims there reach devices that others use, so only --unsafe makes it.
"""

from __future__ import annotations

from dralign.edit import Set
from dralign.finding import ERROR, INFO, Fix, Patch, Related, Severities
from dralign.manifest import Path
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Manifest
    from dralign.model.claim import Claim, Request

LABEL = "resource.kubernetes.io/admin-access"
GATE = "DRAAdminAccess"

RULE = Rule(
    id="admin-access",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a claim asks for admin access in a namespace that does not allow it",
    tip=f'label the namespace {LABEL}: "true", or take adminAccess out',
    since="0.1",
)
_UNKNOWN = Severities(None, INFO, INFO)
_LABELS = {"1.32": None, "1.33": "resource.k8s.io/admin-access"}
"""Label that earlier releases looked for (DRAAdminNamespaceLabelKey in their resource/v1beta1/types.go); None: no label."""


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per claim, on its first request with admin access."""
    label = _LABELS.get(ctx.settings.kube_version, LABEL)
    for claim in ctx.claims if label and GATE in ctx.gates else ():
        request = next((request for request in claim.requests if request.admin_access), None)
        if request is not None and label:
            yield from _findings(ctx, claim, request, label)


def _findings(ctx: Context, claim: Claim, request: Request, label: str) -> Iterator[Finding]:
    manifest = claim.manifest
    namespace = ctx.namespace_around(manifest)
    path = request.body / "adminAccess"
    tip = f'label the namespace {label}: "true", or take adminAccess out'
    if namespace is None:
        where = f"namespace '{manifest.ref.namespace}'" if manifest.ref.namespace else "its namespace"
        yield RULE.finding(
            manifest,
            path,
            f"request '{request.name}' asks for admin access: whether {where} carries the label {label}, the input does "
            "not say",
            severities=_UNKNOWN,
            tip=tip,
        )
    elif namespace.labels.get(label) != "true":
        yield RULE.finding(
            manifest,
            path,
            f"request '{request.name}' asks for admin access, but Namespace '{namespace.ref.name}' "
            f"{_has(namespace, label)}: the API server refuses the claim",
            label="not allowed here",
            tip=tip,
            related=(Related(namespace, Path(("metadata",)), "the namespace"),),
            fix=_label(namespace, label),
        )


def _has(namespace: Manifest, label: str) -> str:
    value = namespace.labels.get(label)
    if value is not None:
        return f"has the label {label}: {value!r}, not 'true'"
    other = next((name for name in (LABEL, *_LABELS.values()) if name in namespace.labels), None)
    return f"lacks the label {label}" + (f" ({other} is that of other releases)" if other else "")


def _label(namespace: Manifest, label: str) -> Fix:
    return Fix(
        f"label Namespace '{namespace.ref.name}'",
        (Patch(namespace, Set(Path(("metadata", "labels", label)), "true")),),
        "unsafe",
        "it opens devices in use to everybody who may make claims there, only with --unsafe",
    )


_CLAIM = """\
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: monitor
  namespace: gpu-monitor
spec:
  devices:
    requests:
    - name: all
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: All
        adminAccess: true
"""
_NAMESPACE = """\
apiVersion: v1
kind: Namespace
metadata:
  name: gpu-monitor
"""
_LABELLED = f'{_NAMESPACE}  labels:\n    {LABEL}: "true"\n'

VALID = (Example("the namespace allows it", _LABELLED + _CLAIM),)
INVALID = (
    Example(
        "the label is missing",
        _NAMESPACE + _CLAIM,
        messages=(
            f"request 'all' asks for admin access, but Namespace 'gpu-monitor' lacks the label {LABEL}: the API server "
            "refuses the claim",
        ),
        fixed=_LABELLED + _CLAIM,
    ),
    Example(
        "the label has another name since 1.34",
        _LABELLED.replace("kubernetes.io", "k8s.io") + _CLAIM,
        messages=(
            f"request 'all' asks for admin access, but Namespace 'gpu-monitor' lacks the label {LABEL} "
            "(resource.k8s.io/admin-access is that of other releases): the API server refuses the claim",
        ),
        fixed=_LABELLED.replace("kubernetes.io", "k8s.io") + f'    {LABEL}: "true"\n' + _CLAIM,
    ),
    Example(
        "nobody can tell",
        _CLAIM.removeprefix("---\n"),
        messages=(
            f"request 'all' asks for admin access: whether namespace 'gpu-monitor' carries the label {LABEL}, the input "
            "does not say",
        ),
    ),
)
