"""A claim takes another number of CPUs than the containers ask for

What it does
  Adds up the CPUs that claims take (class dra.cpu) for one container, or for containers that share a claim, and compares
  them with requests.cpu; with resources of the pod as a whole, looks whether those hold all claimed CPUs.

Why it matters
  The driver pins the CPUs of the claim, scheduler and kubelet see only the amounts of the containers. Too little: the node
  is handed out twice, and the CPU quota throttles the pinned CPUs. Too much: CPUs are kept free that nobody uses.

What it needs to know
  Where the slices of the driver say what its devices take of the node (nodeAllocatableResources), the scheduler adds the
  claim to the amounts of the containers. Then an amount that repeats the claim is counted twice. With the feature gate
  DRANodeAllocatableResources on and no slice at hand, nothing is said.

What the fix does
  Writes the claim's number into requests and limits of the container. Lowering an amount is unsafe.
"""

from __future__ import annotations

from dralign.context.cpus import ACCOUNTING_GATE
from dralign.finding import ERROR, Related, Severities
from dralign.fixes import qos
from dralign.manifest import as_map
from dralign.model.workload import quantity
from dralign.rule import Example, Rule
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.context import Context
    from dralign.context.cpus import CpuShare
    from dralign.finding import Finding
    from dralign.model.workload import Container, PodView

