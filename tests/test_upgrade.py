"""Objects of older API versions written in v1: accepted as v1, with the same meaning, in every manner of writing."""

import pytest

from dralign import engine, registry
from dralign.admission import gates
from dralign.admission.review import review
from dralign.admission.server import Server
from dralign.admission.versions import converted
from dralign.bundle import Bundle, read_source
from dralign.config import settings_from
from dralign.edit import Style, render
from dralign.yamlio import KUBECTL

RULES, CATALOGUE, WORDS = registry.rules(), registry.catalogue(), registry.words()

SELECTOR = {"cel": {"expression": "device.driver == 'gpu.nvidia.com' &&\ndevice.attributes['a.b'].c == 'x'\n"}}
FLAT = {
    "name": "gpu",
    "deviceClassName": "gpu.nvidia.com",
    "selectors": [SELECTOR],
    "allocationMode": "ExactCount",
    "count": 2,
    "tolerations": [{"key": "k", "operator": "Exists"}],
    "capacity": {"requests": {"memory": "10Gi"}},
}
PRIORITIZED = {
    "name": "any",
    "firstAvailable": [{"name": "big", "deviceClassName": "a", "count": 2}, {"name": "small", "deviceClassName": "b"}],
}
CLAIM = {
    "devices": {
        "requests": [FLAT, PRIORITIZED, {"name": "nic", "deviceClassName": "nic"}],
        "constraints": [{"matchAttribute": "a.b/c", "requests": ["gpu", "nic"]}],
        "config": [{"requests": ["gpu"], "opaque": {"driver": "gpu.nvidia.com", "parameters": {"a": 1}}}],
    }
}
BASIC = {"attributes": {"numa": {"int": 0}, "model": {"string": "x"}}, "capacity": {"memory": {"value": "80Gi"}}}
SLICE = {
    "driver": "gpu.nvidia.com",
    "nodeName": "node-a",
    "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
    "devices": [{"name": "gpu-0", "basic": BASIC}, {"basic": BASIC, "name": "gpu-1"}, {"name": "gpu-2", "basic": {}}],
}
SPECS = {
    "ResourceClaim": CLAIM,
    "ResourceClaimTemplate": {"metadata": {"labels": {"a": "b"}}, "spec": CLAIM},
    "DeviceClass": {"selectors": [SELECTOR]},
    "ResourceSlice": SLICE,
}
STYLES = {
    "block": Style(),
    "indented dashes": Style(step=4, dash=2),
    "CR LF": Style(eol="\r\n"),
    "flow": Style(form="flow"),
    "JSON": Style(form="json", unit="  "),
    "tight JSON": Style(form="json", tight=True),
}


def fix(text, release="1.37"):
    spec = {"mode": "fix", "kubeVersion": release}
    asked = settings_from(spec, registry.rule_ids()).replace(only=frozenset({"api-version"}))
    _, after = engine.run(Bundle([read_source(text.encode(), "in.yaml", KUBECTL, WORDS)]), asked, RULES, CATALOGUE)
    return after


def written(bundle):
    return bundle.sources[0].encode().decode()


def ask(data, release="1.37"):
    return review(data, Server(release, gates.features(release, {})))


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
@pytest.mark.parametrize("version", ["v1beta1", "v1alpha3"])
@pytest.mark.parametrize("kind", SPECS)
def test_what_comes_out_is_accepted_and_means_the_same(kind, version, style):
    old = {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": kind,
        "metadata": {"name": "it"} if kind in ("DeviceClass", "ResourceSlice") else {"name": "it", "namespace": "ns"},
        "spec": SPECS[kind],
    }
    text = render(old, 0, style) + style.eol
    after = fix(text)
    (new,) = after.manifests
    assert new.ref.api_version == "resource.k8s.io/v1"
    answer = ask(new.data)
    assert answer.accepted, answer.causes
    before = ask(old | {"apiVersion": "resource.k8s.io/v1beta1"})
    meant = converted(kind, before.decoded, flat_from=True, flat_to=False)
    assert answer.decoded["spec"] == meant["spec"]
    assert written(fix(written(after))) == written(after)


