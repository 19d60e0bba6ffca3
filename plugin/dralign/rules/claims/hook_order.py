"""A hook runs before the claim or template that it needs is there

What it does
  Looks at Helm hooks, Argo CD hooks and sync waves: a pod that runs in one must find its ResourceClaim or template. Compares
  events and weights (Helm), phases and waves (Argo CD) of both objects.

Why it matters
  Helm makes hooks one by one and waits for each, and makes the objects of the release behind the pre-install hooks; Argo CD
  waits until a phase or wave is healthy. The pod of the hook waits for its template, the template for the hook: the install
  ends with a timeout.

What it needs to know
  The claim or template must be in the input. Whether an object of the release was there before an upgrade cannot be seen: of
  hooks that run on upgrades or rollbacks only, nothing is said.

What the fix does
  Gives the claim or template the annotations of the hook and a weight or wave before it, where only such hooks use it. That
  changes when objects are made and who deletes them, so only --unsafe makes it.
"""

from __future__ import annotations

from dralign.edit import Set
from dralign.finding import ERROR, Fix, Patch, Related, Severities
from dralign.fixes.placement import ARGO_HOOK, ARGO_WAVE, HELM_FILE, HELM_HOOK, HELM_WEIGHT, metadata_for, number_of
from dralign.manifest import Path
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Manifest
    from dralign.model.claim import Claim

RULE = Rule(
    id="hook-order",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a hook runs before the claim or template that it needs is there",
    tip="make the claim or template a hook of the same events, with a lower weight or an earlier wave",
    since="0.1",
)

_PHASES = {"PreSync": 0, "Sync": 1, "PostSync": 2}
_ANNOTATIONS = Path(("metadata", "annotations"))


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per workload and claim that is there too late."""
    for claim in ctx.claims:
        seen: set[int] = set()
        for use in ctx.uses_of(claim):
            user = use.pod.manifest
            if id(user) not in seen:
                seen.add(id(user))
                yield from _findings(ctx, user, claim)


def _findings(ctx: Context, user: Manifest, claim: Claim) -> Iterator[Finding]:
    needed = claim.manifest
    argo = ARGO_HOOK in user.annotations or ARGO_WAVE in user.annotations or ARGO_WAVE in needed.annotations
    if HELM_HOOK in user.annotations and ARGO_HOOK not in user.annotations:
        key, words = HELM_HOOK, _too_late_in_helm(user, needed)
    elif argo:
        key, words = ARGO_HOOK if ARGO_HOOK in user.annotations else ARGO_WAVE, _too_late_in_argo(user, needed)
    else:
        return
    if words is not None:
        yield RULE.finding(
            user,
            _ANNOTATIONS / key,
            f"{user.ref.kind} '{user.ref.name}' needs {needed.ref.kind} '{needed.ref.name}', which is not there: {words}",
            label="too early",
            related=(Related(needed, Path(("metadata",)), "made too late"),),
            fix=_earlier(ctx, user, claim),
        )


def _events(manifest: Manifest, key: str) -> frozenset[str]:
    return frozenset(event.strip() for event in str(manifest.annotations.get(key) or "").split(",")) - {""}


def _too_late_in_helm(user: Manifest, needed: Manifest) -> str | None:
    """Say why Helm has not made ``needed`` when ``user`` runs, None where it has or nobody can tell."""
    events, others = _events(user, HELM_HOOK), _events(needed, HELM_HOOK)
    kind = needed.ref.kind
    for event in sorted(events & others):
        own, other = number_of(user.annotations.get(HELM_WEIGHT)), number_of(needed.annotations.get(HELM_WEIGHT))
        if (other, needed.ref.name or "") >= (own, user.ref.name or ""):
            return f"hook {event} has weight {own}, the {kind} {other}, and Helm goes by weight, then by name"
    if "pre-install" in events - others:
        what = f"a hook of {', '.join(sorted(others))} only" if others else "an ordinary object of the release"
        return f"hook pre-install runs before the release is made, and the {kind} is {what}"
    if "post-delete" in events and not others:
        return f"hook post-delete runs when the release is gone, and the {kind} with it"
    return None


def _too_late_in_argo(user: Manifest, needed: Manifest) -> str | None:
    """Say why Argo CD has not made ``needed`` when ``user`` runs, None where it has or nobody can tell."""
    own, other = number_of(user.annotations.get(ARGO_WAVE)), number_of(needed.annotations.get(ARGO_WAVE))
    there = {phase for phase in _events(needed, ARGO_HOOK) or {"Sync"} if phase in _PHASES}
    for phase in sorted((_events(user, ARGO_HOOK) or {"Sync"}) & _PHASES.keys()):
        earlier = any(_PHASES[p] < _PHASES[phase] or (p == phase and other <= own) for p in there)
        if there and not earlier:
            place = f"{', '.join(sorted(there))}, wave {other}"
            return f"it runs in {phase}, wave {own}, the {needed.ref.kind} is made in {place}"
    return None


def _earlier(ctx: Context, user: Manifest, claim: Claim) -> Fix | None:
    """Return the fix that makes the claim come first; none where others use it who are no such hooks."""
    wanted = _order(user)
    if any(_order(use.pod.manifest) != wanted for use in ctx.uses_of(claim)):
        return None
    annotations = metadata_for(user).get("annotations", {})
    patches = tuple(
        Patch(claim.manifest, Set(_ANNOTATIONS / key, value))
        for key, value in annotations.items()
        if key != HELM_FILE and claim.manifest.annotations.get(key) != value
    )
    title = f"make {claim.manifest.ref.kind_and_name} come before {user.ref.kind_and_name}"
    return Fix(title, patches, "unsafe", "it changes when objects are made and who deletes them, only with --unsafe")


def _order(manifest: Manifest) -> tuple[object, ...]:
    return tuple(manifest.annotations.get(key) for key in (HELM_HOOK, HELM_WEIGHT, ARGO_HOOK, ARGO_WAVE))


_JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: preload
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: "5"
spec:
  template:
    spec:
      restartPolicy: Never
      resourceClaims:
      - name: gpu
        resourceClaimTemplateName: one-gpu
      containers:
      - name: main
        image: registry.example.com/preload:1.2.3
        resources:
          claims:
          - name: gpu
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: one-gpu
{hook}\
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
"""
_EARLIER = """\
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: "4"
    helm.sh/hook-delete-policy: before-hook-creation
"""

VALID = (Example("the template is an earlier hook", _JOB.format(hook=_EARLIER)),)
INVALID = (
    Example(
        "the template belongs to the release",
        _JOB.format(hook=""),
        messages=(
            "Job 'preload' needs ResourceClaimTemplate 'one-gpu', which is not there: hook pre-install runs before the "
            "release is made, and the ResourceClaimTemplate is an ordinary object of the release",
        ),
        fixed=_JOB.format(hook=_EARLIER),
    ),
    Example(
        "a hook of the same event, and not earlier",
        _JOB.format(hook=_EARLIER.replace('"4"', '"7"')),
        messages=(
            "Job 'preload' needs ResourceClaimTemplate 'one-gpu', which is not there: hook pre-install has weight 5, the "
            "ResourceClaimTemplate 7, and Helm goes by weight, then by name",
        ),
        fixed=_JOB.format(hook=_EARLIER),
    ),
)
