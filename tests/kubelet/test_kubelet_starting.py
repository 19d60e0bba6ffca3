"""Whether a kubelet starts on a machine, and where it stops."""

import pytest

from dralign.kubelet.configuration import read
from dralign.kubelet.machine import Layout, NumaNode, regular_machine
from dralign.kubelet.starting import start
from kubelet.samples import GI, ONE, PAIR, configured, document, settings, superchip

TEN = regular_machine(Layout(2, 5, 2, 2, 8 * GI))
ENOUGH = {"systemReserved": {"cpu": "1", "memory": "1Gi"}, "evictionHard": {}}


def started(machine, release="1.37", **fields):
    reading = read(document(**fields), release)
    assert reading.configuration is not None, reading.errors
    return start(reading.configuration, machine)


@pytest.mark.parametrize(
    ("machine", "fields", "step", "error"),
    [
        pytest.param(
            PAIR,
            {"reservedSystemCPUs": "0,16"},
            "reservedSystemCPUs",
            "reserved-cpus: 0,16 is not a subset of online-cpus: 0-15",
            id="a CPU that is not there",
        ),
        pytest.param(
            PAIR,
            {"kubeReserved": {"hugepages-2Mi": "2Mi"}},
            "kubeReserved",
            'cannot reserve "hugepages-2Mi" resource',
            id="huge pages cannot be reserved",
        ),
        pytest.param(
            PAIR,
            {"systemReserved": {"cpu": "-1"}},
            "systemReserved",
            'resource quantity for "cpu" cannot be negative: -1',
            id="less than nothing",
        ),
        pytest.param(
            PAIR,
            {"evictionHard": {"memory.available": "200%"}},
            "evictionHard",
            "eviction percentage threshold memory.available must be <= 100%: 200%",
            id="more than everything",
        ),
        pytest.param(
            TEN,
            {"topologyManagerPolicy": "restricted"},
            "topologyManager",
            "unsupported on machines with more than 8 NUMA Nodes",
            id="too many NUMA nodes",
        ),
        pytest.param(
            superchip(),
            {"topologyManagerPolicy": "restricted"},
            "topologyManager",
            "unsupported on machines with more than 8 NUMA Nodes",
            id="NUMA nodes without CPUs count",
        ),
        pytest.param(
            PAIR.replace(nodes=(NumaNode(0, (), GI),)),
            {},
            "cpuManager",
            "could not detect number of cpus",
            id="no CPUs",
        ),
        pytest.param(
            PAIR,
            {"cpuManagerPolicy": "Static"},
            "cpuManager",
            'unknown policy: "Static"',
            id="a capital letter",
        ),
        pytest.param(
            PAIR,
            {"cpuManagerPolicyOptions": {"full-pcpus-only": "true"}},
            "cpuManager",
            "new none policy error: None policy: received unsupported options=map[full-pcpus-only:true]",
            id="options without the policy",
        ),
        pytest.param(
            PAIR,
            {"cpuManagerPolicy": "static"},
            "cpuManager",
            "[cpumanager] unable to determine reserved CPU resources for static policy",
            id="static without a reservation",
        ),
        pytest.param(
            PAIR,
            {"cpuManagerPolicy": "static", "systemReserved": {"cpu": "17"}},
            "cpuManager",
            "new static policy error: [cpumanager] unable to reserve the required amount of CPUs (size of  did not equal 17)",
            id="more reserved than there is",
        ),
        pytest.param(
            PAIR,
            {"memoryManagerPolicy": "Static", "systemReserved": {"memory": "2Gi"}},
            "memoryManager",
            'the total amount "0" of type "memory" is not equal to the value "2148Mi" determined by Node Allocatable feature',
            id="the default threshold counts",
        ),
        pytest.param(
            PAIR,
            {"memoryManagerPolicy": "Static", "evictionHard": {}},
            "memoryManager",
            "[memorymanager] you should specify the system reserved memory",
            id="nothing reserved at all",
        ),
        pytest.param(
            ONE,
            {
                "memoryManagerPolicy": "Static",
                "evictionHard": {},
                "reservedMemory": [{"numaNode": 1, "limits": {"memory": "1Gi"}}],
            },
            "memoryManager",
            "the reserved memory configuration references a NUMA node 1 that does not exist on this machine",
            id="a NUMA node that is not there",
        ),
        pytest.param(
            PAIR,
            {"systemReserved": {"memory": "33Gi"}, "evictionHard": {}},
            "nodeAllocatable",
            'resource "memory" has a reservation of 33Gi but capacity of 32Gi',
            id="more memory than there is",
        ),
    ],
)
def test_it_stops(machine, fields, step, error):
    found = started(machine, **fields)
    assert (found.node, found.step, found.error) == (None, step, error)


@pytest.mark.parametrize(
    ("fields", "step"),
    [
        pytest.param(
            {"systemReserved": {"memory": "1e999999999"}, "kubeReserved": {"memory": "1m"}},
            "topologyManager",
            id="far apart",
        ),
        pytest.param({"evictionHard": {"memory.available": "nan%"}}, "evictionHard", id="not a number"),
        pytest.param({"systemReserved": {"memory": "9" * 5000}}, "nodeAllocatable", id="many digits"),
    ],
)
def test_absurd_amounts_are_refused_not_stumbled_over(fields, step):
    assert started(PAIR, **fields).step == step