def test_only_the_lines_that_move_change():
    text = """\
# who asks
apiVersion: "resource.k8s.io/v1beta1" # of old
kind: ResourceClaim
metadata: {name: c}   # short
spec:
  devices:
    # all of them
    requests:
      # the big one
      - name: gpu
        deviceClassName: gpu.nvidia.com   # of the chart

        # two
        count: 2
      - firstAvailable: [{name: a, deviceClassName: x}]
        name: any
    config: []
"""
    assert (
        written(fix(text))
        == """\
# who asks
apiVersion: "resource.k8s.io/v1" # of old
kind: ResourceClaim
metadata: {name: c}   # short
spec:
  devices:
    # all of them
    requests:
      # the big one
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com   # of the chart

          # two
          count: 2
      - firstAvailable: [{name: a, deviceClassName: x}]
        name: any
    config: []
"""
    )


@pytest.mark.parametrize(
    ("release", "version", "request_text"),
    [
        ("1.33", "v1beta2", "{name: gpu, exactly: {deviceClassName: a}}"),
        ("1.32", "v1beta1", "{name: gpu, deviceClassName: a}"),
    ],
)
def test_a_version_ahead_of_the_release_is_written_in_the_one_that_it_has(release, version, request_text):
    text = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec: {devices: {requests: [%s]}}\n"
    )
    after = fix(text % "{name: gpu, exactly: {deviceClassName: a}}", release)
    assert written(after) == text.replace("k8s.io/v1", f"k8s.io/{version}") % request_text


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param("{devices: {requests: [{name: a, deviceClassName: x, exactly: {count: 1}}]}}", id="both shapes"),
        pytest.param("{controller: drv, devices: {}}", id="a field of classic DRA"),
        pytest.param("{devices: {requests: [{name: a, deviceClass: x}]}}", id="a field that no version knows"),
    ],
)
def test_what_v1_would_not_know_stays(spec):
    text = f"apiVersion: resource.k8s.io/v1alpha3\nkind: ResourceClaim\nmetadata: {{name: c}}\nspec: {spec}\n"
    assert written(fix(text)) == text


def test_an_item_of_a_typed_list_takes_its_version_from_the_list():
    text = (
        "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaimList\nitems:\n"
        "- {metadata: {name: c}, spec: {devices: {requests: [{name: a, deviceClassName: x}]}}}\n"
    )
    assert written(fix(text)) == text


@pytest.mark.parametrize(
    ("version", "kind", "body", "tip"),
    [
        ("v1alpha2", "ResourceClaim", "spec: {resourceClassName: big}", "exactly.deviceClassName: big"),
        ("v1alpha2", "ResourceClaimTemplate", "spec: {spec: {resourceClassName: big}}", "exactly.deviceClassName: big"),
        ("v1alpha2", "ResourceClass", "driverName: gpu.nvidia.com", "device.driver == 'gpu.nvidia.com'"),
        ("v1alpha3", "PodSchedulingContext", "spec: {}", "take it out"),
        ("v1alpha2", "ResourceClaimParameters", "shareable: true", "take it out"),
        ("v1", "ResourceClass", "driverName: x", "kind: DeviceClass"),
    ],
)
def test_classic_dra_is_told_what_became_of_it(version, kind, body, tip):
    text = f"apiVersion: resource.k8s.io/{version}\nkind: {kind}\nmetadata: {{name: c}}\n{body}\n"
    bundle = Bundle([read_source(text.encode(), "in.yaml", KUBECTL, WORDS)])
    outcome, after = engine.run(bundle, settings_from({"mode": "fix"}, registry.rule_ids()), RULES, CATALOGUE)
    (report,) = [found for found in outcome.findings if found.rule == "api-version"]
    assert report.severity == "error"
    assert tip in report.tip
    assert written(after) == text
