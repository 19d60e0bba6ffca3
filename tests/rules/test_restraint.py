"""Where rules say less: what a warning is instead of an error, and what a tip must not promise."""

import pytest

from judging import judged

_POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: pod}}
spec:
  resourceClaims:
  - {{name: devices, resourceClaimTemplateName: one}}
  containers:
  - name: main
    image: registry.example.com/main:1.0
    resources:
      requests: {{cpu: 500m, memory: 1Gi}}
      claims:
      - name: devices
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: one}}
spec:
  spec:
    devices:
      requests:
      - name: device
        exactly: {{deviceClassName: {device_class}}}
"""
_PAIR = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: pair}}
spec:
  devices:
    requests:
    - name: gpus
      exactly: {{deviceClassName: gpu.nvidia.com, count: 2}}
    constraints:
    - matchAttribute: {attribute}
"""
_LEGACY = """\
apiVersion: v1
kind: Pod
metadata: {{name: pod}}
spec:
  containers:
  - name: main
    image: registry.example.com/main:1.0
    resources: {{limits: {{cpu: 4, memory: 8Gi, {resource}: 1}}}}
"""


def found(text, rule):
    return [report for report in judged(text).findings if report.rule == rule]


@pytest.mark.parametrize("rule", ["qos-not-guaranteed", "cpu-not-integer"])
@pytest.mark.parametrize(
    ("device_class", "severity"),
    [("gpu.nvidia.com", "error"), ("tpu.google.com", "error"), ("dranet", "warning"), ("gpu.example.com", "warning")],
)
def test_pinned_cpus_are_a_must_for_accelerators_only(rule, device_class, severity):
    (report,) = found(_POD.format(device_class=device_class), rule)
    assert report.severity == severity


def test_pods_whose_template_is_elsewhere_are_warned():
    pod, _, _ = _POD.format(device_class="gpu.nvidia.com").partition("---")
    (report,) = found(pod, "qos-not-guaranteed")
    assert report.severity == "warning"


def test_resources_of_the_pod_are_no_container():
    text = _POD.format(device_class="dra.cpu").replace(
        "  containers:", "  resources: {limits: {cpu: 4}}\n  containers:"
    )
    (report,) = found(text, "qos-not-guaranteed")
    assert report.message.endswith(": its resources as a whole have no memory")
    assert not found(text, "sidecar-breaks-qos")


@pytest.mark.parametrize(
    ("device_class", "words"),
    [
        ("gpu.nvidia.com", "tie both by matchAttribute: resource.kubernetes.io/numaNode"),
        ("tpu.google.com", "tpu.google.com publishes no NUMA node"),
        ("gpu.amd.com", "dra.cpu does not publish gpu.amd.com/numaNode, so that no constraint can tie them"),
    ],
)
def test_no_constraint_is_advised_that_drivers_cannot_meet(device_class, words):
    (report,) = found(_POD.format(device_class=device_class), "kubelet-blind")
    assert words in report.tip


@pytest.mark.parametrize(
    ("resource", "severity"),
    [
        ("nvidia.com/gpu", "error"),
        ("amd.com/gpu", "error"),
        ("google.com/tpu", "warning"),
        ("aws.amazon.com/neuron", "warning"),
    ],
)
def test_no_claim_is_demanded_that_could_say_no_more(resource, severity):
    (report,) = found(_LEGACY.format(resource=resource), "legacy-device-resource")
    assert report.severity == severity


@pytest.mark.parametrize(
    ("attribute", "severity"), [("gpu.nvidia.com/partition2", "warning"), ("gpu.nvidia.com/productName", "error")]
)
def test_gpus_of_one_nvswitch_partition_are_likely_neighbours(attribute, severity):
    (report,) = found(_PAIR.format(attribute=attribute), "numa-constraint-missing")
    assert report.severity == severity
    assert not found(_PAIR.format(attribute=attribute), "numa-attribute-unpublished")


def test_classic_claims_are_the_matter_of_one_rule():
    text = """\
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClaim
metadata: {name: classic}
spec:
  resourceClassName: gpu.nvidia.com
  parametersRef: {apiGroup: gpu.resource.nvidia.com, kind: GpuClaimParameters, name: shared}
"""
    assert [report.rule for report in judged(text).findings if report.severity == "error"] == ["api-version"]


def test_the_same_unguarded_entry_is_named_once():
    name = 'device.attributes["dra.net"].ifName'
    text = f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: nic}}
spec:
  devices:
    requests:
    - name: nic
      exactly:
        deviceClassName: dranet
        selectors:
        - cel: {{expression: '{name}.startsWith("gpu") && {name}.endsWith("rdma0")'}}
