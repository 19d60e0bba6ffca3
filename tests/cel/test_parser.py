"""Trees are compared with those that cel-go v0.29.2 made of the same expressions (trees.json)."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, MapExpr, Select, StructExpr
from dralign.cel.depth import room_for_depth
from dralign.cel.errors import CompileError, Issues, Source
from dralign.cel.parsing.descent import parse_right
from dralign.cel.parsing.lexer import LexError, lex
from dralign.cel.parsing.macros import table
from dralign.cel.parsing.parser import MAX_SIZE, parse
from dralign.cel.parsing.syntax import Syntax
from dralign.cel.parsing.tokens import Token
from dralign.cel.recovery.parser import parse_broken
from dralign.cel.values import Uint

TREES = json.loads((Path(__file__).parent / "trees.json").read_text("utf-8"))
EVERYTHING = Syntax(table("standard", "optionals", "bindings", "two-variable", "lists"))
FIRST_TOKENS = (
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
)
KINDS = {
    type(None): "null_type",
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
}


def shown(expr):
    """Write a tree as trees.json has it: (id@offset kind …)."""
    return f"({expr.id}@{expr.offset} {_body(expr)})"


def _body(expr):
    match expr:
        case Literal():
            return f"lit {KINDS[type(expr.value)]}"
        case Ident():
            return f"id {expr.name}"
        case Select():
            return f"sel {str(expr.test_only).lower()} {expr.field} {shown(expr.operand)}"
        case Call():
            target = shown(expr.target) if expr.target is not None else ""
            return f"call {expr.function} {target}:{''.join(map(shown, expr.args))}"
        case ListExpr():
            return f"list [{' '.join(map(str, sorted(expr.optional_indices)))}]{''.join(map(shown, expr.elements))}"
        case MapExpr():
            return "map" + "".join(f"[{_head(entry)} {shown(entry.key)}{shown(entry.value)}]" for entry in expr.entries)
        case StructExpr():
            fields = (f"[{_head(field)} {field.name} {shown(field.value)}]" for field in expr.fields)
            return f"struct {expr.type_name}{''.join(fields)}"
        case Comprehension():
            parts = (expr.iter_range, expr.accu_init, expr.loop_condition, expr.loop_step, expr.result)
            return f"fold {expr.iter_var} {expr.iter_var2 or ''} {expr.accu_var} {''.join(map(shown, parts))}"
    raise AssertionError(f"no node of a right expression: {expr}")


def _head(entry):
    return f"{entry.id}@{entry.offset} {str(entry.optional).lower()}"


def refusal(text, syntax=EVERYTHING):
    with pytest.raises(CompileError) as caught:
        parse(text, syntax)
    return caught.value


@pytest.mark.parametrize("row", [pytest.param(row, id=row["expression"]) for row in TREES])
def test_trees_with_ids_and_offsets_are_those_of_cel_go(row):
    assert shown(parse(row["expression"], EVERYTHING).root) == row["tree"]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["expression"]) for row in TREES])
def test_both_parsers_make_the_same_tree(row):
    assert written(parse_right(row["expression"])) == written(parse_broken(row["expression"], Issues(Source(""))))


def written(node):
    """Write a syntax tree with tokens as their places."""
    if isinstance(node, Token):
        return (node.offset, node.text)
    return tuple(map(written, node)) if isinstance(node, tuple | list) else node


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("0x1F", 31, id="hexadecimal"),
        pytest.param("-9223372036854775808", -(2**63), id="least int"),
        pytest.param("18446744073709551615u", Uint(2**64 - 1), id="greatest uint"),
        pytest.param(".5e1", 5.0, id="no digit before the dot"),
        pytest.param(r"'\x41\101\u0041\U00000041\n\?\`'", "AAAA\n?`", id="escapes"),
        pytest.param(r"r'\x41'", r"\x41", id="raw string"),
        pytest.param("'''a'b\r\nc'''", "a'b\nc", id="three quotes, line ends unified"),
        pytest.param(r"b'\xff\377ß'", b"\xff\xff\xc3\x9f", id="bytes"),
        pytest.param(r"br'\x'", rb"\x", id="raw bytes"),
        pytest.param('"\\""', '"', id="escaped quote"),
    ],
)
def test_literals(text, value):
    literal = parse(text, EVERYTHING).root
    assert isinstance(literal, Literal)
    assert (type(literal.value), literal.value) == (type(value), value)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        pytest.param("", [("1:0", f"mismatched input '<EOF>' expecting {FIRST_TOKENS}")], id="nothing"),
        pytest.param("a == ", [("1:6", f"mismatched input '<EOF>' expecting {FIRST_TOKENS}")], id="right side missing"),
        pytest.param("a in (1, 2)", [("1:8", "mismatched input ',' expecting ')'")], id="list in round brackets"),
        pytest.param("[1", [("1:3", "mismatched input '<EOF>' expecting {']', ','}")], id="bracket not closed"),
        pytest.param("f(a b)", [("1:5", "extraneous input 'b' expecting ')'")], id="one token too many"),
        pytest.param("a.b.", [("1:5", "no viable alternative at input '.'")], id="name missing"),
        pytest.param("a & b", [("1:3", "token recognition error at: '& '"), ("1:5", None)], id="single ampersand"),
        pytest.param("a.true", [("1:3", "mismatched input 'true' expecting IDENTIFIER")], id="keyword as a name"),
        pytest.param(
            "'x\n'",
            [("1:1", "token recognition error at: ''x\n'"), ("2:1", None), ("2:2", None)],
            id="string over lines",
        ),
    ],
)
def test_syntax_errors(text, messages):
    issues = refusal(text).issues
    assert [f"{issue.line}:{issue.column}" for issue in issues] == [place for place, _ in messages]
    for issue, (_, message) in zip(issues, messages, strict=True):
        assert message is None or issue.message == f"Syntax error: {message}"
        assert issue.kind == "syntax"


@pytest.mark.parametrize(
    ("text", "message", "kind"),
    [
        pytest.param("x + for", "reserved identifier: for", "syntax", id="reserved word"),
        pytest.param("9223372036854775808", "invalid int literal", "syntax", id="int too large"),
        pytest.param("1e999", "invalid double literal", "syntax", id="double too large"),
        pytest.param(r"'\ud800'", "invalid unicode code point", "syntax", id="surrogate"),
        pytest.param("has(a)", "invalid argument to has() macro", "macro", id="has without a field"),
        pytest.param("l.all(a.b, true)", "argument must be a simple name", "macro", id="no variable name"),
        pytest.param("m.all(k, k, true)", "duplicate variable name: k", "macro", id="same name twice"),
        pytest.param(
            "l.map(__result__, 1)", "iteration variable overwrites accumulator variable", "macro", id="accumulator"
        ),
    ],
)
def test_errors_after_the_grammar(text, message, kind):
    (issue,) = refusal(text).issues
    assert (issue.message, issue.kind) == (message, kind)


def test_the_text_shows_the_spot_and_keeps_columns_of_wide_characters():
    assert str(refusal("'ß' ==\n\t'ß' ?")) == (
        "ERROR: <input>:2:7: Syntax error: mismatched input '<EOF>' expecting "
        + FIRST_TOKENS
        + "\n |  'ß' ?\n | ..\uff0e...^"
    )


def test_backticks_belong_to_newer_releases():
    assert parse("a.`b-c`", EVERYTHING).root.field == "b-c"
    (issue,) = refusal("a.`b-c`", EVERYTHING.replace(escaped_fields=False)).issues
    assert issue.message == "unsupported syntax: '`'"


def test_a_macro_that_is_not_known_stays_a_call():
    root = parse("l.sortBy(e, e)", Syntax(table("standard"))).root
    assert (root.function, len(root.args)) == ("sortBy", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("(" * 251 + "1" + ")" * 251, "expression recursion limit exceeded: 250", id="brackets"),
        pytest.param("(" * 20_000, "expression recursion limit exceeded: 250", id="20,000 open brackets"),
        pytest.param("a" + ".b" * 251, "max recursion depth exceeded", id="selections"),
        pytest.param("1" + " + 1" * 20_000, "max recursion depth exceeded", id="sums"),
        pytest.param(
            "x" * (MAX_SIZE + 1), "expression code point size exceeds limit: size: 100001, limit 100000", id="size"
        ),
        pytest.param(
            "(" * 1_000_000, "expression code point size exceeds limit: size: 1000000, limit 100000", id="1 MB"
        ),
    ],
)
def test_limits(text, message):
    (issue,) = refusal(text).issues
    assert (issue.line, issue.column, issue.message) == (-1, 0, message)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(" * 240 + "1" + ")" * 240, id="brackets"),
        pytest.param("[" * 240 + "]" * 240, id="lists"),
        pytest.param("!f(" * 240 + "1" + ")" * 240, id="calls"),
        pytest.param("a" + ".b" * 250, id="selections"),
        pytest.param(" && ".join(["a"] * 20_000), id="a long chain"),
        pytest.param("!" * 50_000 + "a", id="signs"),
    ],
)
def test_deep_and_long_expressions_within_the_limits(text):
    assert parse(text, EVERYTHING).root.id > 0


def test_errors_beyond_a_hundred_are_counted():
    error = refusal("#" * 200)
    assert len(error.issues) == 100
    assert str(error).endswith("\n1 more errors were truncated")


WORDS = [
    "a",
    "b.c",
    "1",
    "2u",
    "'s'",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "?",
    ":",
    ".",
    ",",
    "-",
    "!",
    "==",
    "&&",
    "||",
    "in",
    "+",
    "*",
]
ODD = [
    "'",
    '"',
    "&",
    "=",
    "`x y`",
    "#",
    "\n",
    "ß",
    "😀",
    "has(",
    ".all(x, ",
    "true",
    "for",
    "r'",
    "\\",
    "//",
    "1e",
    "0x",
]


@given(st.lists(st.sampled_from(WORDS + ODD), max_size=30).map(" ".join) | st.text(max_size=40))
def test_every_text_is_parsed_or_refused(text):
    try:
        answer = shown(parse(text, EVERYTHING).root)
    except CompileError as refused:
        answer = str(refused)
    assert answer.startswith(("(", "ERROR: <input>:"))


@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_the_fast_parser_accepts_what_the_other_accepts(text):
    """And makes the same tree of it, whatever the spacing."""
    issues = Issues(Source(text))
    tree = parse_broken(text, issues)
    try:
        with room_for_depth():
            fast = parse_right(text)
    except Exception:  # noqa: BLE001  it gives up in a way of its own
        assert issues
    else:
        assert not issues
        assert written(fast) == written(tree)


@given(st.text(alphabet="ab01 .'\"\\\nxu/&|=`-", max_size=30))
def test_tokens_and_errors_are_the_text_in_order(text):
    end = 0
    for piece in lex(text):
        assert piece.offset >= end or piece.text == "<EOF>"
        between = text[end : piece.offset]
        assert not between.strip() or "//" in between
        end = piece.end if isinstance(piece, LexError) else piece.offset + len(piece.text)
