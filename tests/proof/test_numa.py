"""How many NUMA nodes a machine has: from topology objects, and from devices that stand for CPUs."""

from __future__ import annotations

import pytest

from dralign.model.numa import NumaLayout, layout_of_devices, layouts_from
from dralign.model.slice import slice_from


def topology(*zones, version="v1alpha2", **rest):
    return {
        "apiVersion": f"topology.node.k8s.io/{version}",
        "kind": "NodeResourceTopology",
        "metadata": {"name": "n1"},
        "zones": list(zones),
        **rest,
    }


def zone(name, cpu=None, memory=None, kind="Node"):
    given = (("cpu", cpu), ("memory", memory))
    resources = [{"name": key, "capacity": value} for key, value in given if value is not None]
    return {"name": name, "type": kind, "resources": resources}


def cpus(*devices):
    read = slice_from({"spec": {"driver": "dra.cpu", "pool": {"name": "n1"}, "devices": list(devices)}})
    return read.devices


def group(numa, count, name="resource.kubernetes.io/numaNode"):
    return {
        "name": f"cpudevnuma{numa}",
        "attributes": {name: {"int": numa}, "dra.cpu/socketID": {"int": numa // 2}},
        "capacity": {"dra.cpu/cpu": {"value": str(count)}},
    }


@pytest.mark.parametrize("version", ["v1alpha1", "v1alpha2"])
def test_zones_of_type_node_are_numa_nodes(version):
    read = layouts_from([topology(zone("node-0", "32", "1Gi"), zone("node-1", 32, "1Gi"), version=version)])
    assert read == {"n1": NumaLayout({0: 32, 1: 32}, "NodeResourceTopology", {0: 1 << 30, 1: 1 << 30})}


def test_memory_without_cpus_is_no_place_for_a_pod():
    read = layouts_from([topology(zone("node-0", "72", "1Gi"), zone("node-2", memory="2Gi"), zone("node-3", cpu="0"))])
    assert read["n1"].cpus == {0: 72}
    assert read["n1"].memory == {0: 1 << 30, 2: 2 << 30}
    assert read["n1"].is_single


def test_memory_of_an_accelerator_is_near_to_some_cpus():
    def far(name, *costs, cpu=None):
        return {**zone(name, cpu, "1Gi"), "costs": [{"name": f"node-{n}", "value": cost} for n, cost in costs]}

    zones = (
        far("node-0", cpu="72"),
        far("node-1", cpu="72"),
        far("node-2", (0, 20), (1, 40)),
        far("node-3", (0, 9), (1, 9)),
    )
    assert layouts_from([topology(*zones)])["n1"].near == {2: 0}


@pytest.mark.parametrize(
    "data",
    [
        topology(),
        topology(zone("node-a", "32")),
        topology(zone("cell-0", "32", kind="Cell")),
        {**topology(zone("node-0", "32")), "apiVersion": "example.com/v1"},
        {**topology(zone("node-0", "32")), "metadata": {}},
        topology(zones=[{"type": "Node", "name": "node-0", "resources": [{"name": "cpu", "capacity": "many"}]}]),
    ],
)
def test_what_says_nothing_is_passed_over(data):
    assert layouts_from([data]) == {}


def test_groups_of_cpus_that_cover_the_node():
    found = layout_of_devices(cpus(group(0, 64), group(1, 64)), 128)
    assert (found.cpus, found.sockets, found.source) == ({0: 64, 1: 64}, {0: 0, 1: 0}, "dra.cpu devices")


def test_single_cpus_are_counted_by_numa_node():
    single = [
        {"name": f"cpu{i}", "attributes": {"dra.cpu/cpuID": {"int": i}, "dra.cpu/numaNodeID": {"int": i % 2}}}
        for i in range(6)
    ]
    assert layout_of_devices(cpus(*single), 6).cpus == {0: 3, 1: 3}


@pytest.mark.parametrize(
    ("devices", "count"),
    [
        ([group(0, 60), group(1, 64)], 128),  # some CPUs are reserved: they may be on another NUMA node
        ([group(0, 64)], None),
        ([], 64),
        ([group(-1, 64)], 64),
        ([group(0, 64, name="dra.cpu/other")], 64),
    ],
)
def test_nobody_knows_where_devices_leave_something_open(devices, count):
    assert layout_of_devices(cpus(*devices), count) is None


def test_other_drivers_say_nothing():
    read = slice_from({"spec": {"driver": "gpu.example.com", "pool": {"name": "n1"}, "devices": [group(0, 64)]}})
    assert layout_of_devices(read.devices, 64) is None
