"""Where nodes stand: offsets, lines and columns of everything an editor or a finding points at."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent / "conformance"))

import fuzz_yaml

from dralign.errors import InputError
from dralign.yamlio import JSON, KUBECTL, KYAML, SIGS, compose, resolve, split


def walk(node, path=()):
    """Yield path and node of everything in a tree; a key stands at its map's path and a question mark."""
    yield path, node
    for index, item in enumerate(node.items):
        yield from walk(item, (*path, index))
    for key, child in node.entries:
        yield (*path, "?" + key.value), key
        yield from walk(child, (*path, key.value))


def at(text, *path, dialect=SIGS, line=1):
    return next(node for found, node in walk(compose(text, dialect, "-", line)) if found == path)


@pytest.mark.parametrize(
    ("text", "path", "shown"),
    [
        pytest.param("a: b # c\n", ("a",), "b", id="plain"),
        pytest.param("a: b # c\n", ("?a",), "a", id="key"),
        pytest.param("a: 'b'\n", ("a",), "'b'", id="single quotes"),
        pytest.param('"a": "b"\n', ("?a",), '"a"', id="double quotes"),
        pytest.param("a: b\n  c\n\n  d\n\ne: f\n", ("a",), "b\n  c\n\n  d", id="plain over lines"),
        pytest.param("a: # c\n", ("a",), "", id="nothing stands behind the colon"),
        pytest.param("a: &x # c\n  b\n", ("a",), "b", id="anchor before"),
        pytest.param("a: !!str &x 'b'\n", ("a",), "'b'", id="tag and anchor before"),
        pytest.param("a: !!str\nb: 1\n", ("a",), "", id="tag alone"),
        pytest.param("a: [&x 1, *x ]\n", ("a", 1), "*x", id="alias"),
        pytest.param("a: [b, {c: d}] # e\n", ("a",), "[b, {c: d}]", id="list in brackets"),
        pytest.param("a: [b, {c: d}]\n", ("a", 1), "{c: d}", id="map in brackets"),
        pytest.param("a: [b: c, d]\n", ("a", 0), "b: c", id="pair"),
        pytest.param("a: &x [b]\n", ("a",), "[b]", id="anchored brackets"),
        pytest.param("a: {b, c: }\n", ("a", "b"), "", id="key without a colon in brackets"),
        pytest.param("a:\n  b: 1\n  c: 2\n# d\n\ne: 3\n", ("a",), "b: 1\n  c: 2", id="map ends with its last value"),
        pytest.param("a:\n  - b\n  # c\n\n", ("a",), "- b", id="list ends with its last item"),
        pytest.param("a:\n- b\n- c\nd: e\n", ("a",), "- b\n- c", id="list that is not indented"),
        pytest.param("a: &x\n- b\n", ("a",), "- b", id="the same with an anchor"),
        pytest.param("a: &x\n  b: c\n", ("a",), "b: c", id="map with an anchor"),
        pytest.param("&x\n&y b: c\n", (), "&y b: c", id="map and key with anchors"),
        pytest.param("- &x !y\n  b: c\n", (0,), "b: c", id="map with anchor and tag in a list"),
        pytest.param("- - a\n  - b\n- c\n", (0,), "- a\n  - b", id="list in a list"),
        pytest.param("a:\n  b:\n  c:\n", ("a",), "b:\n  c:", id="map that ends with nothing"),
        pytest.param("? a\n# c\n? b\n", ("a",), "", id="key without a value"),
        pytest.param("a: |\n  b\n   c\n\n\n# d\ne: 1\n", ("a",), "|\n  b\n   c\n", id="literal"),
        pytest.param("a: >-\n  b\n\n  c\n\ne: 1\n", ("a",), ">-\n  b\n\n  c\n", id="folded and stripped"),
        pytest.param("a: |+ # +\n  b\n\n\n# d\ne: 1\n", ("a",), "|+ # +\n  b\n\n\n", id="kept to the end"),
        pytest.param("a: | # +\n  b\n\n\ne: 1\n", ("a",), "| # +\n  b\n", id="a plus in the comment keeps nothing"),
        pytest.param("a: |\n  b\n     \n  \n\ne: 1\n", ("a",), "|\n  b\n     \n", id="line of spaces that is text"),
        pytest.param("a:\n  b: |2\n     c\n   \n    \n   \nd: 1\n", ("a", "b"), "|2\n     c\n", id="indentation given"),
        pytest.param("a: |\n\n\nb: 1\n", ("a",), "|\n", id="block of nothing"),
        pytest.param("a: |\n  b", ("a",), "|\n  b", id="block up to the end of the text"),
        pytest.param("a: |\r\n  b\r\n\r\nc: 1\r\n", ("a",), "|\r\n  b\r\n", id="block with CR LF"),
        pytest.param("a: [5:, b]\n", ("a", 0), "5:", id="colon before a comma"),
        pytest.param("a: [?b, c]\n", ("a", 1), "c", id="behind a question mark in brackets"),
        pytest.param("a: '\ufeff' # b\n", ("a",), "'\ufeff'", id="byte order mark inside"),
        pytest.param("é: 😀 # b\n", ("é",), "😀", id="characters, not bytes"),
    ],
)
def test_what_a_node_covers(text, path, shown):
    node = at(text, *path)
    assert text[node.start : node.end] == shown


