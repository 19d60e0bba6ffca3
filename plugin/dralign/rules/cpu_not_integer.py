"""A container that holds devices asks for a fraction of a CPU

What it does
  Looks at the CPU amount of every container that holds a device, by claim or by extended resource.

Why it matters
  The static CPU manager pins whole CPUs only: a container with 7.5 CPUs runs in the shared pool, on any NUMA node.

What it needs to know
  Where dra.cpu claims the CPUs, the driver pins them itself, and this is a warning; likewise where nothing here says that
  the devices are accelerators. Where every kubelet that may get the pod is known to pin nothing, it is silent.

What the fix does
  Rounds up, in requests and limits. Set qos.roundCpu to never to be told only.
"""

from __future__ import annotations

from dralign.finding import ERROR, WARNING, Severities
from dralign.fixes import qos
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding, Fix
    from dralign.model.workload import Container, PodView

RULE = Rule(
    id="cpu-not-integer",
    severities=Severities(None, ERROR, ERROR),
    summary="a container that holds devices asks for a fraction of a CPU",
    tip="ask for whole CPUs",
    since="0.1",
    standards=("A4",),
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per container that holds devices and asks for a broken number of CPUs."""
    for pod in ctx.pods:
        for container in pod.containers:
            amount = container.request("cpu")
            if amount is None or amount.is_whole or not ctx.container_holds_devices(pod, container):
                continue
            if ctx.pins_nothing(pod):
                continue
            written = container.requests.get("cpu", container.limits.get("cpu"))
            yield RULE.finding(
                pod.manifest,
                container.amount_path("cpu"),
                f"container '{container.name}' asks for '{written}' CPUs; only whole CPUs are pinned to a NUMA node",
                label="not whole",
                severities=None if ctx.wants_pinned_cpus(pod) else RULE.severities.at_most(WARNING),
                fix=_fix(ctx, pod, container),
            )


def _fix(ctx: Context, pod: PodView, container: Container) -> Fix | None:
    if not ctx.rounds_cpus or not pod.written:
        return None
    patches = tuple(qos.equal(pod, container, "cpu", whole=True))
    return ctx.alignment_fix("round the CPUs up", patches) if patches else None


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
      limits:
        cpu: {cpu}   # one per worker
        memory: 32Gi
      claims:
      - name: gpu
"""
_ASKED = {"alignment": {"strategy": "constraint"}, "rules": {"claim-reference-missing": "off"}}

_KUBELET = "---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncpuManagerPolicy: none\n"

VALID = (
    Example("the kubelet is known to pin nothing", _POD.format(cpu="7500m") + _KUBELET, spec=_ASKED),
    Example("eight, written with decimals", _POD.format(cpu="8.0"), spec=_ASKED),
    Example("eight, in thousandths", _POD.format(cpu="8000m"), spec=_ASKED),
)
INVALID = (
    Example(
        "seven and a half",
        _POD.format(cpu="7500m"),
        messages=("container 'main' asks for '7500m' CPUs; only whole CPUs are pinned to a NUMA node",),
        fixed=_POD.format(cpu='"8"'),
        spec=_ASKED,
    ),
)
