"""What the API server would say of the objects of a bundle, and which rule says it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign import engine, registry
from dralign.admission.answers import objections
from dralign.admission.gates import default_features
from dralign.admission.server import Server
from dralign.bundle import Bundle, read_source
from dralign.config import checked, settings_from
from dralign.context.plain import is_plain
from dralign.yamlio import KUBECTL, SIGS
from running import run

RULES, CATALOGUE, WORDS = registry.rules(), registry.catalogue(), registry.words()
OURS = ("object-invalid", "field-dropped", "cel-invalid", "claim-reference-shape", "claim-not-declared", "api-version")

SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a-gpu}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes: {%s}
  - name: gpu-1
    attributes: {%s}
"""
CLAIM = """\
apiVersion: %s
kind: ResourceClaim
metadata: {name: one}
spec: {devices: {requests: [{name: gpu, %s}]}}
"""
V1, V1BETA1 = "resource.k8s.io/v1", "resource.k8s.io/v1beta1"
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
  containers: [{name: c, image: "c:1", resources: {%s}}]
"""


def manifests(text, name="input.yaml", dialect=KUBECTL):
    return Bundle([read_source(text.encode(), name, dialect, WORDS)])


def findings(text, inventory="", dialect=KUBECTL, **spec):
    """Return (rule, severity, path, message) of what the rules say that speak of the API server."""
    known = tuple(manifests(inventory, "inventory.yaml").manifests)
    settings = settings_from(checked(spec), registry.rule_ids())
    outcome, _ = engine.run(manifests(text, dialect=dialect), settings, RULES, CATALOGUE, known)
    return [(r.rule, r.severity, r.path, r.message) for r in outcome.findings if r.rule in OURS]


def paths(text, **more):
    return [(rule, severity, path) for rule, severity, path, _ in findings(text, **more)]


def test_all_mistakes_are_said_at_once_and_none_that_only_follows():
    body = "exactly: {deviceClasName: a, count: two, selector: [], tolerations: {}}, firstAvailabel: []"
    fields = ("exactly.deviceClasName", "exactly.count", "exactly.selector", "exactly.tolerations", "firstAvailabel")
    assert paths(CLAIM % (V1, body)) == [
        ("object-invalid", "error", f"spec.devices.requests[0].{field}") for field in fields
    ]


def test_references_to_a_list_that_could_not_be_read_are_no_mistakes_of_their_own():
    text = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: one}\nspec: {devices: {%s}}\n"
    rest = "constraints: [{requests: [gpu], matchAttribute: a.b/c}]"
    for written in (f"request: [], {rest}", f"requests: 3, {rest}"):
        assert len(findings(text % written)) == 1


@pytest.mark.parametrize(
    ("attribute", "words"),
    [("driverVersion: {version: 6.19.14.3}", "semver.org"), ("numaNode: {int: zero}", "cannot unmarshal string")],
)
def test_slices_of_the_inventory_are_reviewed_and_located(attribute, words):
    found = findings(CLAIM % (V1, "exactly: {deviceClassName: a.b}"), inventory=SLICE % (attribute, "a: {int: 1}"))
    assert [rule for rule, *_ in found] == ["object-invalid"]
    assert found[0][2].startswith("spec.devices[0].attributes")
    assert words in found[0][3]


def test_list_attributes_need_their_gate_and_are_said_once():
    text, lists = CLAIM % (V1, "exactly: {deviceClassName: a.b}"), "numaNode: {ints: [0, 1]}"
    inventory = SLICE % (lists, lists)
    found = findings(text, inventory=inventory)
    assert [(rule, path) for rule, _, path, _ in found] == [("object-invalid", "spec.devices[0].attributes.numaNode")]
    assert "DRAListTypeAttributes is off in 1.37" in found[0][3]
    assert found[0][3].endswith("(and 1 more like it)")
    assert findings(text, inventory=inventory, featureGates={"DRAListTypeAttributes": True}) == []


def test_a_list_of_alternatives_without_its_gate_is_refused_and_not_only_dropped():
    body = "firstAvailable: [{name: a, deviceClassName: a.b}]"
    found = findings(CLAIM % (V1, body), kubeVersion="1.35", featureGates={"DRAPrioritizedList": False})
    assert [rule for rule, *_ in found] == ["object-invalid"]
    assert "feature gate DRAPrioritizedList is off in 1.35" in found[0][3]


def test_what_another_rule_says_is_said_once():
    selector = "exactly: {deviceClassName: a.b, selectors: [{cel: {expression: nonsense}}]}"
    assert [rule for rule, *_ in findings(CLAIM % (V1, selector))] == ["cel-invalid"]
    assert [rule for rule, *_ in findings(POD % "claims: [{name: gpus}]")] == ["claim-not-declared"]
    both = POD.replace("t}", "t, resourceClaimName: c}") % "claims: [{name: gpu}]"
    assert [rule for rule, *_ in findings(both)] == ["claim-reference-shape"]
    assert [rule for rule, *_ in findings(POD % "claims: [{name: gpu}, {name: gpu}]")] == ["object-invalid"]


def test_an_empty_expression_is_refused():
    missing = "exactly: {deviceClassName: a.b, selectors: [{cel: {}}]}"
    assert [rule for rule, *_ in findings(CLAIM % (V1, missing))] == ["object-invalid"]


@pytest.mark.parametrize("body", ["exactly: {deviceClassName: a.b}", "deviceClassName: a.b"])
def test_a_version_that_is_not_served_is_the_only_mistake_where_the_shape_is_one_of_its_kind(body):
    assert [rule for rule, *_ in findings(CLAIM % ("resource.k8s.io/v1alpha3", body))] == ["api-version"]


def test_a_version_to_come_is_held_against_its_own_shape():
    text = CLAIM % (V1, "exactly: {deviceClassName: a.b, count: -1}")
    assert [rule for rule, *_ in findings(text, kubeVersion="1.33")] == ["api-version", "object-invalid"]


def test_under_helm_a_key_that_stands_twice_is_said_and_its_document_is_left_alone():
    text = CLAIM % (V1, "deviceClassName: a.b, deviceClassName: c.d")
    twice = ("object-invalid", "warning", "spec.devices.requests[0].deviceClassName")
    assert twice in paths(text, dialect=SIGS)
    settings = settings_from(checked({}) | {"mode": "fix"}, registry.rule_ids())
    outcome, after = engine.run(manifests(text, dialect=SIGS), settings, RULES, CATALOGUE)
    assert after.sources[0].encode() == text.encode()
    assert not outcome.applied


def test_workloads_that_ask_for_no_device_are_not_reviewed():
    assert findings("apiVersion: v1\nkind: Pod\nmetadata: {name: claims}\nspec: {containers: []}\n") == []


def test_of_kinds_that_are_not_known_only_claims_and_resources_are_reviewed():
    text = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: j}
spec:
  pytorchReplicaSpecs:
    Worker:
      surprise: 1
      template:
        spec:
          surprise: 1
          resourceClaims: [{name: Gpu, resourceClaimName: c}]
          initContainers: [{name: i, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]
          containers: [{surprise: 1, resources: {claims: [{name: Gpu}], limits: {memory: lots}}}]
"""
    at = "spec.pytorchReplicaSpecs.Worker.template.spec"
    assert paths(text) == [
        ("object-invalid", "error", f"{at}.resourceClaims[0].name"),
        ("object-invalid", "error", f"{at}.initContainers[0].resources.requests"),
        ("object-invalid", "error", f"{at}.containers[0].resources.limits.memory"),
    ]


