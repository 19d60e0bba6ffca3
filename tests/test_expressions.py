"""Invented forms of selectors and their right form: what is offered compiles, and says what was meant."""

import pytest

from dralign import registry
from dralign.fixes.expressions import cured
from dralign.selector import compile_selector

CATALOGUE = registry.catalogue()
GPU = CATALOGUE.view("gpu.nvidia.com", None, (), {})
GATES = frozenset({"DRAConsumableCapacity"})
MEMORY = "device.capacity['gpu.nvidia.com'].memory"
NUMA = "device.attributes['resource.kubernetes.io'].?numaNode.orValue(-1)"


def accepts(expression):
    return compile_selector(expression, "1.37", GATES).ok


@pytest.mark.parametrize(
    ("wrong", "right", "constraint"),
    [
        pytest.param(
            "device.capacity['gpu.nvidia.com/memory'].inRange('40Gi','80Gi') &&\n  device.attributes['gpu.nvidia.com/numaNode'].numeric == 0",
            f"{MEMORY}.compareTo(quantity('40Gi')) >= 0 && {MEMORY}.compareTo(quantity('80Gi')) <= 0 && {NUMA} == 0",
            False,
            id="the first standard's example",
        ),
        pytest.param(
            "device.attributes['gpu.nvidia.com'].memorySize >= 40Gi && device.topology.pcie.rootComplex == node.topology.numa[0].pcieRoot",
            f"{MEMORY}.compareTo(quantity('40Gi')) >= 0",
            True,
            id="the second standard's example",
        ),
        pytest.param("device.topology.numa == node.topology.numa", "", True, id="nothing that CEL can say"),
        pytest.param(
            f"{MEMORY} >= quantity('40Gi')",
            f"{MEMORY}.compareTo(quantity('40Gi')) >= 0",
            False,
            id="a quantity with an operator",
        ),
        pytest.param(
            f"{MEMORY} > '40Gi'", f"{MEMORY}.compareTo(quantity('40Gi')) > 0", False, id="a quantity as a string"
        ),
        pytest.param(f"{MEMORY} > 40", f"{MEMORY}.compareTo(quantity('40Gi')) > 0", False, id="a number of gibibytes"),
        pytest.param(
            f"{MEMORY}.isGreaterThanOrEqual(quantity('40Gi'))",
            f"{MEMORY}.compareTo(quantity('40Gi')) >= 0",
            False,
            id="a method that is not there",
        ),
        pytest.param(
            "device.driver == 'gpu.nvidia.com' and device.attributes['gpu.nvidia.com'].brand == 'a and b'",
            "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].brand == 'a and b'",
            False,
            id="and",
        ),
        pytest.param(
            "device.attributes['gpu.nvidia.com'].driverVersion >= '550.0'",
            "device.attributes['gpu.nvidia.com'].driverVersion.compareTo(semver('550.0.0')) >= 0",
            False,
            id="a version with an operator",
        ),
        pytest.param("device.attributes['gpu.nvidia.com'].numaNode == 0", f"{NUMA} == 0", False, id="the wrong domain"),
        pytest.param(
            "device.attributes['resource.kubernetes.io'].numaNode == '0'",
            f"{NUMA} == 0",
            False,
            id="an int as a string",
        ),
        pytest.param(
            "device.attributes['gpu.nvidia.com'].productName.string == 'A100'",
            "device.attributes['gpu.nvidia.com'].productName == 'A100'",
            False,
            id="a member of the Go struct",
        ),
    ],
)
def test_wrong_forms_have_a_right_one(wrong, right, constraint):
    cure = cured(wrong, GPU, accepts)
    assert (cure.text, cure.needs_constraint) == (right, constraint)
    assert not right or accepts(right)
    assert cured(right, GPU, accepts) is None or not right


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("device.name == 'gpu-0'", id="names cannot be selected"),
        pytest.param("(((", id="nothing to go on"),
        pytest.param("device.driver == 'gpu.nvidia.com'", id="nothing wrong"),
    ],
)
def test_without_a_right_form_nothing_is_offered(expression):
    assert cured(expression, GPU, accepts) is None
