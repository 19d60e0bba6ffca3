"""What expressions give: values, errors and costs, apart from the recorded answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.cel.checking.checker import check
from dralign.cel.checking.folding import fold
from dralign.cel.compiler import compile_program
from dralign.cel.depth import room_for_depth
from dralign.cel.parsing.macros import table
from dralign.cel.parsing.parser import parse
from dralign.cel.parsing.syntax import Syntax
from dralign.cel.printing import go_text
from dralign.cel.regex import RegexError, compile_pattern
from dralign.cel.regex.matcher import Matcher
from dralign.cel.values import Map
from dralign.selector.environment import environment, macro_groups, setting

LIMIT = 1_000_000
EMPTY = Map({}, native=True)
DEVICE = Map(
    {
        "driver": "gpu.example.com",
        "allowMultipleAllocations": False,
        "attributes": Map(
            {"gpu.example.com": Map({"n": 3, "s": "text", "b": True, "l": [1, 2]}, native=True)},
            EMPTY,
            native=True,
        ),
        "capacity": Map({}, EMPTY, native=True),
    },
    native=True,
)


def run(expression, release="1.37", limit=LIMIT):
    where = setting(release, ("DRAConsumableCapacity", "DRAListTypeAttributes"), stored=True)
    with room_for_depth():
        tree = parse(expression, Syntax(table(*macro_groups(where)), escaped_fields=where.cel_go == "0.29"))
        checked = check(tree, environment(where))
        program = compile_program(checked, fold(checked))
    return program.evaluate({"device": DEVICE}, limit)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        pytest.param("1 + 2 * 3", "7", id="precedence"),
        pytest.param("-7 / 2", "-3", id="division goes towards zero"),
        pytest.param("-7 % 2", "-1", id="the remainder has the sign of the dividend"),
        pytest.param("dyn(1) == dyn(1.0)", "true", id="numbers of different types"),
        pytest.param("dyn(1) == dyn(true)", "false", id="true is not 1"),
        pytest.param("dyn(1) == dyn('1')", "false", id="other types are unequal"),
        pytest.param("{1: 'a'}[dyn(1.0)]", "a", id="keys are found by equal numbers"),
        pytest.param("[1, 2, 3].filter(x, x > 1).map(x, x * 2)", "[4, 6]", id="macros in a row"),
        pytest.param("[1, 2].all(i, v, i < v)", "true", id="two variables"),
        pytest.param("[3, 1, 2].sortBy(x, -x)", "[3, 2, 1]", id="sortBy"),
        pytest.param("'%s|%d|%.2f|%x'.format(['a', 7, 1.5, 255])", "a|7|1.50|ff", id="format"),
        pytest.param("timestamp('2024-02-29T23:59:59Z').getDate('+01:00')", "1", id="a date in another zone"),
        pytest.param("string(duration('90m'))", "5400s", id="a duration"),
        pytest.param("quantity('1Gi') == quantity('1024Mi')", "true", id="quantities by value"),
        pytest.param(
            "[1, 2].transformMapEntry(i, v, {quantity('1'): v}).size()", "2", id="quantities as keys by address"
        ),
        pytest.param(
            "[1, 2].transformMapEntry(i, v, {device.attributes['gpu.example.com'].l: v}).size()",
            "2",
            id="each read of a list makes another key",
        ),
        pytest.param(
            "timestamp('1970-01-01T02:00:00+02:00') in {timestamp(0): 1}",
            "false",
            id="timestamps as keys with their zone",
        ),
        pytest.param(
            "timestamp('1970-01-01T00:00:00+00:00') in {timestamp(0): 1}", "false", id="+00:00 is local time to Go"
        ),
        pytest.param("timestamp('1970-01-01T02:00:00+02:00') in [timestamp(0)]", "true", id="timestamps by moment"),
        pytest.param(
            "quantity('1').sub(-9223372036854775808).asInteger()",
            "-9223372036854775807",
            id="the least int64 is its own negation",
        ),
        pytest.param("cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true", id="addresses"),
        pytest.param("url('https://a:8/b?c=d').getPort()", "8", id="addresses of the web"),
        pytest.param("'a1b22'.findAll('[0-9]+')", "[1, 22]", id="patterns"),
        pytest.param("sets.contains([1, 2, 3], [3, 1])", "true", id="sets"),
        pytest.param("device.attributes['gpu.example.com'].l.includes(2)", "true", id="a value of a list attribute"),
        pytest.param("device.attributes['gpu.example.com'].n.includes(3)", "true", id="a scalar includes itself"),
        pytest.param("device.attributes['gpu.example.com'].?none.orValue(5)", "5", id="an optional without value"),
        pytest.param("device.attributes['no.such'].?s.hasValue()", "false", id="a domain without attributes"),
        pytest.param("has(device.attributes['no.such'].s)", "false", id="has in such a domain"),
        pytest.param("'no.such' in device.attributes", "false", id="in does not see such a domain"),
        pytest.param("true ? 1 : 1 / 0", "1", id="the other branch is not evaluated"),
        pytest.param("type(1) == int", "true", id="types are values"),
    ],
)
def test_values(expression, text):
    outcome = run(expression)
    assert (outcome.error, go_text(outcome.value)) == (None, text)


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        pytest.param("9223372036854775807 + dyn(1)", "integer overflow", id="sum"),
        pytest.param("-9223372036854775808 / dyn(-1)", "integer overflow", id="quotient"),
        pytest.param("0u - dyn(1u)", "unsigned integer overflow", id="below zero"),
        pytest.param("int(1e300 * dyn(1.0))", "integer overflow", id="conversion"),
        pytest.param("1 / 0", "division by zero", id="division"),
        pytest.param("1 % 0", "modulus by zero", id="modulus"),
        pytest.param("[1][5]", "index out of bounds: 5", id="index"),
        pytest.param("device.attributes['gpu.example.com'].none", "no such key: none", id="attribute"),
        pytest.param("device.attributes['no.such'].none", "no such key: none", id="attribute of an unknown domain"),
        pytest.param("dyn(1) < dyn('a')", "no such overload", id="types without common order"),
        pytest.param("dyn('a') && true", "no such overload", id="no truth value"),
        pytest.param(
            "dyn([1, 2]).flatten(-9223372036854775808)",
            "level must be non-negative",
            id="a depth that no cost can hold",
        ),
        pytest.param("'list'.matches(dyn(list))", "no such overload", id="a type is no pattern"),
        pytest.param("quantity('1.5').asInteger()", "cannot convert value to integer", id="quantity"),
        pytest.param("optional.none().value()", "optional.none() dereference", id="optional"),
        pytest.param("[1].map(x, x / 0)", "division by zero", id="in a macro"),
        pytest.param(
            "dyn('a').flatten(1)",
            "no such overload: string.flatten(int)",
            id="a call with all its types",
        ),
        pytest.param(
            "dyn(optional.of(1)).flatten()",
            "no such overload: optional_type(dyn).flatten()",
            id="types with parameters",
        ),
    ],
)
def test_errors(expression, error):
    assert run(expression).error == error


ERROR = "1 / 0 == 1"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        pytest.param(f"{ERROR} && false", False, id="false absorbs an error on its left"),
        pytest.param(f"false && {ERROR}", False, id="and on its right"),
        pytest.param(f"{ERROR} || true", True, id="so does true"),
        pytest.param(f"true || {ERROR}", True, id="on both sides"),
        pytest.param("[0, 1].exists(x, 1 / x == 1)", True, id="exists goes on after an error"),
        pytest.param("[0, 2].all(x, 1 / x == 1)", False, id="so does all"),
    ],
)
def test_logic_absorbs_errors(expression, value):
    assert run(expression).value is value


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param(f"{ERROR} && true", id="and"),
        pytest.param(f"false || {ERROR}", id="or"),
        pytest.param(f"{ERROR} ? true : true", id="a condition"),
        pytest.param("[0].exists(x, 1 / x == 1)", id="exists"),
    ],
)
def test_what_decides_nothing_leaves_the_error(expression):
    assert run(expression).error == "division by zero"


@pytest.mark.parametrize(
    ("expression", "cost"),
    [
        pytest.param("true", 0, id="a literal"),
        pytest.param("device.driver == 'gpu.example.com'", 4, id="a field and a comparison"),
        pytest.param("device.attributes['gpu.example.com'].n == 3", 5, id="an attribute"),
        pytest.param("has(device.attributes['gpu.example.com'].n)", 3, id="has is one cheaper"),
        pytest.param("[1, 2, 3].size() == 3", 2, id="a literal list is known beforehand"),
        pytest.param("false && device.driver == 'a'", 0, id="what is not evaluated costs nothing"),
    ],
)
def test_costs(expression, cost):
    assert run(expression).cost == cost


def test_the_cost_limit_ends_the_evaluation():
    outcome = run("lists.range(1000).all(a, lists.range(1000).all(b, a >= 0 || b >= 0))")
    assert outcome.error == "operation cancelled: actual cost limit exceeded"
    assert outcome.cost > LIMIT
    assert run("1 + dyn(1) == 2", limit=0).error == outcome.error


def test_releases_differ():
    assert go_text(run("lists.range(-1)", "1.36").value) == "[]"
    assert run("lists.range(-1)", "1.37").error is not None


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("!" * 240 + "true", id="negations"),
        pytest.param("(" * 200 + "true" + ")" * 200, id="parentheses"),
        pytest.param(" && ".join(["true"] * 2000), id="terms"),
        pytest.param("true ? true : " * 200 + "true", id="conditions"),
        pytest.param(f"'a'.matches('{'(' * 900}a{')' * 900}')", id="groups of a pattern"),
    ],
)
def test_deep_expressions(expression):
    assert run(expression).value is True


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("(a*)*b", id="nested stars"),
        pytest.param("(a|aa)+$", id="ambiguous alternatives"),
        pytest.param("(?:a?){1000}b", id="a thousand options"),
        pytest.param("((a{0,10}){0,10}){0,10}b", id="nested counts"),
    ],
)
def test_patterns_that_make_backtracking_explode(pattern):
    compiled = compile_pattern(pattern)
    assert compiled.matches("a" * 40 + "c") is False
    assert compiled.matches("a" * 40 + "b") is pattern.endswith("b")


@pytest.mark.parametrize(
    ("pattern", "error"),
    [
        pytest.param("(", "missing closing )", id="an open group"),
        pytest.param("a**", "invalid nested repetition operator", id="two stars"),
        pytest.param("(?=a)", "invalid or unsupported Perl syntax", id="looking ahead"),
        pytest.param(r"(a)\1", "invalid escape sequence", id="a reference back"),
        pytest.param("a{2,1}", "invalid repeat count", id="a count that runs backwards"),
        pytest.param("[b-a]", "invalid character class range", id="a range that runs backwards"),
    ],
)
def test_patterns_that_go_refuses(pattern, error):
    with pytest.raises(RegexError) as caught:
        compile_pattern(pattern)
    assert error in str(caught.value)


@given(
    st.lists(
        st.sampled_from(["a", "b", ".", "a*", "b+?", "(a|b)", "(?:ab)?", "^", "$", "[^a]", r"\b", "|"]), max_size=6
    ),
    st.text(alphabet="ab\n", max_size=8),
)
def test_both_engines_find_the_same(parts, text):
    pattern = compile_pattern("".join(parts))
    found = pattern.python.search(text)
    assert (found and found.span()) == Matcher(pattern._node).span(text, 0)


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1))
def test_arithmetic_is_exact_or_refused(a, b):
    for operator, result in (("+", a + b), ("-", a - b), ("*", a * b)):
        outcome = run(f"{a} {operator} ({b})")
        fits = -(2**63) <= result < 2**63
        assert (outcome.value, outcome.error) == ((result, None) if fits else (None, "integer overflow"))


@given(st.text(max_size=20))
def test_texts_survive_quoting(text):
    quoted = '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'
    assert run(quoted).value == text
    assert run(f"{quoted}.size()").value == len(text)