"""
    assert len(found(text, "cel-runtime-error")) == 1


@pytest.mark.parametrize(
    "attribute", ["azure.dra.net/placementGroupId", "oke.dra.net/localBlockId", "gce.dra.net/block"]
)
def test_attributes_of_clouds_are_known(attribute):
    domain, _, name = attribute.partition("/")
    text = f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: nic}}
spec:
  devices:
    requests:
    - name: nic
      exactly:
        deviceClassName: dranet
        selectors:
        - cel: {{expression: 'device.attributes["{domain}"].?{name}.orValue("") == "a"'}}
"""
    assert not found(text, "cel-never-matches")


@pytest.mark.parametrize("name", ["worker-__INDEX__", "worker-${INDEX}", "PLACEHOLDER_NAME"])
def test_a_text_that_something_fills_in_is_called_that(name):
    text = _POD.format(device_class="gpu.nvidia.com").replace("name: pod", f"name: '{name}'")
    (report,) = found(text, "object-invalid")
    assert report.tip.startswith("a variable stands here")


def test_a_field_in_small_letters_is_called_that():
    text = _POD.format(device_class="gpu.nvidia.com").replace("  resourceClaims:", "  resourceclaims:")
    (report,) = found(text, "claim-not-declared")
    assert report.tip == "write resourceClaims instead of resourceclaims: names of fields have capitals"


def test_an_attribute_of_one_mode_tells_the_mode():
    text = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: fast}
spec:
  devices:
    requests:
    - name: cpus
      exactly:
        deviceClassName: dra.cpu
        count: 4
        selectors:
        - cel: {expression: 'device.attributes["dra.cpu"].coreType == "p-core"'}
"""
    assert not found(text, "cel-never-matches")
    assert found(
        text.replace("dra.cpu\n", "gpu.nvidia.com\n").replace('dra.cpu"', 'gpu.nvidia.com"'), "cel-never-matches"
    )


@pytest.mark.parametrize(("other", "count"), [("mutator.example.com", 0), ("dranet", 1)])
def test_parameters_may_be_for_the_driver_of_another_request(other, count):
    text = f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: mutated}}
spec:
  devices:
    requests:
    - name: device
      firstAvailable:
      - {{name: gpu, deviceClassName: gpu.nvidia.com}}
      - {{name: cpu, deviceClassName: dra.cpu}}
    - name: mutation
      exactly: {{deviceClassName: {other}}}
    config:
    - requests: [device/gpu]
      opaque: {{driver: mutator.example.com, parameters: {{image: with-gpu}}}}
"""
    assert len(found(text, "opaque-config-invalid")) == count


def test_no_namespace_is_the_namespace_default():
    text = _POD.format(device_class="gpu.nvidia.com").replace("{name: one}", "{name: one, namespace: default}")
    assert not found(text, "claim-reference-missing")
    assert found(text.replace("namespace: default", "namespace: team-a"), "claim-reference-missing")


@pytest.mark.parametrize("served", [True, False])
def test_a_class_serves_resources_of_any_name(served):
    name = "example.com/card" if served else "example.com/other"
    text = f"""\
{_LEGACY.format(resource=name)}---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: card.example.com}}
spec:
  extendedResourceName: example.com/card
  selectors:
  - cel: {{expression: 'device.driver == "card.example.com"'}}
"""
    assert [report.severity for report in found(text, "legacy-device-resource")] == ["warning"] * served


def test_limits_and_requests_outside_of_a_pod_are_one_finding():
    text = """\
apiVersion: apps.nvidia.com/v1alpha1
kind: NIMService
metadata: {name: llm}
spec:
  resources:
    requests: {nvidia.com/gpu: 1}
    limits: {nvidia.com/gpu: 1}
"""
    (report,) = found(text, "legacy-device-resource")
    assert str(report.path) == "spec.resources.limits[nvidia.com/gpu]"


@pytest.mark.parametrize(
    ("release", "label", "count"),
    [
        ("1.32", "none", 0),
        ("1.33", "resource.k8s.io/admin-access", 0),
        ("1.33", "resource.kubernetes.io/admin-access", 1),
        ("1.37", "resource.kubernetes.io/admin-access", 0),
        ("1.37", "resource.k8s.io/admin-access", 1),
    ],
)
def test_the_label_for_admin_access_is_that_of_the_release(release, label, count):
    text = f"""\
apiVersion: v1
kind: Namespace
metadata: {{name: monitor, labels: {{{label}: "true"}}}}
---
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {{name: all, namespace: monitor}}
spec:
  devices:
    requests:
    - {{name: all, deviceClassName: gpu.nvidia.com, allocationMode: All, adminAccess: true}}
"""
    gates = {"DRAAdminAccess": True}
    reports = judged(text, kubeVersion=release, featureGates=gates).findings
    assert sum(report.rule == "admin-access" for report in reports) == count


def test_a_class_in_the_place_of_a_claim_is_told_where_it_belongs():
    text = _POD.format(device_class="gpu.nvidia.com").replace("resourceClaimTemplateName: one", "deviceClassName: one")
    (report,) = found(text, "object-invalid")
    assert report.tip.startswith("write resourceClaimTemplateName, and the class below devices.requests")


