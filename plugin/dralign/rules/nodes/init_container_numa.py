"""An init container pulls its pod away from the NUMA node with room

What it does
  Where the kubelet's configuration is known, looks at init containers that get whole CPUs of their own, in any pod: whether
  there is a state of the node in which the pod is refused, or its CPUs lie apart, only because of them.

Why it matters
  An init container's CPUs are handed on: the containers behind it must include them. With topologyManagerScope container it
  is placed alone, on the first NUMA node with room for it. If too little is left there for the others, the kubelet refuses
  the pod (TopologyAffinityError), though another NUMA node is empty; the scheduler does not know, and sends the next one.

What it needs to know
  The kubelet's configuration, and how many CPUs each NUMA node bears: NodeResourceTopology, or devices of dra.cpu. Where
  only the configuration is known, this is said as info. A pod that is refused on an empty node too is an error.

What the fix does
  On request, lowers the init container's CPUs to half a CPU less, so that it shares CPUs; requests and limits stay equal.
"""

from __future__ import annotations

from dralign.edit import Set
from dralign.finding import ERROR, INFO, WARNING, Fix, Patch, Related, Severities
from dralign.record import Record
from dralign.rule import Example, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Case, Context
    from dralign.finding import Finding
    from dralign.kubelet.pulling import Pull
    from dralign.model.workload import Container, PodView

RULE = Rule(
    id="init-container-numa",
    severities=Severities(None, WARNING, WARNING),
    summary="an init container pulls its pod away from the NUMA node with room",
    tip="give it a fraction of a CPU, request = limit (cpu: 500m): it owns no CPU then, and the pod stays Guaranteed; or "
    "set topologyManagerScope: pod on the nodes",
    since="0.1",
    standards=("A2",),
)

REFUSED = Severities(None, ERROR, ERROR)


class Fate(Record):
    """What becomes of a pod in one case: a pull that was found; ``never``: it is refused on an empty node too."""

    case: Case
    pull: Pull | None
    never: bool


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per pod, on the first init container that gets CPUs of its own."""
    for pod in ctx.pods if ctx.kubelets else ():
        if any(_asks_for_whole_cpus(container) for container in pod.containers):
            yield from _judge(ctx, pod)


def _asks_for_whole_cpus(container: Container) -> bool:
    cpus = container.request("cpu") if container.kind == "init" else None
    return cpus is not None and cpus.is_whole and bool(cpus)


def _judge(ctx: Context, pod: PodView) -> Iterator[Finding]:
    cases = [case for case in ctx.cases_of(pod) if _may_pull(ctx, pod, case)]
    fates = [_tried(ctx, pod, case) for case in cases if case.machine is not None]
    told = next((fate for fate in fates if fate.pull), None)
    unknown = next((case for case in cases if case.machine is None), None)
    if told is not None:
        everywhere = len(fates) == len(ctx.cases_of(pod)) and all(host.kubelets for host in ctx.hosts_of(pod))
        if everywhere and all(fate.never for fate in fates):
            yield _finding(ctx, pod, told.case, _refusal(pod, told.case), REFUSED)
        else:
            yield _finding(ctx, pod, told.case, _pull(pod, told), None)
    elif unknown is not None:
        yield _finding(ctx, pod, unknown, _doubt(pod), RULE.severities.at_most(INFO))


def _may_pull(ctx: Context, pod: PodView, case: Case) -> bool:
    """Say whether a kubelet gives an init container CPUs of its own and cares where the others are."""
    config = case.kubelet.configuration
    if config is None:
        return False
    from dralign.kubelet.pinning import owns_cpus  # noqa: PLC0415 -- few runs know a kubelet
    from dralign.kubelet.topology_manager import NONE  # noqa: PLC0415

    seen = ctx.seen_by_kubelet(pod)
    owning = [c.kind for c in seen.containers if owns_cpus(config, seen, c)]
    return config.topology_policy != NONE and "init" in owning and any(kind != "init" for kind in owning)


def _tried(ctx: Context, pod: PodView, case: Case) -> Fate:
    shape = tuple(
        (c.kind, str(c.request("cpu")), str(c.request("memory")), str(c.limit("memory"))) for c in pod.containers
    )
    key = (RULE.id, id(case.kubelet), id(case.machine), shape)
    pull, never = ctx.remembered(key, lambda: _asked(ctx, pod, case))
    return Fate(case, pull, never)


def _asked(ctx: Context, pod: PodView, case: Case) -> tuple[Pull | None, bool]:
    """Ask the model of the kubelet for a pull, and whether the pod is refused on an empty node too."""
    from dralign.kubelet import pulling  # noqa: PLC0415

    config, machine, seen = case.kubelet.configuration, case.machine, ctx.seen_by_kubelet(pod)
    names = [container.name for container in pod.containers if _asks_for_whole_cpus(container)]
    if config is None or machine is None:
        return None, False
    try:
        pull = pulling.find_pull(config, machine, seen, names)
        eased = pulling.without_own_cpus(seen, names)
        return pull, bool(pull and pull.refused) and pulling.is_refused(config, machine, seen, eased)
    except ValueError:
        return None, False  # no kubelet starts there, or the machine has too many NUMA nodes to tell


def _init(pod: PodView) -> Container:
    return next(container for container in pod.containers if _asks_for_whole_cpus(container))


def _needy(pod: PodView) -> Container:
    """Return the container that wants the most CPUs of those that go on running."""
    staying = [container for container in pod.containers if container.kind != "init"]
    return max(staying, key=_cpus)


def _cpus(container: Container) -> int:
    amount = container.request("cpu")
    return amount.ceil() if amount is not None and amount.is_whole else 0


def _share(pod: PodView) -> str:
    init, other = _init(pod), _needy(pod)
    return (
        f"init container '{init.name}' gets {_counted(_cpus(init))} of its own, which '{other.name}' "
        f"({_counted(_cpus(other))}) must then include"
    )


def _counted(count: int) -> str:
    return f"{count} CPU" if count == 1 else f"{count} CPUs"


def _pull(pod: PodView, fate: Fate) -> str:
    case, pull, end = fate.case, fate.pull, "lays its CPUs on several NUMA nodes"
    if pull is None or pull.place is None:
        return (
            f"{_share(pod)}: on an empty {case.node} the kubelet {'refuses the pod' if pull and pull.refused else end}"
        )
    outcome = "refuses the pod" if pull.refused else end
    return (
        f"{_share(pod)}: when NUMA node {pull.place} of {case.node} has {pull.free} CPUs left, the kubelet {outcome}, "
        "though another NUMA node is free"
    )


def _refusal(pod: PodView, case: Case) -> str:
    init = _init(pod)
    return (
        f"the kubelet refuses the pod on every node: init container '{init.name}' asks for {_counted(_cpus(init))}, more "
        f"than one NUMA node of {case.node} can give beside what the others ask for"
    )


def _doubt(pod: PodView) -> str:
    return (
        f"{_share(pod)}: on a NUMA node with too little left for both, the kubelet refuses the pod or lays it on two; "
        "how many CPUs a NUMA node bears is not known here (a NodeResourceTopology in --inventory tells)"
    )


def _finding(ctx: Context, pod: PodView, case: Case, message: str, severities: Severities | None) -> Finding:
    init = _init(pod)
    source = case.kubelet.source
    return RULE.finding(
        pod.manifest,
        init.resources_path,
        message,
        label="owns CPUs first",
        severities=severities,
        related=(Related(source.manifest, source.place("topologyManagerScope"), "the kubelet's configuration"),),
        fix=_fix(ctx, pod, init),
    )


def _fix(ctx: Context, pod: PodView, init: Container) -> Fix | None:
    """Return the repair: half a CPU less, wherever the amount is written. It lowers a limit: never unasked."""
    if not pod.written or ctx.container_holds_devices(pod, init):
        return None
    amount = f"{_cpus(init) * 1000 - 500}m"
    sections = (("requests", init.requests), ("limits", init.limits))
    patches = tuple(
        Patch(pod.manifest, Set(init.resources_path / section / "cpu", amount))
        for section, found in sections
        if "cpu" in found
    )
    return Fix(f"ask for {amount} CPUs in '{init.name}'", patches, "unsafe", "it lowers a limit, only with --unsafe")


_KUBELET = """\
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cpuManagerPolicy: static
topologyManagerPolicy: single-numa-node
topologyManagerScope: {scope}
reservedSystemCPUs: 1,3
"""
_MACHINE = """\
---
apiVersion: topology.node.k8s.io/v1alpha2
kind: NodeResourceTopology
metadata:
  name: node-a
