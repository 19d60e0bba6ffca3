"""Which repairs are made unasked: those that keep every node on which a pod could run, as the allocator says."""

import pytest

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.edit import Remove
from dralign.finding import Fix, Patch, Severities
from dralign.rule import LoadedRule, Rule
from dralign.yamlio import KUBECTL
from repairing import block, of_kind, repaired, written

PROFILE = {"profile": {"string": "1g.10gb"}, "type": {"string": "mig"}}


def node(name, labels=None, taints=(), **allocatable):
    amounts = {"cpu": "64", "memory": "512Gi", "pods": "110"}
    amounts |= {key.replace("_", "/", 1): value for key, value in allocatable.items()}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name} | (labels or {})},
        "spec": {"taints": list(taints)},
        "status": {"allocatable": amounts},
    }


def slices(name, *zones, driver="gpu.nvidia.com", count=2, **more):
    attributes = {"type": {"string": "gpu"}} | more
    devices = [
        {"name": f"d-{zone}-{i}", "attributes": {"resource.kubernetes.io/numaNode": {"int": zone}} | attributes}
        for zone in zones
        for i in range(count)
    ]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{name}-{driver}"},
        "spec": {
            "driver": driver,
            "nodeName": name,
            "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
            "devices": devices,
        },
    }


def pod(requests=None, claims=(), **limits):
    amounts = {"cpu": "4", "memory": "16Gi"} | {key.replace("_", "/", 1): value for key, value in limits.items()}
    resources = {"limits": amounts} | ({"requests": requests} if requests else {})
    spec = {"containers": [{"name": "main", "image": "registry.example.com/a:1", "resources": resources}]}
    if claims:
        resources["claims"] = [{"name": name} for name in claims]
        spec["resourceClaims"] = [{"name": name, "resourceClaimTemplateName": name} for name in claims]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}


def template(*requests):
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "t"},
        "spec": {"spec": {"devices": {"requests": list(requests)}}},
    }


MIG = {"nvidia.com_mig-1g.10gb": 2}
SLICES = slices("a", 0, **PROFILE)
TAINT = {"key": "nvidia.com/gpu", "effect": "NoSchedule"}
CLASS = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "gpu.nvidia.com"},
    "spec": {"extendedResourceName": "nvidia.com/gpu"},
}


@pytest.mark.parametrize(
    ("asked", "inventory", "made"),
    [
        pytest.param(MIG, [], False, id="nothing known"),
        pytest.param(MIG, [node("a"), SLICES], True, id="the node offers it by DRA alone"),
        pytest.param(MIG, [SLICES], True, id="a node that only its slices name"),
        pytest.param(MIG, [node("a", **{"nvidia.com_mig-1g.10gb": "7"}), SLICES], True, id="the node offers both"),
        pytest.param(
            MIG,
            [node("a"), SLICES, node("b", **{"nvidia.com_mig-1g.10gb": "7"})],
            False,
            id="another node offers it by plugin alone",
        ),
        pytest.param(MIG, [node("a", taints=[TAINT]), SLICES], False, id="the pod tolerates no such node"),
        pytest.param({"nvidia.com_mig-1g.10gb": 3}, [node("a"), SLICES], False, id="no node has that many"),
        pytest.param({"nvidia.com_gpu": 1}, [node("a"), slices("a", 0)], True, id="a whole device"),
        pytest.param({"nvidia.com_gpu": 1}, [node("a"), slices("a", 0), CLASS], False, id="DRA serves it already"),
        pytest.param(
            {"nvidia.com_gpu": 1},
            [node("a", {"nvidia.com/gpu.replicas": "4"}, **{"nvidia.com_gpu": "8"}), slices("a", 0)],
            False,
            id="shares of time-slicing",
        ),
    ],
)
def test_extended_resources(asked, inventory, made):
    text = block(pod(**asked))
    _, after = repaired(text, block(*inventory) if inventory else "")
    assert bool(of_kind(after, "ResourceClaimTemplate")) is made
    if not made:
        assert written(after) == text


