"""Whether a kubelet with a valid configuration starts on a machine, and at which step it fails.

The steps are taken in the kubelet's order: reservations, then the managers, then what is left to allocate. Source:
``cmd/kubelet/app/server.go`` (run), ``cm/container_manager_linux.go`` (NewContainerManager, Start).
"""

from __future__ import annotations

from dralign.kubelet import cpulists, reservation
from dralign.kubelet.configuration import CPU_NONE, CPU_STATIC, MEMORY_NONE, MEMORY_STATIC
from dralign.kubelet.cpu_manager import CpuManager
from dralign.kubelet.cpu_topology import CpuTopology
from dralign.kubelet.memory_manager import MemoryManager
from dralign.kubelet.memory_nodes import MEMORY, MemoryNodes
from dralign.kubelet.node import Node
from dralign.kubelet.pods import HUGEPAGES
from dralign.kubelet.policy_options import BY_SOCKET, cpu_options
from dralign.kubelet.topology_manager import SINGLE_NUMA_NODE, TopologyManager
from dralign.record import Record
from dralign.values.gotext import quote
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.kubelet.configuration import Configuration
    from dralign.kubelet.machine import Machine
    from dralign.kubelet.pods import Amounts

_UINT64 = 1 << 64


class Start(Record):
    """What came of starting: ``node``, or the step that failed and its error in the kubelet's words.

    ``reservation`` is what the node keeps for itself, by resource; None where already that could not be told.
    """

    node: Node | None
    step: str | None = None
    error: str | None = None
    reservation: Mapping[str, Quantity] | None = None


class _Attempt:
    """A start under way."""

    __slots__ = (
        "config",
        "cpu",
        "cpus",
        "evicted",
        "have",
        "kube",
        "machine",
        "memory",
        "reserved",
        "system",
        "topology",
    )

    def __init__(self, config: Configuration, machine: Machine) -> None:
        self.config = config
        self.machine = machine
        self.have = reservation.capacity(machine)
        self.cpus: frozenset[int] = frozenset()
        self.kube: Amounts = {}
        self.system: Amounts = {}
        self.evicted: Amounts = {}
        self.reserved: dict[str, Quantity] | None = None
        self.topology: TopologyManager
        self.cpu: CpuManager | None = None
        self.memory: MemoryManager | None = None


def start(config: Configuration, machine: Machine) -> Start:
    """Start a kubelet on a machine on which nothing runs yet."""
    attempt = _Attempt(config, machine)
    for name, step in _STEPS:
        try:
            step(attempt)
        except (ValueError, OverflowError) as error:
            return Start(None, name, str(error), attempt.reserved)
    node = Node(config.gates, attempt.topology, attempt.cpu, attempt.memory)
    return Start(node, reservation=attempt.reserved)


def _reserved_cpus(attempt: _Attempt) -> None:
    attempt.cpus = cpulists.parse(attempt.config.reserved_cpus)
    if not attempt.cpus <= attempt.machine.cpus:
        online = cpulists.write(attempt.machine.cpus)
        raise ValueError(f"reserved-cpus: {attempt.config.reserved_cpus} is not a subset of online-cpus: {online}")


def _kube_reserved(attempt: _Attempt) -> None:
    """Read kubeReserved; a list of reserved CPUs takes the place of its cpu, and of systemReserved's."""
    written = attempt.config.kube_reserved
    attempt.kube = reservation.reserved(
        {name: text for name, text in written.items() if name != reservation.CPU or not attempt.cpus}
    )


def _system_reserved(attempt: _Attempt) -> None:
    written = dict(attempt.config.system_reserved)
    if attempt.cpus:
        written[reservation.CPU] = str(len(attempt.cpus))
    attempt.system = reservation.reserved(written)


def _eviction(attempt: _Attempt) -> None:
    attempt.evicted = reservation.evicted(attempt.config.eviction_hard, attempt.have)


def _topology(attempt: _Attempt) -> None:
    attempt.reserved = reservation.total(attempt.have, attempt.system, attempt.kube, attempt.evicted)
    config = attempt.config
    attempt.topology = TopologyManager(
        config.topology_policy, config.topology_scope, config.topology_options, attempt.machine, config.gates
    )


