"""Memory or huge pages of a container cannot fit one NUMA node

What it does
  Compares what a container asks for with what one NUMA node of the machines it may land on can give: memory, and huge pages
  of each size. Without a known kubelet it looks at containers that hold devices; where the kubelet's Memory Manager is
  Static, at every pod, and says whether the kubelet would refuse it.

Why it matters
  What does not fit lies on two NUMA nodes: half of the accesses cross the link between sockets. A Static Memory Manager with
  single-numa-node refuses the pod (TopologyAffinityError), and the scheduler, which does not know, sends the next one.

What it needs to know
  Memory and huge pages per NUMA node, from NodeResourceTopology. Containers that take a whole machine, eight accelerators
  or more CPUs than one NUMA node has, are left alone: they spread anyway.
"""

from __future__ import annotations

from dralign.finding import ERROR, INFO, WARNING, Related, Severities
from dralign.model.claim import ALL
from dralign.model.numa import HUGEPAGES
from dralign.model.workload import quantity
from dralign.record import Record
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dralign.context import Case, Context, Kubelet
    from dralign.finding import Finding
    from dralign.kubelet.machine import Machine
    from dralign.model.numa import NumaLayout
    from dralign.model.workload import Container, PodView

RULE = Rule(
    id="hugepages-numa",
    severities=Severities(None, WARNING, WARNING),
    summary="memory or huge pages of a container cannot fit one NUMA node",
    tip="ask for less than one NUMA node has, or split the work into more pods",
    since="0.1",
    standards=("A2",),
)

REFUSED = Severities(None, ERROR, ERROR)
WHOLE_MACHINE = 8
"""Accelerators of the usual machines."""

_UNITS = ((1 << 40, "Ti"), (1 << 30, "Gi"), (1 << 20, "Mi"), (1 << 10, "Ki"))


