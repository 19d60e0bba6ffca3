"""Machines, configurations and pods that the tests of the kubelet model share."""

from dralign.kubelet.configuration import read
from dralign.kubelet.machine import Core, Layout, Machine, NumaNode, regular_machine
from dralign.kubelet.pods import Container, Pod, Resources
from dralign.kubelet.starting import start
from dralign.values.quantity import Quantity

GI = 1 << 30
PAIR = regular_machine(Layout(2, 1, 4, 2, 16 * GI))
"""Two sockets with one NUMA node each: CPUs 0-3, 8-11 and 4-7, 12-15."""
QUAD = regular_machine(Layout(2, 2, 4, 2, 16 * GI))
ONE = regular_machine(Layout(1, 1, 4, 2, 16 * GI))


def superchip(memory_only=32):
    """Two NUMA nodes with CPUs, and many that bear memory only."""
    cores = [tuple(Core((8 * node + i,), node) for i in range(8)) for node in (0, 1)]
    nodes = [NumaNode(node, cores[node], 64 * GI) for node in (0, 1)]
    return Machine((*nodes, *(NumaNode(2 + i, (), 0) for i in range(memory_only))))


def document(**fields):
    return {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"} | fields


def settings(policy="single-numa-node", scope="container", *, memory=False, **fields):
    """Return a configuration that starts: static, two CPUs and 1Gi reserved."""
    found = document(
        cpuManagerPolicy="static",
        topologyManagerPolicy=policy,
        topologyManagerScope=scope,
        systemReserved={"cpu": "2", "memory": "1Gi"},
        evictionHard={},
    )
    if memory:
        found |= {
            "memoryManagerPolicy": "Static",
            "reservedMemory": [{"numaNode": 0, "limits": {"memory": "1Gi"}}],
        }
    return found | fields


def configured(*args, release="1.37", **fields):
    reading = read(settings(*args, **fields), release)
    assert reading.configuration is not None, reading.errors
    return reading.configuration


def node(machine, *args, **fields):
    started = start(configured(*args, **fields), machine)
    assert started.node is not None, (started.step, started.error)
    return started.node


def amounts(**given):
    return {name: Quantity.parse(str(value)) for name, value in given.items()}


def equal(cpu, memory="1Gi"):
    """Return resources with limits equal to requests."""
    given = amounts(cpu=cpu, memory=memory)
    return Resources(given, given)


def pod(*containers, name="pod", level=None):
    """Make a pod of CPUs per container, or of containers."""
    made = [
        c if isinstance(c, Container) else Container(f"c{i}", "container", equal(c)) for i, c in enumerate(containers)
    ]
    return Pod(name, tuple(made), level)


def cpus_on(machine, cpus):
    """Return the NUMA nodes of some CPUs."""
    return {place.id for place in machine.nodes if set(place.cpus) & set(cpus)}