@pytest.mark.parametrize(
    ("machine", "fields"),
    [
        pytest.param(
            TEN, {"topologyManagerPolicyOptions": {"nonsense": "1"}}, id="options of policy none are not looked at"
        ),
        pytest.param(
            TEN,
            {
                "topologyManagerPolicy": "restricted",
                "topologyManagerPolicyOptions": {"max-allowable-numa-nodes": "10"},
            },
            id="so many NUMA nodes are allowed",
        ),
        pytest.param(
            PAIR,
            {
                "memoryManagerPolicy": "Static",
                "evictionHard": {},
                "systemReserved": {"memory": "2Gi"},
                "reservedMemory": [{"numaNode": n, "limits": {"memory": "1024Mi"}} for n in (0, 1)],
            },
            id="reserved memory that adds up",
        ),
    ],
)
def test_it_starts(machine, fields):
    found = started(machine, **fields)
    assert found.error is None
    assert found.node is not None


@pytest.mark.parametrize(
    ("options", "release", "gates", "error"),
    [
        pytest.param({"align-by-socket": "true"}, "1.37", {}, "Alpha", id="alpha is off"),
        pytest.param(
            {"align-by-socket": "true"}, "1.37", {"CPUManagerPolicyAlphaOptions": True}, None, id="alpha is on"
        ),
        pytest.param({"distribute-cpus-across-numa": "true"}, "1.37", {}, None, id="beta is on"),
        pytest.param(
            {"distribute-cpus-across-numa": "true"},
            "1.37",
            {"CPUManagerPolicyBetaOptions": False},
            "Beta",
            id="beta is off",
        ),
        pytest.param({"strict-cpu-reservation": "true"}, "1.32", {}, "Alpha", id="alpha in 1.32"),
        pytest.param({"strict-cpu-reservation": "true"}, "1.33", {}, None, id="beta in 1.33"),
        pytest.param(
            {"strict-cpu-reservation": "true"},
            "1.36",
            {"CPUManagerPolicyBetaOptions": False},
            None,
            id="stable needs no gate",
        ),
        pytest.param(
            {"full-pcpus-only": "yes"}, "1.37", {}, 'bad value for option "full-pcpus-only"', id="not a truth value"
        ),
        pytest.param({"other": "true"}, "1.37", {}, 'unknown CPU Manager Policy option: "other"', id="unknown"),
        pytest.param(
            {"prefer-align-cpus-by-uncorecache": "true", "distribute-cpus-across-numa": "1"},
            "1.37",
            {},
            "can not be used at the same time",
            id="conflict",
        ),
        pytest.param(
            {"prefer-align-cpus-by-uncorecache": "true", "distribute-cpus-across-numa": "false"},
            "1.37",
            {},
            None,
            id="no conflict with what is off",
        ),
    ],
)
def test_options_of_the_static_policy(options, release, gates, error):
    fields = {"cpuManagerPolicy": "static", "cpuManagerPolicyOptions": options, "featureGates": gates}
    found = started(PAIR, release, **fields, **ENOUGH)
    assert (found.error is None) == (error is None)
    assert error is None or error in found.error


def test_align_by_socket_does_not_go_with_single_numa_node():
    gates = {"CPUManagerPolicyAlphaOptions": True}
    config = configured(cpuManagerPolicyOptions={"align-by-socket": "true"}, featureGates=gates)
    found = start(config, PAIR)
    assert found.step == "cpuManager"
    assert found.error == (
        "new static policy error: Topolgy manager single-numa-node policy is incompatible with CPUManager "
        "align-by-socket policy option"
    )


def test_distances_must_be_known_to_prefer_what_is_closest():
    config = configured("restricted", topologyManagerPolicyOptions={"prefer-closest-numa-nodes": "true"})
    without = PAIR.replace(nodes=tuple(NumaNode(node.id, node.cores, node.memory) for node in PAIR.nodes))
    assert start(config, PAIR).node is not None
    assert start(config, without).error == "cannot discover NUMA topology: error getting NUMA distances from cadvisor"


@pytest.mark.parametrize(
    ("fields", "reserved", "shared"),
    [
        pytest.param({}, {0, 8}, set(range(16)), id="the first core, left in the shared pool"),
        pytest.param({"reservedSystemCPUs": "3,5"}, {3, 5}, set(range(16)), id="by name"),
        pytest.param(
            {"reservedSystemCPUs": "3,5", "cpuManagerPolicyOptions": {"strict-cpu-reservation": "true"}},
            {3, 5},
            set(range(16)) - {3, 5},
            id="taken out of the shared pool",
        ),
    ],
)
def test_reserved_cpus(fields, reserved, shared):
    cpu = start(configured(**fields), PAIR).node.cpu
    assert (cpu.reserved, cpu.shared) == (reserved, shared)


def test_reserved_cpus_take_the_place_of_both_reservations():
    fields = settings() | {"reservedSystemCPUs": "0-2", "kubeReserved": {"cpu": "7"}}
    found = started(PAIR, **fields)
    assert str(found.reservation["cpu"]) == "3"
