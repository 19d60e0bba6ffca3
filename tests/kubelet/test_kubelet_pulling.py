"""Pods that fare worse for what one of their containers asks, and machines that nobody knows."""

import pytest
from samples import PAIR, settings

from dralign.kubelet.blame import beside, keys_of
from dralign.kubelet.configuration import read
from dralign.kubelet.pods import Container, Pod, Resources
from dralign.kubelet.pulling import find_pull, is_refused, with_little_memory, without_own_cpus
from dralign.kubelet.room import hangs_on_memory, roomy_machine
from dralign.kubelet.starting import start
from dralign.values.quantity import Quantity


def container(name, cpu, kind="container", memory="1Gi"):
    return Container(name, kind, Resources({}, {"cpu": Quantity.parse(cpu), "memory": Quantity.parse(memory)}))


def pod(*containers):
    return Pod("train", containers)


def configuration(**fields):
    return read(settings(**fields)).configuration


FETCH = container("fetch", "1", "init")


def test_an_init_container_pulls_the_others_to_where_it_is():
    pull = find_pull(configuration(), PAIR, pod(FETCH, container("main", "5")), ["fetch"])
    assert (pull.place, pull.free, pull.refused) == (0, 4, True)


@pytest.mark.parametrize(
    ("config", "containers"),
    [
        pytest.param({"scope": "pod"}, (FETCH, container("main", "5")), id="placed as a whole"),
        pytest.param({}, (container("fetch", "500m", "init"), container("main", "5")), id="shares CPUs"),
        pytest.param(
            {}, (container("fetch", "5", "init"), container("main", "5")), id="hands on as many as are needed"
        ),
        pytest.param({}, (FETCH, container("main", "500m")), id="the others own none"),
    ],
)
def test_it_pulls_nobody(config, containers):
    assert find_pull(configuration(**config), PAIR, pod(*containers), ["fetch"]) is None


def test_where_nothing_is_refused_the_cpus_lie_apart():
    pull = find_pull(configuration(policy="best-effort"), PAIR, pod(FETCH, container("main", "5")), ["fetch"])
    assert not pull.refused


def test_a_pod_is_refused_for_what_is_too_large_wherever_the_reserved_cpus_are():
    config = configuration(scope="pod")
    large = pod(container("fetch", "9", "init"), container("main", "2"))
    assert is_refused(config, PAIR, large, without_own_cpus(large, ["fetch"]))
    close = pod(container("fetch", "8", "init"), container("main", "2"))
    assert not is_refused(config, PAIR, close, without_own_cpus(close, ["fetch"])), "one NUMA node may be whole"


def test_memory_is_eased_for_one_container():
    config = configuration(memory=True)
    large = pod(container("main", "2", memory="17Gi"))
    assert is_refused(config, PAIR, large, with_little_memory(large, ["main"], "memory"))
    assert not is_refused(config, PAIR, large, with_little_memory(large, ["other"], "memory"))


@pytest.mark.parametrize(
    "fields",
    [
        {"reservedSystemCPUs": "0-3,1000", "systemReserved": {"memory": "1Gi"}},
        {"systemReserved": {"cpu": "200", "memory": "1Gi"}},
        {
            "memoryManagerPolicy": "Static",
            "reservedMemory": [{"numaNode": 7, "limits": {"memory": "1Gi"}}],
        },
    ],
)
def test_on_a_roomy_machine_nothing_fails_for_want_of_room(fields):
    config = read(settings() | fields).configuration
    assert start(config, roomy_machine(config)).error is None


def test_a_percentage_of_memory_hangs_on_the_machine():
    fields = {"memoryManagerPolicy": "Static", "reservedMemory": [{"numaNode": 0, "limits": {"memory": "1Gi"}}]}
    for threshold, hangs in (("5%", True), ("100Mi", False), ("100%", False)):
        config = read(settings() | fields | {"evictionHard": {"memory.available": threshold}}).configuration
        assert hangs_on_memory(config) == hangs


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("evictionHard.memory.available", ("evictionHard", "memory.available")),
        ("reservedMemory[1].limits.memory", ("reservedMemory", 1, "limits", "memory")),
        ("cpuManagerPolcy", ("cpuManagerPolcy",)),
    ],
)
def test_fields_are_found_as_they_are_written(written, keys):
    data = {
        "evictionHard": {"memory.available": "1Gi", "memory": ""},
        "reservedMemory": [{}, {"limits": {"memory": 1}}],
        "cpuManagerPolcy": "static",
    }
    assert keys_of(written, data) == keys


def test_a_field_has_neighbours():
    assert "cpuManagerPolicy" in beside(("cpuManagerPolcy",))
    assert set(beside(("reservedMemory", 0, "node"))) == {"numaNode", "limits"}
