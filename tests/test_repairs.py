"""Repairs on every kind that makes pods, and on every way to write resources: what comes out needs no repair any more."""

import itertools

import pytest

from dralign import engine, kinds, registry
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.edit import Style, render
from dralign.yamlio import KUBECTL

RULES, CATALOGUE, WORDS = registry.rules(), registry.catalogue(), registry.words()
ROWS = [
    (row, template)
    for row in kinds.WORKLOADS
    for template in row.templates
    if template.written and template.takes_claims
]
LEGACY = {"legacy-partition-resource", "legacy-device-resource", "legacy-and-claim"}
QOS = {"qos-not-guaranteed", "cpu-not-integer", "sidecar-breaks-qos"}


def fix(text, strategy="constraint", **alignment):
    spec = {"mode": "fix", "alignment": {"strategy": strategy, **alignment}}
    bundle = Bundle([read_source(text.encode(), "in.yaml", KUBECTL, WORDS)])
    outcome, after = engine.run(bundle, settings_from(spec, registry.rule_ids()), RULES, CATALOGUE)
    return outcome, after


def said(outcome):
    return {report.rule for report in outcome.findings}


def at(pattern, value):
    """Return an object in which ``value`` stands where a pattern leads: a star is one item of a list."""
    for step in reversed(pattern):
        value = [value] if step == "*" else {step: value}
    return value