def _cpu(attempt: _Attempt) -> None:
    config = attempt.config
    if not attempt.machine.cpus:
        raise ValueError("could not detect number of cpus")
    if config.cpu_policy == CPU_NONE:
        if config.cpu_options:
            options = " ".join(f"{name}:{value}" for name, value in sorted(config.cpu_options.items()))
            raise ValueError(f"new none policy error: None policy: received unsupported options=map[{options}]")
    elif config.cpu_policy == CPU_STATIC:
        attempt.cpu = _static_cpu(attempt)
    else:
        raise ValueError(f'unknown policy: "{config.cpu_policy}"')


def _static_cpu(attempt: _Attempt) -> CpuManager:
    amount = (attempt.reserved or {}).get(reservation.CPU)
    if amount is None:
        raise ValueError("[cpumanager] unable to determine reserved CPU resources for static policy")
    count = -(-amount.milli() // 1000)
    topology = CpuTopology(attempt.machine)
    try:
        options = cpu_options(attempt.config.cpu_options, attempt.config.gates)
        if options[BY_SOCKET]:
            _check_sockets(topology, attempt.config.topology_policy)
        manager = CpuManager(topology, options, attempt.cpus or count)
    except ValueError as error:
        raise ValueError(f"new static policy error: {error}") from None
    return manager


def _check_sockets(topology: CpuTopology, policy: str) -> None:
    if policy == SINGLE_NUMA_NODE:
        raise ValueError(
            f"Topolgy manager {SINGLE_NUMA_NODE} policy is incompatible with CPUManager {BY_SOCKET} policy option"
        )
    if topology.count("socket") > topology.count("numa"):
        raise ValueError(
            "Align by socket is not compatible with hardware where number of sockets are more than number of NUMA"
        )


def _memory(attempt: _Attempt) -> None:
    policy = attempt.config.memory_policy
    if policy == MEMORY_STATIC:
        attempt.memory = _static_memory(attempt)
    elif policy == "BestEffort":
        raise ValueError('policy "BestEffort" is not available for platform "linux"')
    elif policy != MEMORY_NONE:
        raise ValueError(f"unknown policy: {quote(policy)}")


def _static_memory(attempt: _Attempt) -> MemoryManager:
    """Build the Static policy; reservedMemory must add up to what the node keeps for itself, for every kind of memory."""
    known = {node.id for node in attempt.machine.nodes}
    sums: dict[str, Quantity] = {}
    for node, amounts in attempt.config.reserved_memory:
        if node not in known:
            raise ValueError(
                f"the reserved memory configuration references a NUMA node {node} that does not exist on this machine"
            )
        for name, amount in amounts.items():
            sums[name] = amount + sums[name] if name in sums else amount
    _check_sums(sums, attempt.reserved or {})
    reserved = _reserved_bytes(attempt)
    if not sum(amounts.get(MEMORY, 0) for amounts in reserved.values()) % _UINT64:
        raise ValueError("[memorymanager] you should specify the system reserved memory")
    return MemoryManager(MemoryNodes(attempt.machine, reserved))


def _check_sums(sums: Amounts, kept: Amounts) -> None:
    zero = Quantity.of(0)
    for name in sorted({*sums, *(name for name in kept if name == MEMORY or name.startswith(HUGEPAGES))}):
        told, wanted = zero + sums.get(name, zero), zero + kept.get(name, zero)
        if told != wanted:
            raise ValueError(
                f'the total amount "{told}" of type {quote(name)} is not equal to the value "{wanted}" determined by Node '
                "Allocatable feature"
            )


def _reserved_bytes(attempt: _Attempt) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for node, amounts in attempt.config.reserved_memory:
        for name, amount in amounts.items():
            size = amount.as_int64()
            if size is None:
                raise ValueError("could not covert a variable of type Quantity to int64")
            found.setdefault(node, {})[name] = size
    return found


def _allocatable(attempt: _Attempt) -> None:
    for name, amount in (attempt.reserved or {}).items():
        if amount > attempt.have[name]:
            raise ValueError(
                f"resource {quote(name)} has a reservation of {amount} but capacity of {attempt.have[name]}"
            )


_STEPS = (
    ("reservedSystemCPUs", _reserved_cpus),
    ("kubeReserved", _kube_reserved),
    ("systemReserved", _system_reserved),
    ("evictionHard", _eviction),
    ("topologyManager", _topology),
    ("cpuManager", _cpu),
    ("memoryManager", _memory),
    ("nodeAllocatable", _allocatable),
)
