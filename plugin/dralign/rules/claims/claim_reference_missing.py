"""A pod names a claim or claim template that is not there

What it does
  Looks up every resourceClaimName and resourceClaimTemplateName of the input, in pods and in kinds that name claims as
  they do (PodGroup, NIMService, VirtualMachine). Kinds whose controller makes templates
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

from dralign import kinds
from dralign.edit import Set
from dralign.finding import ERROR, WARNING, Fix, Patch, Related, Severities
from dralign.kinds.claims import CLAIM, TEMPLATE
from dralign.manifest import Path, as_text
from dralign.record import Record
from dralign.rule import Example, Rule
from dralign.spelling import is_slip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Manifest
    from dralign.model.claim import Claim

RULE = Rule(
    id="claim-reference-missing",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a pod names a claim or claim template that is not there",
    tip="name a claim or template of the pod's own namespace, or add it to the input",
    since="0.1",
    standards=("B3",),
)
_CLAIM_NAME, _TEMPLATE_NAME = "resourceClaimName", "resourceClaimTemplateName"


class _Reference(Record):
    """A name of a claim or template in an object, where it stands, and who waits while it leads nowhere."""

    user: Manifest
    kind: str
    name: str
    place: Path
    waits: str


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per reference that leads nowhere."""
    for reference in _references(ctx):
        if not ctx.is_there(reference.user, reference.kind, reference.name):
            yield _finding(ctx, reference)


def _references(ctx: Context) -> Iterator[_Reference]:
    """Yield the names in pods, and in kinds that name claims as pods do; both or none are another rule's matter."""
    for pod in ctx.pods:
        for entry in pod.claims:
            names = entry.template_name, entry.claim_name
            yield from _named(pod.manifest, names, entry.reference, "the pod waits")
    for manifest in ctx.bundle.manifests:
        for path, block in kinds.claim_entries(manifest.ref.api_version, manifest.ref.kind, manifest.data):
            names = as_text(block.get(_TEMPLATE_NAME)), as_text(block.get(_CLAIM_NAME))
            place = Path(path) / (_TEMPLATE_NAME if names[0] else _CLAIM_NAME)
            yield from _named(manifest, names, place, "its pods wait")


def _named(user: Manifest, names: tuple[str | None, str | None], place: Path, waits: str) -> Iterator[_Reference]:
    template, claim = names
    if bool(template) != bool(claim):
        yield _Reference(user, TEMPLATE if template else CLAIM, template or claim or "", place, waits)


def _finding(ctx: Context, reference: _Reference) -> Finding:
    user, name = reference.user, reference.name
    missing = f"{reference.kind} '{name}' is not in {_namespace(user.ref.namespace)}"
    meant, words, sure = _meant(ctx.claims, reference)
    if not ctx.bundle.complete and meant is not None:
        # the rest may hold the very name; hardly so where a slip of the pen leads to one that is here
        sure = sure and is_slip(name, meant.manifest.ref.name or "")
    severities = RULE.severities if sure else RULE.severities.at_most(WARNING)
    return RULE.finding(
        user,
        reference.place,
        f"{missing}{words or f'; the input does not hold it: {reference.waits} until somebody makes it'}",
        severities=severities,
        label="not there",
        related=(Related(meant.manifest, meant.spec.path, "this one is there"),) if meant else (),
        fix=_point_to(reference, meant)
        if meant and meant.manifest.ref.kind == reference.kind and _same_place(user, meant)
        else None,
    )


def _meant(claims: tuple[Claim, ...], reference: _Reference) -> tuple[Claim | None, str, bool]:
    """Return the claim that was probably meant, what to say of it, and whether that is sure enough for an error."""
    user, kind, name = reference.user, reference.kind, reference.name
    here = [claim for claim in claims if _same_place(user, claim)]
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
            both = bool(ref.namespace) and bool(user.ref.namespace)
            return claim, f", but in {_namespace(ref.namespace)}: there are no references across namespaces", both
    return None, "", False


def _near(name: str, other: str) -> bool:
    """Say whether ``other`` is ``name`` with a prefix or suffix, as kustomize and Helm put on, or a slip of it."""
    return other.endswith(f"-{name}") or other.startswith(f"{name}-") or is_slip(name, other)


def _same_place(user: Manifest, claim: Claim) -> bool:
    return claim.manifest.ref.home == user.ref.home


def _namespace(name: str | None) -> str:
    return f"namespace '{name}'" if name else "the pod's namespace (none is written)"


def _point_to(reference: _Reference, meant: Claim) -> Fix:
    name = meant.manifest.ref.name
    return Fix(
        f"name '{name}'",
        (Patch(reference.user, Set(reference.place, name)),),
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
_GROUP = """\
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata:
  name: infer
  namespace: team-a
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: dev-one-gpus
"""

VALID = (Example("the template is there", _POD.format(name="dev-one-gpu")),)
INVALID = (
    Example(
        "a group of pods names it too",
        _GROUP + "---\n" + _POD.format(name="dev-one-gpu"),
        messages=(
            "ResourceClaimTemplate 'dev-one-gpus' is not in namespace 'team-a', but 'dev-one-gpu' is: did a name prefix "
            "miss the reference?",
        ),
        fixed=_GROUP.replace("gpus", "gpu") + "---\n" + _POD.format(name="dev-one-gpu"),
    ),
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