zones:
- name: node-0
  type: Node
  resources: [{name: cpu, capacity: 32}, {name: memory, capacity: 125Gi}]
- name: node-1
  type: Node
  resources: [{name: cpu, capacity: 32}, {name: memory, capacity: 125Gi}]
"""
_POD = """\
---
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  initContainers:
  - name: fetch
    image: registry.example.com/fetch:1.0
    resources:
      limits: {{cpu: {cpu}, memory: 1Gi}}
  containers:
  - name: main
    image: registry.example.com/train:1.0
    resources:
      limits: {{cpu: 26, memory: 32Gi}}
"""
_CONTAINER = _KUBELET.format(scope="container")
_QUIET = {"rules": {"kubelet-policy": "off"}}

VALID = (
    Example("half a CPU is shared", _CONTAINER + _MACHINE + _POD.format(cpu="500m"), spec=_QUIET),
    Example("the pod is placed as a whole", _KUBELET.format(scope="pod") + _MACHINE + _POD.format(cpu=1), spec=_QUIET),
    Example("no kubelet is known", _POD.format(cpu=1).removeprefix("---\n")),
)
INVALID = (
    Example(
        "one CPU of its own",
        _CONTAINER + _MACHINE + _POD.format(cpu=1),
        messages=(
            "init container 'fetch' gets 1 CPU of its own, which 'main' (26 CPUs) must then include: when NUMA node 0 of "
            "node-a has 25 CPUs left, the kubelet refuses the pod, though another NUMA node is free",
        ),
        fixed=_CONTAINER + _MACHINE + _POD.format(cpu="500m"),
        spec=_QUIET,
    ),
    Example(
        "more than a NUMA node has",
        _KUBELET.format(scope="pod") + _MACHINE + _POD.format(cpu=40),
        messages=(
            "the kubelet refuses the pod on every node: init container 'fetch' asks for 40 CPUs, more than one NUMA node of "
            "node-a can give beside what the others ask for",
        ),
        fixed=_KUBELET.format(scope="pod") + _MACHINE + _POD.format(cpu="39500m"),
        spec=_QUIET,
    ),
)
