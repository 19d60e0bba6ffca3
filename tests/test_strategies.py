"""How alignment is made where it was asked for: CPUs in the claim, literal NUMA nodes, alternatives."""

import pytest

from repairing import block, of_kind, repaired, written

NUMA = "resource.kubernetes.io/numaNode"
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}


def container(name, *entries, cpu="8", memory="32Gi", **devices):
    amounts = {"memory": memory} | ({"cpu": cpu} if cpu else {})
    resources = {"limits": amounts | {key.replace("_", "/", 1): value for key, value in devices.items()}}
    if entries:
        resources["claims"] = list(entries)
    return {"name": name, "image": "registry.example.com/a:1", "resources": resources}


def gpus(name, *entries, count=1, **more):
    made = container(name, *entries, **more)
    made["resources"]["limits"]["nvidia.com/gpu"] = count
    return made


def pod(*containers, claims=(), **spec):
    entries = [{"name": name, "resourceClaimTemplateName": name} for name in claims]
    spec = {"containers": list(containers)} | ({"resourceClaims": entries} if entries else {}) | spec
    return POD | {"spec": spec}


def template(*requests, constraints=(), version="v1", name="t"):
    devices = {"requests": list(requests)} | ({"constraints": list(constraints)} if constraints else {})
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": name},
        "spec": {"spec": {"devices": devices}},
    }


GPU = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}
CPUS = {
    "name": "cpus",
    "exactly": {"deviceClassName": "dra.cpu", "capacity": {"requests": {"dra.cpu/cpu": "8"}}},
}


def devices(after):
    (made,) = of_kind(after, "ResourceClaimTemplate")
    return made["spec"]["spec"]["devices"]


def cpu_claim(*objects, inventory="", **spec):
    return repaired(block(*objects), inventory, alignment={"strategy": "cpu-claim"}, **spec)


# --- CPUs in the claim


def test_an_extended_resource_becomes_a_claim_of_device_and_cpus():
    outcome, after = cpu_claim(pod(gpus("a", cpu="7500m")))
    assert devices(after) == {
        "requests": [GPU, CPUS],
        "constraints": [{"matchAttribute": NUMA, "requests": ["gpu", "cpus"]}],
    }
    (made,) = of_kind(after, "Pod")
    assert made["spec"]["containers"][0]["resources"]["limits"] == {"memory": "32Gi", "cpu": "8"}
    assert outcome.findings == ()
    assert any("cpuManagerPolicy: none" in report.fix.title for report in outcome.applied)
    assert written(cpu_claim(*(m.data for m in after.manifests))[1]) == block(*(m.data for m in after.manifests))


def test_a_claim_that_is_there_gets_the_cpus_of_its_container():
    outcome, after = cpu_claim(template(GPU), pod(container("a", {"name": "t"}), claims=["t"]))
    assert devices(after)["requests"] == [GPU, CPUS]
    assert devices(after)["constraints"] == [{"matchAttribute": NUMA, "requests": ["gpu", "cpus"]}]
    assert outcome.findings == ()


@pytest.mark.parametrize(
    ("constraint", "wanted"),
    [
        pytest.param({"matchAttribute": NUMA, "requests": ["gpu"]}, ["gpu", "cpus"], id="widened"),
        pytest.param({"matchAttribute": NUMA}, None, id="covers all"),
    ],
)
def test_a_constraint_that_is_there_is_used(constraint, wanted):
    _, after = cpu_claim(template(GPU, constraints=[constraint]), pod(container("a", {"name": "t"}), claims=["t"]))
    assert devices(after)["constraints"] == [constraint | ({"requests": wanted} if wanted else {})]


def test_an_init_container_shares_the_device_and_not_the_cpus():
    _, after = cpu_claim(pod(gpus("a", count=2), initContainers=[gpus("i", cpu="1")]))
    (made,) = of_kind(after, "Pod")
    assert made["spec"]["initContainers"][0]["resources"]["claims"] == [{"name": "a-gpu", "request": "gpu"}]
    assert made["spec"]["containers"][0]["resources"]["claims"] == [{"name": "a-gpu"}]


