"""Situations that people met with real drivers: what must be said of them, and what must not."""

from __future__ import annotations

from dralign.model.verdict import (
    ALIGNED,
    MAY_CROSS,
    ONE_CLAIM,
    ONE_DEVICE,
    PINNED,
    SINGLE_NODE,
    UNDECIDED,
    UNSATISFIABLE,
)
from dralign.proof import prove
from dralign.proof.replay import reproduces
from proof.stage import (
    NUMA,
    PINNING,
    ROOT,
    claim,
    cpu_groups,
    cpus,
    device,
    device_class,
    gpu,
    gpus,
    held,
    known,
    nic,
    nics,
    node,
    pod,
    pool,
    question,
    request,
    topology,
)

DRANET = device_class("dra.net", "device.driver == 'dra.net'")
EIGHT = {"capacity": {"requests": {"dra.cpu/cpu": "8"}}}
GPU, NIC, CPUS = request("gpu"), request("nic", "dra.net"), request("cpus", "dra.cpu", **EIGHT)


def test_every_setting_of_the_kubelet_is_right_and_the_gpu_is_still_not_aligned():
    asked = question(claim(GPU, match=NUMA), cpus=8, pod=pod("8", "16Gi"))
    machine = (gpus(gpu(0, 0), gpu(1, 1)), node(cpu=64))
    assert prove(asked, known(*machine, kubelet=PINNING)).kind == UNDECIDED
    found = prove(asked, known(*machine, topology(32, 32), kubelet=PINNING))
    assert found.kind == MAY_CROSS
    assert found.witness.crossed == ("gpu.nvidia.com/n1/gpu-0", "cpus/main")


def test_names_that_end_alike_are_not_the_same_attribute():
    without = [nic(number, None, **{"dra.net/numaNode": number}) for number in range(2)]
    groups = [cpus(numa) for numa in range(2)]
    for numa, item in enumerate(groups):
        item["attributes"]["dra.net/numaNode"] = {"int": numa}
    cluster = known(DRANET, gpus(gpu(0, 0), gpu(1, 1)), nics(*without), pool("dra.cpu", *groups), node(cpu=64))
    found = prove(question(claim(GPU, NIC, CPUS, match=NUMA)), cluster)
    assert (found.kind, found.refusal.word) == (UNSATISFIABLE, "never")
    assert found.refusal.nearest == f"n1: nic needs 1, 0 of 2 devices do: 2 have no {NUMA}"
    assert found.refusal.changes[0] == f"constraints[0] ({NUMA}) without request nic"
    chained = claim(GPU, NIC, CPUS, match=[(NUMA, ["gpu", "cpus"]), ("dra.net/numaNode", ["nic", "cpus"])])
    found = prove(question(chained), cluster)
    assert (found.kind, found.by) == (ALIGNED, (ONE_CLAIM,))


def test_minus_one_equals_minus_one_and_is_no_alignment():
    asked = question(claim(GPU, NIC, match=NUMA), cpus=4)
    lone = (gpus(gpu(0, None), node="vm-a"), cpu_groups(16, node="vm-a"), node("vm-a", cpu=16))
    found = prove(asked, known(DRANET, *lone, nics(nic(0, 0, node=None), node="vm-a")))
    assert found.kind == UNSATISFIABLE
    assert "gpu needs 1, 0 of 1 devices do" in found.refusal.nearest
    other = (gpus(gpu(1, -1), node="vm-b"), nics(nic(1, -1), node="vm-b"))
    found = prove(asked, known(DRANET, *lone, *other))
    assert (found.kind, found.nodes) == (UNDECIDED, ("vm-b",))
    assert "does not say on which NUMA node it is" in found.reasons[0]
    assert {item.nodes: item.kind for item in found.shapes} == {("vm-a",): UNSATISFIABLE, ("vm-b",): UNDECIDED}


def test_first_fit_on_an_empty_node_proves_nothing():
    machine = (gpus(gpu(0, 0), gpu(1, 1)), cpu_groups(32, 32), node(cpu=64))
    apart = question(claim(GPU, name="gpu", match=NUMA), claim(CPUS, name="cpus", match=NUMA))
    neighbour = held("neighbour", ("dra.cpu", "cpus-0", {"dra.cpu/cpu": "28"}))
    for others in ((), (neighbour,)):
        cluster = known(*machine, *others)
        found = prove(apart, cluster)
        assert found.kind == MAY_CROSS
        assert found.witness.placement == {"gpu/gpu": ("gpu.nvidia.com/n1/gpu-0",), "cpus/cpus": ("dra.cpu/n1/cpus-1",)}
        assert reproduces(apart, cluster, found.witness)
        assert prove(question(claim(GPU, CPUS, match=NUMA)), cluster).kind == ALIGNED