class Large(Record):
    """What a container asks for in vain: the resource, and what the best NUMA node of a node has of it, in bytes."""

    container: Container
    resource: str
    node: str
    most: int


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per pod: on the first container that asks for too much."""
    for pod in ctx.pods:
        found = next(iter((*_refusals(ctx, pod), *_doubts(ctx, pod))), None) if ctx.kubelets else None
        found = found or next(_overflows(ctx, pod), None)
        if found is not None:
            yield found


def _resources(container: Container) -> tuple[str, ...]:
    """Return the kinds of memory that a container asks for, huge pages first: they are scarcer."""
    names = (*(name for name in container.resources if name.startswith(HUGEPAGES)), "memory")
    return tuple(name for name in names if container.request(name))


def _overflows(ctx: Context, pod: PodView) -> Iterator[Finding]:
    """Yield what no NUMA node of any node that the pod may land on can give to a container with devices."""
    holders = [c for c in pod.containers if _resources(c) and ctx.container_holds_devices(pod, c)]
    nodes = ctx.nodes_for(pod) if holders else []
    layouts = {name: layout for name in nodes for layout in (ctx.layout_at(name),) if layout is not None}
    if not layouts or len(layouts) < len(nodes):
        return
    for container in holders:
        for resource in () if _spreads_anyway(ctx, pod, container, layouts.values()) else _resources(container):
            offers = [
                (max(_offered(layout, resource).values(), default=None), name) for name, layout in layouts.items()
            ]
            most, node = max(((amount, name) for amount, name in offers if amount is not None), default=(None, ""))
            if (
                most is not None
                and all(amount is not None for amount, _ in offers)
                and _asked(container, resource) > most
            ):
                large = Large(container, resource, node, most)
                yield _finding(pod, large, f"{_words(large)}: it lies on several NUMA nodes", None)


def _offered(layout: NumaLayout, resource: str) -> dict[int, int]:
    """Return what the NUMA nodes with CPUs have of a resource; empty where nobody says."""
    amounts = layout.memory if resource == "memory" else layout.hugepages.get(resource, {})
    return {node: amount for node, amount in amounts.items() if node in layout.cpus}


def _asked(container: Container, resource: str) -> int:
    amount = container.request(resource)
    return amount.ceil() if amount is not None else 0


def _spreads_anyway(ctx: Context, pod: PodView, container: Container, layouts: Iterable[NumaLayout]) -> bool:
    """Say whether a container takes a whole machine, or more CPUs than one NUMA node has."""
    cpus = _asked(container, "cpu")
    if any(cpus > max(layout.cpus.values()) for layout in layouts):
        return True
    plugged = (quantity(container.limits.get(name)) for name in ctx.legacy_resources(container))
    if any(amount is not None and amount.ceil() >= WHOLE_MACHINE for amount in plugged):
        return True
    names = {entry.name for entry in container.claims}
    claims = (ctx.claim_of(pod, entry) for entry in pod.claims if entry.name in names)
    leaves = [leaf for claim in claims if claim is not None for leaf in claim.spec.leaves]
    return any(leaf.mode == ALL or leaf.count >= WHOLE_MACHINE for leaf in leaves)


def _refusals(ctx: Context, pod: PodView) -> Iterator[Finding]:
    """Yield why the kubelets that may get a pod refuse it for its memory; a warning where only some of them do."""
    cases = [(case.kubelet, _too_large(ctx, pod, case)) for case in ctx.cases_of(pod)]
    found = next(((kubelet, large) for kubelet, large in cases if large), None)
    if found is None:
        return
    kubelet, large = found
    always = all(large for _, large in cases) and all(host.kubelets for host in ctx.hosts_of(pod))
    where = "every node" if always else str(large.node)
    message = f"the kubelet refuses the pod on {where}: {_words(large)}"
    yield _finding(pod, large, message, REFUSED if always else None, kubelet)


def _too_large(ctx: Context, pod: PodView, case: Case) -> Large | None:
    """Return what makes a kubelet refuse a pod on an empty node; None if nothing does, or nobody knows."""
    from dralign.kubelet import pulling  # noqa: PLC0415 -- few runs know a kubelet

    kubelet, node, machine, config = case.kubelet, case.node, case.machine, case.kubelet.configuration
    if config is None or machine is None or node is None or not _is_static(kubelet):
        return None
    seen = ctx.seen_by_kubelet(pod)
    for container in pod.containers:
        for resource in (name for name in _resources(container) if _may_be_short(pod, kubelet, machine, name)):
            eased = pulling.with_little_memory(seen, (container.name,), resource)
            try:
                if pulling.is_refused(config, machine, seen, eased):
                    return Large(container, resource, node, _most(kubelet, machine, resource))
            except ValueError:
                return None  # the kubelet does not start, or has too many NUMA nodes to tell
    return None


def _may_be_short(pod: PodView, kubelet: Kubelet, machine: Machine, resource: str) -> bool:
    """Say whether all containers together ask for more than the smallest NUMA node surely has: most pods do not."""
    reserved = kubelet.configuration.reserved_memory if kubelet.configuration else ()
    if resource != "memory" or (reserved and not all("memory" in amounts for _, amounts in reserved)):
        return True
    kept = sum(amounts["memory"].ceil() for _, amounts in reserved)
    sizes = [node.memory - sum(size * n for size, n in node.hugepages.items()) for node in machine.nodes if node.cores]
    return sum(_asked(container, resource) for container in pod.containers) > min(sizes, default=0) - kept


def _is_static(kubelet: Kubelet) -> bool:
    from dralign.kubelet.configuration import MEMORY_STATIC  # noqa: PLC0415

    return kubelet.configuration is not None and kubelet.configuration.memory_policy == MEMORY_STATIC


def _most(kubelet: Kubelet, machine: Machine, resource: str) -> int:
    """Return the most that one NUMA node can give, beside what is reserved there."""
    from dralign.kubelet.starting import start  # noqa: PLC0415

    node = start(kubelet.configuration, machine).node if kubelet.configuration else None
    return max(node.memory.nodes.free(resource).values(), default=0) if node and node.memory else 0


def _doubts(ctx: Context, pod: PodView) -> Iterator[Finding]:
    """Yield the huge pages of which nobody can tell whether a kubelet with a Static Memory Manager takes them."""
    from dralign.kubelet.topology_manager import POLICIES  # noqa: PLC0415

    for kubelet in (case.kubelet for case in ctx.cases_of(pod) if case.machine is None):
        policy = POLICIES.get(kubelet.configuration.topology_policy) if kubelet.configuration else None
        if policy is None or not policy.refuses or not _is_static(kubelet):
            continue
        for container in pod.containers:
            for resource in (name for name in _resources(container) if name.startswith(HUGEPAGES)):
                message = (
                    f"container '{container.name}' asks for {_written(_asked(container, resource))} of {resource}, all of "
                    "which the kubelet takes from one NUMA node; how many that has is not known here (a "
                    "NodeResourceTopology in --inventory tells)"
                )
                large = Large(container, resource, "", 0)
                yield _finding(pod, large, message, RULE.severities.at_most(INFO), kubelet)


def _words(large: Large) -> str:
    asked = _asked(large.container, large.resource)
    who = f"container '{large.container.name}' asks for {_written(asked)} of {large.resource}"
    beside = "" if asked > large.most else " beside the rest of the pod"
    return f"{who}{beside}, and no NUMA node of {large.node} gives more than {_written(large.most)}"


def _written(size: int) -> str:
    """Write a number of bytes as people do, rounded down."""
    unit, name = next(
        ((unit, name) for unit, name in _UNITS if size >= 10 * unit or size == size // unit * unit > 0), (1, "")
    )
    return f"{size // unit}{name}"


def _finding(
    pod: PodView, large: Large, message: str, severities: Severities | None, kubelet: Kubelet | None = None
) -> Finding:
    source = kubelet.source if kubelet else None
    return RULE.finding(
        pod.manifest,
        large.container.amount_path(large.resource),
        message,
        severities=severities,
        related=(Related(source.manifest, source.place("memoryManagerPolicy"), "the kubelet's configuration"),)
        if source
        else (),
    )


_MACHINE = """\
apiVersion: topology.node.k8s.io/v1alpha2
kind: NodeResourceTopology
metadata:
  name: node-a
