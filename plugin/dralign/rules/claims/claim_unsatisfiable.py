"""A claim can never be allocated on the devices of the inventory

What it does
  Asks the allocator for every claim and template of the bundle, on every node of the inventory with nothing taken, and
  says for each request what took its devices: class, selectors, constraints, capacity, counters, taints. A ResourceQuota
  of the same namespace that allows fewer devices of a class than the claim asks for counts too, and so does a pod with a
  nodeName: the scheduler, which alone allocates claims, does not see it.

Why it matters
  The pod stays Pending for ever, and the scheduler's message counts nodes only.

What it needs to know
  The inventory. What devices hold now is left aside: that a claim has to wait is no fault of its own. Of drivers without
  any device in the inventory it is only told, as a warning, that they have no capacity of the name that is asked for.
"""

from __future__ import annotations

from dralign.finding import ERROR, WARNING, Severities
from dralign.kinds.claims import TEMPLATE as CLAIM_TEMPLATE
from dralign.manifest import as_map
from dralign.model.workload import quantity
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.manifest import Manifest
    from dralign.model.claim import Claim
    from dralign.model.workload import PodView

RULE = Rule(
    id="claim-unsatisfiable",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a claim can never be allocated on the devices of the inventory",
    tip="ask for what the nodes have: 'dralign inventory show' draws it",
    since="0.1",
    yields_to=(
        "cel-invalid",
        "cel-never-matches",
        "cel-runtime-error",
        "class-unknown",
        "numa-attribute-unpublished",
        "object-invalid",
        "partition-profile-unknown",
    ),
)

QUOTA = ".deviceclass.resource.k8s.io/devices"
"""Behind the name of a class: the resource of a ResourceQuota that counts devices."""


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per claim that no node can serve, and one per quota that refuses a claim."""
    quotas = [manifest for manifest in ctx.bundle.manifests if manifest.ref.kind == "ResourceQuota"]
    for claim in ctx.claims:
        if ctx.has_slices:
            yield from _on_inventory(ctx, claim)
        yield from _by_quota(ctx, claim, quotas)
        yield from _by_catalogue(ctx, claim)
    for pod in ctx.pods:
        yield from _past_the_scheduler(ctx, pod)


def _by_catalogue(ctx: Context, claim: Claim) -> Iterator[Finding]:
    """Yield a finding for each capacity that is asked for, and that no device of the driver has under any domain."""
    for leaf in claim.spec.leaves:
        view = ctx.driver_of(leaf)
        if view is None or view.profile is None or view.profile.partial or ctx.devices_of_driver(view.driver):
            continue
        known = [row.name for row in view.profile.capacities]
        for name in leaf.capacity if known else ():
            if not any(one.rpartition("/")[2] == name.rpartition("/")[2] for one in known):
                yield RULE.finding(
                    claim.manifest,
                    leaf.body.join(("capacity", "requests", name)),
                    f"request '{leaf.name}' asks for capacity '{name}', which devices of {view.driver} do not have: they "
                    f"have {', '.join(known)}",
                    severities=RULE.severities.at_most(WARNING),
                    label="no such capacity",
                    tip=f"write {known[0]}" if len(known) == 1 else "name a capacity that the driver publishes",
                    related=ctx.users_of(claim),
                )


def _past_the_scheduler(ctx: Context, pod: PodView) -> Iterator[Finding]:
    """Yield a finding for a pod that is bound to its node as it is made, so that nobody allocates its claims."""
    unallocated = ctx.unallocated(pod)
    if unallocated is None:
        return
    node, entry = unallocated
    yield RULE.finding(
        pod.manifest,
        pod.path / "nodeName",
        f"never starts: nodeName '{node}' passes by the scheduler, and nobody else allocates the claim that the pod gets "
        f"from {CLAIM_TEMPLATE} '{entry.template_name}'",
        label="never starts",
        tip=f"choose the node by nodeSelector: {{kubernetes.io/hostname: {node}}} instead of nodeName",
    )


def _on_inventory(ctx: Context, claim: Claim) -> Iterator[Finding]:
    verdict = ctx.never_fits(claim)
    refusal = verdict.refusal if verdict is not None else None
    if verdict is None or refusal is None:
        return
    error = next((shape.error for shape in refusal.shapes if shape.error), "")
    yield RULE.finding(
        claim.manifest,
        claim.spec.path / "devices",
        f"never fits: {error or refusal.nearest}",
        label="never fits",
        tip=f"it would fit {', or '.join(map(_with, refusal.changes))}" if refusal.changes else None,
        related=ctx.users_of(claim),
        reach=f"{len(verdict.nodes)} of {len(verdict.nodes)} nodes" if verdict.nodes else None,
    )


def _with(change: str) -> str:
    return change if change.startswith("without") else f"with {change}"


def _by_quota(ctx: Context, claim: Claim, quotas: Sequence[Manifest]) -> Iterator[Finding]:
    """Yield a finding for each quota that allows fewer devices of a class than the claim asks for."""
    wanted: dict[str, int] = {}
    for request in claim.requests:
        counts = [(leaf.device_class or "", leaf.count) for leaf in request.leaves() if not leaf.admin_access]
        for name, count in counts if len(counts) == 1 else ():
            wanted[name] = wanted.get(name, 0) + count
    for quota in quotas:
        same = quota.ref.home == claim.manifest.ref.home
        hard = as_map(quota.get(("spec", "hard"))) if same else {}
        for name, count in wanted.items():
            limit = quantity(hard.get(f"{name}{QUOTA}"))
            if limit is not None and limit.scaled_value() < count:
                yield RULE.finding(
                    claim.manifest,
                    claim.spec.path / "devices" / "requests",
                    f"never fits: it asks for {count} devices of class '{name}', and {quota.ref.kind_and_name} allows "
                    f"{limit.scaled_value()} in its namespace",
                    tip="raise the quota, or ask for less",
                    related=ctx.users_of(claim),
                )


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpus
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
        count: {count}
"""
_CLUSTER = """\
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu.example.com
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.example.com"
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-a-gpus
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
  - name: gpu-1
"""

VALID = (
    Example("as many as a node has", _CLAIM.format(count=2) + _CLUSTER),
    Example("no devices are known", _CLAIM.format(count=8)),
)
INVALID = (
    Example(
        "more than any node has",
        _CLAIM.format(count=3) + _CLUSTER,
        messages=("never fits: node-a: gpu needs 3, 2 of 2 devices do",),
    ),
    Example(
        "more than the namespace may have",
        _CLAIM.format(count=2).replace("example", "nvidia")
        + """\
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: small
spec:
  hard:
    gpu.nvidia.com.deviceclass.resource.k8s.io/devices: "1"
""",
        messages=(
            "never fits: it asks for 2 devices of class 'gpu.nvidia.com', and ResourceQuota/small allows 1 in its "
            "namespace",
        ),
    ),
)