def test_a_claim_holds_no_more_than_32_devices():
    single = [device(f"cpu-{n}", n // 20, **{"dra.cpu/cpuID": n}) for n in range(40)]
    cluster = known(pool("dra.cpu", *single), node(cpu=40))
    for asked in (
        claim(request("cpus", "dra.cpu", count=64)),
        claim(request("a", "dra.cpu", count=20), request("b", "dra.cpu", count=16)),
        claim(request("cpus", "dra.cpu", allocationMode="All")),
    ):
        found = prove(question(asked), cluster)
        assert (found.kind, found.refusal.word) == (UNSATISFIABLE, "never")
        assert "exceeds the claim limit of 32" in found.reasons[0]
    grouped = claim(request("cpus", "dra.cpu", capacity={"requests": {"dra.cpu/cpu": "40"}}))
    found = prove(question(grouped), known(cpu_groups(64, 64), node(cpu=128)))
    assert (found.kind, found.by) == (ALIGNED, (ONE_DEVICE,))


def mig(name, numa, *slices, profile="3g.40gb", parent="GPU-0"):
    named = {"type": "mig", "gpu.nvidia.com/profile": profile, "gpu.nvidia.com/parentUUID": parent}
    return device(name, numa, uses=[f"memory-slice-{number}" for number in slices], **named)


def card():
    return gpus(
        gpu(0, 0, uses=[f"memory-slice-{number}" for number in range(8)]),
        mig("4g-0", 0, 0, 1, 2, 3, profile="4g.40gb"),
        mig("3g-0", 0, 0, 1, 2, 3),
        mig("3g-4", 0, 4, 5, 6, 7),
        counters=[f"memory-slice-{number}" for number in range(8)],
    )


def profile(name, wanted, **body):
    return request(name, "mig.nvidia.com", f'device.attributes["gpu.nvidia.com"].profile == "{wanted}"', **body)


def test_partitions_of_one_card_are_together_and_their_cpus_are_not():
    two = claim(profile("a", "3g.40gb"), profile("b", "3g.40gb"), match="gpu.nvidia.com/parentUUID")
    assert prove(question(two), known(card())).kind == UNDECIDED
    assert prove(question(two), known(card(), topology(8, 8))).kind == MAY_CROSS
    with_cpus = claim(
        profile("a", "3g.40gb"),
        profile("b", "3g.40gb"),
        CPUS,
        match=[("gpu.nvidia.com/parentUUID", ["a", "b"]), (NUMA, ["a", "cpus"])],
    )
    found = prove(question(with_cpus), known(card(), cpu_groups(8, 8), node(cpu=16)))
    assert (found.kind, found.by) == (ALIGNED, (ONE_CLAIM,))


def test_counters_say_which_partitions_go_together():
    cluster = known(card())
    fits = claim(profile("m4", "4g.40gb"), profile("m3", "3g.40gb"))
    assert prove(question(fits), cluster).kind != UNSATISFIABLE
    too_much = claim(profile("m4", "4g.40gb"), profile("m3", "3g.40gb", count=2))
    found = prove(question(too_much), cluster)
    assert (found.kind, found.refusal.word) == (UNSATISFIABLE, "never")
    assert "counter set/memory-slice-0" in found.reasons[0]
    assert "count: 1 instead of 2 in request m3" in found.refusal.changes
    whole_and_part = claim(GPU, profile("slice", "3g.40gb"))
    assert prove(question(whole_and_part), cluster).kind == UNSATISFIABLE


def test_a_nic_on_the_root_of_its_gpu_needs_no_numa_node_of_its_own():
    machine = (
        gpus(gpu(0, 0, root="pci0000:15"), gpu(1, 1, root="pci0000:97")),
        nics(nic(0, None, root="pci0000:15"), nic(1, None, root="pci0000:97")),
        cpu_groups(32, 32),
        node(cpu=64),
    )
    tied = claim(GPU, NIC, CPUS, match=[(ROOT, ["gpu", "nic"]), (NUMA, ["gpu", "cpus"])])
    assert prove(question(tied), known(DRANET, *machine)).kind == ALIGNED
    loose = claim(GPU, NIC, CPUS, match=[(NUMA, ["gpu", "cpus"])])
    found = prove(question(loose), known(DRANET, *machine))
    assert (found.kind, found.witness.numa["dra.net/n1/nic-1"]) == (MAY_CROSS, (1,))


def test_memory_of_a_gpu_is_no_other_numa_node_than_that_of_its_cpus():
    machine = topology(72, 72)
    machine["zones"] += [
        {
            "name": f"node-{memory}",
            "type": "Node",
            "costs": [{"name": "node-0", "value": a}, {"name": "node-1", "value": b}],
        }
        for memory, a, b in ((2, 20, 40), (10, 40, 20))
    ]
    pinned = "device.attributes['resource.kubernetes.io'].numaNode == {}"
    asked = question(
        claim(request("gpu", "gpu.nvidia.com", pinned.format(2)), request("cpus", "dra.cpu", pinned.format(0)))
    )
    found = prove(asked, known(gpus(gpu(0, 2), gpu(1, 10)), cpu_groups(72, 72), machine))
    assert (found.kind, found.by) == (ALIGNED, (PINNED,))
    one_socket = question(claim(GPU))
    alone = topology(72)
    alone["zones"] += [{"name": "node-2", "type": "Node", "resources": [{"name": "memory", "capacity": "96Gi"}]}]
    assert prove(one_socket, known(gpus(gpu(0, 2)), alone)).by == (SINGLE_NODE,)
