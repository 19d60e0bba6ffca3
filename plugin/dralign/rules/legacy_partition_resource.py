"""A fraction of an accelerator is asked for as an extended resource

What it does
  Finds MIG and CPX partitions, shares of time-slicing, and amounts of GPU memory or cores in limits and requests, in
  every kind that makes pods.

Why it matters
  A device plugin chooses the partition. Nobody can say which card, NUMA node or PCIe root it must lie on, nor tie it to
  the CPUs and the NIC of the container.

What it needs to know
  A kubelet with the static CPU manager and single-numa-node keeps partitions of a plugin that publishes topology with the
  CPUs of a Guaranteed pod. Where every kubelet that may get the pod is known to, this is said as info, and nothing is
  repaired.

What the fix does
  Writes a claim template for the container, wires the pod to it and takes the resource off. Shares of time-slicing and
  amounts on a device have no twin in DRA: they are left as they are, and the finding says why.
"""

from __future__ import annotations

from dralign.finding import ERROR, INFO, Severities
from dralign.fixes import legacy
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.plugin_names import LegacyResource
    from dralign.model.workload import PodView

RULE = Rule(
    id="legacy-partition-resource",
    severities=Severities(None, ERROR, ERROR),
    summary="a fraction of an accelerator is asked for as an extended resource",
    tip="claim the partition through a ResourceClaimTemplate",
    since="0.1",
    standards=("A1",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per container and resource, and one per such amount outside of any container."""
    for use in ctx.legacy_uses():
        if (
            use.known is None
            or use.known.share == "whole"
            or use.known.device in ctx.left_to_plugins
            or use.beside_claim
        ):
            continue
        if ctx.aligned_by_kubelet(use):
            yield RULE.finding(
                use.manifest,
                use.path,
                f"{use.who} takes a part of {use.one_device} as extended resource '{use.resource}': the "
                "kubelet aligns it with the container's CPUs (static, single-numa-node), which it could not do for a claim",
                label="aligned by the kubelet",
                severities=RULE.severities.at_most(INFO),
                tip="leave it so until CPUs are claimed too (deviceClassName: dra.cpu)",
            )
            continue
        yield RULE.finding(
            use.manifest,
            use.path,
            f"{use.who} takes a part of {use.one_device} as extended resource '{use.resource}': nothing can "
            "say on which NUMA node, or tie it to CPUs and NIC",
            label="chosen by the device plugin",
            tip=_tip(ctx, use.pod, use.known),
            fix=legacy.rewrite_of(ctx, use),
        )


def _tip(ctx: Context, pod: PodView | None, known: LegacyResource) -> str:
    if pod and ctx.kubelet_could_align(pod):
        return "make the pod Guaranteed with whole CPUs: then the kubelet aligns it (static, single-numa-node)"
    if known.device_class is None:
        return f"no claim says the same: {known.no_twin}"
    return f"claim it: a ResourceClaimTemplate with deviceClassName: {known.device_class}"


_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      limits:
        cpu: "8"
        memory: 64Gi
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
    Example("no accelerator at all", _POD),
    Example(
        "a label of the GPU operator is no resource", _POD + "  nodeSelector:\n    nvidia.com/mig.strategy: mixed\n"
    ),
)
INVALID = (
    Example(
        "a MIG partition by name",
        _POD + "        nvidia.com/mig-3g.40gb: 1\n",
        messages=(
            "container 'main' takes a part of a GPU as extended resource 'nvidia.com/mig-3g.40gb': nothing can say on "
            "which NUMA node, or tie it to CPUs and NIC",
        ),
        fixed="""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: mig-3g-40gb-HASH
spec:
  spec:
    devices:
      requests:
      - name: mig-3g-40gb
        exactly:
          deviceClassName: mig.nvidia.com
          selectors:
          - cel:
              expression: device.attributes["gpu.nvidia.com"].?profile.orValue("") == "3g.40gb"
---
"""
        + _POD
        + """\
      claims:
      - name: mig-3g-40gb
  resourceClaims:
  - name: mig-3g-40gb
    resourceClaimTemplateName: mig-3g-40gb-HASH
""",
        spec={"alignment": {"strategy": "constraint"}},
    ),
    Example(
        "a share of a time-sliced GPU has no twin",
        _POD + "        nvidia.com/gpu.shared: 1\n",
        messages=(
            "container 'main' takes a part of a GPU as extended resource 'nvidia.com/gpu.shared': nothing can say on which "
            "NUMA node, or tie it to CPUs and NIC",
        ),
    ),
    Example(
        "the kubelet is known to align it",
        _POD + "        nvidia.com/mig-3g.40gb: 1\n" + _KUBELET,
        messages=(
            "container 'main' takes a part of a GPU as extended resource 'nvidia.com/mig-3g.40gb': the kubelet aligns it "
            "with the container's CPUs (static, single-numa-node), which it could not do for a claim",
        ),
    ),
)