@pytest.mark.parametrize(
    ("zones", "made"),
    [
        pytest.param({"a": (0, 1)}, True, id="both fit on one NUMA node"),
        pytest.param({"a": (0, 1), "b": (0, 1)}, True, id="on every node"),
    ],
)
def test_a_constraint_that_every_node_can_meet(zones, made):
    asked = template({"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 2}})
    inventory = [slices(name, *where) for name, where in zones.items()]
    _, after = repaired(block(asked, pod(claims=["t"])), block(*inventory))
    (claim,) = of_kind(after, "ResourceClaimTemplate")
    assert ("constraints" in claim["spec"]["spec"]["devices"]) is made


def test_a_constraint_that_costs_a_node_is_held_back():
    asked = template({"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 2}})
    inventory = [slices("a", 0, 1), slices("b", 0, 1, count=1)]
    text = block(asked, pod(claims=["t"]))
    outcome, after = repaired(text, block(*inventory), only=["numa-constraint-missing"])
    assert written(after) == text
    (report,) = [found for found in outcome.findings if found.rule == "numa-constraint-missing"]
    assert report.fix.state == "held"


@pytest.mark.parametrize(("memory", "made"), [("512Gi", True), ("20Gi", False)])
def test_larger_requests_must_fit(memory, made):
    asked = template({"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}})
    small = pod({"cpu": "4", "memory": "8Gi"}, claims=["t"], memory="32Gi")
    there = node("a")
    there["status"]["allocatable"]["memory"] = memory
    _, after = repaired(block(asked, small), block(there, slices("a", 0)))
    (found,) = of_kind(after, "Pod")
    assert found["spec"]["containers"][0]["resources"]["requests"]["memory"] == ("32Gi" if made else "8Gi")


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (
            {"nvidia.com/mig.strategy": "single", "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb"},
            "takes a 1g.10gb slice on a",
        ),
        ({"nvidia.com/gpu.replicas": "4", "nvidia.com/gpu.sharing-strategy": "mps"}, "takes one of 4 shares of a GPU by mps"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("spec", [{}, {"alignment": {"strategy": "constraint"}}])
def test_a_cards_name_that_means_a_part_of_it_is_never_rewritten(labels, words, spec):
    text = block(pod(**{"nvidia.com_gpu": 1}))
    inventory = block(node("a", labels, **{"nvidia.com_gpu": "7"}), node("b", labels, **{"nvidia.com_gpu": "7"}))
    outcome, after = repaired(text, inventory, unsafe=True, **spec)
    assert written(after) == text
    (report,) = [found for found in outcome.findings if found.rule == "legacy-device-resource"]
    assert words in report.message
    assert "a and 1 more" in report.message


@pytest.mark.parametrize(
    ("count", "tied"),
    [pytest.param(2, True, id="on one NUMA node"), pytest.param(3, False, id="more than any NUMA node has")],
)
def test_a_constraint_that_no_node_can_meet_is_left_out(count, tied):
    """The rewrite goes on without it; the finding stays, and its fix is held back."""
    inventory = block(node("a", **{"nvidia.com_gpu": "4"}), slices("a", 0, 1))
    outcome, after = repaired(block(pod(**{"nvidia.com_gpu": count})), inventory, alignment={"strategy": "constraint"})
    (claim,) = of_kind(after, "ResourceClaimTemplate")
    assert ("constraints" in claim["spec"]["spec"]["devices"]) is tied
    held = [report for report in outcome.findings if report.rule == "numa-constraint-missing"]
    assert [report.fix.reason for report in held if report.fix] == (
        [] if tied else ["then no node of the inventory could run it, only with --unsafe"]
    )


def test_a_rewrite_that_leaves_no_node_is_held_back_even_if_asked_for():
    inventory = block(node("a", **{"nvidia.com_gpu": "8"}), slices("a", 0, count=1))
    text = block(pod(**{"nvidia.com_gpu": 2}))
    outcome, after = repaired(text, inventory, alignment={"strategy": "constraint"})
    assert written(after) == text
    (report,) = [found for found in outcome.findings if found.rule == "legacy-device-resource"]
    assert report.fix.reason == "then no node of the inventory could run it, only with --unsafe"


QUEUE = {"kueue.x-k8s.io/queue-name": "main"}


def kueue(*classes):
    mapping = {"name": "gpus", "deviceClassNames": list(classes)}
    return {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "resources": {"deviceClassMappings": [mapping]},
    }


@pytest.mark.parametrize(
    ("configuration", "made"),
    [
        pytest.param([], False, id="how Kueue counts is not known"),
        pytest.param([kueue("mig.nvidia.com")], False, id="it does not count the class"),
        pytest.param([kueue("gpu.nvidia.com")], True, id="it counts the class"),
    ],
)
def test_a_queue_that_could_not_admit_the_claim(configuration, made):
    queued = pod(**{"nvidia.com_gpu": 1})
    queued["metadata"]["labels"] = QUEUE
    outcome, after = repaired(block(queued, *configuration), alignment={"strategy": "constraint"})
    assert bool(of_kind(after, "ResourceClaimTemplate")) is made
    reasons = [report.fix.reason for report in outcome.findings if report.rule == "legacy-device-resource"]
    assert made or "queue 'main' admits it as it is" in reasons[0]


KUBELET = {
    "apiVersion": "kubelet.config.k8s.io/v1beta1",
    "kind": "KubeletConfiguration",
    "cpuManagerPolicy": "static",
    "topologyManagerPolicy": "single-numa-node",
    "reservedSystemCPUs": "0",
}


def test_what_the_kubelet_can_align_is_not_taken_from_it():
    asked = pod(**{"nvidia.com_gpu": 1})
    outcome, after = repaired(block(asked, KUBELET), alignment={"strategy": "constraint"})
    assert of_kind(after, "ResourceClaimTemplate") == []
    asked["spec"]["containers"][0]["resources"]["limits"]["cpu"] = "7500m"
    outcome, after = repaired(block(asked, KUBELET), alignment={"strategy": "constraint"})
    (found,) = of_kind(after, "Pod")
    assert found["spec"]["containers"][0]["resources"]["limits"] == {"cpu": "8", "memory": "16Gi", "nvidia.com/gpu": 1}
    assert all(report.severity == "info" for report in outcome.findings if report.rule.startswith("legacy"))


def test_a_repair_that_takes_alignment_away_is_held_back():
    """No rule of ours proposes one; the engine holds it back all the same."""
    rule = Rule(id="cel-invalid", severities=Severities("error", "error", "error"), summary="s", tip="t", since="0.1")

    def check(ctx):
        for claim in ctx.claims:
            if claim.spec.constraints:
                place = claim.spec.path / "devices" / "constraints"
                fix = Fix("take the constraint out", (Patch(claim.manifest, Remove(place)),))
                yield rule.finding(claim.manifest, place, "m", fix=fix)

    requests = [
        {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}},
        {
            "name": "cpus",
            "exactly": {"deviceClassName": "dra.cpu", "capacity": {"requests": {"dra.cpu/cpu": "4"}}},
        },
    ]
    tied = template(*requests)
    tied["spec"]["spec"]["devices"]["constraints"] = [{"matchAttribute": "resource.kubernetes.io/numaNode"}]
    known = [slices("a", 0, 1), cpu_slices("a", 0, 1), node("a")]
    asked = settings_from({"mode": "fix"}, registry.rule_ids())
    inventory = tuple(bundle_of(*known).manifests)
    outcome, after = engine.run(
        bundle_of(pod(claims=["t"]), tied), asked, (LoadedRule(rule, check, "m"),), registry.catalogue(), inventory
    )
    (finding,) = outcome.findings
    assert (finding.fix.state, finding.fix.reason) == ("held", "Pod/p is aligned now and would be may-cross")
    assert of_kind(after, "ResourceClaimTemplate") == [tied]
    assert [report.verdict.kind for report in outcome.verdicts] == ["aligned"]


def cpu_slices(name, *zones):
    devices = [
        {
            "name": f"cpudevnuma{zone:03}",
            "attributes": {"resource.kubernetes.io/numaNode": {"int": zone}, "numaNodeID": {"int": zone}},
            "capacity": {"dra.cpu/cpu": {"value": "32"}},
            "allowMultipleAllocations": True,
        }
        for zone in zones
    ]
    made = slices(name, driver="dra.cpu")
    return {**made, "spec": {**made["spec"], "devices": devices}}


def bundle_of(*objects):
    return Bundle([read_source(block(*objects).encode(), "in.yaml", KUBECTL, [b":"])])
