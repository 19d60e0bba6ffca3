"""An accelerator and its CPUs or NIC come from different claims

What it does
  Reports containers that get an accelerator by one claim and CPUs, memory or a NIC by another. NICs whose driver serves
  the whole pod count for every container of it. Silent where selectors put both on the same literal NUMA node, where
  devices are chosen by hand, and for claims without topology, such as the channels of a ComputeDomain.

Why it matters
  Claims are allocated one by one, and a constraint ends with its claim. Two claims with the same matchAttribute, over one
  device each, look like an alignment and tie nothing: on a machine in use the GPU ends up on one socket and the CPUs on
  the other.

What it needs to know
  Which devices a class stands for: from the input, the inventory or the catalogue. A class that nobody here has seen
  could be anything, and is left alone. With an inventory: whether all nodes have a single NUMA node, where there is nothing
  to miss.
"""

from __future__ import annotations

from dralign.finding import ERROR, INFO, Related, Severities
from dralign.model import topology
from dralign.model.verdict import ALIGNED, SINGLE_NODE, SPANS
from dralign.record import Record
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Path
    from dralign.model.claim import Claim, Request
    from dralign.model.verdict import Verdict
    from dralign.model.workload import Container, PodClaim, PodView

RULE = Rule(
    id="constraint-across-claims",
    severities=Severities(None, ERROR, ERROR),
    summary="an accelerator and its CPUs or NIC come from different claims",
    tip="ask for all of them in one claim or template, and tie them there by matchAttribute",
    since="0.1",
    standards=("A2", "B2"),
)

NEAR = {"cpu": "CPUs", "memory": "memory", "nic": "NIC"}
"""Devices that an accelerator should be near to, as people say it."""


