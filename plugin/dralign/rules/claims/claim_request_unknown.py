"""A container asks for a request that its claim does not have

What it does
  Looks at entries of resources.claims that name a request, and reports those whose claim or template, where the input
  holds it, has no request of that name. Alternatives of firstAvailable are reached by the name of their request, never
  by their own.

Why it matters
  Nobody refuses this. The kubelet finds no devices for the name, and the container starts without its device.
"""

from __future__ import annotations

from dralign.finding import ERROR, Related, Severities
from dralign.rule import Example, Rule
from dralign.spelling import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.claim import Claim
    from dralign.model.workload import Container, ContainerClaim, PodView

RULE = Rule(
    id="claim-request-unknown",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a container asks for a request that its claim does not have",
    tip="use the name of a request of the claim, or leave 'request' out to get all of its devices",
    since="0.1",
    standards=("B3",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per entry whose request does not exist."""
    for pod in ctx.pods:
        for container in pod.containers:
            for entry in container.claims:
                declared = pod.claim_named(entry.name)
                claim = ctx.claim_of(pod, declared) if declared else None
                if claim is not None and entry.request is not None and not _is_refused(ctx, pod, entry):
                    yield from _judge(pod, container, entry, claim)


def _is_refused(ctx: Context, pod: PodView, entry: ContainerClaim) -> bool:
    """Say whether the API server takes no such name at all, which is said in its words."""
    return any(objection.path == entry.path / "request" for objection in ctx.objections(pod.manifest))


def _judge(pod: PodView, container: Container, entry: ContainerClaim, claim: Claim) -> Iterator[Finding]:
    names = [request.name for request in claim.requests]
    if entry.request is None or entry.request in names:
        return
    parent = next(
        (r.name for r in claim.requests for a in r.alternatives if entry.request in (a.name, f"{r.name}/{a.name}")),
        None,
    )
    hint = f"; it is an alternative of request '{parent}'" if parent else suggestion(entry.request, names)
    yield RULE.finding(
        pod.manifest,
        entry.path / "request",
        f"container '{container.name}' asks for request '{entry.request}', but {claim.manifest.ref.kind_and_name} has "
        f"{_listed(names)}{hint}: it starts without the device",
        label="no such request",
        related=(Related(claim.manifest, claim.spec.path / "devices" / "requests", "requests stand here"),),
    )


def _listed(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"


_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  resourceClaims:
  - name: dev
    resourceClaimTemplateName: one-gpu
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      claims:
      - name: dev
        request: {request}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: one-gpu
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.example.com
"""

VALID = (Example("the request exists", _POD.format(request="gpu")),)
INVALID = (
    Example(
        "a plural too many",
        _POD.format(request="gpus"),
        messages=(
            "container 'main' asks for request 'gpus', but ResourceClaimTemplate/one-gpu has 'gpu', did you mean 'gpu'?: "
            "it starts without the device",
        ),
    ),
)
