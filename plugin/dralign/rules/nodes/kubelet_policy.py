"""Kubelets are not configured to keep pods on one NUMA node

What it does
  Reads KubeletConfigurations (files, kubeadm's ConfigMap, OpenShift's KubeletConfig, Karpenter's node classes, answers of
  /configz) as the kubelet does: fields it does not know, values it refuses, and whether its managers would start. Where the
  kubelet pins, it wants the static CPU manager, single-numa-node and a Static Memory Manager. Where dra.cpu pins, the
  kubelet must leave CPUs and memory alone. Also finds nodes that offer the same cards by device plugin and by DRA.

Why it matters
  A misspelt field is only logged, and a wrong policy shows when the node does not come back. Two that pin CPUs take them
  from each other, and a card that is offered twice is given away twice.

What it needs to know
  Whose a configuration is: that of all nodes beside it in the bundle or inventory file, else of all nodes. Machines are
  known by NodeResourceTopology or by devices of dra.cpu; unknown ones are taken to be large enough. Whether reservedMemory
  adds up to a threshold in per cent, only the exact size of the memory could tell.
"""

from __future__ import annotations

from dralign.finding import ERROR, INFO, WARNING, Related, Severities
from dralign.manifest import Path
from dralign.rule import Example, Rule
from dralign.spelling import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context, Kubelet
    from dralign.finding import Finding

RULE = Rule(
    id="kubelet-policy",
    severities=Severities(None, WARNING, ERROR),
    summary="kubelets are not configured to keep pods on one NUMA node",
    tip="set cpuManagerPolicy: static, topologyManagerPolicy: single-numa-node and memoryManagerPolicy: Static",
    since="0.1",
    standards=("A2",),
    audience="platform",
)

ALWAYS = Severities(ERROR, ERROR, ERROR)
TWICE = Severities(None, ERROR, ERROR)


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per fault of a configuration; those of equal configurations of several nodes are one."""
    said: set[tuple[Path, str]] = set()
    for kubelet in ctx.kubelets:
        own = ctx.is_input(kubelet.source.manifest)
        refused = tuple(_refused(ctx, kubelet)) if own else ()
        open_ends = (*_unknown(kubelet), *(refused or _unpinned(ctx, kubelet))) if own else ()
        for finding in (*open_ends, *_pinned_twice(ctx, kubelet)):
            key = (finding.path, finding.message)
            if key not in said:
                said.add(key)
                yield finding
    yield from _offered_twice(ctx)


def _unknown(kubelet: Kubelet) -> Iterator[Finding]:
    """Yield the fields that a kubelet does not know: it logs them, and goes on without."""
    source = kubelet.source
    if source.captured or not (source.whole or source.manifest.ref.kind == "KubeletConfig"):
        return
    from dralign.kubelet.blame import beside, keys_of  # noqa: PLC0415 -- for faults only

    for field in kubelet.reading.ignored:
        keys = keys_of(field, source.data)
        if keys == ("metadata",):
            continue
        names = {name.lower(): name for name in beside(keys)}
        meant = names.get(str(keys[-1]).lower()) or nearest(str(keys[-1]), names.values())
        yield RULE.finding(
            source.manifest,
            source.place(*keys),
            f"the kubelet knows no field '{field}' and goes on without it"
            + (f"; did you mean '{meant}'?" if meant else ""),
            label="only logged",
            tip=f"write {meant}" if meant else "take the field off",
        )


def _refused(ctx: Context, kubelet: Kubelet) -> Iterator[Finding]:
    """Yield why the kubelet would not start."""
    from dralign.kubelet import blame  # noqa: PLC0415 -- few runs know a kubelet
    from dralign.kubelet.room import hangs_on_memory  # noqa: PLC0415

    source, reading = kubelet.source, kubelet.reading
    if source.captured:
        return
    if reading.configuration is None:
        for message, keys in blame.of_reading(reading, source.data):
            yield _no_start(kubelet, keys, message)
        return
    failed = ctx.failed_start(kubelet)
    if failed is not None:
        step, message, node = failed
        yield _no_start(kubelet, blame.of_start(step, message, source.data), message + (f" ({node})" if node else ""))
    elif source.whole and hangs_on_memory(reading.configuration):
        threshold = reading.configuration.eviction_hard["memory.available"]
        yield RULE.finding(
            source.manifest,
            source.place("evictionHard", "memory.available"),
            f"whether reservedMemory adds up hangs on the exact size of the node's memory: evictionHard memory.available "
            f"is {threshold}",
            severities=RULE.severities.at_most(INFO),
            tip="write memory.available as an amount, such as 100Mi",
        )


def _no_start(kubelet: Kubelet, keys: tuple[str | int, ...], message: str) -> Finding:
    from dralign.kubelet import advice  # noqa: PLC0415

    source = kubelet.source
    field = str(keys[0]) if keys else ""
    value = str(source.data.get(field))
    meant = advice.right_value(field, value)
    if meant is None and value not in advice.policies(field):
        meant = nearest(value, advice.policies(field))
    tip = f"write {field}: {meant}" if meant else advice.tip(field, message)
    what = "the kubelet would not start: " if source.whole else "kubelets with this would not start: "
    return RULE.finding(source.manifest, source.place(*keys), what + message, severities=ALWAYS, tip=tip)


def _unpinned(ctx: Context, kubelet: Kubelet) -> Iterator[Finding]:
    """Yield what a kubelet that pins, or that should, leaves open."""
    config = kubelet.configuration
    if config is None or ctx.pinned_by_driver(kubelet) is not None:
        return
    wanted = (
        ("cpuManagerPolicy", config.cpu_policy, "none", "static", "no container gets CPUs of its own"),
        (
            "topologyManagerPolicy",
            config.topology_policy,
            "none",
            "single-numa-node",
            "what fits no single NUMA node is spread over several"
            if config.topology_policy == "restricted"
            else "CPUs, memory and devices may come from different NUMA nodes",
        ),
        ("memoryManagerPolicy", config.memory_policy, "None", "Static", "memory may come from any NUMA node"),
    )
    if all(value == off for _, value, off, _, _ in wanted):
        yield from _idle(ctx, kubelet)
        return
    for field, value, _, right, harm in wanted:
        if value != right:
            unset = "" if field in kubelet.source.data else " (the default)"
            yield RULE.finding(
                kubelet.source.manifest,
                kubelet.source.place(field),
                f"{field} is '{value}'{unset}: {harm}, though this kubelet pins",
                label=f"want {right}",
                tip=f"set {field}: {right}"
                + (" and list the reserved memory of each NUMA node in reservedMemory" if right == "Static" else ""),
            )


def _idle(ctx: Context, kubelet: Kubelet) -> Iterator[Finding]:
    """Yield the finding of a kubelet that pins nothing while pods with accelerators may come, and nobody else pins."""
    pod = next((pod for pod in ctx.accelerated_pods if kubelet in ctx.kubelets_of(pod)), None)
    if pod is not None:
        unset = "" if "cpuManagerPolicy" in kubelet.source.data else " (the default)"
        yield RULE.finding(
            kubelet.source.manifest,
            kubelet.source.place("cpuManagerPolicy"),
            f"cpuManagerPolicy is 'none'{unset} and no driver pins CPUs here: pods with accelerators run on the CPUs and "
            "memory of any NUMA node",
            tip=f"{RULE.tip}, or claim CPUs from dra.cpu",
            related=(Related(pod.manifest, pod.path, "may land here"),),
        )


def _pinned_twice(ctx: Context, kubelet: Kubelet) -> Iterator[Finding]:
    """Yield the policies with which a kubelet and dra.cpu work against each other."""
    where = ctx.pinned_by_driver(kubelet)
    config = kubelet.configuration
    if where is None or config is None:
        return
    manifest, source = kubelet.source.manifest, kubelet.source
    related = () if where.manifest is manifest else (where,)
    for field, value, wrong, harm, right in (
        (
            "cpuManagerPolicy",
            config.cpu_policy,
            "static",
            "both pin CPUs, each without knowing of the other",
            "none",
        ),
        (
            "memoryManagerPolicy",
            config.memory_policy,
            "Static",
            "the kubelet pins memory without seeing the CPUs that dra.cpu gave, so that the two lie apart",
            "None",
        ),
    ):
        if value == wrong:
            message = f"{field} is '{value}', but driver dra.cpu hands out CPUs here: {harm}"
            place, tip = source.place(field), f"set {field}: {right} on nodes with dra.cpu"
            yield RULE.finding(manifest, place, message, severities=TWICE, tip=tip, related=related)


def _offered_twice(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per resource that nodes offer by device plugin while a driver offers the same cards."""
    for resource, driver, nodes in ctx.offered_twice:
        node, *others = nodes
        more = f" ({len(others)} more nodes likewise)" if others else ""
        yield RULE.finding(
            ctx.node_objects[node],
            Path(("status", "allocatable", resource)),
            f"node {node} offers the same cards twice{more}: {resource} by its device plugin, and devices of {driver}; a "
            "card may be given to two pods",
            tip="on nodes with the DRA driver, turn the device plugin off",
        )


