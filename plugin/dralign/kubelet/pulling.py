"""Pods that would start if one of their containers asked for less: what a part of a pod does to the rest of it.

An init container's CPUs are handed on to the containers behind it, which must include them (cpumanager, reusable CPUs).
With scope container the init container is placed alone, on the first NUMA node with room for it; what comes behind may
find too little there.
"""

from __future__ import annotations

from dralign.kubelet.crossing import Taken, occupied
from dralign.kubelet.demand import Demand
from dralign.kubelet.pods import HUGEPAGES, Resources
from dralign.kubelet.reservation import CPU
from dralign.record import Record
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from dralign.kubelet.configuration import Configuration
    from dralign.kubelet.machine import Machine
    from dralign.kubelet.node import Admission, Node
    from dralign.kubelet.pods import Container, Pod

_HALF_CPU = Quantity.parse("500m")
_LITTLE_MEMORY = Quantity.parse("1Mi")
_LEAST_RESERVE = "1"


class Pull(Record):
    """A state of the node in which a pod fares worse because of some of its containers.

    ``taken``: what others own; nothing where it happens on an empty node. ``free``: CPUs that NUMA node ``place`` has left
    then, None on an empty node. ``refused``: the pod does not start; else its CPUs lie apart.
    """

    taken: Taken
    place: int | None
    free: int | None
    refused: bool


def without_own_cpus(pod: Pod, names: Collection[str]) -> Pod:
    """Return a pod in which some containers ask for half a CPU, so that they own none. The QoS class stays."""
    return _changed(pod, names, CPU, _HALF_CPU)


def with_little_memory(pod: Pod, names: Collection[str], resource: str) -> Pod:
    """Return a pod in which some containers ask for hardly any memory, or for no huge pages. The QoS class stays."""
    return _changed(pod, names, resource, Quantity.of(0) if resource.startswith(HUGEPAGES) else _LITTLE_MEMORY)


def _changed(pod: Pod, names: Collection[str], resource: str, amount: Quantity) -> Pod:
    def change(container: Container) -> Container:
        if container.name not in names:
            return container
        sections = (container.resources.requests, container.resources.limits)
        return container.replace(
            resources=Resources(
                *({n: amount if n == resource else old for n, old in found.items()} for found in sections)
            )
        )

    return pod.replace(containers=tuple(change(container) for container in pod.containers))


def generous(config: Configuration) -> Configuration:
    """Return a configuration that reserves one CPU only: which NUMA nodes the reserved ones are on, numbers do not tell."""
    if not config.reserved_cpus and CPU not in {**config.kube_reserved, **config.system_reserved}:
        return config
    system = {name: amount for name, amount in config.system_reserved.items() if name != CPU}
    return config.replace(
        reserved_cpus="", kube_reserved={**config.kube_reserved, CPU: _LEAST_RESERVE}, system_reserved=system
    )


def is_refused(config: Configuration, machine: Machine, pod: Pod, eased: Pod) -> bool:
    """Say whether a pod is refused on an empty node, wherever the reserved CPUs are, while an eased one starts.

    Raises ValueError if the kubelet does not start, or the machine has too many NUMA nodes to tell.
    """
    for chosen in (config, generous(config)):
        if occupied(chosen, machine, Taken()).admit(pod).admitted:
            return False
    return occupied(config, machine, Taken()).admit(eased).admitted


def find_pull(config: Configuration, machine: Machine, pod: Pod, names: Collection[str]) -> Pull | None:
    """Return a state in which a pod fares worse because some of its init containers own CPUs; None if none was found.

    Raises ValueError as :func:`is_refused` does.
    """
    eased = without_own_cpus(pod, names)
    for taken, place, free in _states(occupied(config, machine, Taken()), pod, names):
        node, other = occupied(config, machine, taken), occupied(config, machine, taken)
        was, would_be = node.admit(pod), other.admit(eased)
        if (
            would_be.admitted
            and not _is_apart(other, pod, would_be)
            and (not was.admitted or _is_apart(node, pod, was))
        ):
            return Pull(taken, place, free, refused=not was.admitted)
    return None


def _states(node: Node, pod: Pod, names: Collection[str]) -> Iterator[tuple[Taken, int | None, int | None]]:
    """Yield an empty node, then those on which one NUMA node has room for the init containers, too little for the rest."""
    yield Taken(), None, None
    if node.cpu is None:
        return
    demand = Demand(pod, node.gates)
    first = max((demand.cpus(c) for c in pod.containers if c.name in names), default=0)
    rest = max((demand.cpus(c) for c in pod.containers if c.kind != "init"), default=0)
    for place, held in sorted(node.cpu.topology.members["numa"].items()):
        available = len(node.cpu.available & held)
        for left in sorted({rest - 1, first}, reverse=True):
            if first <= left < min(rest, available):
                yield Taken({place: available - left}), place, left


def _is_apart(node: Node, pod: Pod, admission: Admission) -> bool:
    """Say whether the CPUs of a container that goes on running lie on several NUMA nodes."""
    if node.cpu is None:
        return False
    owned = (admission.placements[c.name].cpus for c in pod.containers if c.kind != "init")
    return any(len(node.cpu.topology.groups_of("numa", cpus)) > 1 for cpus in owned if cpus)