RULE = Rule(
    id="cpu-claim-mismatch",
    severities=Severities(None, ERROR, ERROR),
    summary="a claim takes another number of CPUs than the containers ask for",
    tip="ask for as many CPUs, in requests and limits, as the claim takes",
    since="0.1",
    standards=("A4",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per group of containers that share claimed CPUs, and one per pod with too little as a whole."""
    for pod in ctx.pods if ctx.cpu_accounting != "unknown" else ():
        shares = ctx.cpu_shares(pod) if pod.claims else ()
        level = _pod_level(pod)
        for share in shares:
            written = any("cpu" in (*item.requests, *item.limits) for item in share.running)
            if share.claimed is not None and (written or level is None):
                yield from _compared(ctx, pod, share, share.claimed)
        if level is not None and ctx.cpu_accounting == "containers":
            yield from _as_a_whole(pod, shares, level)


def _compared(ctx: Context, pod: PodView, share: CpuShare, claimed: Quantity) -> Iterator[Finding]:
    asked, accounted = share.requested, ctx.cpu_accounting == "devices"
    if (asked < claimed) if accounted else (asked == claimed):
        return
    first = share.running[0]
    fix = qos.mirrored(pod, first, claimed) if len(share.running) == 1 and not accounted else None
    yield RULE.finding(
        pod.manifest,
        first.amount_path("cpu"),
        f"{_who(share.running)} {_asks(share.running, asked)}, and {_claim(share)} takes {claimed}: "
        f"{_consequence(asked, claimed, accounted=accounted)}",
        label=f"{claimed} claimed",
        tip=_tip(share, claimed, accounted=accounted),
        related=_related(share),
        fix=fix,
    )


def _consequence(asked: Quantity, claimed: Quantity, *, accounted: bool) -> str:
    if accounted:
        return f"the devices tell the scheduler what they take, so that it counts {asked + claimed} CPUs"
    if not asked:
        return "the scheduler hands them out again"
    if asked < claimed:
        return "the scheduler hands the rest out again, and the CPU quota throttles what is pinned"
    return f"{asked - claimed} of them are kept free and never pinned"


def _tip(share: CpuShare, claimed: Quantity, *, accounted: bool) -> str:
    if accounted:
        return "leave the claimed CPUs out of requests and limits"
    if len(share.running) == 1:
        advice = f"write cpu: {claimed} in requests and limits of container '{share.running[0].name}'"
    else:
        advice = f"make the CPUs of these containers {claimed} in sum"
    if share.requested < claimed:
        advice += f"; where the scheduler learns them from the devices, say featureGates: {{{ACCOUNTING_GATE}: true}}"
    return advice


def _as_a_whole(pod: PodView, shares: Sequence[CpuShare], level: Quantity) -> Iterator[Finding]:
    claimed = [share.claimed for share in shares]
    known = [amount for amount in claimed if amount is not None]
    if not shares or len(known) < len(claimed):
        return
    pinned = {id(container) for share in shares for container in share.containers}
    others = [c.request("cpu") for c in pod.containers if c.kind != "init" and id(c) not in pinned]
    need = sum((amount for amount in (*known, *others) if amount is not None), Quantity.of(0))
    if level < need:
        section = "requests" if "cpu" in as_map(pod.pod_level.get("requests")) else "limits"
        yield RULE.finding(
            pod.manifest,
            pod.path / "resources" / section / "cpu",
            f"the pod asks for {level} CPUs as a whole, its claims take {sum(known, Quantity.of(0))} and its containers "
            f"without claimed CPUs ask for the rest of {need}: the scheduler hands out again what is missing",
            label=f"{need} needed",
            tip=f"write cpu: {need} in requests and limits of the pod's resources",
            related=tuple(item for share in shares for item in _related(share)),
        )


def _pod_level(pod: PodView) -> Quantity | None:
    """Return how many CPUs the pod asks for as a whole (KEP-2837)."""
    sections = (as_map(pod.pod_level.get(section)) for section in ("requests", "limits"))
    return next((quantity(section["cpu"]) for section in sections if "cpu" in section), None)


def _who(containers: Sequence[Container]) -> str:
    names = ", ".join(f"'{container.name}'" for container in containers)
    return f"container {names}" if len(containers) == 1 else f"containers {names}"


def _asks(containers: Sequence[Container], asked: Quantity) -> str:
    verb = "asks" if len(containers) == 1 else "ask"
    return f"{verb} for {asked} CPUs" if asked else f"{verb} for no CPUs"


def _claim(share: CpuShare) -> str:
    names = dict.fromkeys(f"'{ask.entry.name}' ({ask.claim.manifest.ref.kind_and_name})" for ask in share.asks)
    return f"claim {' with claim '.join(names)}"


def _related(share: CpuShare) -> tuple[Related, ...]:
    return tuple(
        Related(ask.claim.manifest, ask.request.path, f"request '{ask.request.name}' takes {ask.amount} CPUs")
        for ask in share.asks
    )


_BUNDLE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: gpu-and-cpus
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
      - name: cpus
        exactly:
          deviceClassName: dra.cpu
          capacity:
            requests:
              dra.cpu/cpu: "8"
      constraints:
      - matchAttribute: resource.kubernetes.io/numaNode
---
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  resourceClaims:
  - name: devices
    resourceClaimTemplateName: gpu-and-cpus
  containers:
  - name: main
    image: registry.example.com/train:1.0
    resources:
      requests: {%s}
      limits: {%s}
      claims:
      - name: devices
"""
_SIX = 'cpu: "6", memory: 32Gi'
_EIGHT = 'cpu: "8", memory: 32Gi'

VALID = (
    Example("the container repeats the claim", _BUNDLE % (_EIGHT, _EIGHT)),
    Example("the same number in another unit", _BUNDLE % ("cpu: 8000m, memory: 32Gi", "cpu: 8, memory: 32Gi")),
    Example(
        "the pod as a whole holds the claimed CPUs",
        (_BUNDLE % ("memory: 1Gi", "memory: 1Gi")).replace(
            "  containers:", '  resources: {requests: {cpu: "8"}, limits: {cpu: "8"}}\n  containers:'
        ),
    ),
)
INVALID = (
    Example(
        "six asked for, eight claimed",
        _BUNDLE % (_SIX, _SIX),
        messages=(
            "container 'main' asks for 6 CPUs, and claim 'devices' (ResourceClaimTemplate/gpu-and-cpus) takes 8: the "
            "scheduler hands the rest out again, and the CPU quota throttles what is pinned",
        ),
        fixed=_BUNDLE % (_EIGHT, _EIGHT),
    ),
    Example(
        "none asked for",
        _BUNDLE % ("memory: 32Gi", "memory: 32Gi"),
        messages=(
            "container 'main' asks for no CPUs, and claim 'devices' (ResourceClaimTemplate/gpu-and-cpus) takes 8: the "
            "scheduler hands them out again",
        ),
        fixed=_BUNDLE % ('memory: 32Gi, cpu: "8"', 'memory: 32Gi, cpu: "8"'),
    ),
    Example(
        "ten asked for, eight claimed",
        _BUNDLE % ("cpu: 10, memory: 32Gi", "cpu: 10, memory: 32Gi"),
        messages=(
            "container 'main' asks for 10 CPUs, and claim 'devices' (ResourceClaimTemplate/gpu-and-cpus) takes 8: 2 of them "
            "are kept free and never pinned",
        ),
        fixed=_BUNDLE % ('cpu: "8", memory: 32Gi', 'cpu: "8", memory: 32Gi'),
    ),
)
