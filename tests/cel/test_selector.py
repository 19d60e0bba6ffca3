"""Selectors at the door: limits, releases and gates, the device as a value, shared evaluations, chains."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.model.device import Version
from dralign.model.slice import slice_from
from dralign.selector import Chain, compile_selector
from dralign.selector.reads import reads_of

DEFAULT = ("DRAConsumableCapacity",)
LISTS = ("DRAConsumableCapacity", "DRAListTypeAttributes")


def compiled(expression, release="1.37", features=DEFAULT, stored=True, derived=False):
    return compile_selector(expression, release, features, stored, derived)


def device(attributes=(), capacity=(), driver="gpu.example.com", **fields):
    written = {
        "name": "gpu-0",
        "attributes": {name: {kind: value} for name, kind, value in attributes},
        "capacity": {name: {"value": value} for name, value in capacity},
    } | fields
    pool = {"name": "node-1", "generation": 1, "resourceSliceCount": 1}
    return slice_from({"spec": {"driver": driver, "pool": pool, "devices": [written]}}).devices[0]


GPU = device(
    attributes=[
        ("type", "string", "gpu"),
        ("resource.kubernetes.io/numaNode", "int", 1),
        ("shared", "bool", False),
        ("driverVersion", "version", "570.1.2"),
    ],
    capacity=[("memory", "80Gi")],
)


def test_length_is_counted_in_bytes():
    just = "device.driver == '" + "é" * 5110 + "'"
    assert compiled(just, stored=False).too_long is False
    over = compiled(just + " || true", stored=False)
    assert (over.ok, over.too_long, over.error) == (False, True, "may not be more than 10240 bytes")
    assert compiled(just + " || true").ok


def test_cost_limit_holds_for_new_expressions_only():
    costly = "device.attributes['d'].?type == optional.of('gpu')"
    new = compiled(costly, stored=False)
    assert (new.ok, new.too_costly, new.error) == (False, True, "too complex, exceeds cost limit")
    assert (new.type, new.max_cost) == ("bool", 1844674407370955269)
    assert compiled(costly).ok


VERDICTS = [
    pytest.param("device.allowMultipleAllocations", "1.34", (), False, "undefined field", id="gate off, new"),
    pytest.param("device.allowMultipleAllocations", "1.34", DEFAULT, False, None, id="gate on, new"),
    pytest.param("device.allowMultipleAllocations", "1.34", (), True, None, id="gate off, stored"),
    pytest.param("device.attributes.d.x.includes(1)", "1.35", LISTS, True, "undeclared", id="before lists were known"),
    pytest.param("device.attributes.d.x.includes(1)", "1.36", DEFAULT, False, "undeclared", id="lists off, new"),
    pytest.param("device.attributes.d.x.includes(1)", "1.36", LISTS, False, None, id="lists on, new"),
    pytest.param("device.attributes.d.x.includes(1)", "1.37", DEFAULT, True, None, id="lists off, stored"),
    pytest.param("device.attributes.d.x.all(y, y > 0)", "1.36", DEFAULT, True, "cannot be range", id="1.36 stored"),
    pytest.param("device.attributes.d.x.all(y, y > 0)", "1.37", DEFAULT, True, None, id="1.37 stored"),
    pytest.param("dyn(true)", "1.36", DEFAULT, False, "not dyn", id="dyn as result while lists are off"),
    pytest.param("dyn(true)", "1.37", LISTS, False, None, id="dyn as result while lists are on"),
    pytest.param("device.driver", "1.37", DEFAULT, True, "must evaluate to bool or the unknown type", id="text"),
    pytest.param("int('a') == 1 || true", "1.37", DEFAULT, False, "program instantiation failed", id="folding"),
    pytest.param(
        "device.attributes.d.`a-b` == 1", "1.36", DEFAULT, False, "unsupported syntax", id="backticks in 1.36"
    ),
    pytest.param("device.attributes.d.`a-b` == 1", "1.37", DEFAULT, False, None, id="backticks in 1.37"),
]


@pytest.mark.parametrize(("expression", "release", "features", "stored", "wanted"), VERDICTS)
def test_verdicts(expression, release, features, stored, wanted):
    error = compiled(expression, release, features, stored).error
    assert error is None if wanted is None else wanted in error


def test_folding_is_an_internal_error():
    assert compiled("int('a') == 1", stored=False).internal
    assert not compiled("device.driver", stored=False).internal


DERIVED = [
    pytest.param("device.driver", False, None, id="text"),
    pytest.param("device.attributes.d.x", False, None, id="an attribute"),
    pytest.param("semver('1.0.0')", False, None, id="a version"),
    pytest.param("[1]", True, None, id="a list, stored"),
    pytest.param(
        "[1]",
        False,
        "must evaluate to a primitive scalar (string, integer, boolean, semver), not list(int)",
        id="a list, new",
    ),
    pytest.param(
        "1.5",
        True,
        "must evaluate to a primitive scalar (string, integer, boolean, semver) or a list of these scalars, not double",
        id="a double",
    ),
]


@pytest.mark.parametrize(("expression", "stored", "wanted"), DERIVED)
def test_types_of_derived_attributes(expression, stored, wanted):
    assert compiled(expression, stored=stored, derived=True).error == wanted


def test_release_must_be_a_known_one():
    with pytest.raises(ValueError, match=r"release: got '1\.33', want one of 1\.34, 1\.35, 1\.36, 1\.37"):
        compiled("true", "1.33")


def test_the_same_question_is_compiled_once():
    assert compiled("true") is compiled("true", features=["DRAConsumableCapacity", "SomethingElse"])
    assert compiled("true") is not compiled("true", features=LISTS)


MATCHES = [
    pytest.param("device.driver == 'gpu.example.com'", True, id="driver"),
    pytest.param("device.attributes['gpu.example.com'].type == 'gpu'", True, id="name without a domain"),
    pytest.param("device.attributes['resource.kubernetes.io'].numaNode == 1", True, id="name with a domain"),
    pytest.param("device.attributes['gpu.example.com'].shared", False, id="a bool attribute is a result"),
    pytest.param("'nope' in device.attributes", False, id="an unknown domain is not there"),
    pytest.param("has(device.attributes.nope)", True, id="but has says so"),
    pytest.param("device.attributes.nope.size() == 0", True, id="and it is an empty map"),
    pytest.param("device.attributes['nope'].?x.orValue(3) == 3", True, id="optional"),
    pytest.param("device.capacity['gpu.example.com'].memory == quantity('81920Mi')", True, id="quantity"),
    pytest.param("device.attributes['gpu.example.com'].driverVersion.major() == 570", True, id="version"),
    pytest.param("device.allowMultipleAllocations", False, id="unset means false"),
    pytest.param("dyn(optional.of(true))", True, id="an optional counts by what is in it"),
]


@pytest.mark.parametrize(("expression", "wanted"), MATCHES)
def test_matches(expression, wanted):
    evaluation = compiled(expression).evaluate(GPU)
    assert (evaluation.value, evaluation.error) == (wanted, None)


ERRORS = [
    pytest.param("device.attributes.nope.x == 1", "no such key: x", id="missing attribute"),
    pytest.param(
        "device.attributes['gpu.example.com'].type",
        "CEL result of type string could not be converted to bool: unsupported native conversion from string to 'bool'",
        id="result that is no bool",
    ),
    pytest.param(
        "dyn(optional.none())",
        "CEL result of type optional_type could not be converted to bool: optional.none() dereference",
        id="empty optional as result",
    ),
    pytest.param(
        "lists.range(1000).distinct().size() > 0",
        "operation cancelled: actual cost limit exceeded",
        id="cost limit",
    ),
]


@pytest.mark.parametrize(("expression", "wanted"), ERRORS)
def test_errors(expression, wanted):
    evaluation = compiled(expression).evaluate(GPU)
    assert (evaluation.value, evaluation.error) == (None, wanted)


DEVICES = [
    pytest.param(
        [("v", "version", "v1")],
        "1.37",
        "attribute v: parse semantic version: No Major.Minor.Patch elements found",
        id="unreadable version",
    ),
    pytest.param([("l", "ints", [1])], "1.36", "attribute l: unsupported attribute value", id="list while unknown"),
    pytest.param([("l", "ints", [1])], "1.37", None, id="list"),
    pytest.param([("l", "colour", 1)], "1.37", "attribute l: unsupported attribute value", id="unknown kind"),
]


@pytest.mark.parametrize(("attributes", "release", "wanted"), DEVICES)
def test_one_unreadable_attribute_fails_every_expression(attributes, release, wanted):
    evaluation = compiled("device.driver != ''", release).evaluate(device(attributes))
    assert evaluation.error == wanted
    assert evaluation.value is (True if wanted is None else None)
    assert (evaluation.cost is None) is (wanted is not None)


VALUES = [
    pytest.param("device.attributes['resource.kubernetes.io'].numaNode", 1, int, id="int"),
    pytest.param("device.attributes['gpu.example.com'].shared", False, bool, id="bool"),
    pytest.param("device.driver", "gpu.example.com", str, id="text"),
    pytest.param("device.attributes['gpu.example.com'].driverVersion", "570.1.2", Version, id="version"),
    pytest.param("[1, 2]", (1, 2), tuple, id="list"),
    pytest.param("[]", (), tuple, id="empty list"),
]


@pytest.mark.parametrize(("expression", "wanted", "kind"), VALUES)
def test_derived_attributes(expression, wanted, kind):
    value = compiled(expression, derived=True).evaluate(GPU).value
    assert (value, type(value)) == (wanted, kind)


NOT_DERIVED = [
    pytest.param("dyn(1.5)", "unsupported CEL return type: float64", id="double"),
    pytest.param("[dyn(1), dyn('a')]", "expected list element at index 1 to be int, got string", id="mixed list"),
    pytest.param("[dyn(1.5)]", "unsupported list element type: float64", id="list of doubles"),
]


@pytest.mark.parametrize(("expression", "wanted"), NOT_DERIVED)
def test_values_that_are_no_attribute(expression, wanted):
    assert compiled(expression, derived=True).evaluate(GPU).error == wanted


READS = [
    pytest.param("device.driver == 'x'", [], [], id="driver alone"),
    pytest.param("device.attributes['d'].x == device.attributes.d['y']", [("d", "x"), ("d", "y")], [], id="attributes"),
    pytest.param("has(device.attributes.d.x) && device.capacity.d.m.sign() > 0", None, None, id="sign is no method"),
    pytest.param("has(device.attributes.d.x) || sign(device.capacity.d.m) > 0", [("d", "x")], [("d", "m")], id="has"),
    pytest.param("'x' in device.attributes['d']", [("d", "x")], [], id="in"),
    pytest.param("device.attributes['d'].?x.optMap(v, v == 1).orValue(false)", [("d", "x")], [], id="optional"),
    pytest.param("cel.bind(a, device.attributes['d'], a.x == a.y)", [("d", "x"), ("d", "y")], [], id="bound map"),
    pytest.param("cel.bind(a, device.attributes['d'].x, true)", [("d", "x")], [], id="bound value that may be missing"),
]


@pytest.mark.parametrize(("expression", "attributes", "capacity"), READS)
def test_reads(expression, attributes, capacity):
    result = compiled(expression)
    if attributes is None:
        assert not result.ok
        return
    reads = reads_of(result.checked.ast.root)
    assert (list(reads.attributes), list(reads.capacity)) == (attributes, capacity)


WHOLE = [
    pytest.param("device.attributes.size() == 1", id="a map as a whole"),
    pytest.param("device.attributes[device.driver].x == 1", id="a domain that is computed"),
    pytest.param("device.attributes['d'].all(k, k == 'x')", id="a loop over a map"),
    pytest.param("cel.bind(a, device.attributes['d'], size(a) == 1)", id="a bound map as a whole"),
    pytest.param("'d' in device.attributes", id="presence of a domain"),
    pytest.param("dyn(device) == 1", id="the device itself"),
]


@pytest.mark.parametrize("expression", WHOLE)
def test_whole_maps_are_never_shared(expression):
    assert reads_of(compiled(expression).checked.ast.root) is None


SHARING = [
    "device.attributes['d'].x == 1 || device.attributes['d'].y == 'a'",
    "device.attributes['d'].?x.orValue(true) == true && device.attributes['gpu.example.com'].?y.hasValue()",
    "string(device.attributes['d'].x) == '1' || device.attributes['d'].y.includes(1)",
    "device.capacity['d'].m.isInteger() && device.attributes['gpu.example.com'].x != 0",
    "cel.bind(a, device.attributes['d'], has(a.x) ? a.x : a.y)",
]
SCALARS = st.one_of(
    st.tuples(st.just("int"), st.sampled_from([0, 1])),
    st.tuples(st.just("bool"), st.booleans()),
    st.tuples(st.just("string"), st.sampled_from(["a", "1.0.0"])),
    st.tuples(st.just("version"), st.just("1.0.0")),
    st.tuples(st.just("ints"), st.lists(st.sampled_from([0, 1]), max_size=2)),
    st.tuples(st.just("bools"), st.lists(st.booleans(), max_size=2)),
)
NAMES = st.sampled_from(["x", "y", "d/x", "d/y", "gpu.example.com/x"])
SOME_DEVICES = st.builds(
    lambda attributes, capacity: device([(name, *value) for name, value in attributes.items()], capacity.items()),
    st.dictionaries(NAMES, SCALARS, max_size=4).filter(lambda names: not {"x", "gpu.example.com/x"} <= set(names)),
    st.dictionaries(st.sampled_from(["m", "d/m"]), st.sampled_from(["1", "1.0", "1000m", "1Gi"]), max_size=2),
)


@given(st.lists(SOME_DEVICES, min_size=2, max_size=5), st.sampled_from(SHARING))
def test_shared_evaluations_are_those_of_each_device(devices, expression):
    selector = compiled(expression)
    assert [selector.evaluate(each) for each in devices] == [selector._run(each) for each in devices]


TRUE, FALSE, FAILS = "device.driver != ''", "device.driver == ''", "device.attributes.d.x == 1"
HINT = (
    "consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional "
    "fields"
)

CHAINS = [
    pytest.param([], [], "1.37", (True, None), id="no selector takes all"),
    pytest.param([TRUE], [TRUE, TRUE], "1.37", (True, None), id="all are true"),
    pytest.param([FALSE], [FAILS], "1.37", (False, None), id="the class guards the request"),
    pytest.param([TRUE], [FALSE, FAILS], "1.37", (False, None), id="the first false one ends it"),
    pytest.param(
        [TRUE, FAILS],
        [TRUE],
        "1.37",
        (
            None,
            "class gpu: selector #1 on device gpu.example.com/node-1/gpu-0: CEL runtime error: no such key: x. " + HINT,
        ),
        id="error in the class, 1.37",
    ),
    pytest.param(
        [TRUE],
        [FAILS],
        "1.36",
        (None, "claim team/train: selector #0: CEL runtime error: no such key: x"),
        id="error in the request, 1.36",
    ),
    pytest.param(
        [],
        ["device.driver"],
        "1.37",
        (
            None,
            "claim team/train: selector #0: CEL compile error: must evaluate to bool or the unknown type, not string",
        ),
        id="refused",
    ),
]


@pytest.mark.parametrize(("of_class", "of_request", "release", "wanted"), CHAINS)
def test_chains(of_class, of_request, release, wanted):
    selectors = [[compiled(expression, release) for expression in part] for part in (of_class, of_request)]
    evaluation = Chain("gpu", selectors[0], "team/train", selectors[1]).evaluate(GPU)
    assert (evaluation.value, evaluation.error) == wanted


def test_a_chain_costs_what_was_asked():
    chain = Chain("gpu", [compiled(TRUE)], "team/train", [compiled(FALSE), compiled(TRUE)])
    assert chain.evaluate(GPU).cost == compiled(TRUE).evaluate(GPU).cost + compiled(FALSE).evaluate(GPU).cost
