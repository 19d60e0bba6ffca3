"""Why no device of an inventory matches a request: the selector that none meets, and what the devices have instead."""

import pytest
from worlds import device, findings, piece

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: claim}}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        selectors:
{selectors}
"""
PRODUCT = 'device.attributes["gpu.nvidia.com"].productName == "{}"'
MEMORY = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("200Gi")) >= 0'
A, B = "NVIDIA A100-SXM4-80GB", "NVIDIA H100 80GB HBM3"


def cards(*products, kind="gpu"):
    """Return the slice of a node with these cards."""
    made = (
        device(f"gpu-{i}", type=kind, productName=product, capacity={"memory": f"{80 + i}Gi"})
        for i, product in enumerate(products)
    )
    return piece("node-a", "gpu.nvidia.com", *made)


@pytest.mark.parametrize(
    ("selectors", "machine", "place", "told"),
    [
        ([PRODUCT.format("H100")], cards(B), "selectors[0].cel.expression", f": their productName is '{B}'"),
        ([MEMORY], cards(A, A, A, A), "selectors[0].cel.expression", ": their memory is 80Gi, 81Gi, 82Gi and 1 more"),
        (
            [PRODUCT.format(A), MEMORY],
            cards(A, B),
            "selectors[1].cel.expression",
            ": their memory is 80Gi, 81Gi",
        ),
        (
            [PRODUCT.format(B)],
            cards(B, kind="mig"),
            "selectors[0].cel.expression",
            ": none is of class 'gpu.nvidia.com'",
        ),
        (
            [PRODUCT.format(A), MEMORY.replace("200", "81")],
            cards(A, B),
            "selectors",
            ": each of them is met by some, and no device meets all",
        ),
        (['device.driver.endsWith("amd.com")'], cards(A), "selectors[0].cel.expression", ""),
    ],
    ids=["a value", "many amounts", "the second", "the class", "together", "nothing read"],
)
def test_what_the_devices_have_instead(selectors, machine, place, told):
    written = "\n".join(f"        - cel: {{expression: '{selector}'}}" for selector in selectors)
    ((severity, path, message),) = findings("cel-never-matches", CLAIM.format(selectors=written), machine)
    assert severity == "error"
    assert path == f"spec.devices.requests[0].exactly.{place}"
    assert message.endswith(f"matches the selectors of request 'gpu'{told}")