zones:
- name: node-0
  type: Node
  resources: [{name: cpu, capacity: 32}, {name: memory, capacity: 125Gi}, {name: hugepages-1Gi, capacity: 16Gi}]
- name: node-1
  type: Node
  resources: [{name: cpu, capacity: 32}, {name: memory, capacity: 125Gi}, {name: hugepages-1Gi, capacity: 16Gi}]
---
"""
_KUBELET = """\
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cpuManagerPolicy: static
memoryManagerPolicy: Static
topologyManagerPolicy: single-numa-node
reservedSystemCPUs: 0,32
reservedMemory:
- numaNode: 0
  limits: {memory: 100Mi}
---
"""
_POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: main
    image: registry.example.com/train:1.0
    resources:
      limits: {{cpu: 8, memory: {memory}, hugepages-1Gi: {pages}}}
"""

VALID = (
    Example("half of a NUMA node", _KUBELET + _MACHINE + _POD.format(memory="64Gi", pages="16Gi")),
    Example("a pod without devices, and no kubelet is known", _MACHINE + _POD.format(memory="200Gi", pages="16Gi")),
)
INVALID = (
    Example(
        "huge pages of two NUMA nodes",
        _KUBELET + _MACHINE + _POD.format(memory="64Gi", pages="20Gi"),
        messages=(
            "the kubelet refuses the pod on every node: container 'main' asks for 20Gi of hugepages-1Gi, and no NUMA node "
            "of node-a gives more than 16Gi",
        ),
    ),
    Example(
        "nobody knows the machine",
        _KUBELET + _POD.format(memory="64Gi", pages="20Gi"),
        messages=(
            "container 'main' asks for 20Gi of hugepages-1Gi, all of which the kubelet takes from one NUMA node; how many "
            "that has is not known here (a NodeResourceTopology in --inventory tells)",
        ),
    ),
)
