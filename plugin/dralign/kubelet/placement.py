"""On which NUMA nodes CPUs and memory of a pod's containers may lie, whatever else the node runs.

``possible`` never says too little: what an empty machine does not offer, no other state of it offers. Source: as for the
managers; a policy that refuses only takes hints that everybody prefers, and which those are depends on sizes alone.
"""

from __future__ import annotations

from dralign.kubelet import masks
from dralign.kubelet.demand import Demand
from dralign.kubelet.pinning import owns_cpus, owns_memory
from dralign.kubelet.policy_options import BY_SOCKET, FULL_CORES
from dralign.kubelet.starting import start
from dralign.kubelet.topology_manager import POD_SCOPE
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.kubelet.configuration import Configuration
    from dralign.kubelet.cpu_manager import CpuManager
    from dralign.kubelet.machine import Machine
    from dralign.kubelet.node import Node
    from dralign.kubelet.pods import Container, Pod


class Nodes(Record):
    """NUMA nodes on which something may lie.

    ``owned``: it belongs to the container and stays where it is (None: nobody knows the configuration). ``on_one``: all of
    it is on one NUMA node every time, whichever it is.
    """

    owned: bool | None
    nodes: frozenset[int]
    on_one: bool


class Possible(Record):
    """Where CPUs and memory of a container may lie. Memory that is not owned goes where its CPUs first touch it."""

    cpus: Nodes
    memory: Nodes


def possible(config: Configuration | None, machine: Machine, pod: Pod) -> dict[str, Possible]:
    """Return for every container where it may lie on a machine, whatever is taken already.

    What a container owns has no nodes where the pod can never start. Raises ValueError if the kubelet does not start, and
    masks.TooManyNumaNodes where the machine has too many NUMA nodes to work it out.
    """
    everywhere = frozenset(node.id for node in machine.nodes if node.memory)
    if config is None:
        anywhere = Possible(_spread(None, machine.cpu_nodes), _spread(None, everywhere))
        return {container.name: anywhere for container in pod.containers}
    started = start(config, machine)
    if started.node is None:
        raise ValueError(f"{started.step}: {started.error}")
    demand = Demand(pod, config.gates)
    found = {}
    for container in pod.containers:
        accepted = started.node.topology.acceptable(started.node.answers(demand, container))
        memory = _spread(False, everywhere)
        if owns_memory(config, pod, container):
            memory = _within(accepted, everywhere)
        owned = bool(owns_cpus(config, pod, container))
        found[container.name] = Possible(_cpus(started.node, machine, demand, container, accepted, owned=owned), memory)
    return found


def _cpus(
    node: Node, machine: Machine, demand: Demand, container: Container, accepted: set[int] | None, *, owned: bool
) -> Nodes:
    cpu = node.cpu
    if cpu is None:
        return _spread(False, machine.cpu_nodes)
    in_bubble = demand.by_level and node.topology.scope == POD_SCOPE and demand.pod_cpus() > 0
    if not owned and not in_bubble:
        return _spread(False, cpu.topology.groups_of("numa", cpu.shared))
    found = _within(_widened(cpu, accepted), cpu.topology.groups_of("numa", cpu.available))
    unit = cpu.topology.mean_size("core") if cpu.options[FULL_CORES] else 1
    indivisible = owned and demand.cpus(container) <= unit
    return Nodes(owned, found.nodes, found.on_one or indivisible)


def _widened(cpu: CpuManager, accepted: set[int] | None) -> set[int] | None:
    """Return the masks within which CPUs are then picked: with align-by-socket, those of whole sockets."""
    if accepted is None or not cpu.options[BY_SOCKET]:
        return accepted
    topology = cpu.topology
    sockets = [topology.groups_of("socket", topology.cpus_of("numa", masks.nodes_of(mask))) for mask in accepted]
    return {masks.mask_of(topology.groups_of("numa", topology.cpus_of("socket", ids))) for ids in sockets}


def _within(accepted: set[int] | None, all_nodes: frozenset[int]) -> Nodes:
    if accepted is None:
        return _spread(True, all_nodes)
    nodes = frozenset(node for mask in accepted for node in masks.nodes_of(mask)) & all_nodes
    return Nodes(True, nodes, len(nodes) <= 1 or all(mask.bit_count() == 1 for mask in accepted))


def _spread(owned: bool | None, nodes: frozenset[int]) -> Nodes:
    return Nodes(owned, nodes, len(nodes) <= 1)
