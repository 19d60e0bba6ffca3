"""What is proved of pods on clusters small enough to see it."""

from __future__ import annotations

import pytest

from dralign.model.verdict import (
    ALIGNED,
    DERIVED,
    KUBELET,
    MAY_CROSS,
    ONE_CLAIM,
    ONE_DEVICE,
    PINNED,
    SINGLE_NODE,
    SPANS,
    UNDECIDED,
    UNSATISFIABLE,
)
from dralign.proof import prove
from dralign.proof.replay import reproduces
from proof.stage import (
    GATES,
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

FOUR_GPUS = gpus(*(gpu(number, number // 2) for number in range(4)))
TWO_NICS = nics(nic(0, 0), nic(1, 1))
BOTH_CPUS = cpu_groups(32, 32)
MACHINE = (FOUR_GPUS, TWO_NICS, BOTH_CPUS, node(cpu=64))
GPU, NIC, CPUS = (
    request("gpu"),
    request("nic", "dra.net"),
    request("cpus", "dra.cpu", capacity={"requests": {"dra.cpu/cpu": "8"}}),
)
DRANET = device_class("dra.net", "device.driver == 'dra.net'")
ON_0 = "device.attributes['resource.kubernetes.io'].numaNode == 0"
PINNED_MACHINE = topology(32, 32)


def verdict_of(asked, cluster):
    found = prove(asked, cluster)
    if found.witness is not None:
        assert reproduces(asked, cluster, found.witness)
    return found


@pytest.mark.parametrize(
    ("asked", "objects", "kind", "by"),
    [
        pytest.param(
            question(claim(GPU, CPUS, match=NUMA)), MACHINE, ALIGNED, (ONE_CLAIM,), id="one constraint over both"
        ),
        pytest.param(
            question(claim(GPU, NIC, CPUS, match=[(NUMA, ["gpu", "cpus"]), (NUMA, ["nic", "cpus"])])),
            MACHINE,
            ALIGNED,
            (ONE_CLAIM,),
            id="constraints that share a request",
        ),
        pytest.param(question(claim(GPU, CPUS)), MACHINE, MAY_CROSS, (), id="no constraint"),
        pytest.param(
            question(claim(GPU, NIC, CPUS, match=[(NUMA, ["gpu", "nic"])])), MACHINE, MAY_CROSS, (), id="CPUs not tied"
        ),
        pytest.param(
            question(claim(request("gpu", count=2), CPUS)), MACHINE, MAY_CROSS, (), id="two GPUs, no constraint"
        ),
        pytest.param(question(claim(GPU, match=NUMA)), MACHINE, MAY_CROSS, (), id="CPUs left to the kubelet"),
        pytest.param(question(claim(CPUS)), MACHINE, ALIGNED, (ONE_DEVICE,), id="nothing else to be near to"),
        pytest.param(
            question(claim(request("gpu", "gpu.nvidia.com", ON_0), request("cpus", "dra.cpu", ON_0))),
            MACHINE,
            ALIGNED,
            (PINNED,),
            id="literals",
        ),
        pytest.param(
            question(claim(request("gpu", "gpu.nvidia.com", ON_0), CPUS)),
            MACHINE,
            MAY_CROSS,
            (),
            id="one literal is none",
        ),
        pytest.param(
            question(claim(GPU)), (gpus(gpu(0, None)), topology(64)), ALIGNED, (SINGLE_NODE,), id="one NUMA node"
        ),
        pytest.param(question(claim(GPU)), (gpus(gpu(0, 0)),), UNDECIDED, (), id="nobody knows how many NUMA nodes"),
        pytest.param(
            question(claim(request("gpu", count=4), CPUS)),
            MACHINE,
            SPANS,
            (),
            id="every GPU of a machine with two NUMA nodes",
        ),
        pytest.param(
            question(claim(request("gpu", count=3)), cpus=4), MACHINE, SPANS, (), id="more than a NUMA node holds"
        ),
        pytest.param(
            question(claim(request("gpu", allocationMode="All"), CPUS)), MACHINE, SPANS, (), id="All on two NUMA nodes"
        ),
        pytest.param(question(claim(GPU), cpus=40), MACHINE, SPANS, (), id="more CPUs than a NUMA node has"),
        pytest.param(
            question(claim(request("gpu", count=4), match=NUMA)),
            MACHINE,
            UNSATISFIABLE,
            (),
            id="a constraint nothing meets",
        ),
        pytest.param(
            question(claim(GPU, name="a"), claim(CPUS, name="b", match=NUMA)),
            MACHINE,
            MAY_CROSS,
            (),
            id="across claims",
        ),
        pytest.param(
            question(claim(request("gpu", allocationMode="ExactCount", count=33))),
            MACHINE,
            UNSATISFIABLE,
            (),
            id="33 devices",
        ),
        pytest.param(
            question(claim(GPU, CPUS, match=NUMA)),
            (gpus(gpu(0, -1)), pool("dra.cpu", cpus(-1)), PINNED_MACHINE),
            UNDECIDED,
            (),
            id="-1 is no place",
        ),
        pytest.param(
            question(claim(GPU, NIC, match=ROOT), cpus=2),
            (gpus(gpu(0, None, root="r0")), nics(nic(0, None, root="r0")), topology(8, 8)),
            UNDECIDED,
            (),
            id="one root, on an unknown NUMA node",
        ),
        pytest.param(
            question(claim(GPU, NIC, CPUS, match=[(ROOT, ["gpu", "nic"]), (NUMA, ["gpu", "cpus"])])),
            (
                gpus(gpu(0, 0, root="r0"), gpu(1, 1, root="r1")),
                nics(nic(0, None, root="r0"), nic(1, None, root="r1")),
                BOTH_CPUS,
                node(cpu=64),
            ),
            ALIGNED,
            (ONE_CLAIM,),
            id="the NIC is where its root is",
        ),
        pytest.param(question(claim(GPU)), (), UNDECIDED, (), id="no inventory"),
        pytest.param(question(claim(GPU, CPUS)), (FOUR_GPUS,), UNDECIDED, (), id="the pool of CPUs is empty"),
        pytest.param(
            question(claim(GPU, CPUS, match=NUMA)),
            (FOUR_GPUS,),
            ALIGNED,
            (ONE_CLAIM,),
            id="empty, but the text is enough",
        ),
        pytest.param(question(claim(request("gpu", "unheard.of"))), MACHINE, UNDECIDED, (), id="unknown class"),
        pytest.param(question(claim(GPU), eligible=lambda _: False), MACHINE, UNDECIDED, (), id="no node to run on"),
        pytest.param(
            question(claim(GPU, CPUS, match=NUMA), uses={"main": []}), MACHINE, UNDECIDED, (), id="no container uses it"
        ),
        pytest.param(
            question(claim(request("gpu", adminAccess=True)), cpus=4),
            MACHINE,
            UNDECIDED,
            (),
            id="admin access holds nothing",
        ),
        pytest.param(
            question(
                claim(
                    GPU,
                    CPUS,
                    request("g2"),
                    request("c2", "dra.cpu"),
                    match=[(NUMA, ["gpu", "cpus"]), (NUMA, ["g2", "c2"])],
                ),
                uses={"a": [("c", "gpu"), ("c", "cpus")], "b": [("c", "g2"), ("c", "c2")]},
            ),
            MACHINE,
            ALIGNED,
            (ONE_CLAIM,),
            id="each container for itself",
        ),
    ],
)
def test_verdict(asked, objects, kind, by):
    found = verdict_of(asked, known(DRANET, *objects))
    assert (found.kind, found.by) == (kind, by), found


def test_counterexample_is_the_smallest_and_names_everything():
    found = prove(question(claim(GPU, CPUS)), known(*MACHINE)).witness
    assert [item.device for item in found.taken] == ["dra.cpu/n1/cpus-0"]
    assert str(found.taken[0].consumed["dra.cpu/cpu"]) == "32"
    assert found.placement == {"c/gpu": ("gpu.nvidia.com/n1/gpu-0",), "c/cpus": ("dra.cpu/n1/cpus-1",)}
    assert found.numa == {"gpu.nvidia.com/n1/gpu-0": (0,), "dra.cpu/n1/cpus-1": (1,)}
    assert found.crossed == ("gpu.nvidia.com/n1/gpu-0", "dra.cpu/n1/cpus-1")


def test_cpus_of_the_kubelet_go_where_there_is_room():
    found = prove(question(claim(GPU), cpus=8), known(FOUR_GPUS, topology(32, 32))).witness
    assert (found.taken, found.exclusive_cpus) == ((), {0: 32})
    assert found.numa == {"gpu.nvidia.com/n1/gpu-0": (0,), "cpus/main": (1,)}
    assert found.crossed == ("gpu.nvidia.com/n1/gpu-0", "cpus/main")


def test_cpus_are_apart_from_one_device_whatever_another_does_not_say():
    objects = gpus(gpu(0, None, root="r0"), gpu(1, 1, root="r1")), PINNED_MACHINE
    found = verdict_of(question(claim(request("gpu", count=2)), cpus=8), known(*objects))
    assert (found.kind, found.witness.crossed) == (MAY_CROSS, ("gpu.nvidia.com/n1/gpu-1", "cpus/main"))


def test_a_known_kubelet_says_which_cpus_are_taken():
    asked = question(claim(GPU), cpus=4, pod=pod("4"))
    found = prove(asked, known(FOUR_GPUS, topology(8, 8), kubelet=PINNING)).witness
    assert found.numa["cpus/main"] == (1,)
    assert sum(found.exclusive_cpus.values()) > 0


def test_static_memory_manager_takes_memory_away_from_claimed_cpus():
    machine = topology(8, 8)
    for zone in machine["zones"]:
        zone["resources"].append({"name": "memory", "capacity": "8Gi"})
    static = {
        **PINNING,
        "memoryManagerPolicy": "Static",
        "reservedMemory": [{"numaNode": 0, "limits": {"memory": "1Gi"}}],
        "kubeReserved": {"memory": "924Mi"},
        "evictionHard": {"memory.available": "100Mi"},
        "cpuManagerPolicy": "none",
    }
    static.pop("reservedSystemCPUs")
    cluster = known(gpus(gpu(0, 0)), cpu_groups(8), machine, kubelet=static)
    found = verdict_of(question(claim(GPU, CPUS, match=NUMA), pod=pod("8")), cluster)
    assert found.kind == MAY_CROSS
    assert found.witness.crossed[1] == "memory/main"


def test_spans_needs_every_eligible_machine():
    small, large = gpus(gpu(0, 0), gpu(1, 1)), gpus(*(gpu(n, n // 2) for n in range(4)), node="n2")
    asked = question(claim(request("gpu", count=2), CPUS))
    cpus_of_both = (cpu_groups(32, 32), cpu_groups(32, 32, node="n2"))
    assert prove(asked, known(small, cpus_of_both[0], node(cpu=64))).kind == SPANS
    found = prove(asked, known(small, large, *cpus_of_both, node(cpu=64), node("n2", cpu=64)))
    assert (found.kind, found.witness.node) == (MAY_CROSS, "n1")
    assert {item.nodes: item.kind for item in found.shapes} == {("n1",): SPANS, ("n2",): MAY_CROSS}


def test_nodes_that_look_alike_are_judged_once():
    names = [f"n{i}" for i in range(5)]
    objects = [gpus(gpu(0, 0, uuid=f"GPU-{name}"), node=name) for name in names]
    objects += [cpu_groups(8, 8, node=name) for name in names]
    found = prove(question(claim(GPU, CPUS)), known(*objects, *(node(name, cpu=16) for name in names)))
    assert [item.nodes for item in found.shapes] == [tuple(names)]
    assert found.nodes == tuple(names)


def test_fallback_is_reached_when_its_betters_are_taken():
    either = {
        "name": "gpu",
        "firstAvailable": [
            {"name": "near", "deviceClassName": "gpu.nvidia.com", "selectors": [{"cel": {"expression": ON_0}}]},
            {"name": "any", "deviceClassName": "gpu.nvidia.com"},
        ],
    }
    asked = question(claim(either, request("cpus", "dra.cpu", ON_0)))
    found = verdict_of(asked, known(*MACHINE))
    assert found.kind == MAY_CROSS
    assert found.witness.placement["c/gpu/any"] == ("gpu.nvidia.com/n1/gpu-2",)
    assert sorted(item.device for item in found.witness.taken) == [f"gpu.nvidia.com/n1/gpu-{n}" for n in (0, 1)]


def test_lists_count_by_their_first_element_or_by_what_they_share():
    both = GATES | {"DRAListTypeAttributes"}
    objects = (
        gpus(gpu(0, [0, 1])),
        pool("dra.cpu", device("c", [1, 0], **{"dra.cpu/cpuID": 1})),
        topology(8, 8),
    )
    asked = question(claim(GPU, request("cpus", "dra.cpu"), match=NUMA))
    assert prove(asked, known(*objects, gates=both)).kind == MAY_CROSS
    found = prove(asked, known(*objects, gates=both, level="intersect"))
    assert (found.kind, found.by) == (ALIGNED, (ONE_CLAIM,))


def test_the_device_that_is_named_is_one_that_the_cpus_are_away_from():
    on = GATES | {"DRAListTypeAttributes"}
    objects = gpus(gpu(0, [0, 1]), gpu(1, 0)), topology(8, 2)
    found = verdict_of(question(claim(request("gpu", count=2)), cpus=4), known(*objects, gates=on, level="intersect"))
    assert found.witness.crossed == ("gpu.nvidia.com/n1/gpu-1", "cpus/main")


def test_sockets_hold_several_numa_nodes():
    grouped = [cpus(numa, 8) for numa in range(4)]
    for numa, item in enumerate(grouped):
        item["attributes"]["dra.cpu/socketID"] = {"int": numa // 2}
    objects = (gpus(gpu(0, 0), gpu(1, 1)), pool("dra.cpu", *grouped), node(cpu=32))
    first_socket = "device.attributes['dra.cpu'].socketID == 0"
    asked = question(claim(GPU, request("cpus", "dra.cpu", first_socket)))
    assert prove(asked, known(*objects)).kind == MAY_CROSS
    assert prove(asked, known(*objects, level="socket")).kind == ALIGNED


def test_derived_attributes_tie_as_published_ones_do():
    def item(name, read):
        derived = [{"name": "x.example/numa", "expression": read}]
        return request(name, {"gpu": "gpu.nvidia.com", "cpus": "dra.cpu"}[name], derivedAttributes=derived)

    own = 'device.attributes["resource.kubernetes.io"].numaNode'
    asked = question(
        claim(item("gpu", own), item("cpus", 'device.attributes["dra.cpu"].numaNodeID'), match="x.example/numa")
    )
    on = GATES | {"DRADerivedAttributes"}
    for objects in (MACHINE, ()):
        found = prove(asked, known(*objects, gates=on))
        assert (found.kind, found.by) == (ALIGNED, (DERIVED,)), found
    assert prove(asked, known(*MACHINE)).kind == UNSATISFIABLE


@pytest.mark.parametrize(
    ("asked", "by"),
    [
        pytest.param(question(claim(GPU, CPUS, match=NUMA)), (ONE_CLAIM,), id="one claim"),
        pytest.param(question(claim(CPUS)), (ONE_DEVICE,), id="one device"),
        pytest.param(
            question(claim(request("gpu", "gpu.nvidia.com", ON_0), request("cpus", "dra.cpu", ON_0))),
            (PINNED,),
            id="pinned",
        ),
        pytest.param(question(claim(GPU, CPUS)), None, id="not tied"),
        pytest.param(question(claim(GPU, match=NUMA)), None, id="CPUs left to the kubelet"),
        pytest.param(question(claim(GPU, name="a"), claim(CPUS, name="b")), None, id="two claims"),
        pytest.param(question(claim(request("gpu", "own"), CPUS, match=NUMA)), None, id="whose devices nobody knows"),
    ],
)
def test_text_alone(asked, by):
    found = prove(asked, known(device_class("own")))
    assert (found.kind, found.by) == ((ALIGNED, by) if by else (UNDECIDED, ())), found


@pytest.mark.parametrize(
    ("kubelet", "legacy", "cpu", "kind"),
    [
        (PINNING, True, "4", ALIGNED),
        (PINNING, True, "1500m", UNDECIDED),
        (PINNING, False, "4", UNDECIDED),
        ({**PINNING, "topologyManagerPolicy": "best-effort"}, True, "4", UNDECIDED),
        (None, True, "4", UNDECIDED),
    ],
)
def test_kept_together_by_the_kubelet(kubelet, legacy, cpu, kind):
    asked = question(uses={"main": []}, legacy=legacy, pod=pod(cpu))
    for objects in ((), (node(),)):
        found = prove(asked, known(*objects, kubelet=kubelet))
        assert (found.kind, found.by) == (kind, (KUBELET,) if kind == ALIGNED else ())


def test_errors_of_selectors():
    strict = "device.attributes['gpu.nvidia.com'].cores > 1"
    some, all_of = gpus(gpu(0, 0, cores=8), gpu(1, 0)), gpus(gpu(0, 0), gpu(1, 0))
    asked = question(claim(request("gpu", "gpu.nvidia.com", strict)))
    found = prove(asked, known(some, topology(8)))
    assert (found.kind, found.reasons[0].startswith("CEL error on ")) == (UNDECIDED, True)
    found = prove(asked, known(all_of, topology(8)))
    assert (found.kind, found.reasons[0].startswith("CEL error on ")) == (UNSATISFIABLE, True)


def test_what_is_taken_now_is_no_reason_for_ever():
    everything = held("others", *(("gpu.nvidia.com", f"gpu-{n}") for n in range(4)))
    found = prove(question(claim(GPU, CPUS, match=NUMA)), known(*MACHINE, everything))
    assert (found.kind, found.refusal.word, found.once_free.kind) == (UNSATISFIABLE, "not now", ALIGNED)
    assert found.refusal.shapes[0].requests[0].removed[-1].test == "in use"


def test_refusal_is_told_with_its_values():
    asked = question(
        claim(
            request("gpu", count=2), request("nic", "dra.net", "device.attributes['dra.net'].rdma == true"), match=NUMA
        )
    )
    objects = (FOUR_GPUS, nics(nic(0, 2, rdma=True), nic(1, 0, rdma=False)))
    found = prove(asked, known(DRANET, *objects))
    assert (found.kind, found.refusal.word) == (UNSATISFIABLE, "never")
    tree = {
        (r.request, item.test): (len(item.devices), item.detail)
        for r in found.refusal.shapes[0].requests
        for item in r.removed
    }
    assert tree["nic", "request selector"] == (1, "device.attributes['dra.net'].rdma == true")
    assert tree["nic", "constraint"] == (1, f"{NUMA} 2: too few such devices for gpu")
    assert found.refusal.changes[0] == f"without constraints[0] ({NUMA})"
    assert found.refusal.nearest == (
        "n1: nic needs 1, 0 of 2 devices do: 1 not selected by device.attributes['dra.net'].rdma == true, "
        f"1 has {NUMA} 2, of which gpu has too few"
    )


def test_the_counter_that_runs_out_is_named():
    parts = pool(
        "gpu.nvidia.com",
        gpu(0, 0, uses=["a", "b"]),
        device("left", 0, uses=["a"], type="gpu"),
        device("right", 0, uses=["b"], type="gpu"),
        counters=["a", "b"],
    )
    found = prove(question(claim(request("gpu", count=3))), known(parts))
    assert found.kind == UNSATISFIABLE
    assert "counter set/" in found.refusal.shapes[0].together
    assert found.refusal.changes == ("count: 2 instead of 3 in request gpu", "count: 1 instead of 3 in request gpu")


def test_a_larger_partition_is_kept_off_by_a_smaller_one():
    kinds = {"gpu.nvidia.com/profile": "x"}
    first = [
        gpu(0, 0, uses=["a", "b"]),
        device("left-0", 0, uses=["a"], type="gpu"),
        device("right-0", 0, uses=["b"], type="gpu"),
    ]
    other = device("other", 1, type="gpu")
    parts = pool("gpu.nvidia.com", *first, other, counters=["a", "b"])
    asked = question(claim(GPU, request("more"), CPUS, match=[(NUMA, ["gpu", "cpus"])]))
    found = verdict_of(asked, known(parts, BOTH_CPUS, node(cpu=64)))
    assert found.kind == MAY_CROSS, kinds


def test_a_bound_is_never_aligned():
    eight = gpus(*(gpu(n, n // 4) for n in range(8)))
    asked = question(claim(request("gpu", count=2), CPUS))
    found = prove(asked, known(eight, BOTH_CPUS, node(cpu=64), steps=3))
    assert found.kind == UNDECIDED
    assert "given up" in found.reasons[0]


def test_claims_that_have_their_devices_stay_where_they_are():
    from dralign.model.claim import claim_spec
    from dralign.proof import HeldResult
    from dralign.sim.pod_claim import PodClaim

    mine = PodClaim("g", claim_spec({"devices": {"requests": [GPU]}}), allocated=True)
    asked = question(
        mine,
        claim(request("cpus", "dra.cpu", ON_0), name="c"),
        held={"g": (HeldResult("gpu", "gpu.nvidia.com/n1/gpu-3"),)},
    )
    found = verdict_of(asked, known(*MACHINE))
    assert (found.kind, found.witness.taken) == (MAY_CROSS, ())
    assert found.witness.placement["g/gpu"] == ("gpu.nvidia.com/n1/gpu-3",)


def test_a_counterexample_with_less_taken_is_preferred():
    single = [device(f"cpu-{n}", n // 8, **{"dra.cpu/cpuID": n}) for n in range(16)]
    machine = (FOUR_GPUS, TWO_NICS, pool("dra.cpu", *single), node(cpu=16))
    asked = question(claim(GPU, NIC, request("cpus", "dra.cpu", count=2), match=[(NUMA, ["gpu", "nic"])]))
    found = verdict_of(asked, known(DRANET, *machine))
    assert [item.device for item in found.witness.taken] == ["dra.net/n1/nic-0"]


def derived(name, device_class, expression):
    return request(name, device_class, derivedAttributes=[{"name": "x.example/place", "expression": expression}])


def test_a_derived_attribute_that_fails_on_some_device_leaves_it_open():
    on = GATES | {"DRADerivedAttributes"}
    own = 'device.attributes["resource.kubernetes.io"].numaNode'
    for mode in ("ExactCount", "All"):
        gpu_request = derived("gpu", "gpu.nvidia.com", own)
        gpu_request["exactly"]["allocationMode"] = mode
        asked = question(claim(gpu_request, derived("cpus", "dra.cpu", own), match="x.example/place"))
        found = prove(asked, known(gpus(gpu(0, 0), gpu(1, None)), BOTH_CPUS, node(cpu=64), gates=on))
        assert found.kind in (UNDECIDED, UNSATISFIABLE)
        assert found.reasons[0].startswith("CEL error on evaluate derived attribute x.example/place"), found.reasons


def test_a_selector_of_nodes_that_nobody_can_read_leaves_it_open():
    wrong = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Near", "values": []}]}]}
    unreadable = pool("gpu.nvidia.com", gpu(9, 0), node=None, allNodes=False, nodeSelector=wrong)
    others = held("others", ("gpu.nvidia.com", "gpu-0"))
    found = prove(question(claim(GPU, CPUS)), known(FOUR_GPUS, BOTH_CPUS, node(cpu=64), unreadable, others))
    assert found.kind == UNDECIDED


def test_only_the_newest_generation_of_a_pool_counts():
    old, new = gpus(gpu(0, 1)), gpus(gpu(0, 0))
    new[0]["spec"]["pool"]["generation"] = 2
    asked = question(claim(GPU), cpus=4)
    for objects in ((old, new), (new, old)):
        found = verdict_of(asked, known(*objects, topology(8, 8)))
        assert found.witness.numa["gpu.nvidia.com/n1/gpu-0"] == (0,)


def test_a_kubelet_that_can_only_use_one_numa_node_is_pinned_there():
    pinned = question(claim(request("gpu", "gpu.nvidia.com", ON_0)), cpus=8, pod=pod("8"))
    cluster = known(FOUR_GPUS, topology(32, 4), kubelet=PINNING)
    found = prove(pinned, cluster)
    assert (found.kind, found.by) == (ALIGNED, (PINNED,))
    assert verdict_of(question(claim(GPU), cpus=8, pod=pod("8")), cluster).kind == MAY_CROSS


def test_pools_that_are_being_updated_leave_it_open():
    half = gpus(gpu(0, 0))
    half[0]["spec"]["pool"]["resourceSliceCount"] = 2
    found = prove(question(claim(GPU, CPUS)), known(half, BOTH_CPUS, node(cpu=64)))
    assert found.kind == UNDECIDED
