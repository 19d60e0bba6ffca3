"""A pod names a claim or claim template that is not there

What it does
  Looks up every resourceClaimName and resourceClaimTemplateName of the input. Kinds whose controller makes templates
  (a ComputeDomain and its like) count as definitions. Says where the name was probably meant to point: to a near miss,
  to the other kind, to another namespace.

Why it matters
  The pod waits for ever: no condition, no event. kustomize's namePrefix renames a template but not the reference to it.

What it needs to know
  A claim that is in the cluster but not in the input looks the same, so that without any trace of it this is a warning.

What the fix does
  Writes the name of the near miss. It is a guess, so only --unsafe makes it.
"""

from __future__ import annotations

from dralign.edit import Set
from dralign.finding import ERROR, WARNING, Fix, Patch, Related, Severities
from dralign.rule import Example, Rule
from dralign.spelling import is_slip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.claim import Claim
    from dralign.model.workload import PodClaim, PodView

RULE = Rule(
    id="claim-reference-missing",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a pod names a claim or claim template that is not there",
    tip="name a claim or template of the pod's own namespace, or add it to the input",
    since="0.1",
    standards=("B3",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per reference that leads nowhere."""
    for pod in ctx.pods:
        for entry in pod.claims:
            if bool(entry.claim_name) == bool(entry.template_name):
                continue  # both or none: the shape of the reference is another rule's matter
            if ctx.claim_of(pod, entry) is None and not ctx.is_made(pod, entry):
                yield _finding(ctx, pod, entry)


def _finding(ctx: Context, pod: PodView, entry: PodClaim) -> Finding:
    name = entry.template_name or entry.claim_name or ""
    kind = "ResourceClaimTemplate" if entry.template_name else "ResourceClaim"
    missing = f"{kind} '{name}' is not in {_namespace(pod.manifest.ref.namespace)}"
    meant, words, sure = _meant(ctx.claims, pod, kind, name)
    if not ctx.bundle.complete and meant is not None:
        # the rest may hold the very name; hardly so where a slip of the pen leads to one that is here
        sure = sure and is_slip(name, meant.manifest.ref.name or "")
    severities = RULE.severities if sure else RULE.severities.at_most(WARNING)
    return RULE.finding(
        pod.manifest,
        entry.reference,
        f"{missing}{words or '; the input does not hold it: the pod waits until somebody makes it'}",
        severities=severities,
        label="not there",
        related=(Related(meant.manifest, meant.spec.path, "this one is there"),) if meant else (),
        fix=_point_to(pod, entry, meant)
        if meant and meant.manifest.ref.kind == kind and _same_place(pod, meant)
        else None,
    )


def _meant(claims: tuple[Claim, ...], pod: PodView, kind: str, name: str) -> tuple[Claim | None, str, bool]:
    """Return the claim that was probably meant, what to say of it, and whether that is sure enough for an error."""
    here = [claim for claim in claims if _same_place(pod, claim)]
    for claim in here:
        if claim.manifest.ref.name == name:
            return claim, f", but a {claim.manifest.ref.kind} of that name is", True
    for claim in here:
        other = claim.manifest.ref.name or ""
        if claim.manifest.ref.kind == kind and _near(name, other):
            return claim, f", but '{other}' is: did a name prefix miss the reference?", True
    for claim in claims:
        ref = claim.manifest.ref
        if ref.name == name and ref.kind == kind:
            both = bool(ref.namespace) and bool(pod.manifest.ref.namespace)
            return claim, f", but in {_namespace(ref.namespace)}: there are no references across namespaces", both
    return None, "", False


def _near(name: str, other: str) -> bool:
    """Say whether ``other`` is ``name`` with a prefix or suffix, as kustomize and Helm put on, or a slip of it."""
    return other.endswith(f"-{name}") or other.startswith(f"{name}-") or is_slip(name, other)


def _same_place(pod: PodView, claim: Claim) -> bool:
    return claim.manifest.ref.home == pod.manifest.ref.home


def _namespace(name: str | None) -> str:
    return f"namespace '{name}'" if name else "the pod's namespace (none is written)"


def _point_to(pod: PodView, entry: PodClaim, meant: Claim) -> Fix:
    name = meant.manifest.ref.name
    return Fix(
        f"name '{name}'",
        (Patch(pod.manifest, Set(entry.reference, name)),),
        "unsafe",
        "the name is a guess, only with --unsafe",
    )


_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: infer
  namespace: team-a
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: {name}
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      claims:
      - name: gpu
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: dev-one-gpu
  namespace: team-a
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.example.com
"""

VALID = (Example("the template is there", _POD.format(name="dev-one-gpu")),)
INVALID = (
    Example(
        "a prefix that did not reach the reference",
        _POD.format(name="one-gpu"),
        messages=(
            "ResourceClaimTemplate 'one-gpu' is not in namespace 'team-a', but 'dev-one-gpu' is: did a name prefix miss "
            "the reference?",
        ),
        fixed=_POD.format(name="dev-one-gpu"),
    ),
    Example(
        "nothing of the kind in the input",
        _POD.format(name="fpga"),
        messages=(
            "ResourceClaimTemplate 'fpga' is not in namespace 'team-a'; the input does not hold it: the pod waits until "
            "somebody makes it",
        ),
    ),
)
