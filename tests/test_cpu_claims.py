"""CPUs that claims take against those that containers ask for."""

import pytest

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.edit import Style, render
from dralign.yamlio import KUBECTL

RULES, CATALOGUE, WORDS = registry.rules(), registry.catalogue(), registry.words()
RULE = "cpu-claim-mismatch"


def bundle(*objects):
    text = "---\n".join(render(item, 0, Style()) + "\n" for item in objects)
    return Bundle([read_source(text.encode(), "in.yaml", KUBECTL, WORDS)])


def found(*objects, inventory=(), **spec):
    asked = settings_from({"mode": "check", **spec}, registry.rule_ids())
    known = tuple(bundle(*inventory).manifests)
    outcome, _ = engine.run(bundle(*objects), asked, RULES, CATALOGUE, known)
    return [report for report in outcome.findings if report.rule == RULE]


def claim(*requests, kind="ResourceClaimTemplate", name="t"):
    spec = {"devices": {"requests": list(requests)}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": {"spec": spec} if kind == "ResourceClaimTemplate" else spec,
    }


def cpus(amount="8", name="cpus", **more):
    capacity = {"capacity": {"requests": {"dra.cpu/cpu": amount}}} if amount else {}
    return {"name": name, "exactly": {"deviceClassName": "dra.cpu", **capacity, **more}}


GPU = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}


def container(name, cpu=None, *entries, **more):
    resources = {"limits": {"memory": "1Gi"} | ({"cpu": cpu} if cpu is not None else {})}
    if entries:
        resources["claims"] = [dict(zip(("name", "request"), entry.split("/"), strict=False)) for entry in entries]
    return {"name": name, "image": "registry.example.com/a:1", "resources": resources, **more}


def pod(*containers, entries=("t",), init=(), **spec):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {
            "resourceClaims": [{"name": entry, "resourceClaimTemplateName": entry} for entry in entries],
            "containers": list(containers),
            **({"initContainers": list(init)} if init else {}),
            **spec,
        },
    }


@pytest.mark.parametrize(
    "objects",
    [
        pytest.param((claim(GPU, cpus()), pod(container("a", 8, "t"))), id="the same number"),
        pytest.param((claim(GPU, cpus("4", count=2)), pod(container("a", 8, "t"))), id="amount times count"),
        pytest.param((claim(cpus("4", "a"), cpus("4", "b")), pod(container("a", 8, "t"))), id="two requests"),
        pytest.param(
            (claim(GPU, cpus()), pod(container("a", 2, "t/gpu"), container("b", 8, "t/cpus"))),
            id="only the container that gets the CPUs counts",
        ),
        pytest.param(
            (claim(cpus()), pod(container("a", 3, "t"), container("b", 5, "t"))), id="two containers share them"
        ),
        pytest.param(
            (claim(cpus()), pod(container("a", 8, "t"), init=[container("i", 1, "t")])),
            id="an init container runs before",
        ),
        pytest.param((claim(cpus(None)), pod(container("a", 3, "t"))), id="an amount that nobody can tell"),
        pytest.param(
            (claim(cpus(allocationMode="All")), pod(container("a", 3, "t"))), id="all devices, however many those are"
        ),
        pytest.param(
            (
                claim(
                    {
                        "name": "any",
                        "firstAvailable": [
                            {"name": "g", "deviceClassName": "gpu.nvidia.com"},
                            {"name": "c", **cpus()["exactly"]},
                        ],
                    }
                ),
                pod(container("a", 3, "t")),
            ),
            id="a GPU or CPUs",
        ),
        pytest.param(
            (claim(GPU, cpus()), pod(container("a", None, "t"), resources={"limits": {"cpu": "8"}})),
            id="the pod as a whole",
        ),
        pytest.param((pod(container("a", 3, "t")),), id="a claim that is not here"),
    ],
)
def test_silent(objects):
    assert found(*objects) == []


@pytest.mark.parametrize(
    ("objects", "words"),
    [
        pytest.param((claim(GPU, cpus()), pod(container("a", 6, "t"))), ("asks for 6", "takes 8"), id="too few"),
        pytest.param((claim(GPU, cpus()), pod(container("a", None, "t"))), ("asks for no CPUs", "takes 8"), id="none"),
        pytest.param((claim(cpus("4", count=2)), pod(container("a", 4, "t"))), ("takes 8",), id="amount times count"),
        pytest.param(
            (claim(cpus()), pod(container("a", 3, "t"), container("b", 4, "t"))),
            ("containers 'a', 'b' ask for 7",),
            id="two containers share them",
        ),
        pytest.param(
            (claim(cpus()), claim(cpus("2"), name="u"), pod(container("a", 8, "t", "u"), entries=("t", "u"))),
            ("claim 't'", "claim 'u'", "takes 10"),
            id="two claims",
        ),
        pytest.param(
            (claim(GPU, cpus()), pod(container("a", None, "t"), container("b", 2),
                                     resources={"requests": {"cpu": "9"}, "limits": {"cpu": "9"}})),
            ("asks for 9 CPUs as a whole", "rest of 10"),
            id="too few as a whole",
        ),
    ],
)  # fmt: skip
def test_found(objects, words):
    (report,) = found(*objects)
    assert report.severity == "error"
    assert all(word in report.message for word in words), report.message


def test_a_claim_that_several_pods_share_is_nobodys_alone():
    shared = claim(cpus(), kind="ResourceClaim")
    user = pod(container("a", 4, "t"))
    user["spec"]["resourceClaims"] = [{"name": "t", "resourceClaimName": "t"}]
    other = {**user, "metadata": {"name": "q"}}
    assert found(shared, user, other) == []
    assert len(found(shared, user)) == 1


def slices(**fields):
    device = {
        "name": "cpudevnuma000",
        "attributes": {"resource.kubernetes.io/numaNode": {"int": 0}},
        "capacity": {"dra.cpu/cpu": {"value": "32"}},
        **fields,
    }
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "n"},
        "spec": {
            "driver": "dra.cpu",
            "nodeName": "n",
            "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1},
            "devices": [device],
        },
    }


def test_devices_of_one_cpu_each_count_themselves():
    asked = claim(cpus(None, count=4)), pod(container("a", 3, "t"))
    (report,) = found(*asked, inventory=[slices(capacity={}, attributes={"dra.cpu/cpuID": {"int": 0}})])
    assert "takes 4" in report.message
    assert found(*asked) == []


TELLING = slices(nodeAllocatableResources={"cpu": {"mapping": {"capacityKey": "dra.cpu/cpu"}}})
GATE = {"DRANodeAllocatableResources": True}


@pytest.mark.parametrize(
    ("asked", "inventory", "gates", "count"),
    [
        pytest.param(None, [TELLING], GATE, 0, id="the devices tell, nothing is repeated"),
        pytest.param(2, [TELLING], GATE, 0, id="shared CPUs beside"),
        pytest.param(8, [TELLING], GATE, 1, id="counted twice"),
        pytest.param(None, [], GATE, 0, id="nobody can know"),
        pytest.param(None, [slices()], GATE, 1, id="the devices do not tell"),
        pytest.param(8, [slices()], {}, 0, id="repeated"),
    ],
)
def test_devices_that_tell_the_scheduler_themselves(asked, inventory, gates, count):
    reports = found(claim(cpus()), pod(container("a", asked, "t")), inventory=inventory, featureGates=gates)
    assert len(reports) == count
    assert all("counts 16 CPUs" in report.message for report in reports if asked)
