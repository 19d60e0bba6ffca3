"""Invented forms of selectors and their right form: what is offered compiles, and says what was meant."""

import pytest

from dralign import registry
from dralign.fixes.expressions import cured
from dralign.fixes.selector_advice import tip_for
from dralign.selector import compile_selector

CATALOGUE = registry.catalogue()
GPU = CATALOGUE.view("gpu.nvidia.com", None, (), {})
GATES = frozenset({"DRAConsumableCapacity"})
MEMORY = "device.capacity['gpu.nvidia.com'].memory"
TYPE = "device.attributes['gpu.nvidia.com'].type"
PRODUCT = "device.attributes['gpu.nvidia.com'].productName"
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
        pytest.param(
            f"quantity('40Gi') <= {MEMORY}", f"{MEMORY}.compareTo(quantity('40Gi')) >= 0", False, id="from behind"
        ),
        pytest.param(
            "device.memory >= 40GB", f"{MEMORY}.compareTo(quantity('40G')) >= 0", False, id="a capacity alone"
        ),
        pytest.param(
            "device.capacity['memory'] > '40Gi'", f"{MEMORY}.compareTo(quantity('40Gi')) > 0", False, id="no domain"
        ),
        pytest.param("device.numaNode == 0", f"{NUMA} == 0", False, id="an attribute as a member"),
        pytest.param("device.attributes.numa == 0", f"{NUMA} == 0", False, id="without its domain"),
        pytest.param("device.attributes['numaNode'] == 1", f"{NUMA} == 1", False, id="in place of its domain"),
        pytest.param("device.attributes['gpu.nvidia.com']['numa'] == 0", f"{NUMA} == 0", False, id="a retired name"),
        pytest.param("attributes['gpu.nvidia.com'].type = 'gpu'", f"{TYPE} == 'gpu'", False, id="an assignment"),
        pytest.param(
            "device.attributes['gpu.nvidia.com'].get('type') is 'gpu'", f"{TYPE} == 'gpu'", False, id="Python"
        ),
        pytest.param(f"{TYPE}.equals('gpu')", f"{TYPE} == 'gpu'", False, id="Java"),
        pytest.param(
            f"{TYPE} === 'gpu' & {TYPE} <> 'mig'", f"{TYPE} == 'gpu' && {TYPE} != 'mig'", False, id="operators"
        ),
        pytest.param(f"{TYPE} in ('gpu', 'mig')", f"{TYPE} in ['gpu', 'mig']", False, id="a tuple"),
        pytest.param(f"{TYPE} not in ['mig']", f"!({TYPE} in ['mig'])", False, id="not in"),
        pytest.param(f"['gpu', 'mig'].contains({TYPE})", f"{TYPE} in ['gpu', 'mig']", False, id="contains of a list"),
        pytest.param(f"{PRODUCT} like 'NVIDIA%'", f"{PRODUCT}.startsWith('NVIDIA')", False, id="like, a beginning"),
        pytest.param(f"{PRODUCT} LIKE '%H100%'", f"{PRODUCT}.contains('H100')", False, id="like, a part"),
        pytest.param(f"{PRODUCT} =~ 'H1.0'", f"{PRODUCT}.matches('H1.0')", False, id="Perl"),
        pytest.param(
            f"{PRODUCT}.toLowerCase().startswith('nvidia')",
            f"{PRODUCT}.lowerAscii().startsWith('nvidia')",
            False,
            id="names of other languages",
        ),
        pytest.param(
            "device.attributes['gpu.nvidia.com'].cudaComputeCapability >= 9.0",
            "device.attributes['gpu.nvidia.com'].cudaComputeCapability.compareTo(semver('9.0.0')) >= 0",
            False,
            id="a version as a number",
        ),
        pytest.param(
            "semver(device.attributes['gpu.nvidia.com'].driverVersion) >= semver('550.0.0')",
            "device.attributes['gpu.nvidia.com'].driverVersion.compareTo(semver('550.0.0')) >= 0",
            False,
            id="a version made a version",
        ),
        pytest.param(
            f"{TYPE} == 'gpu' and node.labels['zone'] == 'a'", f"{TYPE} == 'gpu'", True, id="labels of the node"
        ),
        pytest.param(f"{TYPE} == claim.type", "", True, id="another object"),
        pytest.param(
            "device.attributes['gpu.nvidia.com'].cudaComputeCapability.isGreaterThan(version('8.0'))",
            "device.attributes['gpu.nvidia.com'].cudaComputeCapability.isGreaterThan(semver('8.0.0'))",
            False,
            id="semver by another name",
        ),
        pytest.param(
            "device.capacity['memory'].compareTo(quantity('40Gi')) >= 0",
            f"{MEMORY}.compareTo(quantity('40Gi')) >= 0",
            False,
            id="a capacity without its domain, and a method of it",
        ),
        pytest.param(
            "device.attributes['gpu.nvidia.com'].memory >= 68719476736",
            f"{MEMORY}.compareTo(quantity('68719476736')) >= 0",
            False,
            id="a number of bytes",
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
        pytest.param("device.driver ==\n  'gpu.nvidia.com'", id="nothing but a line break"),
        pytest.param("device.driver.lowercase() == 'node.x & y = z'", id="words in a string"),
        pytest.param(f"node.zone == 'a' || {TYPE} == 'gpu'", id="an alternative, of which no half is meant alone"),
    ],
)
def test_without_a_right_form_nothing_is_offered(expression):
    assert cured(expression, GPU, accepts) is None


@pytest.mark.parametrize(
    ("expression", "tip"),
    [
        pytest.param(
            "device.name == 'gpu-0'", "no selector sees the name of a device: choose by an attribute", id="name"
        ),
        pytest.param("node.zone == 'a'", "a selector sees one device at a time", id="the node"),
        pytest.param("attributes['d'].x == 1", "begin with device.", id="no device"),
        pytest.param(
            f"{PRODUCT}.startswith('a')", "write startsWith(...), which is CEL's name for it", id="a function"
        ),
        pytest.param(f"{PRODUCT}.frobnicate('a')", None, id="no such function"),
        pytest.param(f"{MEMORY} > 40", "compare quantities with .compareTo(quantity('40Gi')) >= 0", id="a quantity"),
        pytest.param(f"{MEMORY} >= 40Gi", "compare quantities with .compareTo(quantity('40Gi')) >= 0", id="an amount"),
        pytest.param(f"{PRODUCT}.matches('a(?=b)')", "write the pattern as RE2 has it", id="a pattern"),
        pytest.param(f"{TYPE} == 'a' and true", "write it as CEL has it: && ||", id="syntax"),
        pytest.param("true || " * 2000 + "true", "write values of one attribute as a list", id="length"),
        pytest.param("'a'", "compare the value with something: the result must be true or false", id="a result"),
    ],
)
def test_tips_say_what_to_type(expression, tip):
    got = tip_for(compile_selector(expression, "1.37", GATES))
    assert got == tip or (tip and got and got.startswith(tip))
