"""What may not change from one version of an object to the next, what must be there before, and what many pods share."""

import pytest

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import checked, settings_from
from dralign.yamlio import KUBECTL
from running import run

RULES, CATALOGUE, WORDS = registry.rules(), registry.catalogue(), registry.words()

TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t, annotations: {%s}}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com%s}}]}}}
"""
FLAT = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaimTemplate
metadata: {name: t}
spec: {spec: {devices: {requests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: %d}]}}}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train, annotations: {%s}%s}
spec:
  %s
  template:
    metadata: {labels: {%s}}
    spec:
      restartPolicy: Never
      resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
      containers: [{name: main, image: "train:%d", resources: {claims: [{name: gpu}]}}]
"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: a, exactly: {deviceClassName: %s%s}}]%s}}
---
apiVersion: apps/v1
kind: %s
metadata: {name: serve}
spec:
  %s
  selector: {matchLabels: {app: serve}}
  template:
    metadata: {labels: {app: serve}}
    spec:
      resourceClaims: [{name: gpu, resourceClaimName: c}]
      containers: [{name: main, image: "serve:1", resources: {claims: [{name: gpu}]}}]
"""


def bundle(text, name="input.yaml"):
    return Bundle([read_source(text.encode(), name, KUBECTL, WORDS)])


def said(rule, text, previous="", inventory="", **spec):
    """Return (severity, path) of what a rule says."""
    settings = settings_from(checked(spec), registry.rule_ids())
    known, before = (tuple(bundle(other, "other.yaml").manifests) for other in (inventory, previous))
    outcome, _ = engine.run(bundle(text), settings, RULES, CATALOGUE, known, before)
    return [(report.severity, report.path) for report in outcome.findings if report.rule == rule]


COUNT = ("error", "spec.spec.devices.requests[0].exactly.count")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (TEMPLATE % ("", ""), TEMPLATE % ("", ", count: 2"), [COUNT]),
        (TEMPLATE % ("", ""), TEMPLATE % ("", ", count: 1, allocationMode: ExactCount"), []),
        (TEMPLATE % ("", ""), TEMPLATE % ("team: a", ""), []),
        (FLAT % 1, TEMPLATE % ("", ""), []),
        (FLAT % 2, TEMPLATE % ("", ""), [COUNT]),
        (TEMPLATE % ("", ", count: -1"), TEMPLATE % ("", ", count: 2"), []),
        (TEMPLATE % ("", ", count: 2"), TEMPLATE % ("", ", count: -1"), []),
        (TEMPLATE % ("", ""), TEMPLATE % ("helm.sh/hook: pre-install", ", count: 2"), []),
        (TEMPLATE % ("", ""), TEMPLATE % ("argocd.argoproj.io/sync-options: Replace=true", ", count: 2"), []),
        (
            JOB % ("", "", "parallelism: 1", "", 1),
            JOB % ("", "", "parallelism: 1", "", 2),
            [("error", "spec.template.spec.containers[0].image")],
        ),
        (JOB % ("", "", "parallelism: 1", "", 1), JOB % ("", "", "parallelism: 2", "", 1), []),
        (
            JOB
            % (
                "",
                ", uid: x",
                "parallelism: 1\n  selector: {matchLabels: {controller-uid: x}}",
                "controller-uid: x, job-name: train",
                1,
            ),
            JOB % ("", "", "parallelism: 1", "", 1),
            [],
        ),
    ],
)
def test_what_may_not_change(before, after, expected):
    assert said("template-immutable", after, previous=before) == expected


def test_versions_of_one_stream_are_compared_and_those_of_two_files_are_not(tmp_path):
    one, two = TEMPLATE % ("", ""), TEMPLATE % ("", ", count: 2")
    assert said("template-immutable", f"{one}---\n{two}") == [COUNT]
    (tmp_path / "a.yaml").write_text(one)
    (tmp_path / "b.yaml").write_text(two)
    assert run("check", ".", cwd=tmp_path).stdout.count(b"[template-immutable]") == 0
    assert run("check", "b.yaml", "--previous", "a.yaml", cwd=tmp_path).stdout.count(b"[template-immutable]") == 1
    assert run("check", "a.yaml", "--previous", "a.yaml", cwd=tmp_path).returncode == 0
    missing = run("check", "a.yaml", "--previous", "c.yaml", cwd=tmp_path)
    assert (missing.returncode, missing.stderr.count(b"\n")) == (2, 1)
    assert b"c.yaml" in missing.stderr


HELM, WEIGHT = "helm.sh/hook", "helm.sh/hook-weight"
ARGO, WAVE = "argocd.argoproj.io/hook", "argocd.argoproj.io/sync-wave"


def notes(**annotations):
    names = {"helm": HELM, "weight": WEIGHT, "argo": ARGO, "wave": WAVE}
    return ", ".join(f'{names[key]}: "{value}"' for key, value in annotations.items())