@pytest.mark.parametrize("label", ["", '  labels: {resource.kubernetes.io/admin-access: "true"}\n'])
def test_the_namespace_may_stand_in_another_file(tmp_path, label):
    (tmp_path / "claim.yaml").write_text(
        CLAIM.replace("name: one", "name: one, namespace: ops")
        % (V1, "exactly: {deviceClassName: a, adminAccess: true}")
    )
    (tmp_path / "namespace.yaml").write_text(f"apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ops\n{label}")
    process = run("check", ".", cwd=tmp_path)
    assert (b"BLOCK" in process.stdout, process.returncode) == ((False, 0) if label else (True, 1))
    assert (b"[admin-access]" in process.stdout) == (not label)


@pytest.mark.parametrize("depth", [900, 3000])
@pytest.mark.parametrize("opening", ['{"a":', "["])
def test_what_is_nested_without_end_is_an_answer_and_no_fault(depth, opening):
    nested = opening * depth + "1" + {"[": "]"}.get(opening, "}") * depth
    config = '{"opaque": {"driver": "a.b", "%s": %s}}'
    claim = """\
{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "one"}, "spec": {"devices":
{"requests": [{"name": "gpu", "exactly": {"deviceClassName": "a.b"}}], "config": [%s]}}}"""
    unknown = claim % (config % ("parameter", nested))
    assert [path for _, _, path in paths(unknown)] == ["spec.devices.config[0].opaque.parameter"]
    is_too_long = depth * len(opening + "}") > 10 * 1024
    assert len(findings(claim % (config % ("parameters", nested)))) == (is_too_long or opening == "[")


AMOUNTS = st.one_of(
    st.integers(-2, 10**10),
    st.sampled_from(
        ["1", "0", "500m", "1Gi", "2Gi", "1G", "0.5", "1e3", "01", "", "-1", "1Mi", "1.5Gi", "8k", "nvidia"]
    ),
    st.none(),
    st.booleans(),
)
NAMES = st.sampled_from(
    [
        "cpu",
        "memory",
        "ephemeral-storage",
        "nvidia.com/gpu",
        "hugepages-2Mi",
        "gpu",
        "a/b/c",
        "x.kubernetes.io/y",
        "pods",
    ]
)
RESOURCES = st.dictionaries(
    st.sampled_from(["limits", "requests", "limit", "claims"]), st.dictionaries(NAMES, AMOUNTS, max_size=3), max_size=2
)


@given(RESOURCES, st.sampled_from(["containers", "initContainers"]))
def test_the_api_server_objects_to_no_plain_pod(resources, section):
    spec = {"containers": [{"name": "c", "image": "registry.example.com/a:1"}]}
    spec[section] = [{"name": "d", "image": "registry.example.com/a:1", "resources": resources}]
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}
    if is_plain(spec, set()):
        assert list(objections(pod, Server("1.37", default_features("1.37")))) == []
