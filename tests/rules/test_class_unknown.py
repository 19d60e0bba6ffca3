"""Which names of classes were surely meant to be others, and what an inventory adds."""

import pytest
from worlds import findings

RULE = "class-unknown"
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one}
spec:
  devices:
    requests:
    - {name: gpu, exactly: {deviceClassName: NAME}}
"""


def device_class(name):
    return {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": name}, "spec": {}}


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("gpu.nvidia.com", None),
        ("gpu.nvida.com", "error"),
        ("gpu-nvidia-com", "error"),
        ("pool-b", "warning"),
        ("big-gpus", "warning"),
    ],
)
def test_names(name, severity):
    text = CLAIM.replace("NAME", name)
    said = [found[0] for found in findings(RULE, text, device_class("pool-a"), device_class("gpu.nvidia.com"))]
    assert said == ([severity] if severity else [])


def test_an_inventory_with_classes_has_them_all():
    text = CLAIM.replace("NAME", "mig.nvidia.com")
    assert findings(RULE, text) == []
    ((severity, _, message),) = findings(RULE, text, device_class("gpu.example.com"))
    assert severity == "warning"
    assert "neither in the input nor in the inventory" in message


def test_a_claim_says_it_once_for_each_class():
    text = CLAIM.replace("NAME", "big-gpus") + "    - {name: more, exactly: {deviceClassName: big-gpus}}\n"
    assert len(findings(RULE, text)) == 1
