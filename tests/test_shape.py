"""Requests brought into the shape of v1, in block, braces and JSON."""

import pytest

from dralign.bundle import Bundle, read_source
from dralign.finding import Fix
from dralign.fixes.shape import flat_fields, into_exactly
from dralign.manifest import Path
from dralign.repair import apply
from dralign.yamlio import KUBECTL

REQUESTS = Path(("spec", "devices", "requests"))
HEAD = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n"
TEXTS = {
    "block": (
        HEAD
        + """\
    requests:
    - name: gpu
      # any GPU
      deviceClassName: gpu.nvidia.com  # of the operator
      count: 2
    - {name: nic, deviceClassName: nic}
""",
        HEAD
        + """\
    requests:
    - name: gpu
      # any GPU
      exactly:
        deviceClassName: gpu.nvidia.com  # of the operator
        count: 2
    - {name: nic, exactly: {deviceClassName: nic}}
""",
    ),
    "json": (
        (
            '{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "c"}, "spec": {"devices": '
            '{"requests": [{"name": "gpu", "deviceClassName": "a"}, {"name": "nic", "count": 1, "deviceClassName": "b"}]}}}'
        ),
        (
            '{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "c"}, "spec": {"devices": '
            '{"requests": [{"name": "gpu", "exactly": {"deviceClassName": "a"}}, {"name": "nic", "exactly": {"count": 1, '
            '"deviceClassName": "b"}}]}}}'
        ),
    ),
}


def bundle(text):
    return Bundle([read_source(text.encode(), "in.yaml", KUBECTL, [b"resource.k8s.io"])])


@pytest.mark.parametrize(("before", "after"), TEXTS.values(), ids=TEXTS)
def test_flat_fields_move(before, after):
    read = bundle(before)
    (manifest,) = read.manifests
    patches = [patch for i in range(2) for patch in into_exactly(manifest, REQUESTS / i)]
    changed = apply(read, [Fix("nest", tuple(patches))])
    assert changed.bundle.manifests[0].document.text == after
    assert not flat_fields(changed.bundle.manifests[0], REQUESTS / 0)
    assert into_exactly(changed.bundle.manifests[0], REQUESTS / 0) == ()


@pytest.mark.parametrize(
    "request_text",
    ["{name: a, exactly: {deviceClassName: x}, count: 2}", "{name: a, firstAvailable: [], count: 2}", "{name: a}", "a"],
)
def test_what_cannot_be_told_is_left_alone(request_text):
    (manifest,) = bundle(f"{HEAD}    requests: [{request_text}]\n").manifests
    assert into_exactly(manifest, REQUESTS / 0) == ()
