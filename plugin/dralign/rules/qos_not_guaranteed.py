"""A pod that holds devices is not of QoS class Guaranteed

What it does
  Computes the QoS class of every pod that holds a device, by claim or by extended resource, from all of its containers,
  init containers and sidecars included, or from its pod-level resources.

Why it matters
  The kubelet pins CPUs and memory of Guaranteed pods only. All others float over every NUMA node of the machine, so that
  nothing is aligned, whatever the devices are.

What it needs to know
  Where dra.cpu claims the CPUs, the driver pins them itself; the class still guards the memory, and this is a warning. It
  is one, too, where nothing here says that the devices are accelerators: NICs, a class or a claim that nobody knows.
  Where every kubelet that may get the pod is known to pin neither CPUs nor memory, the class decides nothing: silent.

What the fix does
  Makes requests and limits the larger of the two, CPUs rounded up to whole ones for containers that hold devices. It
  lowers nothing, and leaves alone what no amount is written for.
"""

from __future__ import annotations

from dralign.finding import ERROR, WARNING, Severities
from dralign.fixes import qos
from dralign.model.qos import AS_A_WHOLE, guaranteed_gaps
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding, Fix
    from dralign.model.qos import Gap
    from dralign.model.workload import PodView

RULE = Rule(
    id="qos-not-guaranteed",
    severities=Severities(None, ERROR, ERROR),
    summary="a pod that holds devices is not of QoS class Guaranteed",
    tip="give every container limits of cpu and memory, and requests equal to them",
    since="0.1",
    standards=("A4",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per pod, on the first container that is in the way."""
    for pod in ctx.pods:
        if not ctx.holds_devices(pod) or not pod.containers or ctx.pins_nothing(pod):
            continue
        gaps = guaranteed_gaps(pod)
        guilty = {id(gap.container): gap.container for gap in gaps}
        if not gaps or (len(guilty) == 1 and ctx.is_bystander(pod, *guilty.values())):
            continue
        yield RULE.finding(
            pod.manifest,
            gaps[0].container.resources_path,
            f"the pod is not Guaranteed, so the kubelet pins neither CPUs nor memory: {_told(gaps)}",
            severities=None if ctx.wants_pinned_cpus(pod) else RULE.severities.at_most(WARNING),
            fix=_fix(ctx, pod),
        )


def _told(gaps: tuple[Gap, ...]) -> str:
    by_container: dict[str, list[str]] = {}
    for gap in gaps:
        by_container.setdefault(gap.container.name, []).append(str(gap))
    return "; ".join(f"{_who(name)} {' and '.join(words)}" for name, words in by_container.items())


def _who(name: str) -> str:
    return "its resources as a whole have" if name == AS_A_WHOLE else f"container '{name}' has"


def _fix(ctx: Context, pod: PodView) -> Fix | None:
    patches = qos.guaranteed(ctx, pod)
    return ctx.alignment_fix("make requests and limits equal", patches) if patches else None


_POD = """\
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
      requests: {requests}
      limits: {limits}
      claims:
      - name: gpu
"""
_ASKED = {"alignment": {"strategy": "constraint"}, "rules": {"claim-reference-missing": "off"}}

_KUBELET = """\
---
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cpuManagerPolicy: none
"""

VALID = (
    Example(
        "the kubelet is known to pin nothing",
        _POD.format(requests="{cpu: 6}", limits="{memory: 64Gi}") + _KUBELET,
        spec=_ASKED,
    ),
    Example(
        "equal and whole",
        _POD.format(requests="{cpu: 8, memory: 32Gi}", limits='{cpu: "8", memory: 32Gi}'),
        spec=_ASKED,
    ),
)
INVALID = (
    Example(
        "a memory limit above the request, and no CPU limit",
        _POD.format(requests='{cpu: "7500m", memory: 32Gi}', limits="{memory: 64Gi}"),
        messages=(
            "the pod is not Guaranteed, so the kubelet pins neither CPUs nor memory: container 'main' has no cpu limit "
            "and memory request '32Gi' and limit '64Gi'",
        ),
        fixed=_POD.format(requests='{cpu: "8", memory: 64Gi}', limits='{memory: 64Gi, cpu: "8"}'),
        spec=_ASKED,
    ),
)