_CONFIG = """\
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
"""
_RIGHT = (
    _CONFIG
    + """\
cpuManagerPolicy: static
topologyManagerPolicy: single-numa-node
memoryManagerPolicy: Static
reservedSystemCPUs: 0,32
reservedMemory:
- numaNode: 0
  limits: {memory: 100Mi}
"""
)
_POD = """\
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  resourceClaims:
  - name: cpus
    resourceClaimTemplateName: cpus
  containers:
  - name: main
    image: registry.example.com/train:1.0
    resources:
      limits: {cpu: 8, memory: 32Gi}
      claims:
      - name: cpus
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: cpus}
spec:
  spec:
    devices:
      requests:
      - name: cpus
        exactly: {deviceClassName: dra.cpu, capacity: {requests: {dra.cpu/cpu: 8}}}
"""

VALID = (
    Example("all three managers", _RIGHT),
    Example("an ordinary kubelet, and no accelerator that would need more", _CONFIG),
    Example("CPUs are claimed, and the kubelet leaves them alone", _CONFIG + "cpuManagerPolicy: none\n" + _POD),
)
INVALID = (
    Example(
        "one of three, and a slip",
        _RIGHT.replace("topologyManagerPolicy", "topologyManagerPolcy"),
        messages=(
            "topologyManagerPolicy is 'none' (the default): CPUs, memory and devices may come from different NUMA nodes, "
            "though this kubelet pins",
            "the kubelet knows no field 'topologyManagerPolcy' and goes on without it; did you mean "
            "'topologyManagerPolicy'?",
        ),
    ),
    Example(
        "the kubelet stays down",
        _CONFIG + "cpuManagerPolicy: Static\n",
        messages=('the kubelet would not start: unknown policy: "Static"',),
    ),
    Example(
        "two pin the same CPUs",
        _RIGHT.replace("memoryManagerPolicy: Static", "memoryManagerPolicy: None").partition("reservedMemory")[0]
        + _POD,
        messages=(
            "cpuManagerPolicy is 'static', but driver dra.cpu hands out CPUs here: both pin CPUs, each without knowing of "
            "the other",
        ),
    ),
)