@pytest.mark.parametrize(
    ("labels", "what"),
    [
        ({"cloud.google.com/gke-gpu-partition-size": "1g.24gb.me.all"}, "a 1g.24gb+me.all slice of a GPU"),
        ({"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-3g.20gb"}, "a 3g.20gb slice of a GPU"),
        (
            {
                "cloud.google.com/gke-gpu-sharing-strategy": "time-sharing",
                "cloud.google.com/gke-max-shared-clients-per-gpu": "3",
            },
            "one of 3 shares of a GPU by time-sharing",
        ),
        ({"nvidia.com/gpu.product": "Tesla-T4-SHARED"}, "a share of a GPU"),
        ({"nvidia.com/gpu.product": "Tesla-T4", "nvidia.com/gpu.sharing-strategy": "none"}, "a GPU"),
    ],
)
def test_the_node_selector_says_what_a_gpu_is_there(labels, what):
    selector = ", ".join(f"{name}: '{value}'" for name, value in labels.items())
    text = _LEGACY.format(resource="nvidia.com/gpu").replace("spec:", f"spec:\n  nodeSelector: {{{selector}}}", 1)
    (report,) = found(text, "legacy-device-resource")
    assert f"takes {what} as extended resource" in report.message
    assert (report.fix is None) == (what != "a GPU")


def test_a_class_of_partitions_serves_parts():
    text = f"""\
{_LEGACY.format(resource="nvidia.com/gpu")}---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: slices}}
spec:
  extendedResourceName: nvidia.com/gpu
  selectors:
  - cel: {{expression: 'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "mig"'}}
"""
    (report,) = found(text, "legacy-device-resource")
    assert "takes a part of a GPU as extended resource 'nvidia.com/gpu' (served by DRA" in report.message


def test_what_an_operator_takes_may_be_served_by_a_class_too():
    text = """\
apiVersion: apps.nvidia.com/v1alpha1
kind: NIMService
metadata: {name: llm}
spec:
  resources: {limits: {nvidia.com/gpu: 1, example.com/card: 1}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.nvidia.com}
spec:
  extendedResourceName: nvidia.com/gpu
  selectors:
  - cel: {expression: 'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "gpu"'}
"""
    (report,) = found(text, "legacy-device-resource")
    assert report.severity == "warning"
    assert "NIMService takes a GPU as extended resource 'nvidia.com/gpu' (served by DRA" in report.message


@pytest.mark.parametrize(
    ("change", "count"),
    [
        (("spec:\n", "spec:\n  nodeName: node-a\n"), 1),
        (("spec:\n", "spec:\n  nodeName: ''\n"), 0),
        (("name: pod}\nspec:\n", "name: pod, uid: 4711}\nspec:\n  nodeName: node-a\n"), 0),
        (("spec:\n", "status: {phase: Running}\nspec:\n  nodeName: node-a\n"), 0),
    ],
    ids=["bound by hand", "not bound", "of a cluster", "of a cluster, without its uid"],
)
def test_a_pod_that_is_bound_by_hand_gets_no_claim(change, count):
    text = _POD.format(device_class="gpu.nvidia.com").replace(*change, 1)
    reports = found(text, "claim-unsatisfiable")
    assert [report.path for report in reports] == ["spec.nodeName"] * count
    assert all(report.tip.startswith("choose the node by nodeSelector") for report in reports)
    (verdict,) = (verdict.verdict for verdict in judged(text).verdicts)
    assert (
        verdict.reasons[:1] == ("nodeName 'node-a' passes by the scheduler, and nobody else allocates devices",)
    ) == bool(count)


def test_a_container_asks_for_a_request_not_for_an_alternative():
    text = _POD.format(device_class="gpu.nvidia.com").replace(
        "- name: devices\n", "- {name: devices, request: device/a}\n", 1
    )
    (report,) = found(text, "object-invalid")
    assert report.tip.startswith("write the name of the request")
    assert not found(text, "claim-request-unknown")


def test_an_attribute_that_all_share_is_the_tip():
    text = _PAIR.format(attribute="gpu.nvidia.com/numa")
    (report,) = found(text, "numa-attribute-unpublished")
    assert report.tip == "write matchAttribute: resource.kubernetes.io/numaNode"


@pytest.mark.parametrize(("name", "count"), [("dra.cpu/cpu", 0), ("cpu", 0), ("dra.cpu/cpus", 1), ("memory", 1)])
def test_a_capacity_that_the_driver_does_not_have(name, count):
    text = f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: cpus}}
spec:
  devices:
    requests:
    - name: cpus
      exactly: {{deviceClassName: dra.cpu, capacity: {{requests: {{{name}: 4}}}}}}
"""
    reports = found(text, "claim-unsatisfiable")
    assert [(report.severity, report.tip) for report in reports] == [("warning", "write dra.cpu/cpu")] * count
