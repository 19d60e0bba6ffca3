"""Operations that an attribute's type does not have are found without a device, and nothing else is."""

import re
import sys
from pathlib import Path

import pytest

from dralign.model.device import Version
from dralign.selector import compile_selector
from dralign.selector.typed import misuse

CONFORMANCE = Path(__file__).resolve().parents[1] / "conformance"
sys.path.insert(0, str(CONFORMANCE))

from cel_expressions import Generator  # noqa: E402  the path comes first
from cel_judge import devices  # noqa: E402

GPU = "device.attributes['gpu.example.com']"
TYPES = {
    "gpu.example.com/version": "kubernetes.Semver",
    "gpu.example.com/model": "string",
    "gpu.example.com/node": "int",
    "gpu.example.com/shared": "bool",
    "gpu.example.com/cores": "list(int)",
}


def compiled(expression):
    return compile_selector(expression, "1.37", ("DRAConsumableCapacity", "DRAListTypeAttributes"), stored=True)


@pytest.mark.parametrize(
    ("expression", "column", "attribute"),
    [
        pytest.param(f"{GPU}.version >= '550'", 46, "version", id="a version and a text"),
        pytest.param(f"semver({GPU}.version) == semver('1.0.0')", 7, "version", id="a version made a version"),
        pytest.param(f"{GPU}.model.string == 'a'", 43, "model", id="a member of a text"),
        pytest.param(f"{GPU}.node.startsWith('1')", 53, "node", id="a function of texts on an int"),
        pytest.param(f"{GPU}['node'] * 1.0 > 0.5", 46, "node", id="arithmetic across types"),
        pytest.param(f"!{GPU}.model", 1, "model", id="no truth value"),
        pytest.param(f"{GPU}.model && true", 37, "model", id="nor beside another"),
        pytest.param(f"{GPU}.cores > 3", 44, "cores", id="a list and a number"),
        pytest.param(f"{GPU}.version == '1.0.0'", 46, "version", id="a version never equals a text"),
        pytest.param(f"{GPU}.node", 37, "node", id="a result that is no bool"),
    ],
)
def test_misuses_are_found(expression, column, attribute):
    found = misuse(compiled(expression), TYPES)
    assert (found.line, found.column, found.attribute) == (1, column, f"gpu.example.com/{attribute}")


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param(f"{GPU}.node == '0'", id="equality takes all types"),
        pytest.param(f"{GPU}.node in ['0', '1']", id="so does in"),
        pytest.param(f"{GPU}.?node.orValue('') == ''", id="a default may be of another type"),
        pytest.param(f"'1.0.0' == {GPU}.version", id="from the other side a text equals no version"),
        pytest.param(f"{GPU}.node > 0.5", id="numbers compare across types"),
        pytest.param(f"{GPU}.version.isGreaterThan(semver('1.0.0'))", id="a version as one"),
        pytest.param(f"{GPU}.cores.exists(c, c > 2)", id="a list as one"),
        pytest.param(f"{GPU}.shared", id="a bool as the result"),
        pytest.param(
            f"type({GPU}.node) == string && {GPU}.node.startsWith('1')", id="the expression asks for the type"
        ),
        pytest.param(f"has({GPU}.model.string)", id="has finds no member, and that is no error"),
        pytest.param(f"{GPU}.model.?string.orValue('') == ''", id="nor is it where the member is optional"),
        pytest.param(f"{GPU}.?model.string.hasValue()", id="or the attribute"),
        pytest.param(f"{GPU}.version != '1.0.0'", id="a version differs from any text"),
        pytest.param(f"{GPU}.version == null", id="anything compares with null"),
        pytest.param(f"{GPU}.other >= 'a'", id="an attribute that nobody knows"),
        pytest.param("device.driver", id="no attribute"),
    ],
)
def test_what_can_be_meant_is_left_alone(expression):
    assert misuse(compiled(expression), TYPES) is None


KNOWN = devices(CONFORMANCE / "cel")
KINDS = {Version: "kubernetes.Semver", bool: "bool", int: "int", str: "string"}
DECIDES_WITHOUT = re.compile(r"&&|[|][|]| [?] |in|exists|all|filter|map|transform|sortBy|bind")
"""What can keep an operation from being reached."""


def types_of(device):
    named = ((name if "/" in name else f"{device.driver}/{name}", value) for name, value in device.attributes.items())
    return {name: KINDS[type(value)] for name, value in named if type(value) in KINDS}


def test_every_misuse_is_an_error_on_a_device_of_those_types():
    generator, found = Generator("typed", KNOWN), 0
    for expression in (compiled(generator.expression()[1]) for _ in range(2_000)):
        for device in KNOWN.values() if expression.ok and not DECIDES_WITHOUT.search(expression.expression) else ():
            if misuse(expression, types_of(device)) is not None:
                found += 1
                assert expression.evaluate(device).error is not None, (expression.expression, device.driver)
    assert found > 100
