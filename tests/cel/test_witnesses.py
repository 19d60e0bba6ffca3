"""Other implementations of CEL must give what dralign gives, in the part of the language that all of them have.

celpy (cel-python) is written in Python and has no checker; cel_expr_python is Google's C++ runtime. Neither knows
Kubernetes' libraries, and celpy no optionals, so that both are witnesses only for plain CEL.
"""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dralign.model.slice import slice_from
from dralign.selector import compile_selector

DEVICE = slice_from({"spec": {"driver": "d", "devices": [{"name": "device"}]}}).devices[0]
ERROR = "an error"

INTS = st.integers(-20, 20).map(str)
STRINGS = st.text(alphabet="ab\u00df\U0001f600 '\"\\\n", max_size=4).map(
    lambda text: "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
)
DOUBLES = st.sampled_from(["0.5", "-1.25", "2.0", "1e3", "0.0"])
UINTS = st.integers(0, 20).map(lambda number: f"{number}u")


def _pairs(inner, operators):
    return st.tuples(inner, st.sampled_from(operators), inner).map(lambda parts: f"({' '.join(parts)})")


def _lists(inner):
    return st.lists(inner, min_size=1, max_size=3).map(lambda items: f"[{', '.join(items)}]")


def _numbers(inner):
    return st.one_of(_pairs(inner, ["+", "-", "*"]), inner.map(lambda one: f"-({one})"), _pairs(inner, ["/", "%"]))


INT = st.recursive(
    st.one_of(INTS, STRINGS.map(lambda text: f"size({text})"), _lists(INTS).map(lambda items: f"{items}.size()")),
    _numbers,
    max_leaves=4,
)
STRING = st.recursive(STRINGS, lambda inner: _pairs(inner, ["+"]), max_leaves=3)
ORDER = ["<", "<=", ">", ">=", "==", "!="]
QUESTIONS = st.one_of(
    st.sampled_from(["true", "false"]),
    _pairs(INT, ORDER),
    _pairs(STRING, ORDER),
    _pairs(DOUBLES, ORDER),
    _pairs(UINTS, ORDER),
    _pairs(_lists(INTS), ["==", "!="]),
    # Only of literals: celpy takes a joined string for no string.
    st.tuples(STRINGS, st.sampled_from(["contains", "startsWith", "endsWith"]), STRINGS).map(
        lambda parts: f"{parts[0]}.{parts[1]}({parts[2]})"
    ),
    st.tuples(INT, _lists(INTS)).map(lambda parts: f"({parts[0]} in {parts[1]})"),
    st.tuples(STRINGS, INTS, STRINGS).map(lambda parts: f"({{{parts[0]}: {parts[1]}}}[{parts[2]}] == {parts[1]})"),
    st.tuples(_lists(INT), st.sampled_from(["all", "exists", "exists_one"]), st.sampled_from(ORDER), INT).map(
        lambda parts: f"{parts[0]}.{parts[1]}(x, x {parts[2]} {parts[3]})"
    ),
    st.tuples(_lists(INTS), INTS, _lists(INTS)).map(
        lambda parts: f"({parts[0]}.filter(x, x > {parts[1]}).map(y, y * 2) == {parts[2]})"
    ),
)
EXPRESSIONS = st.recursive(
    QUESTIONS,
    lambda inner: st.one_of(
        _pairs(inner, ["&&", "||", "==", "!="]),
        inner.map(lambda one: f"!({one})"),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} ? {parts[1]} : {parts[2]})"),
    ),
    max_leaves=5,
)


def ours(expression):
    compiled = compile_selector(expression, "1.37", (), stored=True)
    assert compiled.ok or compiled.internal, compiled.error
    return compiled.evaluate(DEVICE).value if compiled.ok and compiled.evaluate(DEVICE).error is None else ERROR


@pytest.fixture(scope="module")
def celpy():
    return pytest.importorskip("celpy", reason="cel-python is not installed")


@pytest.fixture(scope="module")
def celpy_environment(celpy):
    limit = sys.getrecursionlimit()
    environment = celpy.Environment()
    sys.setrecursionlimit(limit)  # it raises the limit, and hypothesis complains
    return environment


@pytest.fixture(scope="module")
def google_environment():
    return pytest.importorskip("cel_expr_python.cel", reason="cel-expr-python is not installed").NewEnv()


@settings(max_examples=300, deadline=None)
@given(expression=EXPRESSIONS)
def test_celpy_agrees(celpy, celpy_environment, expression):
    try:
        theirs = bool(celpy_environment.program(celpy_environment.compile(expression)).evaluate({}))
    except celpy.CELEvalError:
        return  # it does not absorb every error that it should
    assert ours(expression) == theirs


@settings(max_examples=300, deadline=None)
@given(expression=EXPRESSIONS)
def test_the_runtime_of_google_agrees(google_environment, expression):
    answer = google_environment.compile(expression).eval(data={}).value()
    assert ours(expression) == (answer if isinstance(answer, bool) else ERROR)
