"""CPUs are left to the kubelet beside a claimed accelerator

What it does
  Reports pods whose containers hold an accelerator by claim while no claim of the pod takes their CPUs. A lone GPU is
  enough: its memory traffic starts on some CPU.

Why it matters
  The kubelet's Topology Manager never sees DRA devices. It picks CPUs and memory without knowing where the GPU is, so
  Guaranteed QoS, a static CPU manager and policy single-numa-node, all set right, still align the two by chance.

What it needs to know
  On machines where a single NUMA node bears all CPUs there is nothing to miss. Only an inventory can tell.

What the fix does
  Only with --align cpu-claim: adds a request for the container's CPUs (dra.cpu) to the claim and ties both. Nodes then need
  a kubelet with cpuManagerPolicy: none, since the driver pins the CPUs. Where a claim serves several containers, or pods
  with different numbers of CPUs, there is no fix.
"""

from __future__ import annotations

from dralign.finding import ERROR, WARNING, Severities
from dralign.fixes import cpus
from dralign.model.driver import NUMA
from dralign.model.verdict import ALIGNED
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.claim import Claim
    from dralign.model.workload import Container, ContainerClaim, PodView

RULE = Rule(
    id="kubelet-blind",
    severities=Severities(None, WARNING, ERROR, explicit=ERROR),
    summary="CPUs are left to the kubelet beside a claimed accelerator",
    tip="claim the CPUs in the same claim (deviceClassName: dra.cpu) and tie both by matchAttribute: "
    "resource.kubernetes.io/numaNode",
    since="0.1",
    standards=("A2", "A4"),
)

ACCELERATORS = ("gpu", "npu")


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per pod, on the first container entry that brings an accelerator without its CPUs."""
    for pod in ctx.pods:
        if not pod.claims or ctx.claims_cpus(pod):
            continue
        found = next(_accelerators(ctx, pod), None)
        verdict = ctx.lasting_verdict_of(pod) if found is not None and ctx.has_slices else None
        if found is not None and (verdict is None or verdict.kind != ALIGNED):
            container, entry, claim = found
            yield RULE.finding(
                pod.manifest,
                entry.path,
                f"container '{container.name}' gets its accelerator from {claim.manifest.ref.kind_and_name} and its "
                "CPUs from the kubelet, which cannot see it: on one NUMA node only by chance",
                label="accelerator by claim, CPUs by the kubelet",
                marked=ctx.is_marked(pod),
                tip=_tip(ctx, claim, entry),
                fix=cpus.extend(ctx, claim),
                proof=ctx.proof_line(verdict),
                reach=ctx.reach_line(verdict),
            )


def _accelerators(ctx: Context, pod: PodView) -> Iterator[tuple[Container, ContainerClaim, Claim]]:
    """Yield the entries of containers that reach an accelerator."""
    for container in pod.containers:
        for entry in container.claims:
            declared = pod.claim_named(entry.name)
            claim = ctx.claim_of(pod, declared) if declared else None
            if claim is not None and any(device in ACCELERATORS for device in ctx.devices_of(claim, entry.request)):
                yield container, entry, claim


def _tip(ctx: Context, claim: Claim, entry: ContainerClaim) -> str | None:
    """Return what to type, by the attributes that accelerator and CPUs have; None where they share the usual one."""
    asked = [leaf for r in claim.requests if entry.request in (None, r.name) for leaf in r.leaves()]
    views = [view for leaf in asked for view in (ctx.driver_of(leaf),) if view and view.device in ACCELERATORS]
    names = {view.driver: view.attributes(NUMA) for view in views}
    silent = next((driver for driver, own in names.items() if not own), None)
    if silent is not None:
        return (
            f"{silent} publishes no NUMA node: nothing in a claim can say more, only nodes with a single NUMA node help"
        )
    apart = next((own for own in names.values() if ctx.settings.alignment.attribute not in own), None)
    if apart is None:
        return None
    return (
        "claim the CPUs in the same claim (deviceClassName: dra.cpu) and select one NUMA node for both by number: dra.cpu "
        f"does not publish {apart[0]}, so that no constraint can tie them"
    )


_BUNDLE = """\
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
          deviceClassName: gpu.nvidia.com
{cpus}---
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: one-gpu
  containers:
  - name: main
    image: registry.example.com/train:1.0
    resources:
      limits: {{cpu: 8, memory: 32Gi}}
      claims:
      - name: gpu
"""

VALID = (
    Example(
        "CPUs claimed and tied",
        _BUNDLE.format(
            cpus="""\
      - name: cpus
        exactly:
          deviceClassName: dra.cpu
          capacity: {requests: {dra.cpu/cpu: 8}}
      constraints:
      - matchAttribute: resource.kubernetes.io/numaNode
"""
        ),
    ),
)
INVALID = (
    Example(
        "a Guaranteed pod with a claimed GPU",
        _BUNDLE.format(cpus=""),
        messages=(
            "container 'main' gets its accelerator from ResourceClaimTemplate/one-gpu and its CPUs from the kubelet, which "
            "cannot see it: on one NUMA node only by chance",
        ),
    ),
    Example(
        "the same, where CPUs are to be claimed",
        _BUNDLE.format(cpus=""),
        messages=(
            "container 'main' gets its accelerator from ResourceClaimTemplate/one-gpu and its CPUs from the kubelet, which "
            "cannot see it: on one NUMA node only by chance",
        ),
        fixed=_BUNDLE.format(
            cpus="""\
      - name: cpus
        exactly:
          deviceClassName: dra.cpu
          capacity:
            requests:
              dra.cpu/cpu: "8"
      constraints:
      - matchAttribute: resource.kubernetes.io/numaNode
        requests:
        - gpu
        - cpus
"""
        ),
        spec={"alignment": {"strategy": "cpu-claim"}},
    ),
)