@pytest.mark.parametrize(
    ("text", "path", "prefix"),
    [
        pytest.param("a: b\n", ("a",), "", id="none"),
        pytest.param("a: &x b\n", ("a",), "&x ", id="anchor"),
        pytest.param("a: !!str # c\n  &x b\n", ("a",), "!!str # c\n  &x ", id="tag, comment, anchor"),
        pytest.param("a: &x\n  b: c\n", ("a",), "&x\n  ", id="before a map"),
        pytest.param("a: !t [b]\n", ("a",), "!t ", id="before brackets"),
        pytest.param("a: &x\n- b\n", ("a",), "&x\n", id="before a list"),
    ],
)
def test_where_anchor_and_tag_begin(text, path, prefix):
    node = at(text, *path)
    assert text[node.prefix_start : node.start] == prefix


@pytest.mark.parametrize(
    ("text", "path", "place"),
    [
        pytest.param("a:\n  b: c\n", ("a", "b"), (1, 5), id="in a block"),
        pytest.param("a:\r\n  b: c\r\n", ("a", "b"), (1, 5), id="with CR LF"),
        pytest.param("a: !!str &x\n   b\n", ("a",), (1, 3), id="behind a tag"),
        pytest.param("a: &x\n  b: c\n", ("a",), (1, 2), id="map behind an anchor"),
        pytest.param("? a\n# c\n? b\n", ("a",), (0, 3), id="missing value"),
        pytest.param('a: "\u2028"\nb: c\n', ("b",), (1, 3), id="behind a line separator, which editors do not count"),
        pytest.param('a: "\u2028" \nb: [5:, c]\n', ("b", 1), (1, 8), id="and behind what was respelled"),
        pytest.param("---\n# c\na: b\n", ("a",), (2, 3), id="separator and comment count"),
    ],
)
def test_line_and_column(text, path, place):
    node = at(text, *path)
    assert (node.line, node.column) == place


