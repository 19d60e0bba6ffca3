"""The replicas of a workload share one claim, and with it the same devices

What it does
  Looks at workloads that make several pods (replicas, parallelism, one per node) and name a ResourceClaim instead of a
  template. Silent where the claim is plainly meant to be shared: a PodGroup that names it as its pods do, admin access,
  network interfaces, devices handed out with a sharing configuration, or devices of which the inventory says that several
  may have them; and where nobody knows what the devices are. Whatever it is meant for, a claim that more than 256 pods
  name is an error, unless it is reserved for their PodGroup (gate DRAWorkloadResourceClaims).

Why it matters
  A named claim is allocated once. All pods that name it get the same devices, on the node or nodes where these are: eight
  replicas of a server share one GPU and its memory, or wait for ever on other nodes. A claim is reserved for at most 256
  pods; the next one waits.

What it needs to know
  The claim. Where the input does not hold it, only the number of pods is looked at.
"""

from __future__ import annotations

from dralign import kinds
from dralign.finding import ERROR, WARNING, Related, Severities
from dralign.manifest import as_map, as_text
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.claim import Claim, Request
    from dralign.model.workload import PodClaim, PodView

RULE = Rule(
    id="claim-shared",
    severities=Severities(None, WARNING, WARNING),
    summary="the replicas of a workload share one claim, and with it the same devices",
    tip="make it a ResourceClaimTemplate and name it by resourceClaimTemplateName: each pod then gets a claim of its own",
    since="0.1",
    standards=("B3",),
)
_FULL = Severities(ERROR, ERROR, ERROR)

MOST_PODS = 256
"""Pods that a claim can be reserved for: the limit of ``status.reservedFor`` (core of KEP-4381)."""

GROUP_GATE = "DRAWorkloadResourceClaims"
"""With this gate a claim that a PodGroup names is reserved for the group, and not for each of its pods (KEP-5729)."""

_PER_NODE = "DaemonSet"


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per claim and workload whose pods share it."""
    users: dict[tuple[str, str], list[tuple[PodView, PodClaim]]] = {}
    for pod in ctx.pods:
        for entry in pod.claims:
            if entry.claim_name and not entry.template_name:
                users.setdefault((pod.manifest.ref.home, entry.claim_name), []).append((pod, entry))
    for found in users.values():
        total = sum(pod.replicas or 0 for pod, entry in found if not _is_reserved_for_group(ctx, pod, entry))
        if total > MOST_PODS:
            yield _too_many(ctx, found, total)
            continue
        for pod, entry in found:
            claim = ctx.claim_of(pod, entry)
            if claim is not None and _makes_several(pod) and not _is_meant(ctx, pod, entry, claim):
                yield _shared(pod, entry, claim)


def _makes_several(pod: PodView) -> bool:
    return pod.manifest.ref.kind == _PER_NODE or (pod.replicas or 0) > 1


def _is_meant(ctx: Context, pod: PodView, entry: PodClaim, claim: Claim) -> bool:
    """Say whether a claim is plainly meant for many pods."""
    leaves = claim.spec.leaves
    if _by_group(ctx, pod, entry):
        return True
    if not leaves or all(leaf.admin_access for leaf in leaves) or ctx.serves_pods(pod, entry) or _has_sharing(claim):
        return True
    return all(_is_unknown(ctx, leaf) or _is_shareable(ctx, leaf) for leaf in leaves)


def _is_reserved_for_group(ctx: Context, pod: PodView, entry: PodClaim) -> bool:
    return GROUP_GATE in ctx.gates and _by_group(ctx, pod, entry)


def _by_group(ctx: Context, pod: PodView, entry: PodClaim) -> bool:
    """Say whether the PodGroup that a pod belongs to names the claim by an equal entry, so that its pods share it."""
    group = as_text(as_map(pod.spec.get("schedulingGroup")).get("podGroupName"))
    return group is not None and any(
        manifest.ref.name == group
        and manifest.ref.home == pod.manifest.ref.home
        and any(
            block.get("name") == entry.name and block.get("resourceClaimName") == entry.claim_name
            for _, block in kinds.claim_entries(manifest.ref.api_version, manifest.ref.kind, manifest.data)
        )
        for manifest in ctx.bundle.manifests
        if manifest.ref.kind == "PodGroup"
    )


def _is_unknown(ctx: Context, leaf: Request) -> bool:
    """Say whether nobody can tell what a device is good for: it may be one that many use, as a channel between nodes."""
    view = ctx.driver_of(leaf)
    return view is None or view.profile is None or view.profile.skip


def _has_sharing(claim: Claim) -> bool:
    """Say whether the claim's configuration tells a driver to share (time-slicing, MPS)."""
    parameters = (as_map(as_map(item.get("opaque")).get("parameters")) for item in claim.spec.config)
    return any("sharing" in body for body in parameters)


