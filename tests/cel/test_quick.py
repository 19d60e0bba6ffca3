"""Quick answers are those of the exact evaluation, or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.model.slice import slice_from
from dralign.selector import compile_selector
from dralign.selector import quick as quick_module
from dralign.selector.plain import plain_answer
from dralign.selector.writing import NotPlain

DRIVER = "gpu.example.com"
OF_DRIVER = f"device.attributes['{DRIVER}']"

PLAIN = [
    pytest.param(f"device.driver == '{DRIVER}'", id="driver"),
    pytest.param(f"{OF_DRIVER}.model == 'H100'", id="text"),
    pytest.param(f"{OF_DRIVER}.index != 3", id="number"),
    pytest.param(f"{OF_DRIVER}.healthy", id="truth"),
    pytest.param(f"!({OF_DRIVER}.healthy) || {OF_DRIVER}.index < 2", id="logic"),
    pytest.param(f"{OF_DRIVER}.model.lowerAscii().matches('^h[12]00$')", id="pattern"),
    pytest.param(f"{OF_DRIVER}.model.startsWith('H') && {OF_DRIVER}.model.contains('10')", id="text tests"),
    pytest.param(f"{OF_DRIVER}.model in ['H100', 'H200']", id="one of several"),
    pytest.param(f"has({OF_DRIVER}.index) ? {OF_DRIVER}.index >= 2 : false", id="has"),
    pytest.param(f"'index' in {OF_DRIVER}", id="in"),
    pytest.param(f"{OF_DRIVER}.?index.orValue(7) > 3", id="an optional"),
    pytest.param(f"{OF_DRIVER}.?index.hasValue()", id="whether there is one"),
    pytest.param(f"{OF_DRIVER}.version.compareTo(semver('1.5.0')) > 0", id="version"),
    pytest.param(f"{OF_DRIVER}.version.major() == 2", id="a part of a version"),
    pytest.param(f"{OF_DRIVER}.model != {OF_DRIVER}.version.major()", id="another type than what may be missing"),
    pytest.param(f"device.capacity['{DRIVER}'].memory.compareTo(quantity('40Gi')) >= 0", id="capacity"),
    pytest.param(f"device.capacity['{DRIVER}'].memory.isGreaterThan(quantity('40Gi'))", id="greater capacity"),
    pytest.param("device.attributes['other.io'].numa.includes(1)", id="includes, of another domain"),
    pytest.param(f"cel.bind(own, {OF_DRIVER}, own.index == 1)", id="a name for a part"),
    pytest.param("device.allowMultipleAllocations", id="shared"),
]

ATTRIBUTES = st.one_of(
    st.sampled_from(["H100", "h200", "", "x" * 70]).map(lambda value: {"string": value}),
    st.integers(0, 4).map(lambda value: {"int": value}),
    st.booleans().map(lambda value: {"bool": value}),
    st.sampled_from(["1.5.0", "2.0.0-rc.1"]).map(lambda value: {"version": value}),
    st.lists(st.integers(0, 2), min_size=1, max_size=3).map(lambda value: {"ints": value}),
)
NAMES = ["model", "index", "healthy", "version", f"{DRIVER}/model", f"{DRIVER}/index", "other.io/numa"]
DEVICES = st.builds(
    lambda driver, attributes, memory, name, shared: {
        "driver": driver,
        "name": "d",
        "attributes": attributes,
        "capacity": {name: {"value": memory}} if memory else {},
        "allowMultipleAllocations": shared,
    },
    st.sampled_from([DRIVER, "nic.example.com"]),
    st.dictionaries(st.sampled_from(NAMES), ATTRIBUTES),
    st.sampled_from(["", "80Gi", "40Gi", "100m"]),
    st.sampled_from(["memory", f"{DRIVER}/memory"]),
    st.booleans(),
)


def device_of(fields):
    return slice_from({"spec": {"driver": fields["driver"], "devices": [fields]}}).devices[0]


def compiled(expression):
    return compile_selector(expression, "1.37", ("DRAConsumableCapacity", "DRAListTypeAttributes"), stored=True)


def quick_answer(selector, device):
    """The answer once many devices have been asked about."""
    return [selector.quick(device) for _ in range(quick_module._FEW + 2)][-1]


@pytest.mark.parametrize("expression", PLAIN)
@given(fields=DEVICES)
def test_quick_answers_are_the_exact_ones(expression, fields):
    selector, device = compiled(expression), device_of(fields)
    answer, exact = quick_answer(selector, device), selector.evaluate(device)
    assert answer is None or (exact.error, exact.value) == (None, answer)


USUAL = {
    "driver": DRIVER,
    "name": "d",
    "attributes": {
        "model": {"string": "H100"},
        f"{DRIVER}/index": {"int": 1},
        "healthy": {"bool": True},
        "version": {"version": "2.0.0"},
        "other.io/numa": {"ints": [0, 1]},
    },
    "capacity": {"memory": {"value": "80Gi"}},
}


@pytest.mark.parametrize("expression", PLAIN)
def test_usual_devices_are_answered_quickly(expression):
    selector, device = compiled(expression), device_of(USUAL)
    assert quick_answer(selector, device) is selector.evaluate(device).value


def test_the_first_devices_are_evaluated_exactly():
    assert compiled("device.driver == 'not.asked.before'").quick(device_of(USUAL)) is None


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("[1, 2].exists(x, x == 1)", id="a loop"),
        pytest.param("device.attributes.size() > 0", id="a map as a whole"),
        pytest.param("1u == 1u", id="an unsigned number"),
        pytest.param("'a' + 'b' == 'ab'", id="a computed text"),
        pytest.param(f"{OF_DRIVER}.model.matches({OF_DRIVER}.model)", id="a computed pattern"),
        pytest.param(f"{OF_DRIVER}.model.matches('(a|aa)+$')", id="a pattern that may take long"),
        pytest.param(f"{OF_DRIVER}.model.contains('{'x' * 9000}')", id="a cost that may reach the limit"),
        pytest.param("true || (" * 40 + "true" + ")" * 40, id="depth"),
    ],
)
def test_what_is_not_plain(expression):
    selector = compiled(expression)
    with pytest.raises(NotPlain):
        plain_answer(selector.checked.ast.root, selector.constants, DRIVER)


@pytest.mark.parametrize(
    "attributes",
    [
        pytest.param({"index": {"string": "1"}, f"{DRIVER}/index": {"int": 1}}, id="an attribute under both names"),
        pytest.param({"index": {"version": "1.0.0"}}, id="a version where a number is compared"),
        pytest.param({}, id="a missing attribute"),
        pytest.param({"index": {"int": 1}, "bad": {"version": "one"}}, id="a device that cannot be converted"),
    ],
)
def test_doubt(attributes):
    assert quick_answer(compiled(f"{OF_DRIVER}.index == 1"), device_of(USUAL | {"attributes": attributes})) is None