@pytest.mark.parametrize(
    ("text", "path", "facts"),
    [
        pytest.param("a: b\n", ("a",), ("scalar", "", "b", None, None), id="plain"),
        pytest.param("a: 'it''s'\n", ("a",), ("scalar", "'", "it's", None, None), id="single"),
        pytest.param('a: "b\\n"\n', ("a",), ("scalar", '"', "b\n", None, None), id="double"),
        pytest.param("a: |\n  b\n", ("a",), ("scalar", "|", "b\n", None, None), id="literal"),
        pytest.param("a: >\n  b\n  c\n", ("a",), ("scalar", ">", "b c\n", None, None), id="folded"),
        pytest.param("a: &x !!int 1\n", ("a",), ("scalar", "", "1", "x", "tag:yaml.org,2002:int"), id="anchor and tag"),
        pytest.param("a: !b c\n", ("a",), ("scalar", "", "c", None, "!b"), id="local tag"),
        pytest.param("a: ! c\n", ("a",), ("scalar", "", "c", None, "!"), id="non-specific tag"),
        pytest.param("a: [&x 1, *x]\n", ("a", 1), ("alias", "", "x", None, None), id="alias"),
        pytest.param("a: &x [1]\n", ("a",), ("seq", "flow", "", "x", None), id="list in brackets"),
        pytest.param("a:\n- 1\n", ("a",), ("seq", "block", "", None, None), id="list"),
        pytest.param("a: {b: 1}\n", ("a",), ("map", "flow", "", None, None), id="map in brackets"),
        pytest.param("a:\n  b: 1\n", ("a",), ("map", "block", "", None, None), id="map"),
    ],
)
def test_what_a_node_says(text, path, facts):
    node = at(text, *path)
    assert (node.kind, node.style, node.value, node.anchor, node.tag) == facts


def test_an_alias_knows_its_target():
    root = compose("a: &x [1]\nb: *x\n", SIGS, "-")
    (_, target), (_, alias) = root.entries
    assert alias.target is target
    assert alias.referent is target
    assert target.target is None
    assert target.referent is target


def test_merge_keys_stand_among_the_entries_as_written():
    root = compose("<<: {a: 1}\nb: 2\n", SIGS, "-")
    assert [key.value for key, _ in root.entries] == ["<<", "b"]


@pytest.mark.parametrize("dialect", [SIGS, KUBECTL, KYAML])
def test_offsets_are_those_of_a_chunk_with_its_separator(dialect):
    text = "a: 1\n--- # two\nb: {c: d}\n"
    chunk = split(text, dialect)[1]
    document = text[chunk.start : chunk.end]
    node = at(document, "b", dialect=dialect, line=chunk.line)
    assert document[node.start : node.end] == "{c: d}"
    assert (chunk.line, node.line, node.column) == (2, 1, 3)


@pytest.mark.parametrize(
    ("text", "path", "shown", "place"),
    [
        pytest.param('{"a": [1, "b"]}', ("a", 1), '"b"', (0, 10), id="string"),
        pytest.param('{"a": [1, "b"]}', ("a",), '[1, "b"]', (0, 6), id="list"),
        pytest.param('\n {"a": {\n "b": 2.0} }', ("a", "b"), "2.0", (2, 6), id="number on another line"),
        pytest.param('{"a\\"": null}', ('?a"',), '"a\\""', (0, 1), id="name with an escape"),
    ],
)
def test_nodes_of_json(text, path, shown, place):
    node = at(text, *path, dialect=JSON)
    assert text[node.start : node.end] == shown
    assert (node.line, node.column) == place


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_marks_fit_each_other_and_the_text(seed):
    text = fuzz_yaml.drawn(fuzz_yaml.tree, seed)
    try:
        root = compose(text, KUBECTL, "-")
    except InputError:
        return
    for _, node in walk(root):
        assert 0 <= node.prefix_start <= node.start <= node.end <= len(text)
        before = text[: node.start]
        assert (node.line, node.column) == (before.count("\n"), len(before) - before.rfind("\n") - 1)
        last = node.prefix_start
        for child in [*node.items, *(part for entry in node.entries for part in entry)]:
            assert last <= child.prefix_start
            assert child.end <= node.end
            last = child.end


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_scalar_cut_out_at_its_marks_reads_the_same(seed):
    text = fuzz_yaml.drawn(fuzz_yaml.tree, seed)
    try:
        root = compose(text, SIGS, "-")
        values = [(node, resolve(node, SIGS)) for _, node in walk(root) if node.kind == "scalar" and node.tag is None]
    except InputError:
        return
    for node, value in values:
        shown = text[node.start : node.end]
        if node.style in ("'", '"') or (node.style == "" and "\n" not in shown and shown):
            assert resolve(compose(f"- {shown}\n", SIGS, "-").items[0], SIGS) == value
