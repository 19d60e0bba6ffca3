"""What can be said of a pod whatever else runs on the node, and the counterexamples to it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dralign.kubelet import masks
from dralign.kubelet.crossing import Taken, find_crossing, occupied
from dralign.kubelet.machine import machine_of_counts
from dralign.kubelet.pinning import keeps_together, owns_cpus, owns_memory
from dralign.kubelet.placement import possible
from dralign.kubelet.pods import Container
from kubelet.samples import GI, ONE, PAIR, QUAD, configured, cpus_on, equal, node, pod
from kubelet.test_kubelet_placing import ASKED, LEVEL, POLICIES, made


@pytest.mark.parametrize(
    ("machine", "config", "asked", "nodes", "on_one"),
    [
        pytest.param(PAIR, configured(), pod(4), {0, 1}, True, id="either, never both"),
        pytest.param(PAIR, configured(), pod(8), {1}, True, id="only the one without reserved CPUs"),
        pytest.param(PAIR, configured(), pod(9), set(), True, id="never"),
        pytest.param(PAIR, configured("restricted"), pod(9), {0, 1}, False, id="at least two"),
        pytest.param(PAIR, configured("best-effort"), pod(4), {0, 1}, False, id="nothing is promised"),
        pytest.param(PAIR, configured("best-effort"), pod(1), {0, 1}, True, id="one CPU cannot be parted"),
        pytest.param(PAIR, configured(), pod("1500m"), {0, 1}, False, id="no CPUs of its own"),
        pytest.param(PAIR, configured(cpuManagerPolicy="none"), pod(4), {0, 1}, False, id="nobody owns CPUs"),
        pytest.param(PAIR, None, pod(4), {0, 1}, False, id="nobody knows"),
        pytest.param(ONE, configured("best-effort"), pod(4), {0}, True, id="there is but one"),
        pytest.param(ONE, None, pod(4), {0}, True, id="there is but one, nobody knows"),
    ],
)
def test_where_cpus_may_lie(machine, config, asked, nodes, on_one):
    found = possible(config, machine, asked)["c0"].cpus
    assert (found.nodes, found.on_one) == (nodes, on_one)


def test_numbers_of_cpus_are_enough():
    machine = machine_of_counts({0: 8, 1: 8, 2: 0}, {0: GI, 1: GI, 2: GI})
    assert machine.cpu_nodes == {0, 1}
    assert possible(configured(), machine, pod(8))["c0"].cpus.nodes == {1}
    assert possible(configured(memory=True), machine_of_counts({0: 8, 1: 8}), pod(2))["c0"].memory.nodes == {0, 1}


def test_where_memory_may_lie():
    big = pod(Container("c0", "container", equal(2, "15500Mi")))
    found = possible(configured(memory=True), PAIR, big)["c0"]
    assert (found.memory.owned, found.memory.nodes, found.cpus.nodes) == (True, {1}, {1})
    assert not possible(configured(), PAIR, big)["c0"].memory.owned


def test_a_kubelet_that_does_not_start_places_nothing():
    config = configured(cpuManagerPolicyOptions={"other": "true"})
    for ask in (possible, occupied):
        with pytest.raises(ValueError, match="cpuManager: new static policy error: unknown"):
            ask(config, PAIR, pod(1) if ask is possible else Taken())


@pytest.mark.parametrize(
    ("config", "asked", "cpus", "memory"),
    [
        pytest.param(configured(), pod(2), True, False, id="whole CPUs"),
        pytest.param(configured(memory=True), pod(2), True, True, id="memory as well"),
        pytest.param(configured(memory=True), pod("500m"), False, True, id="memory alone"),
        pytest.param(configured(cpuManagerPolicy="none"), pod(2), False, False, id="policy none"),
        pytest.param(configured(memory=True), pod(2, level=equal(4)), False, False, id="pod-level resources, gate off"),
        pytest.param(
            configured(memory=True, **LEVEL), pod(2, level=equal(4)), True, True, id="pod-level resources, gate on"
        ),
        pytest.param(None, pod(2), None, None, id="nobody knows"),
    ],
)
def test_who_owns_what(config, asked, cpus, memory):
    container = asked.containers[0]
    assert (owns_cpus(config, asked, container), owns_memory(config, asked, container)) == (cpus, memory)


@pytest.mark.parametrize(
    ("config", "asked", "names", "together"),
    [
        pytest.param(configured(), pod(2), ["c0"], True, id="one container"),
        pytest.param(configured(), pod(2, 2), ["c0"], True, id="one that matters"),
        pytest.param(configured(), pod(2, 2), ["c0", "c1"], False, id="two, each for itself"),
        pytest.param(configured(scope="pod"), pod(2, 2), ["c0", "c1"], True, id="two, scope pod"),
        pytest.param(configured("restricted"), pod(2), ["c0"], False, id="restricted may take two NUMA nodes"),
        pytest.param(configured(), pod("1500m"), ["c0"], False, id="no CPUs of its own"),
        pytest.param(configured(cpuManagerPolicy="none"), pod(2), ["c0"], False, id="no static CPU manager"),
        pytest.param(configured(scope="pod"), pod(2, level=equal(2)), ["c0"], False, id="pod-level resources"),
        pytest.param(None, pod(2), ["c0"], None, id="nobody knows"),
    ],
)
def test_what_the_kubelet_keeps_together(config, asked, names, together):
    assert keeps_together(config, asked, names) is together


@pytest.mark.parametrize("wished", [{0}, {1}])
def test_a_crossing_can_be_replayed(wished):
    config, asked = configured(), pod(4)
    found = find_crossing(config, PAIR, asked, "c0", wished)
    assert found is not None
    assert found.nodes.isdisjoint(wished)
    again = occupied(config, PAIR, found.taken).admit(asked)
    assert again == found.admission
    assert cpus_on(PAIR, again.placements["c0"].cpus) == found.nodes


@pytest.mark.parametrize(
    ("config", "wished", "what"),
    [
        pytest.param(configured(), {0, 1}, "cpus", id="everywhere is well"),
        pytest.param(configured(), {1}, "cpus", id="too large for the other one"),
        pytest.param(configured(memory=True), {0, 1}, "memory", id="memory likewise"),
    ],
)
def test_no_crossing(config, wished, what):
    assert find_crossing(config, PAIR, pod(8), "c0", wished, what) is None


def test_memory_can_cross_too():
    found = find_crossing(configured(memory=True), PAIR, pod(2), "c0", {0}, "memory")
    assert (found.nodes, found.taken.cpus) == ({1}, {0: 6})


@pytest.mark.parametrize(
    ("config", "taken", "message"),
    [
        pytest.param(configured(), Taken({0: 7}), "requested=7, available=6", id="more CPUs than there are"),
        pytest.param(configured(cpuManagerPolicy="none"), Taken({0: 1}), "nobody owns CPUs", id="policy none"),
        pytest.param(configured(), Taken(memory={0: 1}), "cannot give 1 bytes", id="no memory manager"),
    ],
)
def test_what_cannot_be_taken(config, taken, message):
    with pytest.raises(ValueError, match=message):
        occupied(config, PAIR, taken)


@settings(deadline=None, max_examples=80)
@given(
    POLICIES,
    st.sampled_from(["container", "pod"]),
    st.lists(ASKED, min_size=1, max_size=5),
    st.sampled_from([ONE, PAIR, QUAD]),
)
def test_no_placement_lies_outside_what_is_possible(policy, scope, pods, machine):
    config = configured(policy, scope, memory=True)
    kubelet = node(machine, policy, scope, memory=True)
    for number, asked in enumerate(pods):
        one = made(asked, f"p{number}")
        admission = kubelet.admit(one)
        if not admission.admitted:
            continue
        for name, found in possible(config, machine, one).items():
            cpus = cpus_on(machine, kubelet.cpu.runs_on(one.name, name))
            memory = {place for block in admission.placements[name].memory for place in masks.nodes_of(block.mask)}
            for where, nodes in ((found.cpus, cpus), (found.memory, memory)):
                assert nodes <= where.nodes
                assert len(nodes) <= 1 or not where.on_one
