"""A container uses a claim that its pod does not declare

What it does
  Looks at every entry of a container's resources.claims and reports those whose name is not in spec.resourceClaims of
  the same pod.

Why it matters
  The API server refuses such a pod. In a workload's template nothing refuses it: the workload is stored, and its pods
  are never made.

What the fix does
  Renames the entry where the pod declares a claim whose name differs by one slip of the hand. It is a guess, so only
  --unsafe makes it.
"""

from __future__ import annotations

from dralign.edit import Set
from dralign.finding import ERROR, Fix, Patch, Severities
from dralign.rule import Example, Rule
from dralign.spelling import is_slip, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.workload import ContainerClaim, PodView

RULE = Rule(
    id="claim-not-declared",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a container uses a claim that its pod does not declare",
    tip="add an entry of that name to spec.resourceClaims, or use the name of one that is there",
    since="0.1",
    standards=("B3",),
)

DECLARED = "resourceClaims"


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per undeclared entry."""
    for pod in ctx.pods:
        declared = [claim.name for claim in pod.claims]
        misspelt = next((key for key in pod.spec if key != DECLARED and str(key).lower() == DECLARED.lower()), None)
        for container in pod.containers:
            for entry in container.claims:
                if entry.name not in declared:
                    yield RULE.finding(
                        pod.manifest,
                        entry.path,
                        f"container '{container.name}' uses claim '{entry.name}', which spec.resourceClaims does not "
                        f"declare{suggestion(entry.name, declared)}",
                        label="not declared",
                        tip=f"write {DECLARED} instead of {misspelt}: names of fields have capitals"
                        if misspelt
                        else None,
                        fix=_rename(pod, entry, declared),
                    )


def _rename(pod: PodView, entry: ContainerClaim, declared: list[str]) -> Fix | None:
    close = [name for name in declared if is_slip(entry.name, name)]
    if len(close) != 1:
        return None
    patch = Patch(pod.manifest, Set(entry.path / "name", close[0]))
    return Fix(f"use claim '{close[0]}'", (patch,), "unsafe", "the name is a guess, only with --unsafe")


VALID = (
    Example(
        "declared and used",
        """\
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
    resources:
      claims:
      - name: gpu
""",
    ),
)
INVALID = (
    Example(
        "one letter too many",
        """\
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  resourceClaims:
  - name: accel
    resourceClaimTemplateName: one-gpu
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      claims:
      - name: accels
""",
        messages=(
            "container 'main' uses claim 'accels', which spec.resourceClaims does not declare, did you mean 'accel'?",
        ),
        fixed="""\
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  resourceClaims:
  - name: accel
    resourceClaimTemplateName: one-gpu
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      claims:
      - name: accel
""",
    ),
)