@pytest.mark.parametrize(
    ("user", "template", "late"),
    [
        ({"helm": "pre-install"}, {}, True),
        ({"helm": "pre-install,pre-upgrade", "weight": 5}, {"helm": "pre-install,pre-upgrade", "weight": 4}, False),
        ({"helm": "pre-install", "weight": 5}, {"helm": "pre-install", "weight": 5}, False),
        ({"helm": "pre-install", "weight": -5}, {"helm": "pre-install"}, True),
        ({"helm": "pre-install"}, {"helm": "post-install"}, True),
        ({"helm": "pre-upgrade"}, {}, False),
        ({"helm": "post-install"}, {}, False),
        ({"helm": "post-install"}, {"helm": "post-install", "weight": 1}, True),
        ({"helm": "post-delete"}, {}, True),
        ({"helm": "test"}, {}, False),
        ({}, {"helm": "pre-install"}, False),
        ({"argo": "PreSync"}, {}, True),
        ({"argo": "PreSync"}, {"argo": "PreSync"}, False),
        ({"argo": "PreSync"}, {"argo": "PreSync", "wave": 1}, True),
        ({"argo": "PostSync"}, {"wave": 9}, False),
        ({"argo": "Sync", "wave": -1}, {}, True),
        ({"wave": 1}, {"wave": 2}, True),
        ({"wave": 2}, {"wave": 1}, False),
        ({"argo": "SyncFail"}, {}, False),
        ({"argo": "PreSync"}, {"argo": "Skip"}, False),
    ],
)
def test_what_a_hook_needs_is_there_before_it(user, template, late):
    job = JOB % (notes(**user), "", "parallelism: 1", "", 1)
    text = f"{job}---\n{TEMPLATE % (notes(**template), '')}".replace("name: t,", "name: a-template,")
    found = said("hook-order", text.replace("TemplateName: t}", "TemplateName: a-template}"))
    assert bool(found) == late, found


GPU, SHARING = (
    "gpu.nvidia.com",
    ", config: [{opaque: {driver: gpu.nvidia.com, parameters: {sharing: {strategy: MPS}}}}]",
)
SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.nvidia.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0, allowMultipleAllocations: %s}]
"""


@pytest.mark.parametrize(
    ("claim", "kind", "makes", "severity"),
    [
        ((GPU, "", ""), "Deployment", "replicas: 4", "warning"),
        ((GPU, "", ""), "Deployment", "replicas: 1", None),
        ((GPU, "", ""), "Deployment", "", None),
        ((GPU, "", ""), "DaemonSet", "", "warning"),
        ((GPU, "", ""), "Deployment", "replicas: 257", "error"),
        ((GPU, ", adminAccess: true", ""), "DaemonSet", "", None),
        ((GPU, "", SHARING), "Deployment", "replicas: 4", None),
        ((GPU, "", SHARING), "Deployment", "replicas: 300", "error"),
        (("dranet", "", ""), "Deployment", "replicas: 4", None),
        (("channel.example.com", "", ""), "Deployment", "replicas: 4", None),
    ],
)
def test_replicas_that_share_a_claim(claim, kind, makes, severity):
    found = said("claim-shared", CLAIM % (*claim, kind, makes or "minReadySeconds: 0"))
    assert [each[0] for each in found] == ([severity] if severity else [])


@pytest.mark.parametrize(("shares", "expected"), [("true", 0), ("false", 1)])
def test_devices_that_several_may_have_may_be_shared(shares, expected):
    text = CLAIM % (GPU, "", "", "Deployment", "replicas: 4")
    assert len(said("claim-shared", text, inventory=SLICE % shares)) == expected


def test_pods_of_several_workloads_count_together():
    one = CLAIM % (GPU, "", "", "Deployment", "replicas: 200")
    another = one.partition("---\n")[2].replace("{name: serve}", "{name: other}")
    assert said("claim-shared", f"{one}---\n{another}", profile="minimal") == [
        ("error", "spec.template.spec.resourceClaims[0].resourceClaimName")
    ]


@pytest.mark.parametrize(
    ("release", "gates", "rules"),
    [
        ("1.33", {}, {"field-dropped"}),
        ("1.34", {}, {"pod-level-resources"}),
        ("1.37", {}, {"pod-level-resources"}),
        ("1.37", {"PodLevelResourceManagers": True}, set()),
    ],
)
def test_pod_level_resources(release, gates, rules):
    pod = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resources: {requests: {cpu: 4, memory: 8Gi}, limits: {cpu: 4, memory: 8Gi}}
  resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
  containers: [{name: main, image: "train:1", resources: {claims: [{name: gpu}]}}]
"""
    both = ("field-dropped", "pod-level-resources")
    assert {rule for rule in both if said(rule, pod, kubeVersion=release, featureGates=gates)} == rules
