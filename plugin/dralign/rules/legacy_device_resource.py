"""A whole accelerator is asked for as an extended resource

What it does
  Finds GPUs and other accelerators by their device plugin's resource name, in limits and requests, in every kind that
  makes pods. Where a DeviceClass of the input serves the name by DRA (extendedResourceName, or
  deviceclass.resource.kubernetes.io/<class>), this is a warning; likewise where no claim can say more about the
  device's place, since its driver publishes neither NUMA node nor PCIe root, or there is no driver.

Why it matters
  A device plugin chooses the device. Nobody can say which NUMA node or PCIe root it must lie on, nor tie it to the NIC.
  A claim that the scheduler makes from such a resource cannot carry a constraint either.

What it needs to know
  Where the pod's node selector, or labels of the inventory's nodes, say that nvidia.com/gpu is a MIG slice (strategy
  single, GKE's partition size) or a share, the finding says so, and nothing is rewritten.
  Some clusters add tolerations to pods that ask for an extended resource (admission plugin ExtendedResourceToleration):
  a pod that claims its device must bring its own.
  A kubelet with the static CPU manager and single-numa-node keeps devices of a plugin that publishes topology with the CPUs
  of a Guaranteed pod. Where every kubelet that may get the pod is known to, this is said as info, and nothing is repaired.

What the fix does
  Writes a claim template for the container, wires the pod to it and takes the resource off.
"""

from __future__ import annotations

from dralign.finding import ERROR, INFO, WARNING, Severities
from dralign.fixes import legacy
from dralign.model.driver import NUMA, PARENT, PCIE_ROOT
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context, LegacyUse
    from dralign.context.plugins import Meaning
    from dralign.finding import Finding

RULE = Rule(
    id="legacy-device-resource",
    severities=Severities(None, ERROR, ERROR),
    summary="a whole accelerator is asked for as an extended resource",
    tip="claim the device through a ResourceClaimTemplate",
    since="0.1",
    standards=("B1",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per container and resource, and one per such amount outside of any container."""
    for use in ctx.legacy_uses():
        if use.known is not None and (use.known.share != "whole" or use.known.device in ctx.left_to_plugins):
            continue
        if use.beside_claim or (use.known is None and use.served_by not in ctx.known_classes):
            continue  # other rules say so: both at once, or a class that is not there
        other = ctx.meaning_of(use.resource, use.pod) if not use.served_by else None
        if ctx.aligned_by_kubelet(use):
            yield RULE.finding(
                use.manifest,
                use.path,
                f"{use.who} takes {_device(ctx, use, other)} as extended resource '{use.resource}': the kubelet aligns it "
                "with the container's CPUs (static, single-numa-node), which it could not do for a claim",
                label="aligned by the kubelet",
                severities=RULE.severities.at_most(INFO),
                tip="leave it so until CPUs are claimed too (deviceClassName: dra.cpu)",
            )
            continue
        served = f" (served by DRA through class '{use.served_by}')" if use.served_by else ""
        cannot = (
            "cannot carry a constraint" if served else "nothing can say on which NUMA node, or tie it to CPUs and NIC"
        )
        yield RULE.finding(
            use.manifest,
            use.path,
            f"{use.who} takes {_device(ctx, use, other)} as extended resource '{use.resource}'{served}: {cannot}",
            label="chosen without a constraint" if served else "chosen by the device plugin",
            severities=RULE.severities.at_most(WARNING) if served or _gains_nothing(ctx, use) else None,
            tip=_tip(ctx, use, other),
            fix=legacy.rewrite_of(ctx, use),
        )


def _device(ctx: Context, use: LegacyUse, other: Meaning | None) -> str:
    if other is not None:
        return str(other)
    view = ctx.view_of_class(use.served_by) if use.served_by else None
    is_part = view is not None and view.device_type is not None and bool(view.attributes(PARENT))
    return f"a part of {use.one_device}" if is_part else use.one_device


def _gains_nothing(ctx: Context, use: LegacyUse) -> bool:
    """Say whether a claim could say no more of the device's place: no class serves it, or none of its attributes tells."""
    if use.known is None or use.served_by:
        return False
    if use.known.device_class is None:
        return bool(use.known.no_twin)
    view = ctx.view_of_class(use.known.device_class)
    return view is not None and not any(view.attributes(role) for role in (NUMA, PCIE_ROOT))


def _tip(ctx: Context, use: LegacyUse, other: Meaning | None) -> str:
    if use.pod and ctx.kubelet_could_align(use.pod):
        return "make the pod Guaranteed with whole CPUs: then the kubelet aligns it (static, single-numa-node)"
    if other is not None:
        return other.tip
    device_class = use.served_by or (use.known.device_class if use.known else None)
    if device_class is None:
        return f"no claim says the same: {use.known.no_twin}" if use.known and use.known.no_twin else RULE.tip
    return f"claim it: a ResourceClaimTemplate with deviceClassName: {device_class}"


_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: serve
spec:
  selector: {matchLabels: {app: serve}}
  template:
    metadata: {labels: {app: serve}}
    spec:
      containers:
      - name: server
        image: registry.example.com/serve:1.0
        resources:
          limits: {cpu: 8, memory: 32Gi}
"""
_KUBELET = """\
---
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cpuManagerPolicy: static
topologyManagerPolicy: single-numa-node
memoryManagerPolicy: Static
reservedSystemCPUs: 0,32
reservedMemory:
- numaNode: 0
  limits: {memory: 100Mi}
"""

VALID = (
    Example("no accelerator at all", _DEPLOYMENT),
    Example("none is none", _DEPLOYMENT.replace("32Gi}", "32Gi, nvidia.com/gpu: 0}")),
)
INVALID = (
    Example(
        "two GPUs, in limits only",
        _DEPLOYMENT.replace("32Gi}", "32Gi, nvidia.com/gpu: '2'}"),
        messages=(
            "container 'server' takes a GPU as extended resource 'nvidia.com/gpu': nothing can say on which NUMA node, or "
            "tie it to CPUs and NIC",
        ),
        fixed="""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: gpu-x2-HASH
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
          count: 2
      constraints:
      - matchAttribute: resource.kubernetes.io/numaNode
        requests:
        - gpu
---
"""
        + _DEPLOYMENT
        + """\
          claims:
          - name: gpu
      resourceClaims:
      - name: gpu
        resourceClaimTemplateName: gpu-x2-HASH
""",
        spec={"alignment": {"strategy": "constraint"}},
    ),
    Example(
        "the kubelet is known to align it",
        _DEPLOYMENT.replace("32Gi}", "32Gi, nvidia.com/gpu: 1}") + _KUBELET,
        messages=(
            "container 'server' takes a GPU as extended resource 'nvidia.com/gpu': the kubelet aligns it with the "
            "container's CPUs (static, single-numa-node), which it could not do for a claim",
        ),
    ),
)