def _is_shareable(ctx: Context, leaf: Request) -> bool:
    """Say whether the inventory has devices of the driver, and all of them may be allocated more than once."""
    view = ctx.driver_of(leaf)
    devices = ctx.devices_of_driver(view.driver) if view else ()
    return bool(devices) and all(device.allow_multiple for device in devices)


def _shared(pod: PodView, entry: PodClaim, claim: Claim) -> Finding:
    pods = "one pod on each node" if pod.manifest.ref.kind == _PER_NODE else f"up to {pod.replicas} pods"
    name = claim.manifest.ref.name
    return RULE.finding(
        pod.manifest,
        entry.reference,
        f"{pod.manifest.ref.kind} '{pod.manifest.ref.name}' makes {pods}, and all of them share ResourceClaim '{name}': the "
        "same devices, on the nodes where these are",
        label="one claim for all",
        related=(Related(claim.manifest, claim.spec.path, "the claim"),),
    )


def _too_many(ctx: Context, found: list[tuple[PodView, PodClaim]], total: int) -> Finding:
    pod, entry = max(found, key=lambda use: use[0].replicas or 0)
    claim = ctx.claim_of(pod, entry)
    return RULE.finding(
        pod.manifest,
        entry.reference,
        f"{total} pods share ResourceClaim '{entry.claim_name}', and a claim is reserved for {MOST_PODS} at most: "
        f"{total - MOST_PODS} of them wait",
        severities=_FULL,
        label="too many",
        related=(Related(claim.manifest, claim.spec.path, "the claim"),) if claim else (),
    )


_SHARED = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: serve
spec:
  replicas: {replicas}
  selector:
    matchLabels:
      app: serve
  template:
    metadata:
      labels:
        app: serve
    spec:
      resourceClaims:
      - name: gpu
        resourceClaimName: gpu
      containers:
      - name: main
        image: registry.example.com/serve:1.2.3
        resources:
          claims:
          - name: gpu
"""

_GROUP = """\
---
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata:
  name: servers
spec:
  resourceClaims:
  - name: gpu
    resourceClaimName: gpu
"""
_IN_GROUP = _SHARED.replace(
    "      resourceClaims:", "      schedulingGroup: {{podGroupName: servers}}\n      resourceClaims:"
)

VALID = (
    Example("a single pod", _SHARED.format(replicas=1)),
    Example("the pods of a group share what the group names", _IN_GROUP.format(replicas=4) + _GROUP),
    Example(
        "a claim is reserved for a group as a whole",
        _IN_GROUP.format(replicas=300) + _GROUP,
        spec={"featureGates": {GROUP_GATE: True, "GenericWorkload": True}},
    ),
)
INVALID = (
    Example(
        "four replicas and one GPU",
        _SHARED.format(replicas=4),
        messages=(
            "Deployment 'serve' makes up to 4 pods, and all of them share ResourceClaim 'gpu': the same devices, on the "
            "nodes where these are",
        ),
    ),
    Example(
        "more pods than a claim can be reserved for",
        _SHARED.format(replicas=300),
        messages=("300 pods share ResourceClaim 'gpu', and a claim is reserved for 256 at most: 44 of them wait",),
    ),
)
