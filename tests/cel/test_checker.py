"""Types, words and places of the checker, declarations, validators, folding, and the cost estimate."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.cel.checking.checker import check
from dralign.cel.checking.folding import ProgramError, ProgramPanic, fold
from dralign.cel.checking.unify import Bindings, most_general
from dralign.cel.checking.validators import validate
from dralign.cel.compiler import _SPECIAL
from dralign.cel.costs.estimate import estimate
from dralign.cel.costs.models import ESTIMATES, WHOLE
from dralign.cel.costs.paths import path_of
from dralign.cel.costs.sizes import MOST, add, multiply, scale, union
from dralign.cel.declarations.signature import parse_signature, parse_type
from dralign.cel.declarations.types import BOOL, DYN, INT, NULL, STRING, list_of, map_of, optional_of, parameter
from dralign.cel.errors import CompileError
from dralign.cel.parsing.macros import table
from dralign.cel.parsing.parser import parse
from dralign.cel.parsing.syntax import Syntax
from dralign.cel.runtime.charges import charge_of
from dralign.selector.environment import RELEASES, environment, macro_groups, setting

HERE = Path(__file__).resolve().parent
DECLARED = json.loads(gzip.decompress((HERE / "environments.json.gz").read_bytes()))


def language(release="1.37", features=(), stored=False):
    where = setting(release, features, stored)
    return Syntax(table(*macro_groups(where)), escaped_fields=where.cel_go == "0.29"), environment(where)


def checked(expression, release="1.37", features=(), stored=False):
    syntax, declared = language(release, features, stored)
    return check(parse(expression, syntax), declared)


def problems(expression, release="1.37", features=(), stored=False):
    """All problems that parser, checker and validators see, as (line:column, message)."""
    try:
        validate(checked(expression, release, features, stored))
    except CompileError as error:
        return [(f"{issue.line}:{issue.column}", issue.message) for issue in error.issues]
    return []


TYPES = [
    pytest.param("1 + 2", "int", id="arithmetic"),
    pytest.param("device", "kubernetes.DRADevice", id="the variable"),
    pytest.param("device.attributes['d'].x", "google.protobuf.Any", id="an attribute is any"),
    pytest.param("device.attributes['d'].x + 1", "int", id="an operand of type any leaves one overload"),
    pytest.param("dyn(1) + dyn(2)", "dyn", id="two of type dyn leave all overloads"),
    pytest.param("device.capacity.d.m", "kubernetes.Quantity", id="a capacity is a quantity"),
    pytest.param("[]", "list(dyn)", id="an empty list may become a list of anything"),
    pytest.param("[1, dyn('a')]", "list(dyn)", id="a mixed list is a list of dyn"),
    pytest.param("{'a': [1]}", "map(string, list(int))", id="nested literals"),
    pytest.param("[1, 2].map(x, string(x))", "list(string)", id="a macro"),
    pytest.param("[1].transformMap(i, v, v > 0)", "map(int, bool)", id="a macro with two variables"),
    pytest.param("cel.bind(a, 'x', a + a)", "string", id="a bound name"),
    pytest.param("device.?driver", "optional_type(string)", id="an optional field"),
    pytest.param("optional.none().orValue(1)", "int", id="an optional finds its type later"),
    pytest.param("true ? duration('1s') : null", "google.protobuf.Duration", id="null fits where nothing may be"),
    pytest.param("true ? null : duration('1s')", "null_type", id="the first operand decides"),
    pytest.param("type(1)", "type(int)", id="a type"),
    pytest.param("net.IP", "type(net.IP)", id="a dotted name is one name"),
    pytest.param("sets.contains([1], [2])", "bool", id="a function with a namespace"),
    pytest.param("google.protobuf.Int64Value{value: 1}", "wrapper(int)", id="a wrapper message"),
    pytest.param("google.protobuf.Struct{}", "map(string, dyn)", id="a JSON message"),
    pytest.param("google.protobuf.NullValue.NULL_VALUE", "int", id="the value of an enumeration"),
]


@pytest.mark.parametrize(("expression", "wanted"), TYPES)
def test_types(expression, wanted):
    assert checked(expression).result_type.signature == wanted


FINE = [
    pytest.param("device.attributes['no.such'].x == 1", id="an unknown domain is a matter of run time"),
    pytest.param("device.attributes['d'].x.contains(1 == 1 ? 'a' : 'b')", id="any value may have the method"),
    pytest.param("1 < 2.0 && 1u < 2", id="numbers of different types are ordered"),
    pytest.param("'%s %d'.format(['a', 1]) == ''", id="format takes a mixed list"),
    pytest.param("'%s'.format([[1, 'a']]) == ''", id="format takes mixed lists inside its list"),
    pytest.param("'%%'.format([]) == '%'", id="a doubled percent sign is no clause"),
    pytest.param("duration('1h30m') > duration('1s')", id="a readable duration"),
    pytest.param("timestamp(0) < timestamp('2020-01-01T00:00:00Z')", id="readable timestamps"),
    pytest.param("device.driver.matches('^gpu\\\\.(nvidia|amd)')", id="a readable pattern"),
    pytest.param("matches('a', '(')", id="of the global matches only the text is read"),
    pytest.param("[?device.?driver, device.driver].size() == 1", id="an optional element counts by what is in it"),
    pytest.param("[].size() == 0 && {}.size() == 0", id="empty literals"),
]


@pytest.mark.parametrize("expression", FINE)
def test_nothing_wrong(expression):
    assert problems(expression) == []


STRING_CLAUSE = (
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
    "and timestamps"
)

WRONG = [
    pytest.param("device.name", [("1:7", "undefined field 'name'")], id="unknown field"),
    pytest.param("node", [("1:1", "undeclared reference to 'node' (in container '')")], id="unknown name"),
    pytest.param(
        "device.capacity['d'].inRange('1', '2')",
        [("1:29", "undeclared reference to 'inRange' (in container '')")],
        id="unknown function",
    ),
    pytest.param(
        "device.capacity['d'].m >= quantity('1')",
        [("1:24", "found no matching overload for '_>=_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'")],
        id="operator without an overload",
    ),
    pytest.param(
        "'a'.charAt('b')",
        [("1:11", "found no matching overload for 'charAt' applied to 'string.(string)'")],
        id="method without an overload",
    ),
    pytest.param(
        "1 && device.driver || nope",
        [
            ("1:1", "expected type 'bool' but found 'int'"),
            ("1:12", "expected type 'bool' but found 'string'"),
            ("1:23", "undeclared reference to 'nope' (in container '')"),
        ],
        id="each operand of and and or is named",
    ),
    pytest.param("device.driver.x", [("1:14", "type 'string' does not support field selection")], id="field of text"),
    pytest.param(
        "quantity('1').x",
        [("1:14", "unexpected failed resolution of 'kubernetes.Quantity'")],
        id="field of a type whose fields are not known",
    ),
    pytest.param(
        "device.attributes['d'].x.all(y, true)",
        [
            (
                "1:23",
                "expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
            )
        ],
        id="an attribute is no range while lists are unknown",
    ),
    pytest.param("[1, 'a'].size()", [("1:5", "expected type 'int' but found 'string'")], id="mixed list"),
    pytest.param("[1, dyn(2)].size()", [("1:8", "expected type 'int' but found 'dyn'")], id="dyn is another type"),
    pytest.param(
        "{1: 'a', 'b': 2}.size()",
        [("1:10", "expected type 'int' but found 'string'"), ("1:15", "expected type 'string' but found 'int'")],
        id="mixed map",
    ),
    pytest.param("int{}", [("1:4", "'int' is not a message type")], id="type that is no message"),
    pytest.param(
        "google.protobuf.Value{string_value: 1}",
        [("1:35", "expected type of field 'string_value' is 'string' but provided type is 'int'")],
        id="wrong type of a message's field",
    ),
    pytest.param("duration('1')", [("1:10", "invalid duration argument")], id="unreadable duration"),
    pytest.param("duration(null)", [("1:10", "invalid duration argument")], id="null is no duration"),
    pytest.param("timestamp('x')", [("1:11", "invalid timestamp argument")], id="unreadable timestamp"),
    pytest.param("'a'.matches('(?=a)')", [("1:13", "invalid matches argument")], id="pattern that RE2 does not know"),
    pytest.param("matches('(', 'a')", [("1:9", "invalid matches argument")], id="text in place of the pattern"),
    pytest.param("'%q'.format([])", [("1:12", "index 0 out of range")], id="clause without argument"),
    pytest.param("'a%'.format([])", [("1:12", "unexpected end of string")], id="cut clause"),
    pytest.param(
        "'%q'.format([1])",
        [("1:12", 'could not parse formatting clause: unrecognized formatting clause "q"')],
        id="unknown clause",
    ),
    pytest.param(
        "'%d'.format([1, 2])",
        [("1:12", "too many arguments supplied to string.format (expected 1, got 2)")],
        id="argument too many",
    ),
    pytest.param(
        "'%s%d'.format([[1, quantity('1')], 2])",
        [
            ("1:28", f"error during formatting: {STRING_CLAUSE}, was given kubernetes.Quantity"),
        ],
        id="part of an argument that a clause cannot show",
    ),
]


@pytest.mark.parametrize(("expression", "wanted"), WRONG)
def test_problems(expression, wanted):
    assert problems(expression) == wanted


def test_new_expressions_lag_one_release_behind():
    assert problems("[3, 1].sort() == [1]", "1.35") == []
    assert problems("[3, 1].sort() == [1]", "1.34", stored=True) == []
    assert problems("[3, 1].sort() == [1]", "1.34") == [("1:12", "undeclared reference to 'sort' (in container '')")]


NAMES = [
    pytest.param("[1].all(int, .int == 1)", "1.36", [], id="0.26 finds the local behind the dot"),
    pytest.param(
        "[1].all(int, .int == 1)",
        "1.37",
        [("1:19", "found no matching overload for '_==_' applied to '(type(int), int)'")],
        id="0.29 finds the global",
    ),
    pytest.param(
        "[1].all(net, net.IP == 1)",
        "1.36",
        [("1:21", "found no matching overload for '_==_' applied to '(type(net.IP), int)'")],
        id="0.26 looks for the whole name",
    ),
    pytest.param(
        "[1].all(net, net.IP == 1)",
        "1.37",
        [("1:17", "type 'int' does not support field selection")],
        id="0.29 lets a local decide",
    ),
    pytest.param("list{} == []", "1.36", [("1:5", "'list' is not a message type")], id="0.26 has lists of any type"),
    pytest.param("list{} == []", "1.37", [], id="0.29 has lists of dyn"),
    pytest.param(
        "device{} == 1", "1.36", [("1:7", "'kubernetes.DRADevice' is not a type")], id="0.26 takes a variable"
    ),
    pytest.param(
        "device{} == 1",
        "1.37",
        [("1:7", "undeclared reference to 'device' (in container '')")],
        id="0.29 looks for types only",
    ),
]


@pytest.mark.parametrize(("expression", "release", "wanted"), NAMES)
def test_names_by_version_of_cel_go(expression, release, wanted):
    assert problems(expression, release) == wanted


@pytest.mark.parametrize(
    "row", DECLARED["environments"], ids=lambda row: f"{row['release']} {row['features']} {row['stored']}"
)
def test_functions_are_those_of_the_real_environment(row):
    declared = environment(setting(row["release"], row["features"], row["stored"]))
    got = {name: {each.id: written(each) for each in declared.rows(name)} for name in declared.functions()}
    assert got == DECLARED["functions"][row["functions"]]


def written(row):
    params = [param.signature for param in row.params]
    receiver = f"{params.pop(0)}." if row.member else ""
    return f"{receiver}({', '.join(params)}) -> {row.result.signature}"


def all_rows():
    rows = {}
    for release in RELEASES:
        declared = environment(setting(release, ("DRAListTypeAttributes",), True))
        rows |= {(row.id, row.cost): row for name in declared.functions() for row in declared.rows(name)}
    return list(rows.values())


def test_each_row_names_an_implementation_and_cost_models():
    for row in all_rows():
        assert row.function in _SPECIAL if row.call == "" else callable(row.implementation()), row
        assert row.cost in ESTIMATES or row.cost in WHOLE, row
        assert charge_of([row.cost]) is not None, row


SIGNATURES = [
    pytest.param("(int, int) -> int", (False, ("int", "int"), "int"), id="function"),
    pytest.param("list(A).(A) -> int", (True, ("list(A)", "A"), "int"), id="method"),
    pytest.param("() -> optional(V)", (False, (), "optional_type(V)"), id="no parameters"),
    pytest.param(
        "optional(map(K, list(V))).(K) -> type(V)",
        (True, ("optional_type(map(K, list(V)))", "K"), "type(V)"),
        id="nested types",
    ),
]


@pytest.mark.parametrize(("text", "wanted"), SIGNATURES)
def test_signatures(text, wanted):
    member, params, result = parse_signature(text)
    assert (member, tuple(map(str, params)), str(result)) == wanted


SIMPLE_TYPES = st.sampled_from(
    [INT, STRING, BOOL, NULL, DYN, parameter("A"), parameter("B"), parse_type("kubernetes.URL")]
)
SOME_TYPES = st.recursive(
    SIMPLE_TYPES,
    lambda inner: st.one_of(
        inner.map(list_of), inner.map(optional_of), st.tuples(inner, inner).map(lambda both: map_of(*both))
    ),
    max_leaves=6,
)


@given(st.lists(st.tuples(SOME_TYPES, SOME_TYPES), max_size=3), SOME_TYPES)
def test_failed_attempt_leaves_no_trace(pairs, probe):
    bindings = Bindings()
    before = str(bindings.substitute(probe))
    fits = bindings.assign_all([one for one, _ in pairs], [other for _, other in pairs])
    if not fits:
        assert str(bindings.substitute(probe)) == before


@given(SOME_TYPES, SOME_TYPES)
def test_what_was_bound_stays_bound(one, other):
    bindings = Bindings()
    bindings.assign(one, other)
    first = bindings.substitute(one)
    assert bindings.substitute(first).is_exact(first)
    assert not bindings.substitute(one, to_dyn=True).free


@given(SOME_TYPES)
def test_a_type_fits_itself(of):
    assert Bindings().assign(of, of)
    assert of.is_exact(parse_type("int")) is (of is INT)
    assert most_general(of, of).is_equivalent(of)


COSTS = [
    pytest.param("true", 0, id="a constant is free"),
    pytest.param("device.driver == 'x'", 3, id="a variable, a field, a comparison"),
    pytest.param("has(device.attributes.d.x)", 3, id="has costs what its operand costs"),
    pytest.param("device.capacity.d.m == quantity('1')", 6, id="quantities compare in constant time"),
    pytest.param("false || device.driver.contains('abc')", 9, id="both sides of or"),
    pytest.param("[1, 2].all(x, x > 0)", 21, id="a loop over a written list"),
    pytest.param("device.attributes.all(d, d == 'x')", 163, id="a loop over at most 32 domains"),
    pytest.param(
        "device.attributes['d'].all(k, v, k == device.driver)", 420, id="the key gets the size of the value, as in Go"
    ),
    pytest.param("cel.bind(a, [device.driver], a[0] == 'x')", 25, id="a bound list keeps the size of its elements"),
    pytest.param("device.driver.replace('a', 'bb').contains('bbb')", 28, id="a replacement may make a text longer"),
    pytest.param("['b', 'a'].sort() == ['a', 'b']", 41, id="sorting is quadratic"),
    pytest.param("[1, 2].slice(2, 1).size() == 0", 18446744073709551615, id="a negative length wraps around"),
    pytest.param("type(1) == int", 1844674407370955266, id="nobody knows the size of a type"),
    pytest.param("device.attributes['d'].?x == optional.of('x')", 1844674407370955269, id="nor of an optional"),
]


@pytest.mark.parametrize(("expression", "wanted"), COSTS)
def test_costs(expression, wanted):
    least, most = estimate(checked(expression))
    assert most == wanted
    assert least <= most


NUMBERS = st.integers(0, MOST)
RANGES = st.tuples(NUMBERS, NUMBERS).map(lambda both: (min(both), max(both)))


@given(RANGES, RANGES, st.floats(0, 50))
def test_sizes_stop_at_the_largest_number(one, other, factor):
    for low, high in (add(one, other), multiply(one, other), scale(one, factor), union(one, other)):
        assert 0 <= low <= high <= MOST


@given(NUMBERS.filter(lambda number: number < 2**50))
def test_scaling_rounds_up(number):
    assert scale((number, number), 0.5) == (-(-number // 2), -(-number // 2))


def test_paths_share_their_last_place_like_slices():
    parent = path_of("device").append("attributes").append("@values")
    key = parent.append("@keys")
    assert key.steps == ["device", "attributes", "@values", "@keys"]
    parent.append("@values")
    assert key.steps == ["device", "attributes", "@values", "@values"]
    assert path_of("device").append("driver").steps == ["device", "driver"]


FOLDED = [
    pytest.param("int('12') == 12", [12], id="conversion of a constant"),
    pytest.param("[1, 2].size() == 1", [[1, 2]], id="constant list"),
    pytest.param("device.driver in ['a', string(1)]", ["1", ["a", "1"]], id="inside out"),
    pytest.param("device.driver in []", [[], False], id="nothing is in an empty list"),
    pytest.param("[device.driver].size() == 1", [], id="a list that is not constant"),
]


@pytest.mark.parametrize(("expression", "wanted"), FOLDED)
def test_folding(expression, wanted):
    assert list(fold(checked(expression)).values()) == wanted


REFUSED = [
    pytest.param("int('abc') == 1 || true", "type conversion error from 'string' to 'int'", id="failing conversion"),
    pytest.param("int(dyn(true)) == 1", "no such overload: int(bool)", id="conversion of another type"),
    pytest.param("dyn([1])[b'a'] == 1", "invalid qualifier type: types.Bytes", id="constant that is no index"),
    pytest.param("type(1) == duration", "reference to undefined type: duration", id="type the run time does not know"),
    pytest.param(
        "[].map(x, int('a')).size() == 0", "type conversion error from 'string' to 'int'", id="never evaluated"
    ),
]


@pytest.mark.parametrize(("expression", "wanted"), REFUSED)
def test_planning_refuses(expression, wanted):
    with pytest.raises(ProgramError) as refused:
        fold(checked(expression))
    assert str(refused.value) == wanted


def test_planning_panics_over_a_key_that_go_cannot_hash():
    with pytest.raises(ProgramPanic) as panic:
        fold(checked("{b'a': 1}.size() == 1"))
    assert "hash of unhashable type" in str(panic.value)
