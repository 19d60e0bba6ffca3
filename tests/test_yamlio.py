"""What yamlio reads: scalars, keys, merges, aliases, JSON, limits, and the plain words of its errors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent / "conformance"))

import fuzz_yaml

from dralign.errors import InputError
from dralign.yamlio import (
    JSON,
    KUBECTL,
    KYAML,
    KYAML_NODE,
    SIGS,
    Duplicate,
    Loaded,
    compose,
    jsonnodes,
    load,
    resolve,
)

DIALECTS = (KUBECTL, SIGS, KYAML, KYAML_NODE)
FILE = "app.yaml"


def value(text: str, dialect: str = SIGS):
    return load(text, dialect, FILE).value


def same_type(left, right) -> bool:
    return type(left) is type(right) and left == right


@pytest.mark.parametrize(
    ("spelling", "sigs", "kyaml"),
    [
        pytest.param("yes", True, "yes", id="yes is a boolean for sigs alone"),
        pytest.param("Off", False, "Off", id="Off too"),
        pytest.param("n", False, "n", id="n too"),
        pytest.param("nO", "nO", "nO", id="mixed case is text"),
        pytest.param("true", True, True, id="true"),
        pytest.param("~", None, None, id="tilde"),
        pytest.param("Null", None, None, id="Null"),
        pytest.param("", None, None, id="nothing"),
        pytest.param("017", 15, 15, id="octal of C"),
        pytest.param("0o17", 15, 15, id="octal of YAML 1.2"),
        pytest.param("089", 89.0, 89.0, id="no octal, so a float"),
        pytest.param("0x1F", 31, 31, id="hexadecimal"),
        pytest.param("-0b11", -3, -3, id="binary"),
        pytest.param("0b-11", -3, -3, id="sign behind the prefix"),
        pytest.param("0o-7", "0o-7", -7, id="sign behind the octal prefix, v3 alone"),
        pytest.param("1_000_", 1000, 1000, id="underscores anywhere"),
        pytest.param("_1", "_1", "_1", id="underscore first is text"),
        pytest.param("18446744073709551615", 18446744073709551615, 18446744073709551615, id="largest uint64"),
        pytest.param("18446744073709551616", 1.8446744073709552e19, 1.8446744073709552e19, id="larger is a float"),
        pytest.param("+9223372036854775808", 9.223372036854775808e18, 9.223372036854775808e18, id="signed is int64"),
        pytest.param("1e3", 1000.0, 1000.0, id="exponent without a point"),
        pytest.param(".5", 0.5, 0.5, id="point first"),
        pytest.param(".1_5", 0.15, 0.15, id="point first, underscore between digits"),
        pytest.param("1e999", "1e999", "1e999", id="too large for a float is text"),
        pytest.param("1:30", "1:30", "1:30", id="no base 60"),
        pytest.param("=", "=", "=", id="equals sign"),
        pytest.param("2026-11-30", "2026-11-30", "2026-11-30T00:00:00Z", id="date"),
        pytest.param("2026-1-2 3:4:5.60", "2026-1-2 3:4:5.60", "2026-01-02T03:04:05.6Z", id="time with a space"),
        pytest.param("2026-01-02t03:04:05-01:30", "2026-01-02t03:04:05-01:30", "2026-01-02T03:04:05-01:30", id="zone"),
        pytest.param("2026-02-29", "2026-02-29", "2026-02-29", id="no such day"),
        pytest.param("'yes'", "yes", "yes", id="quoted"),
        pytest.param("!!str 1", "1", "1", id="tag str"),
        pytest.param("!!int '2'", 2, 2, id="tag int over quotes"),
        pytest.param("!!float 3", 3.0, 3.0, id="tag float makes a float"),
        pytest.param("! 2", "2", 2, id="non-specific tag"),
        pytest.param("!mine 2", "2", "2", id="foreign tag makes text"),
        pytest.param("!!binary aP/+", "h\ufffd\ufffd", "h\ufffd\ufffd", id="binary that is no text"),
        pytest.param("{b: , c}", {"b": None, "c": None}, {"b": "", "c": ""}, id="empty in brackets is text for kyaml"),
        pytest.param("[5:]", ["5:"], ["5:"], id="colon before a bracket"),
        pytest.param("[?x]", [{"x": None}], [{"x": ""}], id="question mark in brackets starts a key"),
        pytest.param("[!x, b]", ["b"], ["b"], id="comma is part of a tag"),
        pytest.param("x\ufeffy", "x\ufeffy", "x\ufeffy", id="byte order mark inside"),
        pytest.param(">\n  x\n    y\n", "x\n  y\n", "x\n\n  y\n", id="folded text gains a line for kyaml"),
        pytest.param("|+\n  x\n\n# c\n", "x\n\n", "x\n\n\n", id="kept end gains a line before the last comment"),
    ],
)
def test_scalar(spelling, sigs, kyaml):
    text = f"a: {spelling}\n"
    assert same_type(value(text, SIGS)["a"], sigs)
    assert same_type(value(text, KUBECTL)["a"], sigs)
    assert same_type(value(text, KYAML)["a"], kyaml)
    assert same_type(value(text, KYAML_NODE)["a"], kyaml)


@pytest.mark.parametrize(
    ("key", "sigs", "kyaml"),
    [
        pytest.param("on", "true", "on", id="boolean"),
        pytest.param("0x10", "16", "0x10", id="integer is rewritten"),
        pytest.param("1e3", "1000", "1e3", id="float"),
        pytest.param("1e6", "1e+06", "1e6", id="float with an exponent"),
        pytest.param(
            "1.8446744073709552e+19", "1.8446744e+19", "1.8446744073709552e+19", id="digits of a 32-bit float"
        ),
        pytest.param(".inf", ".inf", ".inf", id="infinity is fine as a key"),
        pytest.param("-1e39", "-.inf", "-1e39", id="too large for 32 bits"),
        pytest.param("0.00001", "1e-05", "0.00001", id="small"),
        pytest.param("0.25", "0.25", "0.25", id="fraction"),
        pytest.param("2026-11-30", "2026-11-30", "2026-11-30", id="date"),
        pytest.param("'1'", "1", "1", id="quoted"),
    ],
)
def test_key(key, sigs, kyaml):
    assert value(f"{key}: v\n", SIGS) == {sigs: "v"}
    assert value(f"{key}: v\n", KYAML) == {kyaml: "v"}


@pytest.mark.parametrize(
    ("text", "sigs", "kyaml"),
    [
        pytest.param("a: &x {p: 1}\nb: {<<: *x, q: 2}", {"p": 1, "q": 2}, {"p": 1, "q": 2}, id="alias"),
        pytest.param("a: &x {p: 1}\nb: {<<: *x, p: 9}", {"p": 9}, {"p": 9}, id="own key behind the merge"),
        pytest.param("a: &x {p: 1}\nb: {p: 9, <<: *x}", {"p": 1}, {"p": 9}, id="own key before it: sigs overwrites"),
        pytest.param(
            "b: {<<: [{p: 1}, {p: 2, q: 3}]}", {"p": 1, "q": 3}, {"p": 1, "q": 3}, id="the first of a list wins"
        ),
        pytest.param("b:\n  !!merge <<: {p: 1}", {"p": 1}, {"p": 1}, id="tag merge"),
        pytest.param(
            "a: &x {p: &y {q: 1}}\nb: {<<: *x, r: *y}",
            {"p": {"q": 1}, "r": {"q": 1}},
            {"p": {"q": 1}, "r": {"q": 1}},
            id="inner anchor",
        ),
        pytest.param("b: {'<<': {p: 1}}", {"<<": {"p": 1}}, {}, id="quoted: a key for sigs, lost by kustomize"),
    ],
)
def test_merge(text, sigs, kyaml):
    assert value(text, SIGS)["b"] == sigs
    assert value(text, KYAML)["b"] == kyaml


def test_kyaml_parse_keeps_a_quoted_merge_key():
    assert value("b: {'<<': {p: 1}}", KYAML_NODE) == {"b": {"<<": {"p": 1}}}


@pytest.mark.parametrize(
    ("text", "data", "duplicates"),
    [
        pytest.param(
            "a:\n  b: 1\n  b: 2\n",
            {"a": {"b": 2}},
            (Duplicate("b", "a.b", ("a", "b"), 13, 3, 12, strict=True),),
            id="the last wins",
        ),
        pytest.param(
            "- {c: 1, c: 2, c: 3}\n",
            [{"c": 3}],
            (
                Duplicate("c", "[0].c", (0, "c"), 11, 10, 11, strict=True),
                Duplicate("c", "[0].c", (0, "c"), 11, 16, 11, strict=True),
            ),
            id="three in a list",
        ),
        pytest.param(
            "x: &x {p: 1}\nz:\n  <<: *x\n  p: 9\n",
            {"x": {"p": 1}, "z": {"p": 9}},
            (Duplicate("p", "z.p", ("z", "p"), 14, 3, 13, strict=True),),
            id="override of a merge",
        ),
        pytest.param(
            "1: a\n01: b\n", {"1": "b"}, (Duplicate("1", "1", ("1",), 12, 1, 11, strict=True),), id="one number twice"
        ),
        pytest.param(
            "1: a\n'1': b\n",
            {"1": "b"},
            (Duplicate("1", "1", ("1",), 12, 1, 11, strict=False),),
            id="number and text become one",
        ),
    ],
)
def test_duplicate_keys(text, data, duplicates):
    assert load(text, SIGS, FILE, 11) == Loaded(data, duplicates)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param('a: "x\nb: 1\n', 'app.yaml:5:4: unclosed quote: no closing " before the end', id="double quote"),
        pytest.param("a: 'x\n", "app.yaml:5:4: unclosed quote: no closing ' before the end", id="single quote"),
        pytest.param(
            'a: "x\n---\nb"',
            'app.yaml:5:4: unclosed quote: no closing " before the separator on line 6',
            id="separator in quotes",
        ),
        pytest.param(
            "a: [1, 2\nb: 3\n",
            "app.yaml:6:2: the '[' on line 5 is not closed: ',' or ']' is wanted here",
            id="unclosed bracket",
        ),
        pytest.param(
            "a: {b: 1\nc: 2\n",
            "app.yaml:6:2: the '{' on line 5 is not closed: ',' or '}' is wanted here",
            id="unclosed brace",
        ),
        pytest.param("a: ]\n", "app.yaml:5:4: a value is wanted here, not ']'", id="bracket that closes nothing"),
        pytest.param("...", "app.yaml:5:1: a value is wanted here, not '.'", id="nothing but an end"),
        pytest.param("a:\n\tb: 1\n", "app.yaml:6:1: a tab cannot indent: use spaces", id="tab before a key"),
        pytest.param("a: |\n\tx\n", "app.yaml:6:1: a tab cannot indent: use spaces", id="tab in a block"),
        pytest.param("a:\n  b\n\tc\n", "app.yaml:7:1: a tab cannot indent: use spaces", id="tab in a plain value"),
        pytest.param(
            'a: "\\q"\n',
            "app.yaml:5:5: unknown escape '\\q' in double quotes: '\\\\' is a backslash",
            id="unknown escape",
        ),
        pytest.param(
            'a: "b\\/"\n',
            "app.yaml:5:6: unknown escape '\\/' in double quotes: YAML 1.1 has no such escape, write '/'",
            id="escaped slash",
        ),
        pytest.param(
            'a: "\\x1"\n',
            "app.yaml:5:7: an escape with \\x, \\u or \\U needs 2, 4 or 8 hexadecimal digits",
            id="short escape",
        ),
        pytest.param(
            'a: "\\ud83d"\n',
            "app.yaml:5:7: this escape is no character: YAML knows no surrogate pairs, write the character itself",
            id="surrogate",
        ),
        pytest.param(
            "a: b: c\n",
            "app.yaml:5:5: ': ' cannot stand here: quote a value that holds it, else check the indentation and the line before",
            id="two colons",
        ),
        pytest.param(
            "a: - b\n",
            "app.yaml:5:4: a list cannot start here: put its '- ' on a line of its own",
            id="list on a key's line",
        ),
        pytest.param(
            "a: ? b\n", "app.yaml:5:4: '? ' cannot stand here: quote a value that starts with it", id="question mark"
        ),
        pytest.param(
            "a: 'it's'\n",
            "app.yaml:5:8: wrong indentation or stray text: the map from line 5 wants a key here",
            id="text behind a quote",
        ),
        pytest.param(
            "- a\nb: 1\n",
            "app.yaml:6:1: wrong indentation or stray text: the list from line 5 wants '- ' here",
            id="key in a list",
        ),
        pytest.param(
            "a: 1\nb\n",
            "app.yaml:6:1: no ': ' on this line, which the map it stands in needs",
            id="key without a colon",
        ),
        pytest.param(
            "%YAML 1.1\na: 1\n", "app.yaml:6:1: a '%' line needs a '---' line behind it", id="directive alone"
        ),
        pytest.param(
            "a: 1\n---b\n",
            "app.yaml:6:1: malformed separator: only a comment may follow '---', after a space",
            id="separator without space",
        ),
        pytest.param("a: @b\n", "app.yaml:5:4: a value cannot start with '@': quote it", id="at sign"),
        pytest.param("a: %b\n", "app.yaml:5:4: a value cannot start with '%': quote it", id="per cent"),
        pytest.param("a: `b`\n", "app.yaml:5:4: a value cannot start with '`': quote it", id="backtick"),
        pytest.param(
            "a: &\n",
            "app.yaml:5:4: an anchor needs a name of letters, digits, '-' and '_': quote a value that starts with '&'",
            id="ampersand",
        ),
        pytest.param(
            "a: **\n",
            "app.yaml:5:4: an alias needs a name of letters, digits, '-' and '_': quote a value that starts with '*'",
            id="asterisk",
        ),
        pytest.param(
            "a: *b\n", "app.yaml:5:4: unknown anchor 'b': an alias needs its anchor (&b) before it", id="unknown anchor"
        ),
        pytest.param("&a [*a]\n", "app.yaml:5:5: anchor 'a' contains itself", id="anchor in itself"),
        pytest.param("&a {<<: *a}\n", "app.yaml:5:9: anchor 'a' contains itself", id="anchor merged into itself"),
        pytest.param(
            "a: !<b c\n",
            "app.yaml:5:4: malformed tag: quote the value if it is meant to start with '!'",
            id="unclosed tag",
        ),
        pytest.param("a: !b!c d\n", "app.yaml:5:4: unknown tag handle: no %TAG line declares it", id="tag handle"),
        pytest.param("a: !!int b\n", "app.yaml:5:10: 'b' is no integer, as its tag !!int says it is", id="tag int"),
        pytest.param(
            "a: !!float b\n", "app.yaml:5:12: 'b' is no number, as its tag !!float says it is", id="tag float"
        ),
        pytest.param(
            "a: !!timestamp b\n",
            "app.yaml:5:16: 'b' is no date or time, as its tag !!timestamp says it is",
            id="tag timestamp",
        ),
        pytest.param(
            "a: !!binary b\n", "app.yaml:5:13: the text is no base64, as its tag !!binary says it is", id="tag binary"
        ),
        pytest.param(
            "a: |x\n", "app.yaml:5:4: only a digit, '+' or '-' and a comment may follow '|' or '>'", id="block header"
        ),
        pytest.param("a: |0\n", "app.yaml:5:5: the digit behind '|' or '>' must be 1 to 9", id="indentation of nought"),
        pytest.param(
            "%FOO\n---\n",
            "app.yaml:5:1: malformed '%' line: Kubernetes' readers know %YAML 1.1 and %TAG alone",
            id="directive",
        ),
        pytest.param(
            "%YAML 1.2\n---\na: 1\n",
            "app.yaml:5:1: a %YAML line other than 1.1 is refused by Kubernetes' readers",
            id="YAML 1.2",
        ),
        pytest.param(
            "%YAML 1.3\n---\na: 1\n",
            "app.yaml:5:1: a %YAML line other than 1.1 is refused by Kubernetes' readers",
            id="YAML 1.3",
        ),
        pytest.param("%YAML 1.1\n%YAML 1.1\n---\n", "app.yaml:6:1: a second %YAML line", id="two directives"),
        pytest.param(
            "a: \x07\n",
            "app.yaml:5:4: control character U+0007: of these only tab and line breaks may stand in YAML",
            id="bell",
        ),
        pytest.param(
            "a: \ud800\n", "app.yaml:5:4: U+D800 is half a character: save the file as UTF-8", id="half a character"
        ),
        pytest.param("{[a]: 1}\n", "app.yaml:5:2: a map or a list cannot be a key", id="list as a key"),
        pytest.param(
            "~: 1\n", "app.yaml:5:1: key '~' is neither text nor a number that fits: quote it", id="null as a key"
        ),
        pytest.param(
            "18446744073709551615: 1\n",
            "app.yaml:5:1: key '18446744073709551615' is neither text nor a number that fits: quote it",
            id="uint64 as a key",
        ),
        pytest.param("a: -.inf\n", "app.yaml:5:4: '-.inf' cannot be written as JSON", id="infinity"),
        pytest.param("<<: 1\n", "app.yaml:5:5: a merge (<<) takes a map, or a list of maps", id="merge of a number"),
        pytest.param(
            "a: [b?]\n",
            "app.yaml:5:5: '?' inside brackets ends a plain value: quote it",
            id="question mark in brackets",
        ),
        pytest.param(
            "a: {{ .Values.x }}\n",
            "app.yaml:5:5: a map or a list cannot be a key; '{{ }}' is a Helm template: "
            "check what 'helm template' makes of it, not the chart's source",
            id="template as a value",
        ),
        pytest.param(
            "{{- if .Values.on }}\na: 1\n",
            "app.yaml:5:3: a value is wanted here, not '-'; '{{ }}' is a Helm template: "
            "check what 'helm template' makes of it, not the chart's source",
            id="template as a line",
        ),
        pytest.param(
            'a: "{{ .Values.x }}"b\n',
            "app.yaml:5:21: wrong indentation or stray text: the map from line 5 wants a key here; '{{ }}' is a Helm template: "
            "check what 'helm template' makes of it, not the chart's source",
            id="template in quotes",
        ),
    ],
)
def test_error(text, message):
    with pytest.raises(InputError) as error:
        load(text, SIGS, FILE, 5)
    assert str(error.value) == message
    with pytest.raises(InputError) as error:
        resolve(compose(text, SIGS, FILE, 5), SIGS)
    assert message.endswith(str(error.value)) or error.value.file is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a: 1\na: 2\n", "app.yaml:6:1: key 'a' stands twice in this map (first on line 5)", id="twice"),
        pytest.param(
            "a: 1\n'a': 2\n",
            "app.yaml:6:1: key 'a' stands twice in this map (first on line 5)",
            id="twice, once quoted",
        ),
        pytest.param(
            "a: {<<: {b: 1},\n  <<: {c: 1}}\n",
            "app.yaml:6:3: key '<<' stands twice in this map (first on line 5)",
            id="two merges",
        ),
        pytest.param(
            "a: {1: b}\n",
            "app.yaml:5:5: kustomize takes only strings as keys below the top level: quote this one",
            id="number as a key",
        ),
        pytest.param(
            "~: 1\n", "app.yaml:5:1: key '~' stands twice in this map (first on line 5)", id="null as a key is doubled"
        ),
        pytest.param(
            "just text\n",
            "app.yaml:5:1: a Kubernetes object is a map; this document is one plain value",
            id="plain value",
        ),
        pytest.param(
            "a: 2026-11-30T00:00:00+24:00\n",
            "app.yaml:5:4: the zone '+24:00' is a day or more away from UTC",
            id="zone of a day",
        ),
        pytest.param(
            "a: |2\n  \tx\n",
            "app.yaml:5:4: kustomize cannot write a block of text that starts with a tab: quote it",
            id="block with a tab",
        ),
        pytest.param("a: &x {b: *x}\n", "app.yaml:5:11: anchor 'x' contains itself", id="anchor in itself"),
    ],
)
def test_error_of_kustomize(text, message):
    with pytest.raises(InputError) as error:
        load(text, KYAML, FILE, 5)
    assert str(error.value) == message


TOO_DEEP = "more than 10,000 levels of nesting, which no reader of Kubernetes takes"
NO_KEY = "a map or a list cannot be a key"


def fault(run) -> str | None:
    """Return the message of the error that a call ends in, if it does."""
    try:
        run()
    except InputError as error:
        return error.message
    return None


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("opening", "closing", "at_the_bound"),
    [
        pytest.param("[", "]", None, id="lists in brackets"),
        pytest.param("{a: ", "}", None, id="maps in brackets"),
        pytest.param("- ", "", None, id="lists"),
        pytest.param("? ", "", NO_KEY, id="maps as keys"),
    ],
)
def test_nesting_is_bounded_and_never_overflows(opening, closing, at_the_bound, dialect):
    allowed = opening * 10_000 + "x" + closing * 10_000
    assert fault(lambda: load(allowed, dialect, FILE)) == at_the_bound
    assert fault(lambda: resolve(compose(allowed, dialect, FILE), dialect)) == at_the_bound
    refused = opening + allowed + closing
    assert fault(lambda: load(refused, dialect, FILE)) == TOO_DEEP
    assert fault(lambda: compose(refused, dialect, FILE)) == TOO_DEEP


def test_kubectl_counts_brackets_and_indentation_together():
    text = "a: " + "[" * 10_000 + "]" * 10_000
    assert fault(lambda: load(text, SIGS, FILE)) is None
    assert fault(lambda: load(text, KUBECTL, FILE)) == TOO_DEEP


def bomb(levels: int, width: int) -> str:
    items = ["lol", *(f"*a{level}" for level in range(levels - 1))]
    return "".join(f"a{level}: &a{level} [{', '.join([item] * width)}]\n" for level, item in enumerate(items))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("text", "refused"),
    [
        pytest.param(bomb(3, 9), False, id="729 in all"),
        pytest.param(bomb(4, 9), True, id="6,561"),
        pytest.param(bomb(9, 9), True, id="387 million"),
        pytest.param(bomb(400, 2), True, id="two to the power of 400"),
        pytest.param("a: &x 1\nb:\n" + "- *x\n" * 100_000, False, id="many small ones"),
        pytest.param("a: &x {p: 1}\nb:\n" + "- {<<: *x, q: *x}\n" * 1_000, False, id="many merges"),
        pytest.param(
            "a: &x {" + ", ".join(f"k{i}: 1" for i in range(1_000)) + "}\nb:\n" + "- {<<: *x}\n" * 4_000,
            True,
            id="merges of much",
        ),
    ],
)
def test_aliases_are_bounded(text, refused, dialect):
    message = "aliases expand this document beyond what Kubernetes' readers allow" if refused else None
    assert fault(lambda: load(text, dialect, FILE)) == message


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from([fuzz_yaml.tree, fuzz_yaml.soup, fuzz_yaml.scalar]))
def test_nodes_give_what_load_gives(dialect, seed, kind):
    text = fuzz_yaml.drawn(kind, seed)
    direct = outcome(lambda: load(text, dialect, FILE, 7).value)
    by_nodes = outcome(lambda: resolve(compose(text, dialect, FILE, 7), dialect))
    assert repr(direct) == repr(by_nodes)


def outcome(run):
    """Return what a call gives, or that it is refused."""
    try:
        return run()
    except InputError:
        return InputError


@pytest.mark.parametrize(
    ("text", "data"),
    [
        pytest.param('{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}, id="values"),
        pytest.param('{"a": 1, "a": 2}', {"a": 2}, id="the last of a name"),
        pytest.param('{"a": "\\u00e9\\ud83d\\ude00\\/"}', {"a": "é😀/"}, id="escapes"),
        pytest.param('{"\\ud800": "\\ud800"}', {"\ufffd": "\ufffd"}, id="half a surrogate pair"),
        pytest.param(
            '{"a": 123456789012345678901234567890}', {"a": 123456789012345678901234567890}, id="digits are kept"
        ),
        pytest.param(" [\t] \n", [], id="space"),
        pytest.param('{"a": "b: c # d"}', {"a": "b: c # d"}, id="what is special in YAML"),
    ],
)
def test_json(text, data):
    assert load(text, JSON, FILE).value == data
    assert resolve(compose(text, JSON, FILE), JSON) == data


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param('{"a" 1}', "app.yaml:5:6: this is no JSON: ':' is wanted here", id="no colon"),
        pytest.param('{"a": 1 "b"}', "app.yaml:5:9: this is no JSON: ',' or '}' is wanted here", id="no comma"),
        pytest.param(
            '{"a": 1,}', "app.yaml:5:9: this is no JSON: a name in double quotes is wanted here", id="comma at the end"
        ),
        pytest.param(
            "{a: 1}", "app.yaml:5:2: this is no JSON: a name in double quotes or '}' is wanted here", id="no quotes"
        ),
        pytest.param("[1\n2]", "app.yaml:6:1: this is no JSON: ',' or ']' is wanted here", id="no comma in a list"),
        pytest.param("[\n", "app.yaml:6:1: this is no JSON: a value or ']' is wanted here", id="unclosed"),
        pytest.param('{"a": NaN}', "app.yaml:5:7: this is no JSON: a value is wanted here", id="NaN"),
        pytest.param('{"a": "\\q"}', "app.yaml:5:7: this is no JSON: a value is wanted here", id="escape"),
        pytest.param('{"a": "', "app.yaml:5:7: this is no JSON: a value is wanted here", id="unclosed string"),
        pytest.param('{"a":' * 10_001, f"app.yaml:5:50001: {TOO_DEEP}", id="too deep"),
    ],
)
def test_error_of_json(text, message):
    for read in (load, compose):
        with pytest.raises(InputError) as error:
            read(text, JSON, FILE, 5)
        assert str(error.value) == message


def test_json_may_nest_deeper_than_python_reads():
    deep = '{"a":' * 5_000 + "[1]" + "}" * 5_000
    found = load(deep, JSON, FILE).value
    for _ in range(5_000):
        found = found["a"]
    assert found == [1]


def test_long_json_is_left_to_the_quick_reader(monkeypatch):
    monkeypatch.setattr(jsonnodes, "JsonComposer", None)
    assert load("[" + "{}," * 20_000 + "[[]]]", JSON, FILE).value == [*[{}] * 20_000, [[]]]


@pytest.mark.parametrize("text", ["a: [? ]\n", "a: [?, b]\n", "a: [? : b]\n", "a: [?]\n"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_lone_question_mark_is_refused(text, dialect):
    with pytest.raises(InputError, match=r"wanted here|needs a key behind it"):
        value(text, dialect)


def test_a_document_is_read_alone():
    assert value("a: 1\n...\nb: [\n") == {"a": 1}
    assert value("a: 1\n---\nb: [\n") == {"a": 1}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("text", ["", "\n", "# c\n", "---\n", "--- # c\n", "null\n", "~\n"])
def test_nothing_is_none(text, dialect):
    assert value(text, dialect) is None
    assert compose(text, dialect, FILE).kind == "scalar"


@pytest.mark.parametrize(
    ("dialect", "data"),
    [
        pytest.param(SIGS, "x", id="sigs keeps the end as it is"),
        pytest.param(KUBECTL, "x\n", id="kubectl ends the last line"),
        pytest.param(KYAML, "x", id="kustomize keeps it"),
    ],
)
def test_block_at_the_end_without_a_line_break(dialect, data):
    assert value("a: |\n  x", dialect) == {"a": data}


def test_a_garbage_collector_that_was_off_stays_off():
    import gc

    gc.disable()
    try:
        value("a: 1\n")
        assert not gc.isenabled()
    finally:
        gc.enable()
    value("a: 1\n")
    assert gc.isenabled()