class Part(Record):
    """One ask that reaches a container: by which entry of the pod, which claim, and what its devices are.

    ``place`` is where the container names the claim, or the pod declares it.
    """

    entry: PodClaim
    claim: Claim
    leaf: Request
    device: str
    place: Path


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per container, on the claim that its accelerator cannot be tied to."""
    for pod in ctx.pods:
        if len(pod.claims) < 2:
            continue
        for container in pod.containers:
            parts = tuple(_parts(ctx, pod, container))
            apart = _apart(ctx, parts)
            verdict = ctx.verdict_of(pod) if apart is not None and ctx.has_slices else None
            if apart is not None and not _is_harmless(verdict, container, apart[1]):
                yield _finding(ctx, pod, container, *apart, verdict=verdict)


def _is_harmless(verdict: Verdict | None, container: Container, others: tuple[Part, ...]) -> bool:
    """Say whether the claims cannot lie apart on any node that can serve the pod.

    What is proved of a pod is proved of what its containers name; an interface of the whole pod is none of it.
    """
    if verdict is None or verdict.kind != ALIGNED:
        return False
    named = {entry.path for entry in container.claims}
    return SINGLE_NODE in verdict.by or all(other.place in named for other in others)


def _parts(ctx: Context, pod: PodView, container: Container) -> Iterator[Part]:
    """Yield what a container gets: by its own entries, and by claims whose driver serves the pod as a whole."""
    named = {}
    for use in container.claims:
        declared = pod.claim_named(use.name)
        if declared is not None:
            named[declared.name] = use.path
            yield from _of_claim(ctx, pod, declared, use.request, use.path)
    for declared in pod.claims:
        if declared.name not in named and ctx.serves_pods(pod, declared):
            yield from _of_claim(ctx, pod, declared, None, declared.path)


def _of_claim(ctx: Context, pod: PodView, entry: PodClaim, request: str | None, place: Path) -> Iterator[Part]:
    claim = ctx.claim_of(pod, entry)
    for asked in claim.requests if claim else ():
        for leaf in asked.leaves() if request in (None, asked.name) else ():
            view = ctx.driver_of(leaf)
            if claim and view and view.device and not leaf.admin_access and not (view.profile and view.profile.skip):
                yield Part(entry, claim, leaf, view.device, place)


def _apart(ctx: Context, parts: tuple[Part, ...]) -> tuple[Part, tuple[Part, ...]] | None:
    """Return an accelerator and what should be near to it and stands in other claims; None if there is no such thing."""
    for one in parts:
        if one.device in topology.ACCELERATORS and not _by_hand(ctx, one):
            others = tuple(other for other in parts if _is_apart(ctx, one, other))
            if others:
                return one, others
    return None


def _is_apart(ctx: Context, one: Part, other: Part) -> bool:
    if other.device not in NEAR or other.entry.name == one.entry.name or _by_hand(ctx, other):
        return False
    node = topology.pinned_node(one.leaf, ctx.driver_of, ctx.facts_of)
    return node is None or node != topology.pinned_node(other.leaf, ctx.driver_of, ctx.facts_of)


def _by_hand(ctx: Context, part: Part) -> bool:
    return topology.names_devices(part.leaf, ctx.driver_of, ctx.facts_of)


def _finding(
    ctx: Context, pod: PodView, container: Container, one: Part, others: tuple[Part, ...], *, verdict: Verdict | None
) -> Finding:
    told = " and ".join(dict.fromkeys(f"{NEAR[other.device]} by claim '{other.entry.name}'" for other in others))
    claims = {id(part.claim): part.claim for part in (one, *others)}
    return RULE.finding(
        pod.manifest,
        others[0].place,
        f"container '{container.name}' gets its {one.device.upper()} by claim '{one.entry.name}' and its {told}: claims are "
        "allocated apart, and no constraint reaches from one into another",
        severities=RULE.severities.at_most(INFO) if verdict is not None and verdict.kind == SPANS else None,
        label="another claim than the accelerator's",
        detail=tuple(line for claim in claims.values() for line in _idle(claim)),
        related=tuple(Related(claim.manifest, claim.spec.path / "devices", "one of them") for claim in claims.values()),
        proof=ctx.proof_line(verdict),
        reach=ctx.reach_line(verdict),
    )


def _idle(claim: Claim) -> Iterator[str]:
    """Yield what is to be said of constraints over a single device: people take them for an alignment."""
    for constraint in claim.spec.constraints:
        covered = [request for request in claim.requests if constraint.covers(request)]
        if constraint.match_attribute and sum(topology.least_devices(request) for request in covered) == 1:
            place = f"{constraint.path} of {claim.manifest.ref.kind_and_name}"
            yield f"{place} covers one device, and so ties nothing"


_TEMPLATES = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: gpu-only
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com{gpu}
      constraints:
      - matchAttribute: resource.kubernetes.io/numaNode
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: cpus-only
spec:
  spec:
    devices:
      requests:
      - name: cpus
        exactly:
          deviceClassName: dra.cpu{cpus}
---
"""
_SELECTOR = """
          selectors:
          - cel:
              expression: device.attributes["resource.kubernetes.io"].?numaNode.orValue(-1) == {}"""
_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: gpu-only
  - name: cpus
    resourceClaimTemplateName: cpus-only
  containers:
  - name: main
    image: registry.example.com/train:1.0
    resources:
      claims:
      - name: gpu
{second}      - name: cpus
"""
_OTHER_CONTAINER = """\
  - name: helper
    image: registry.example.com/helper:1.0
    resources:
      claims:
"""

VALID = (
    Example(
        "both on the NUMA node that their selectors name",
        _TEMPLATES.format(gpu=_SELECTOR.format(1), cpus=_SELECTOR.format(1)) + _POD.format(second=""),
    ),
    Example(
        "the CPUs are another container's",
        _TEMPLATES.format(gpu="", cpus="") + _POD.format(second=_OTHER_CONTAINER),
    ),
)
INVALID = (
    Example(
        "GPU and CPUs in two claims, each with a constraint of its own",
        _TEMPLATES.format(gpu="", cpus="") + _POD.format(second=""),
        messages=(
            "container 'main' gets its GPU by claim 'gpu' and its CPUs by claim 'cpus': claims are allocated apart, and no "
            "constraint reaches from one into another",
        ),
    ),
    Example(
        "selectors that name two NUMA nodes",
        _TEMPLATES.format(gpu=_SELECTOR.format(0), cpus=_SELECTOR.format(1)) + _POD.format(second=""),
        messages=(
            "container 'main' gets its GPU by claim 'gpu' and its CPUs by claim 'cpus': claims are allocated apart, and no "
            "constraint reaches from one into another",
        ),
    ),
)