@pytest.mark.parametrize(
    ("objects", "spec"),
    [
        pytest.param([template(GPU), pod(container("a", {"name": "t"}, cpu=None), claims=["t"])], {}, id="no amount"),
        pytest.param(
            [template(GPU), pod(container("a", {"name": "t"}), container("b", {"name": "t"}), claims=["t"])],
            {},
            id="two containers",
        ),
        pytest.param(
            [
                template(GPU),
                pod(container("a", {"name": "t"}), claims=["t"]),
                pod(container("a", {"name": "t"}, cpu="4"), claims=["t"]) | {"metadata": {"name": "q"}},
            ],
            {},
            id="two pods with different amounts",
        ),
        pytest.param(
            [template(GPU), pod(container("a", {"name": "t", "request": "gpu"}), claims=["t"])], {}, id="a part of it"
        ),
        pytest.param(
            [template(GPU), pod(container("a", {"name": "t"}), claims=["t"])],
            {"kubeVersion": "1.34"},
            id="a release that drops the amount",
        ),
        pytest.param(
            [
                template({"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 8}}),
                pod(container("a", {"name": "t"}), claims=["t"]),
            ],
            {},
            id="a whole machine",
        ),
        pytest.param(
            [
                template({"name": "gpu", "exactly": {"deviceClassName": "gpu.amd.com"}}),
                pod(container("a", {"name": "t"}), claims=["t"]),
            ],
            {},
            id="no common attribute",
        ),
    ],
)
def test_where_one_claim_cannot_hold_the_cpus_none_are_added(objects, spec):
    _, after = cpu_claim(*objects, **spec)
    (made,) = of_kind(after, "ResourceClaimTemplate")
    assert [request["name"] for request in made["spec"]["spec"]["devices"]["requests"]] == ["gpu"]


def cpu_slice(driver, **device):
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": driver},
        "spec": {
            "driver": driver,
            "nodeName": "n",
            "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "d", **device}],
        },
    }


def test_memory_is_claimed_where_nodes_offer_it():
    memory = cpu_slice("dra.memory", allowMultipleAllocations=True, capacity={"size": {"value": "64Gi"}})
    cpus = cpu_slice("dra.cpu", allowMultipleAllocations=True, capacity={"dra.cpu/cpu": {"value": "32"}})
    _, after = cpu_claim(pod(gpus("a")), inventory=block(memory, cpus))
    assert devices(after)["requests"][2] == {
        "name": "memory",
        "exactly": {"deviceClassName": "dra.memory", "capacity": {"requests": {"size": "32Gi"}}},
    }
    assert devices(after)["constraints"][0]["requests"] == ["gpu", "cpus", "memory"]


def test_a_cluster_without_the_driver_gets_no_claim_for_cpus():
    _, after = cpu_claim(pod(gpus("a")), inventory=block(gpu_slice(0, 0)))
    assert [request["name"] for request in devices(after)["requests"]] == ["gpu"]


def test_cpus_that_are_devices_each_are_counted():
    single = cpu_slice("dra.cpu", attributes={"dra.cpu/cpuID": {"int": 0}})
    _, after = cpu_claim(pod(gpus("a")), inventory=block(single))
    assert devices(after)["requests"][1] == {"name": "cpus", "exactly": {"deviceClassName": "dra.cpu", "count": 8}}


# --- literal NUMA nodes


def zone(number):
    expression = f'device.attributes["resource.kubernetes.io"].?numaNode.orValue(-1) == {number}'
    return {"cel": {"expression": expression}}


def gpu_slice(*zones):
    made = cpu_slice("gpu.nvidia.com")
    made["spec"]["devices"] = [
        {
            "name": f"gpu-{i}",
            "attributes": {
                "resource.kubernetes.io/numaNode": {"int": number},
                "type": {"string": "gpu"},
            },
        }
        for i, number in enumerate(zones)
    ]
    return made


@pytest.mark.parametrize(
    ("inventory", "asked", "wanted"),
    [
        pytest.param("", {}, [0], id="nothing known"),
        pytest.param("", {"zone": 3}, [3], id="asked for"),
        pytest.param(block(gpu_slice(0, 1, 1)), {"zone": 1}, [1], id="asked for, with an inventory"),
        pytest.param(block(gpu_slice(1, 1)), {}, [1], id="all on one"),
        pytest.param(block(gpu_slice(0, 1, 1)), {}, [0, 1], id="an alternative for each"),
        pytest.param(block(gpu_slice(*range(9), *range(9))), {}, [0], id="more than the API takes"),
    ],
)
def test_pin(inventory, asked, wanted):
    _, after = repaired(block(pod(gpus("a", count=2))), inventory, alignment={"strategy": "pin", **asked})
    (request,) = devices(after)["requests"]
    bodies = request["firstAvailable"] if len(wanted) > 1 else [request["exactly"]]
    assert [body["selectors"] for body in bodies] == [[zone(number)] for number in wanted]
    assert "constraints" not in devices(after)
    assert all(body["count"] == 2 for body in bodies)


def test_pin_with_alternatives_ties_several_requests():
    made = container("a")
    made["resources"]["limits"] |= {"nvidia.com/mig-1g.10gb": 1, "nvidia.com/mig-3g.40gb": 1}
    slices = gpu_slice(0, 1, 0, 1)
    for device, profile in zip(slices["spec"]["devices"], ("1g.10gb", "1g.10gb", "3g.40gb", "3g.40gb"), strict=True):
        device["attributes"] |= {"type": {"string": "mig"}, "profile": {"string": profile}}
    _, after = repaired(block(pod(made)), block(slices), alignment={"strategy": "pin"})
    assert devices(after)["constraints"] == [{"matchAttribute": NUMA, "requests": ["mig-1g-10gb", "mig-3g-40gb"]}]


def test_pin_takes_the_attribute_that_the_driver_has():
    made = container("a", **{"amd.com_gpu": 1})
    _, after = repaired(block(pod(made)), alignment={"strategy": "pin", "zone": 1})
    (request,) = devices(after)["requests"]
    assert request["exactly"]["selectors"][1] == {
        "cel": {"expression": 'device.attributes["gpu.amd.com"].?numaNode.orValue(-1) == 1'}
    }
