"""One container without devices keeps the pod from being Guaranteed

What it does
  Reports pods that hold devices and would be Guaranteed but for exactly one container that holds none: a log shipper, a
  proxy, an init container. Sees sidecars that a mesh will inject, by the pod's annotation or its namespace's label.

Why it matters
  The QoS class is the pod's: one container without equal requests and limits takes the pinned CPUs from all of them.

What it needs to know
  Where dra.cpu claims the CPUs, or nothing here says that the devices are accelerators, this is a warning.

What the fix does
  Makes that container's requests and limits the larger of the two, where amounts are written.
"""

from __future__ import annotations

from dralign.finding import ERROR, WARNING, Related, Severities
from dralign.fixes import qos
from dralign.manifest import Path, as_map
from dralign.model.qos import guaranteed_gaps
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.finding import Finding, Fix
    from dralign.manifest import Manifest
    from dralign.model.workload import PodView

RULE = Rule(
    id="sidecar-breaks-qos",
    severities=Severities(None, ERROR, ERROR),
    summary="one container without devices keeps the pod from being Guaranteed",
    tip="give it limits of cpu and memory, and requests equal to them",
    since="0.1",
    standards=("A4",),
)

ISTIO_TIP = (
    "set annotations sidecar.istio.io/proxyCPU and proxyCPULimit, proxyMemory and proxyMemoryLimit to equal pairs, and "
    "add an init container 'istio-init' (image: auto) with requests equal to limits; or turn injection off"
)
LINKERD_TIP = (
    "set annotations config.linkerd.io/proxy-cpu-request and proxy-cpu-limit, proxy-memory-request and "
    "proxy-memory-limit to equal pairs; or turn injection off"
)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per pod that a single bystander, written or injected, keeps from being Guaranteed."""
    for pod in ctx.pods:
        if not pod.containers or not ctx.holds_devices(pod) or ctx.pins_nothing(pod):
            continue
        gaps = guaranteed_gaps(pod)
        severities = None if ctx.wants_pinned_cpus(pod) else RULE.severities.at_most(WARNING)
        guilty = {id(gap.container): gap.container for gap in gaps}
        if not gaps:
            yield from _injected(ctx, pod, severities)
        elif len(guilty) == 1 and ctx.is_bystander(pod, *guilty.values()):
            (container,) = guilty.values()
            yield RULE.finding(
                pod.manifest,
                container.resources_path,
                f"container '{container.name}' holds no device but keeps the pod from being Guaranteed: it has "
                f"{' and '.join(str(gap) for gap in gaps)}",
                severities=severities,
                fix=_fix(ctx, pod),
            )


def _fix(ctx: Context, pod: PodView) -> Fix | None:
    patches = qos.guaranteed(ctx, pod)
    return ctx.alignment_fix("make its requests and limits equal", patches) if patches else None


def _injected(ctx: Context, pod: PodView, severities: Severities | None) -> Iterator[Finding]:
    """Yield the finding of a pod into which a mesh puts a proxy whose amounts nobody made equal."""
    for mesh, asked, proxy, amounts, tip in (
        ("istio", _istio, "istio-proxy", _ISTIO_AMOUNTS, ISTIO_TIP),
        ("linkerd", _linkerd, "linkerd-proxy", _LINKERD_AMOUNTS, LINKERD_TIP),
    ):
        where = asked(ctx, pod)
        if where is None or _prepared(pod, proxy, amounts):
            continue
        manifest, path, words = where
        related = () if manifest is pod.manifest else (Related(manifest, path, words),)
        yield RULE.finding(
            pod.manifest,
            pod.metadata_path if related else path,
            f"{mesh} injects a sidecar ({words}) whose requests and limits differ: the pod will not be Guaranteed",
            severities=severities,
            tip=tip,
            related=related,
        )


_ISTIO_AMOUNTS = tuple(
    (f"sidecar.istio.io/proxy{name}", f"sidecar.istio.io/proxy{name}Limit") for name in ("CPU", "Memory")
)
_LINKERD_AMOUNTS = tuple(
    (f"config.linkerd.io/proxy-{name}-request", f"config.linkerd.io/proxy-{name}-limit") for name in ("cpu", "memory")
)


def _prepared(pod: PodView, proxy: str, amounts: tuple[tuple[str, str], ...]) -> bool:
    """Say whether the proxy is written out (then it was counted already), or its amounts are set in equal pairs.

    Istio's annotations do not reach its init container, so that it must be written out too.
    """
    names = {container.name for container in pod.containers}
    if proxy in names:
        return True
    annotations = as_map(pod.metadata.get("annotations"))
    equal = all(annotations.get(a) is not None and annotations.get(a) == annotations.get(b) for a, b in amounts)
    return equal and (proxy != "istio-proxy" or "istio-init" in names)


def _istio(ctx: Context, pod: PodView) -> tuple[Manifest, Path, str] | None:
    """Return where sidecar injection is turned on: the pod's label or annotation wins over its namespace's label."""
    for field in ("labels", "annotations"):
        value = as_map(pod.metadata.get(field)).get("sidecar.istio.io/inject")
        if value is not None:
            path = pod.metadata_path / field / "sidecar.istio.io/inject"
            return (pod.manifest, path, f"{field[:-1]} sidecar.istio.io/inject") if value == "true" else None
    namespace = ctx.namespace_of(pod)
    if namespace is None or namespace.labels.get("istio-injection") != "enabled":
        return None
    return namespace, Path(("metadata", "labels", "istio-injection")), "namespace label istio-injection"


def _linkerd(ctx: Context, pod: PodView) -> tuple[Manifest, Path, str] | None:
    """Return where proxy injection is turned on: the pod's annotation wins over its namespace's."""
    key = "linkerd.io/inject"
    value = as_map(pod.metadata.get("annotations")).get(key)
    if value is not None:
        path = pod.metadata_path / "annotations" / key
        return (pod.manifest, path, f"annotation {key}") if value == "enabled" else None
    namespace = ctx.namespace_of(pod)
    if namespace is None or namespace.annotations.get(key) != "enabled":
        return None
    return namespace, Path(("metadata", "annotations", key)), f"namespace annotation {key}"


_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: one-gpu
  containers:
  - name: main
    image: registry.example.com/infer:1.2.3
    resources:
      limits: {cpu: 8, memory: 32Gi}
      claims: [{name: gpu}]
  - name: logs
    image: registry.example.com/logs:1.0
    resources:
"""
_ASKED = {"alignment": {"strategy": "constraint"}, "rules": {"claim-reference-missing": "off"}}

VALID = (Example("the log shipper has equal amounts", _POD + "      limits: {cpu: 100m, memory: 64Mi}\n", spec=_ASKED),)
INVALID = (
    Example(
        "a log shipper with requests only",
        _POD + "      requests: {cpu: 100m, memory: 64Mi}\n",
        messages=(
            "container 'logs' holds no device but keeps the pod from being Guaranteed: it has no cpu limit and no memory "
            "limit",
        ),
        fixed=_POD
        + "      requests: {cpu: 100m, memory: 64Mi}\n      limits:\n        cpu: 100m\n        memory: 64Mi\n",
        spec=_ASKED,
    ),
)
