"""A pod declares a claim that no container uses

What it does
  Reports entries of spec.resourceClaims that no container names in resources.claims. Silent where the driver serves the
  whole pod, as drivers of network interfaces do.

Why it matters
  The claim is allocated and its devices are kept from others while the pod lives, but no container sees them.

What the fix does
  Where the pod has one container, gives it the claim. The claim may stand there for its side effects, so only --unsafe
  makes the repair.
"""

from __future__ import annotations

from dralign.edit import Append
from dralign.finding import WARNING, Fix, Patch, Severities
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.workload import PodClaim, PodView

RULE = Rule(
    id="claim-unused",
    severities=Severities(None, WARNING, WARNING),
    summary="a pod declares a claim that no container uses",
    tip="add the claim's name to resources.claims of the container that needs it, or take it out of spec.resourceClaims",
    since="0.1",
    standards=("B3",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per claim without a user."""
    for pod in ctx.pods:
        used = pod.used_claims
        for claim in pod.claims if pod.containers else ():
            if claim.name not in used and not ctx.serves_pods(pod, claim):
                yield RULE.finding(
                    pod.manifest,
                    claim.path,
                    f"claim '{claim.name}' is used by no container: its devices are held, and nobody sees them",
                    label="used by no container",
                    fix=_wire(pod, claim),
                )


def _wire(pod: PodView, claim: PodClaim) -> Fix | None:
    mains = [container for container in pod.containers if container.kind == "container"]
    if len(mains) != 1 or len(pod.containers) != 1 or not pod.written:
        return None
    patch = Patch(pod.manifest, Append(mains[0].resources_path / "claims", {"name": claim.name}))
    return Fix(
        f"give claim '{claim.name}' to container '{mains[0].name}'",
        (patch,),
        "unsafe",
        "it may be unused on purpose, only with --unsafe",
    )


_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: one-gpu
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
"""
_WIRED = """\
    resources:
      claims:
      - name: gpu
"""

VALID = (Example("used by the only container", _POD + _WIRED),)
INVALID = (
    Example(
        "declared and forgotten",
        _POD,
        messages=("claim 'gpu' is used by no container: its devices are held, and nobody sees them",),
        fixed=_POD + _WIRED,
    ),
)