def merged(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a | {key: merged(a[key], value) if key in a else value for key, value in b.items()}
    return b


def workload(row, template, container):
    """Return a minimal object of a kind whose pod has one container; None if its pattern goes through a map of names."""
    spec = {}
    for pattern in template.containers[:1]:
        spec = merged(spec, at(pattern, container))
    body = at(template.path, at(template.spec, spec))
    return merged(
        {"apiVersion": f"{row.group}/v1" if row.group else "v1", "kind": row.kind, "metadata": {"name": "w"}}, body
    )


@pytest.mark.parametrize(
    ("row", "template"), ROWS, ids=[f"{row.group}/{row.kind} {'.'.join(map(str, t.path))}" for row, t in ROWS]
)
def test_every_kind_whose_pod_is_written_out_is_rewritten(row, template):
    container = {"name": "main", "resources": {"limits": {"cpu": 8, "memory": "32Gi", "nvidia.com/gpu": 2}}}
    data = workload(row, template, container)
    outcome, after = fix(render(data, 0, Style()) + "\n")
    pods = [
        pod
        for manifest in after.manifests
        for r in kinds.rows_for(manifest.ref.api_version, manifest.ref.kind)
        for pod in kinds.find_templates(r, manifest.data)
    ]
    names = {m.ref.name for m in after.manifests if m.ref.kind == "ResourceClaimTemplate"}
    if not any(list(kinds.containers(pod)) for pod in pods):
        pytest.fail(f"no container found in {data}")
    assert not said(outcome) & LEGACY
    for pod in pods:
        (entry,) = pod.spec["resourceClaims"]
        assert entry["resourceClaimTemplateName"] in names
        for _, found in kinds.containers(pod):
            assert found["resources"] == {"limits": {"cpu": 8, "memory": "32Gi"}, "claims": [{"name": entry["name"]}]}


POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  {section}:
  - name: main
    image: registry.example.com/main:1.0
    resources:
{resources}"""

# How requests and limits of cpu and memory may be written, and what both must become.
AMOUNTS = [
    pytest.param({"limits": {"cpu": "8", "memory": "32Gi"}}, id="limits only"),
    pytest.param({"requests": {"cpu": "8", "memory": "32Gi"}}, id="requests only"),
    pytest.param(
        {"requests": {"cpu": "4", "memory": "32Gi"}, "limits": {"cpu": "8", "memory": "16Gi"}}, id="different values"
    ),
    pytest.param({"requests": {"cpu": "8"}, "limits": {"memory": "32Gi"}}, id="one in each"),
    pytest.param(
        {"requests": {"cpu": "7500m", "memory": "32Gi"}, "limits": {"cpu": "7500m", "memory": "32Gi"}},
        id="a fraction in both",
    ),
    pytest.param(
        {"requests": {"cpu": "100m", "memory": "32Gi"}, "limits": {"cpu": "7.5", "memory": "32Gi"}},
        id="a fraction in the limit",
    ),
    pytest.param({"limits": {"cpu": 7.5, "memory": "32Gi"}}, id="a fraction as a number"),
]


@pytest.mark.parametrize("amounts", AMOUNTS)
@pytest.mark.parametrize("style", ["block", "flow", "json"])
def test_amounts_become_equal_and_whole(amounts, style):
    resources = {key: dict(value) for key, value in amounts.items()}
    resources.setdefault("limits", {})["nvidia.com/gpu"] = 1
    data = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {"containers": [{"name": "c", "resources": resources}]},
    }
    text = render(data, 0, Style(form=style, unit="" if style == "block" else "  ")) + "\n"
    outcome, after = fix(text)
    assert not said(outcome) & (QOS | LEGACY), text
    pod = next(m for m in after.manifests if m.ref.kind == "Pod")
    repaired = pod.data["spec"]["containers"][0]["resources"]
    for section in ("requests", "limits"):
        for name, wanted in (("cpu", "8"), ("memory", "32Gi")):
            if name in repaired.get(section, {}):
                assert str(repaired[section][name]) == wanted
    assert set(repaired["limits"]) == {"cpu", "memory"}
    assert not fix(after.sources[0].encode().decode())[0].applied


def container(name, **resources):
    return {"name": name, "resources": resources}


GPU = {"limits": {"cpu": "4", "memory": "8Gi", "nvidia.com/gpu": 1}}
PLAIN = {"limits": {"cpu": "100m", "memory": "64Mi"}}
LOOSE = {"requests": {"cpu": "100m", "memory": "64Mi"}}


@pytest.mark.parametrize(
    ("spec", "claims"),
    [
        pytest.param(
            {"containers": [container("a", **GPU), container("b", **PLAIN)]}, {"a": ["gpu"]}, id="a bystander"
        ),
        pytest.param(
            {"containers": [container("a", **GPU), container("b", **GPU)]},
            {"a": ["a-gpu"], "b": ["b-gpu"]},
            id="two containers",
        ),
        pytest.param(
            {"initContainers": [container("i", **GPU)], "containers": [container("a", **GPU)]},
            {"i": ["a-gpu"], "a": ["a-gpu"]},
            id="an init container uses the device of the container after it",
        ),
        pytest.param(
            {"initContainers": [container("i", **GPU)], "containers": [container("a", **PLAIN)]},
            {"i": ["gpu"]},
            id="an init container alone",
        ),
        pytest.param(
            {
                "initContainers": [{**container("s", **GPU), "restartPolicy": "Always"}],
                "containers": [container("a", **GPU)],
            },
            {"s": ["s-gpu"], "a": ["a-gpu"]},
            id="a sidecar keeps its own",
        ),
        pytest.param(
            {
                "containers": [
                    container(
                        "a",
                        limits={"cpu": "4", "memory": "8Gi", "nvidia.com/mig-1g.10gb": 2, "nvidia.com/mig-3g.40gb": 1},
                    )
                ]
            },
            {"a": ["mig-1g-10gb"]},
            id="two sorts of partitions in one claim",
        ),
        pytest.param(
            {"containers": [container("a", **GPU), container("b", **LOOSE)]},
            {"a": ["gpu"]},
            id="a bystander without limits",
        ),
    ],
)
def test_who_gets_which_claim(spec, claims):
    data = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}
    outcome, after = fix(render(data, 0, Style()) + "\n")
    pod = next(m for m in after.manifests if m.ref.kind == "Pod").data["spec"]
    found = {
        c["name"]: [entry["name"] for entry in c["resources"]["claims"]]
        for c in itertools.chain(pod.get("initContainers", []), pod["containers"])
        if "claims" in c["resources"]
    }
    assert found == claims
    assert {entry["name"] for entry in pod["resourceClaims"]} == {name for names in claims.values() for name in names}
    assert not said(outcome) & (QOS | LEGACY)


def test_partitions_of_one_container_are_tied_in_one_claim():
    spec = {
        "containers": [
            container(
                "a", limits={"cpu": "4", "memory": "8Gi", "nvidia.com/mig-1g.10gb": 2, "nvidia.com/mig-3g.40gb": 1}
            )
        ]
    }
    _, after = fix(
        render({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}, 0, Style()) + "\n"
    )
    template = next(m for m in after.manifests if m.ref.kind == "ResourceClaimTemplate")
    devices = template.data["spec"]["spec"]["devices"]
    assert [(r["name"], r["exactly"].get("count", 1)) for r in devices["requests"]] == [
        ("mig-1g-10gb", 2),
        ("mig-3g-40gb", 1),
    ]
    assert devices["constraints"] == [
        {"matchAttribute": "resource.kubernetes.io/numaNode", "requests": ["mig-1g-10gb", "mig-3g-40gb"]}
    ]


@pytest.mark.parametrize(
    ("resource", "device_class", "expression"),
    [
        ("nvidia.com/gpu", "gpu.nvidia.com", None),
        (
            "nvidia.com/mig-1g.5gb.me",
            "mig.nvidia.com",
            'device.attributes["gpu.nvidia.com"].?profile.orValue("") == "1g.5gb+me"',
        ),
        ("amd.com/gpu", "gpu.amd.com", None),
    ],
)
def test_names_become_classes_and_selectors(resource, device_class, expression):
    spec = {"containers": [container("a", limits={"cpu": "4", "memory": "8Gi", resource: 1})]}
    _, after = fix(
        render({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}, 0, Style()) + "\n"
    )
    (request,) = next(m for m in after.manifests if m.ref.kind == "ResourceClaimTemplate").data["spec"]["spec"][
        "devices"
    ]["requests"]
    assert request["exactly"]["deviceClassName"] == device_class
    selectors = [{"cel": {"expression": expression}}] if expression else None
    if expression or "selectors" in request["exactly"]:
        assert expression is None or request["exactly"]["selectors"] == selectors


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param({"nvidia.com/gpu.shared": 1}, id="a share of time-slicing"),
        pytest.param({"nvidia.com/gpu": 1, "nvidia.com/gpumem": 3000}, id="an amount of memory beside it"),
        pytest.param({"nvidia.com/gpu": "{{ gpus }}"}, id="an amount that cannot be read"),
        pytest.param({"cambricon.com/mlu": 1}, id="a vendor without a driver"),
    ],
)
def test_what_has_no_twin_is_left_as_it_is(limits):
    spec = {"containers": [container("a", limits={"cpu": "4", "memory": "8Gi", **limits})]}
    text = render({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}, 0, Style()) + "\n"
    outcome, after = fix(text)
    assert after.sources[0].encode().decode() == text
    assert said(outcome) & LEGACY


@pytest.mark.parametrize(
    ("release", "version", "nested"),
    [("1.37", "v1", True), ("1.34", "v1", True), ("1.33", "v1beta2", True), ("1.32", "v1beta1", False)],
)
def test_the_template_is_written_in_a_version_that_the_release_serves(release, version, nested):
    spec = {"containers": [container("a", limits={"cpu": "4", "memory": "8Gi", "nvidia.com/gpu": 1})]}
    text = render({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}, 0, Style()) + "\n"
    asked = {"mode": "fix", "kubeVersion": release, "alignment": {"strategy": "constraint"}}
    bundle = Bundle([read_source(text.encode(), "in.yaml", KUBECTL, WORDS)])
    _, after = engine.run(bundle, settings_from(asked, registry.rule_ids()), RULES, CATALOGUE)
    template = next(m for m in after.manifests if m.ref.kind == "ResourceClaimTemplate")
    assert template.version == version
    assert ("exactly" in template.data["spec"]["spec"]["devices"]["requests"][0]) is nested


@pytest.mark.parametrize("gate", [False, True], ids=["scalar", "list attributes on"])
def test_pin_gives_selectors_that_take_the_form_of_the_attribute(gate):
    spec = {"containers": [container("a", limits={"cpu": "4", "memory": "8Gi", "nvidia.com/gpu": 2})]}
    text = render({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}, 0, Style()) + "\n"
    asked = {
        "mode": "fix",
        "featureGates": {"DRAListTypeAttributes": gate},
        "alignment": {"strategy": "pin", "zone": 1},
    }
    bundle = Bundle([read_source(text.encode(), "in.yaml", KUBECTL, WORDS)])
    outcome, after = engine.run(bundle, settings_from(asked, registry.rule_ids()), RULES, CATALOGUE)
    (request,) = next(m for m in after.manifests if m.ref.kind == "ResourceClaimTemplate").data["spec"]["spec"][
        "devices"
    ]["requests"]
    (selector,) = request["exactly"]["selectors"]
    place = 'device.attributes["resource.kubernetes.io"]'
    listed = f"has({place}.numaNode) && {place}.numaNode.includes(1)"
    assert selector["cel"]["expression"] == (listed if gate else f"{place}.?numaNode.orValue(-1) == 1")
    assert "numa-constraint-missing" not in said(outcome)


def test_a_constraint_that_is_there_is_widened():
    text = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - {name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}
    - {name: cpus, exactly: {deviceClassName: dra.cpu}}
    constraints:
    - matchAttribute: resource.kubernetes.io/numaNode   # same socket
      requests: [gpu]
"""
    outcome, after = fix(text)
    assert after.sources[0].encode().decode() == text.replace("requests: [gpu]", "requests: [gpu, cpus]")
    assert not outcome.findings


def test_equal_workloads_share_one_template_and_hooks_have_their_own():
    def pod(name, annotations=""):
        return f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: {name}\n{annotations}spec:\n  containers:\n  - name: c\n    resources:\n      limits: {{cpu: 1, memory: 1Gi, nvidia.com/gpu: 1}}\n"

    hook = '  annotations:\n    helm.sh/hook: pre-install\n    helm.sh/hook-weight: "-2"\n'
    _, after = fix("---\n".join([pod("a"), pod("b"), pod("c", hook), pod("d", hook)]))
    templates = [m for m in after.manifests if m.ref.kind == "ResourceClaimTemplate"]
    assert len(templates) == 2
    assert [m.annotations.get("helm.sh/hook-weight") for m in templates] == [None, "-3"]
    kinds_in_order = [m.ref.kind for m in after.manifests]
    assert kinds_in_order == ["ResourceClaimTemplate", "Pod", "Pod", "ResourceClaimTemplate", "Pod", "Pod"]


def test_a_container_that_stays_as_it_is_is_offered_nothing():
    """HAMi's amounts have no twin: their container keeps its GPU, the other one is rewritten."""
    hami = {"limits": {"cpu": "4", "memory": "8Gi", "nvidia.com/gpu": 1, "nvidia.com/gpumem": 3000}}
    spec = {"containers": [container("a", **GPU), container("b", **hami)]}
    data = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}
    outcome, after = fix(render(data, 0, Style()) + "\n")
    assert [report.path for report in outcome.applied] == ["spec.containers[0].resources.limits[nvidia.com/gpu]"]
    pod = next(m for m in after.manifests if m.ref.kind == "Pod").data["spec"]
    assert pod["containers"][1]["resources"] == hami
    assert {report.fix for report in outcome.findings if report.path.startswith("spec.containers[1]")} == {None}
