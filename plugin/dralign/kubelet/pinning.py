"""What a configuration alone says of a pod: which containers own CPUs and memory, and what is kept on one NUMA node.

No machine is needed. ``None`` for a configuration means that nobody knows it, and the answer is then None as well.
"""

from __future__ import annotations

from dralign.kubelet.configuration import CPU_STATIC, MEMORY_STATIC
from dralign.kubelet.demand import Demand, Uncountable
from dralign.kubelet.topology_manager import SINGLE_NUMA_NODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from dralign.kubelet.configuration import Configuration
    from dralign.kubelet.pods import Container, Pod


def owns_cpus(config: Configuration | None, pod: Pod, container: Container) -> bool | None:
    """Say whether a container gets CPUs of its own: policy static, Guaranteed, a whole number of CPUs."""
    if config is None:
        return None
    return config.cpu_policy == CPU_STATIC and Demand(pod, config.gates).cpus(container) > 0


def owns_memory(config: Configuration | None, pod: Pod, container: Container) -> bool | None:
    """Say whether a container's memory is pinned to NUMA nodes: policy Static, Guaranteed."""
    if config is None:
        return None
    if config.memory_policy != MEMORY_STATIC:
        return False
    demand = Demand(pod, config.gates)
    try:
        in_bubble = demand.by_level and demand.served and config.by_pod
        return in_bubble or bool(demand.memory(container))
    except Uncountable:
        return False


def keeps_together(config: Configuration | None, pod: Pod, containers: Collection[str]) -> bool | None:
    """Say whether the kubelet keeps CPUs and devices of these containers on one NUMA node, or refuses the pod.

    True for devices of a plugin that publishes their NUMA nodes, where policy is static with single-numa-node, every
    container named owns its CPUs, and either the scope is pod or there is one such container. Devices of a claim are never
    kept together with anything: the Topology Manager does not see them.
    """
    if config is None:
        return None
    if config.topology_policy != SINGLE_NUMA_NODE or not containers:
        return False
    named = [container for container in pod.containers if container.name in containers]
    if len(named) > 1 and not config.by_pod:
        return False
    return all(owns_cpus(config, pod, container) for container in named)
