"""Facts are checked against the evaluator: what they say must hold of every device that an expression matches."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dralign.cel.analysis import facts
from dralign.model.slice import slice_from
from dralign.selector import compile_selector
from dralign.selector.environment import CONSUMABLE_CAPACITY, LIST_ATTRIBUTES
from dralign.values.quantity import Quantity
from dralign.values.semver import Semver

NUMA = "resource.kubernetes.io/numaNode"
PLACE = 'device.attributes["resource.kubernetes.io"]'
READ = f"{PLACE}.numaNode"


def known(*expressions):
    return facts(expressions)


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param(f"{READ} == 0", id="select"),
        pytest.param("device.attributes['resource.kubernetes.io']['numaNode'] == 0", id="index"),
        pytest.param(f"0 == {READ}", id="reversed"),
        pytest.param(f"{READ} in [0]", id="in a list"),
        pytest.param(f"{PLACE}.?numaNode.orValue(-1) == 0", id="orValue"),
        pytest.param(f"{PLACE}.?numaNode == optional.of(0)", id="optional.of"),
        pytest.param(f"optional.of(0) == {PLACE}[?'numaNode']", id="optional index, reversed"),
        pytest.param(f"{PLACE}.?numaNode.value() == 0", id="value"),
        pytest.param(f"{PLACE}.?numaNode.optMap(v, v == 0).orValue(false)", id="optMap"),
        pytest.param(f"cel.bind(a, {PLACE}, has(a.numaNode) && a.numaNode == 0)", id="bind"),
        pytest.param(f"has({READ}) ? {READ} == 0 : false", id="conditional"),
        pytest.param(f"!({READ} != 0)", id="negation"),
        pytest.param(f"!(!has({READ}) || {READ} != 0)", id="negated or"),
        pytest.param(f"({READ} == 0 && device.driver == 'a') || {READ} == 0", id="both branches"),
        pytest.param(f"({READ} == 0 || {READ} == 1) && {READ} != 1", id="narrowed"),
        pytest.param(f"false || {READ} == 0", id="a branch that is false"),
        pytest.param(f"{READ} <= 0 && {READ} in [0, 1]", id="with a bound"),
    ],
)
def test_spellings_of_one_value(expression):
    assert known(expression).values(NUMA) == {0}
    assert known(expression).is_present(NUMA) is True


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param(f"{READ} == 0 || device.driver == 'a'", id="only one branch"),
        pytest.param(f"{PLACE}.?numaNode.orValue(0) == 0", id="a default that fits"),
        pytest.param(f"{READ} != 0", id="other values"),
        pytest.param(f"{READ} > 0", id="a range"),
        pytest.param(f"[0].exists(n, n == {READ})", id="inside a macro"),
        pytest.param(f"{READ} == 0 &&", id="no expression"),
        pytest.param(f"{READ} + 0 == 0", id="computed"),
        pytest.param(f"cel.bind(device, 1, {READ} == 0)", id="another device"),
    ],
)
def test_no_value_is_claimed(expression):
    assert known(expression).values(NUMA) is None


def test_facts_of_several_expressions_hold_together():
    both = known("device.driver == 'gpu.nvidia.com'", f"{READ} in [0, 1]", f"{READ} in [1, 2]")
    assert both.driver == "gpu.nvidia.com"
    assert both.values(NUMA) == {1}


def test_an_includes_is_no_equality():
    assert known(f"{READ}.includes(0)").values(NUMA) is None
    assert known(f"{READ}.includes(0)").elements(NUMA) == {0}
    assert known(f"{READ} == 0").elements(NUMA) == {0}
    assert not known(f"{READ}.includes(0)").contradict(known(f"{READ}.includes(1)"))


@pytest.mark.parametrize(
    ("expression", "low", "high"),
    [
        pytest.param("M.compareTo(quantity('40Gi')) >= 0", ("40Gi", True), None, id="at least"),
        pytest.param("quantity('40Gi').compareTo(M) < 0", ("40Gi", False), None, id="more, reversed"),
        pytest.param("0 >= M.compareTo(quantity('40Gi'))", None, ("40Gi", True), id="at most, operands reversed"),
        pytest.param(
            "M.isLessThan(quantity('1Ti')) && !M.isLessThan(quantity('1Gi'))", ("1Gi", True), ("1Ti", False), id="range"
        ),
        pytest.param("M == quantity('80Gi')", ("80Gi", True), ("80Gi", True), id="exactly"),
        pytest.param("M.compareTo(quantity('1')) == 1", ("1", False), None, id="compareTo equals one"),
    ],
)
def test_bounds_of_capacity(expression, low, high):
    found = known(expression.replace("M", "device.capacity['gpu.nvidia.com'].memory")).bounds("gpu.nvidia.com/memory")
    for bound, wanted in zip(found, (low, high), strict=True):
        assert (bound is None) == (wanted is None)
        if wanted is not None:
            assert (bound.value, bound.inclusive) == (("quantity", Quantity.parse(wanted[0])), wanted[1])


def test_bounds_of_a_version():
    low, high = known("device.attributes['d'].v.isGreaterThan(semver('1.2.3'))").bounds("d/v", "attributes")
    assert (low.value, low.inclusive, high) == (("version", Semver.parse("1.2.3")), False, None)


@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [
        pytest.param(f"{READ} == 0", f"{READ} == 1", NUMA, id="two numbers"),
        pytest.param(f"{READ} == 0", f"{READ} == '0'", NUMA, id="number and string"),
        pytest.param(f"{READ} == 1", f"{READ} == true", NUMA, id="number and bool"),
        pytest.param(f"{READ} == 0", f"{READ}.startsWith('x')", NUMA, id="number and text function"),
        pytest.param(f"{READ} > 1", f"{READ} < 1", NUMA, id="empty range"),
        pytest.param(f"has({READ})", f"!has({READ})", NUMA, id="there and not there"),
        pytest.param(f"{READ} == 0", f"!('numaNode' in {PLACE})", NUMA, id="value and not there"),
        pytest.param("device.driver == 'a'", "device.driver in ['b', 'c']", "driver", id="drivers"),
        pytest.param(
            "device.capacity['d'].m.compareTo(quantity('2Gi')) > 0",
            "device.capacity['d'].m.isLessThan(quantity('1Gi'))",
            "d/m",
            id="capacities",
        ),
        pytest.param(f"{READ} == 0", f"{READ}.includes(1)", NUMA, id="a scalar includes only itself"),
    ],
)
def test_contradictions(one, other, conflict):
    assert known(one).contradict(known(other))
    assert known(other).contradict(known(one))
    assert known(one).conflict_with(known(other)) == conflict
    assert known(f"{one} && {other}").conflict == conflict
    assert known(one, other).impossible
    assert not known(one).impossible


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(f"{READ} in [0, 1]", f"{READ} in [1, 2]", id="common value"),
        pytest.param(f"{READ} == 1", f"{READ} == 1.0", id="same number"),
        pytest.param(f"{PLACE}.?numaNode.orValue(0) == 0", f"!has({READ})", id="default instead of a value"),
        pytest.param(f"{READ} == 0 || device.driver == 'a'", f"{READ} == 1", id="another branch"),
        pytest.param("not an expression", f"{READ} == 0", id="no expression"),
    ],
)
def test_no_contradiction(one, other):
    assert not known(one).contradict(known(other))


@pytest.mark.parametrize(
    ("expression", "guarded"),
    [
        pytest.param(f"{READ} == 0", [False], id="plain"),
        pytest.param(f"has({READ}) && {READ} == 0", [True, True], id="has before"),
        pytest.param(f"{READ} == 0 && has({READ})", [True, True], id="has behind"),
        pytest.param(f"!has({READ}) || {READ} == 0", [True, True], id="not has or"),
        pytest.param(f"has({READ}) || {READ} == 0", [True, False], id="the wrong operator"),
        pytest.param(f"'numaNode' in {PLACE} && {READ} == 0", [True, True], id="in"),
        pytest.param(f"{READ} == 0 && {READ} != 1", [False, False], id="reads do not guard each other"),
        pytest.param(f"has({READ}) ? {READ} == 0 : true", [True, True], id="conditional"),
        pytest.param(f"has({READ}) ? true : {READ} == 0", [True, False], id="the wrong branch"),
        pytest.param(f"{PLACE}.?numaNode.orValue(0) == 0", [True], id="optional"),
        pytest.param(f"{PLACE}.?numaNode.value() == 0", [False], id="value of an optional"),
        pytest.param(f"{PLACE}.?numaNode.hasValue() && {READ} == 0", [True, True], id="hasValue"),
        pytest.param(f"cel.bind(a, {PLACE}, has(a.numaNode) && a.numaNode == 0)", [True, True], id="bind"),
    ],
)
def test_guards(expression, guarded):
    assert [read.guarded for read in known(expression).reads] == guarded


def test_an_earlier_expression_guards_later_ones():
    reads = known(f"{READ} == 0", f"has({READ}) && device.driver == 'd'", f"{READ} == 0").reads
    assert [(read.expression_index, read.guarded, read.drivers) for read in reads] == [
        (0, False, None),
        (1, True, {"d"}),
        (2, True, {"d"}),
    ]


def test_a_read_knows_its_place_and_for_whom_it_matters():
    (read,) = known("device.driver == 'd' && device.capacity['e'].m == quantity('1')").reads
    assert (read.kind, read.domain, read.name, read.drivers) == ("capacity", "e", "m", {"d"})
    assert read.offset == len("device.driver == 'd' && device.capacity['e']")


def test_deep_expressions_take_no_stack():
    deep = "(" * 200 + f"{READ} == 0" + ")" * 200
    assert known(deep).values(NUMA) == {0}
    assert known(" && ".join([f"{READ} == 0"] * 1_500)).values(NUMA) == {0}


# Random selectors on random devices

D = 'device.attributes["d"]'
ATOMS = [
    *("has(D.x)", "!has(D.s)", "'x' in D", "D.x == 0", "D.x != 1", "1 == D.x", "D.x in [0, 2]", "D.x < 2", "D.x >= 1"),
    *("D.?x.orValue(-1) == 0", "D.?x.orValue(0) == 0", "D.?x == optional.of(1)", "D.?x != optional.of(1)"),
    *("D.?x == optional.none()", "D.?x.hasValue()", "D[?'x'].value() == 2", "D.?b.orValue(true)", "D.b", "!D.b"),
    *(
        "D.?x.optMap(v, v > 0).orValue(false)",
        "D.?s.optMap(v, v == 'a').orValue(true)",
        "D.s == 'a'",
        "D.s in ['a', 'b']",
    ),
    *(
        "D.s.startsWith('a')",
        "D.x == 'a'",
        "D.s == 0",
        "device.driver == 'd'",
        "device.driver != 'e'",
        "D.x.includes(1)",
    ),
    *(
        "device.driver in ['d', 'e']",
        "device.capacity['d'].m.compareTo(quantity('2Gi')) >= 0",
        "true",
        "false",
        "D.x == true",
    ),
    *("device.capacity['d'].m.isLessThan(quantity('2Gi'))", "D.v.isGreaterThan(semver('1.0.0'))", "1 in D.l"),
    *(
        "quantity('1Gi').compareTo(device.capacity['d'].m) == 0",
        "D.v == semver('1.5.0')",
        "D.l.includes(2)",
        "D.l == 1",
    ),
    *(
        "cel.bind(a, D, has(a.x) && a.x == 1)",
        "cel.bind(a, D.x, a == 1 || a == 2)",
        "[1].exists(n, n == D.x)",
        "D.s.size() > 0",
    ),
]
SELECTORS = st.recursive(
    st.sampled_from([atom.replace("D", D) for atom in ATOMS]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} && {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} || {pair[1]})"),
        inner.map(lambda one: f"!({one})"),
        st.tuples(inner, inner, inner).map(lambda three: f"({three[0]} ? {three[1]} : {three[2]})"),
    ),
    max_leaves=6,
)
VALUES = {
    "x": [{"int": 0}, {"int": 1}, {"int": 2}, {"string": "a"}, {"bool": True}, {"ints": [1, 2]}],
    "s": [{"string": "a"}, {"string": "b"}, {"int": 0}],
    "b": [{"bool": True}, {"bool": False}],
    "v": [{"version": "1.5.0"}, {"version": "0.9.0"}, {"string": "1.5.0"}],
    "l": [{"ints": [1, 2]}, {"int": 1}, {"int": 2}, {"ints": []}],
}
DEVICES = st.builds(
    lambda driver, attributes, memory: slice_from(
        {
            "spec": {
                "driver": driver,
                "devices": [
                    {
                        "name": "device",
                        "attributes": {f"d/{name}": value for name, value in attributes.items()},
                        "capacity": {"d/m": {"value": memory}} if memory else {},
                    }
                ],
            }
        }
    ).devices[0],
    st.sampled_from(["d", "e", "f"]),
    st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in VALUES.items()}),
    st.sampled_from([None, "1Gi", "2Gi", "4Gi"]),
)


def evaluated(expression, device):
    compiled = compile_selector(expression, "1.37", (CONSUMABLE_CAPACITY, LIST_ATTRIBUTES), stored=True)
    return compiled.evaluate(device) if compiled.ok else None


@settings(max_examples=600)
@given(SELECTORS, DEVICES)
def test_facts_hold_of_every_device_that_matches(expression, device):
    answer = evaluated(expression, device)
    if answer is None or answer.value is not True:
        return
    found = known(expression)
    assert not found.impossible
    assert found.driver in (None, device.driver)
    for name in VALUES:
        value = device.attributes.get(f"d/{name}")
        _hold(found, f"d/{name}", value)
    memory = device.capacity.get("d/m")
    low, high = found.bounds("d/m")
    if memory is not None:
        assert low is None or memory.value > low.value[1] or (low.inclusive and memory.value == low.value[1])
        assert high is None or memory.value < high.value[1] or (high.inclusive and memory.value == high.value[1])
    assert found.is_present("d/m", "capacity") in (None, memory is not None)


def _hold(found, name, value):
    assert found.is_present(name) in (None, value is not None)
    values, elements = found.values(name), found.elements(name)
    scalar = Semver.parse(value) if type(value).__name__ == "Version" else value
    assert values is None or scalar in values
    assert elements is None or not elements.isdisjoint(value if isinstance(value, tuple) else (scalar,))


@settings(max_examples=600)
@given(SELECTORS, SELECTORS, DEVICES)
def test_devices_that_meet_both_sides_show_that_they_do_not_contradict(one, other, device):
    answers = [evaluated(expression, device) for expression in (one, other)]
    if all(answer is not None and answer.value is True for answer in answers):
        assert not known(one).contradict(known(other))


@settings(max_examples=600)
@given(SELECTORS, DEVICES)
def test_an_attribute_that_is_missing_shows_that_it_was_read_unguarded(expression, device):
    answer = evaluated(expression, device)
    if answer is None or not (answer.error or "").startswith("no such key: "):
        return
    missing = answer.error.removeprefix("no such key: ")
    assert any(
        read.name == missing and not read.guarded and (read.drivers is None or device.driver in read.drivers)
        for read in known(expression).reads
    )
