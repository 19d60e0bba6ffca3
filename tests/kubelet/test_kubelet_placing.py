"""Where a kubelet puts pods, what it refuses, and that it takes everything back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dralign.kubelet import masks
from dralign.kubelet.machine import Layout, regular_machine
from dralign.kubelet.pods import Container, Resources, stored
from kubelet.samples import GI, ONE, PAIR, QUAD, amounts, cpus_on, equal, node, pod, superchip

LEVEL = {"featureGates": {"PodLevelResourceManagers": True}}
HUGE = regular_machine(Layout(2, 1, 4, 2, 16 * GI, {2 << 20: 512}))


def numa_of(machine, admission, name="c0"):
    cpus = admission.placements[name].cpus
    return None if cpus is None else cpus_on(machine, cpus)


def memory_of(admission, name="c0"):
    return {place for block in admission.placements[name].memory for place in masks.nodes_of(block.mask)}


@pytest.mark.parametrize(
    ("containers", "owned"),
    [
        pytest.param([2], {"c0"}, id="a whole number"),
        pytest.param(["1500m"], set(), id="a fraction"),
        pytest.param([2, "500m"], {"c0"}, id="a fraction beside it"),
        pytest.param([2, Container("c1")], set(), id="a container without resources makes the pod Burstable"),
        pytest.param(
            [Container("c0", "container", Resources({}, amounts(cpu=2, memory="1Gi")))], {"c0"}, id="limits only"
        ),
        pytest.param(
            [Container("c0", "container", Resources(amounts(cpu=2), amounts(cpu=2)))],
            set(),
            id="no memory: not Guaranteed",
        ),
        pytest.param(
            [Container("c0", "sidecar", equal(1)), Container("c1", "container", equal(2))], {"c0", "c1"}, id="sidecar"
        ),
    ],
)
def test_who_owns_cpus(containers, owned):
    admission = node(PAIR).admit(pod(*containers))
    assert admission.admitted
    assert {name for name, placement in admission.placements.items() if placement.cpus is not None} == owned


@pytest.mark.parametrize(
    ("policy", "scope", "containers", "reason"),
    [
        pytest.param("single-numa-node", "container", [8], None, id="a whole NUMA node"),
        pytest.param("single-numa-node", "container", [9], "TopologyAffinityError", id="more than one has"),
        pytest.param("single-numa-node", "container", [6, 8], None, id="two containers on two NUMA nodes"),
        pytest.param("single-numa-node", "pod", [6, 8], "TopologyAffinityError", id="the pod as a whole does not fit"),
        pytest.param("restricted", "container", [9], None, id="as few as possible"),
        pytest.param("restricted", "pod", [6, 8], None, id="two NUMA nodes are the least possible"),
        pytest.param("best-effort", "container", [14], None, id="everything"),
        pytest.param("best-effort", "container", [15], "UnexpectedAdmissionError", id="more than everything"),
        pytest.param("none", "pod", [15], "UnexpectedAdmissionError", id="more than everything, nobody asked"),
    ],
)
def test_policies(policy, scope, containers, reason):
    assert node(PAIR, policy, scope).admit(pod(*containers)).reason == reason


def test_scope_container_parts_a_pod():
    admission = node(PAIR).admit(pod(8, 6))
    assert (numa_of(PAIR, admission, "c0"), numa_of(PAIR, admission, "c1")) == ({1}, {0})


def test_full_cores_only():
    kubelet = node(PAIR, cpuManagerPolicyOptions={"full-pcpus-only": "true"})
    assert kubelet.admit(pod(3)).message == "SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2"
    assert kubelet.admit(pod(4)).placements["c0"].cpus == {1, 2, 9, 10}


def test_cpus_are_picked_by_cache():
    machine = regular_machine(Layout(1, 1, 8, 2, 16 * GI, caches_per_numa=2))
    packed, cached = node(machine), node(machine, cpuManagerPolicyOptions={"prefer-align-cpus-by-uncorecache": "true"})
    assert packed.admit(pod(8)).placements["c0"].cpus == {1, 2, 3, 4, 9, 10, 11, 12}
    assert cached.admit(pod(8)).placements["c0"].cpus == {4, 5, 6, 7, 12, 13, 14, 15}


def test_cpus_are_spread_over_numa_nodes():
    kubelet = node(PAIR, "none", cpuManagerPolicyOptions={"distribute-cpus-across-numa": "true"})
    cpus = kubelet.admit(pod(10)).placements["c0"].cpus
    assert sorted(len(cpus & set(place.cpus)) for place in PAIR.nodes) == [5, 5]


def test_an_init_container_holds_the_pod_to_its_numa_node():
    kubelet = node(PAIR)
    kubelet.admit(pod(4, name="first"))
    early = Container("early", "init", equal(2))
    admission = kubelet.admit(pod(early, Container("c0", "container", equal(6))))
    assert admission.reason == "TopologyAffinityError"
    assert numa_of(PAIR, kubelet.admit(pod(6))) == {1}


def test_memory_is_pinned_with_the_cpus():
    kubelet = node(PAIR, memory=True)
    admission = kubelet.admit(pod(Container("c0", "container", equal(2, "15Gi"))))
    assert (numa_of(PAIR, admission), memory_of(admission)) == ({0}, {0})
    admission = kubelet.admit(pod(Container("c0", "container", equal(2, "15Gi")), name="next"))
    assert (numa_of(PAIR, admission), memory_of(admission)) == ({1}, {1})
    assert kubelet.admit(pod(Container("c0", "container", equal(2, "15Gi")), name="last")).reason == (
        "UnexpectedAdmissionError"
    )


def test_huge_pages_must_fit_the_numa_node():
    def asking(size):
        given = amounts(cpu=2, memory="1Gi") | amounts(**{"hugepages-2Mi": size})
        return pod(Container("c0", "container", Resources(given, given)))

    assert memory_of(node(HUGE, memory=True).admit(asking("1Gi"))) == {0}
    assert node(HUGE, memory=True).admit(asking("1026Mi")).reason == "TopologyAffinityError"
    assert node(PAIR, memory=True).admit(asking("2Mi")).reason == "UnexpectedAdmissionError"


def test_fractions_are_countable_once_stored():
    written = equal(2, "1.5Gi")
    kubelet = node(PAIR, memory=True)
    assert kubelet.admit(pod(Container("c0", "container", written))).message == (
        "Allocate failed due to [memorymanager] failed to represent quantity as int64, which is unexpected"
    )
    given = stored(written.requests)
    assert memory_of(kubelet.admit(pod(Container("c0", "container", Resources(given, given))))) == {0}


def test_memory_across_numa_nodes_shuts_them_for_single_ones():
    kubelet = node(PAIR, "best-effort", memory=True)
    assert memory_of(kubelet.admit(pod(Container("c0", "container", equal(1, "20Gi")), name="wide"))) == {0, 1}
    assert memory_of(kubelet.admit(pod(Container("c0", "container", equal(1, "1Gi"))))) == {0, 1}


@pytest.mark.parametrize(
    ("fields", "scope", "owned", "bubble"),
    [
        pytest.param({}, "pod", False, None, id="off by default: nothing is owned"),
        pytest.param(LEVEL, "container", True, None, id="container by container"),
        pytest.param(LEVEL, "pod", True, 4, id="a bubble for the pod"),
    ],
)
def test_pod_level_resources(fields, scope, owned, bubble):
    shared = Container("c1")
    admission = node(PAIR, scope=scope, **fields).admit(
        pod(Container("c0", "container", equal(2)), shared, level=equal(4, "4Gi"))
    )
    assert admission.admitted
    assert (admission.placements["c0"].cpus is not None) is owned
    assert (admission.bubble and len(admission.bubble)) == bubble
    if bubble:
        assert admission.placements["c1"].cpus == admission.bubble - admission.placements["c0"].cpus


def test_a_bubble_must_leave_something_to_those_who_share():
    full = pod(Container("c0", "container", equal(4, "4Gi")), Container("c1"), level=equal(4, "4Gi"))
    assert node(PAIR, scope="pod", **LEVEL).admit(full).reason == "TopologyAffinityError"
    assert node(PAIR, "best-effort", "pod", **LEVEL).admit(full).reason == "EmptyPodSharedPoolError"


def test_numa_nodes_without_cpus_do_not_matter_to_cpus():
    machine = superchip()
    fields = {"topologyManagerPolicyOptions": {"max-allowable-numa-nodes": "64"}}
    assert numa_of(machine, node(machine, **fields).admit(pod(7))) == {1}
    with pytest.raises(masks.TooManyNumaNodes):
        node(machine, memory=True, **fields).admit(pod(2))


CPUS = st.sampled_from(["1", "2", "3", "500m", "6", "9"])
KINDS = st.sampled_from(["container", "container", "init", "sidecar"])
ASKED = st.lists(st.tuples(KINDS, CPUS, st.sampled_from(["512Mi", "1Gi", "9Gi", "17Gi"])), min_size=1, max_size=4)
POLICIES = st.sampled_from(["none", "best-effort", "restricted", "single-numa-node"])


def made(asked, name):
    """Make a pod; its last container is a plain one, as every pod has one."""
    order = [*sorted(asked[:-1], key=lambda item: item[0] == "container"), ("container", *asked[-1][1:])]
    containers = (Container(f"c{i}", kind, equal(cpu, memory)) for i, (kind, cpu, memory) in enumerate(order))
    return pod(*containers, name=name)


def state(kubelet):
    """Return who owns what. Of memory the sum counts: what is given back goes to the lowest node of a group first."""
    free = sum(kubelet.memory.nodes.free().values())
    return kubelet.cpu.shared, free, dict(kubelet.cpu.owned), dict(kubelet.memory.owned)


@settings(deadline=None, max_examples=60)
@given(
    POLICIES,
    st.sampled_from(["container", "pod"]),
    st.lists(ASKED, min_size=1, max_size=4),
    st.sampled_from([ONE, PAIR, QUAD]),
)
def test_nothing_is_owned_twice_and_all_comes_back(policy, scope, pods, machine):
    kubelet = node(machine, policy, scope, memory=True)
    before = state(kubelet)
    admitted = []
    for number, asked in enumerate(pods):
        last = state(kubelet)
        admission = kubelet.admit(made(asked, f"p{number}"))
        if admission.admitted:
            admitted.append(f"p{number}")
        else:
            assert state(kubelet) == last
        shares = [frozenset().union(*owned.values()) for owned in kubelet.cpu.owned.values()]
        assert sum(map(len, shares)) == len(frozenset().union(*shares))
        assert kubelet.cpu.shared.isdisjoint(frozenset().union(*shares))
    for name in admitted:
        kubelet.remove(name)
    assert state(kubelet) == before
