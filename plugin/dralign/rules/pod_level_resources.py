"""Pod-level resources keep the kubelet from pinning the containers

What it does
  Looks at pods that hold devices and set cpu or memory for the pod as a whole (spec.resources, KEP-2837), so that they are
  Guaranteed by it. Silent where feature gate PodLevelResourceManagers is on (KEP-5526), and where dra.cpu claims the CPUs.

Why it matters
  Without that gate the CPU and Memory Managers give no container of such a pod CPUs or memory of its own, whole CPUs or not:
  the pod is Guaranteed, looks pinned, and floats over all NUMA nodes.

What it needs to know
  Whether the kubelets have the gate on: it is off by default in every release so far. Say so under featureGates.
"""

from __future__ import annotations

from dralign.finding import WARNING, Severities
from dralign.manifest import as_map
from dralign.model.qos import COMPUTE, guaranteed_gaps, has_pod_level
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding
    from dralign.model.workload import PodView

MANAGERS = "PodLevelResourceManagers"
LEVEL = "PodLevelResources"

RULE = Rule(
    id="pod-level-resources",
    severities=Severities(None, WARNING, WARNING),
    summary="pod-level resources keep the kubelet from pinning the containers",
    tip=f"give each container its own equal requests and limits and take spec.resources out, or turn {MANAGERS} on in the "
    "kubelets",
    since="0.1",
    standards=("A4",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per pod that is Guaranteed as a whole and pinned nowhere."""
    if MANAGERS in ctx.gates or LEVEL not in ctx.gates:
        return
    for pod in ctx.pods:
        if has_pod_level(pod) and not guaranteed_gaps(pod) and ctx.holds_devices(pod) and not ctx.claims_cpus(pod):
            yield RULE.finding(
                pod.manifest,
                pod.path / "resources",
                f"spec.resources gives the pod {_told(pod)} as a whole, and the kubelet pins no container of it: feature "
                f"gate {MANAGERS} is off in {ctx.settings.kube_version}",
                label="not pinned",
            )


def _told(pod: PodView) -> str:
    limits = as_map(pod.pod_level.get("limits"))
    return " and ".join(f"{name} '{limits[name]}'" for name in COMPUTE if name in limits)


_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
{level}\
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: one-gpu
  containers:
  - name: main
    image: registry.example.com/train:1.2.3
    resources:
      limits:
        cpu: 8
        memory: 64Gi
      claims:
      - name: gpu
"""
_LEVEL = """\
  resources:
    limits:
      cpu: 10
      memory: 80Gi
"""

VALID = (
    Example("each container for itself", _POD.format(level="")),
    Example(
        "kubelets that pin such pods",
        _POD.format(level=_LEVEL),
        spec={"featureGates": {MANAGERS: True}},
    ),
)
INVALID = (
    Example(
        "Guaranteed, and pinned nowhere",
        _POD.format(level=_LEVEL),
        messages=(
            "spec.resources gives the pod cpu '10' and memory '80Gi' as a whole, and the kubelet pins no container of it: "
            "feature gate PodLevelResourceManagers is off in 1.37",
        ),
    ),
)
