"""Edits of text: by example, as properties over documents in many manners, and on real manifests."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dralign.edit import Append, EditRefused, Insert, Remove, Rename, Set, Style, apply, parts, plain, render
from dralign.edit.data import same
from dralign.edit.lines import with_keys
from dralign.edit.rewriting import rewrite
from dralign.errors import InputError
from dralign.yamlio import decode, load, split
from edit_cases import CASES
from edit_generator import NASTY, Writer, document, operation, paths
from edit_lines import complaint

DIALECTS = ("sigs", "kubectl", "kyaml")
CORPUS = Path(os.environ.get("DRALIGN_TRUTH", Path(__file__).parents[2] / "shared")) / "corpus"


def chooser(seed):
    return random.Random(seed)  # noqa: S311  choices of a test


def read(text, dialect="sigs"):
    return load(text, dialect, "-", 1).value


# --- by example


@pytest.mark.parametrize(
    ("dialect", "before", "operations", "after"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_example(dialect, before, operations, after):
    assert apply(before, operations, dialect) == after
    assert same(read(after, dialect), plain(read(before, dialect), operations))


@pytest.mark.parametrize("case", [pytest.param(case, id=case[0]) for case in CASES])
def test_nothing_to_do_changes_nothing(case):
    _, dialect, before, _, after = case
    assert apply(before, [], dialect) == before
    for text in (before, after):
        present = [Set(path, value_at(read(text, dialect), path)) for path in paths(read(text, dialect))]
        assert apply(text, present, dialect) == text


def value_at(data, path):
    for step in path:
        data = data[step]
    return data


REFUSED = [
    pytest.param("a: 1\n", [Remove(("b",))], "b does not exist", id="taking out what is not there"),
    pytest.param("a: 1\n", [Set(("a", "b"), 1)], "a is no mapping", id="a key below a scalar"),
    pytest.param("a: [1]\n", [Set(("a", "b"), 1)], "a is no mapping", id="a key of a list"),
    pytest.param("a: {b: 1}\n", [Append(("a",), 1)], "a is no sequence", id="an item of a mapping"),
    pytest.param("a: [1]\n", [Set(("a", 1), 2)], "a[1] does not exist", id="setting behind the last item"),
    pytest.param("a: [1]\n", [Insert(("a", 2), 2)], "a[2] is no place in a sequence", id="putting in behind the end"),
    pytest.param("a: {b: 1}\n", [Insert(("a", "b"), 2)], "a.b is no place in a sequence", id="putting before a key"),
    pytest.param("a: 1\nb: 2\n", [Rename(("a",), "b")], "b exists already", id="a name that is taken"),
    pytest.param("a: [1]\n", [Rename(("a", 0), "b")], "a[0] has no key", id="a name for an item"),
    pytest.param("a: 1\n", [Remove(())], "the document itself cannot be removed", id="taking out the document"),
    pytest.param("a: 1\n", [Remove(("a",)), Remove(("a",))], "a does not exist", id="taking out twice"),
    pytest.param(
        "a: 1\n", [Set(("b",), float("inf"))], "the edited text could not be read", id="what JSON cannot hold"
    ),
]


@pytest.mark.parametrize(("text", "operations", "reason"), REFUSED)
def test_refused(text, operations, reason):
    with pytest.raises(EditRefused) as caught:
        apply(text, operations, "sigs")
    assert caught.value.reason.startswith(reason)


def test_a_text_that_cannot_be_read_is_an_input_error():
    with pytest.raises(InputError) as caught:
        apply("a: [\n", [Set(("a",), 1)], "sigs", "claim.yaml")
    assert caught.value.file == "claim.yaml"


def test_what_a_reader_cannot_be_told_is_refused():
    """Kustomize drops an entry whose key is ``<<``, in quotes too."""
    with pytest.raises(EditRefused, match="the edited text would not say what was asked for"):
        apply("a: 1\n", [Set(("<<",), "x")], "kyaml")
    assert apply("a: 1\n", [Set(("<<",), "x")], "sigs") == 'a: 1\n"<<": x\n'


def test_deep_nesting_is_no_fault():
    text = "a: " + "[" * 3000 + "]" * 3000 + "\nb: 1\n"
    assert apply(text, [Set(("b",), 2)], "sigs") == text.replace("b: 1", "b: 2")
    with pytest.raises(EditRefused, match="nested too deeply"):
        apply(text, [Append(("a", *[0] * 2999), 1)], "sigs")


def test_the_values_given_are_left_alone():
    value, data = {"list": [1]}, {"a": {"list": [0]}}
    operations = [Set(("b",), value), Append(("b", "list"), 2), Append(("a", "list"), 3)]
    assert plain(data, operations) == {"a": {"list": [0, 3]}, "b": {"list": [1, 2]}}
    assert apply("a: {list: [0]}\n", operations, "sigs") == "a: {list: [0, 3]}\nb:\n  list:\n  - 1\n  - 2\n"
    assert (value, data) == ({"list": [1]}, {"a": {"list": [0]}})


# --- new text

RENDERED = [
    pytest.param(
        {"a": {"b": 1}, "l": [1, {"c": 2, "d": [3]}]}, Style(), "a:\n  b: 1\nl:\n- 1\n- c: 2\n  d:\n  - 3", id="flush"
    ),
    pytest.param(
        {"a": {"b": [[1, 2], []]}}, Style(step=4, dash=2), "a:\n    b:\n      - - 1\n        - 2\n      - []", id="wide"
    ),
    pytest.param({"a": "x\ny\n", "b": ["x\ny"]}, Style(), "a: |\n  x\n  y\nb:\n- |-\n  x\n  y", id="literal blocks"),
    pytest.param({"a": "x\ny\n"}, Style(literals=False), 'a: "x\\ny\\n"', id="no literal blocks"),
    pytest.param({"a": 1, "b": [2]}, Style(eol="\r\n"), "a: 1\r\nb:\r\n- 2", id="CR LF"),
    pytest.param({"a": [1, "x y", "1"]}, Style(form="flow"), '{a: [1, x y, "1"]}', id="flow"),
    pytest.param({"a": [1, "x"]}, Style(form="json"), '{"a": [1, "x"]}', id="JSON"),
    pytest.param({"a": [1, "x"]}, Style(form="json", tight=True), '{"a":[1,"x"]}', id="tight JSON"),
    pytest.param({"a": [1]}, Style(form="json", unit=" "), '{\n "a": [\n  1\n ]\n}', id="JSON over several lines"),
    pytest.param(
        [None, True, 1, -1.5, 1e16, 1e-7], Style(), "- null\n- true\n- 1\n- -1.5\n- 1.0e+16\n- 1.0e-07", id="no strings"
    ),
    pytest.param({"z": 1, "a": 2}, Style(), "z: 1\na: 2", id="the order of keys is kept"),
    pytest.param({}, Style(), "{}", id="an empty mapping"),
]


@pytest.mark.parametrize(("value", "style", "text"), RENDERED)
def test_render(value, style, text):
    assert render(value, 0, style) == text


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("form", ["block", "flow", "json"])
@pytest.mark.parametrize("indent", [0, 3])
def test_every_string_reads_as_itself(dialect, form, indent):
    data = {"v": {word: word for word in NASTY if word != "<<"}, "l": list(NASTY)}
    text = " " * indent + render(data, indent, Style(form=form)) + "\n"
    assert same(read(text, dialect), data)
    if form == "json":
        assert json.loads(text) == data


@given(st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=20).filter(lambda key: key != "<<"), inner),
))  # fmt: skip
def test_render_and_read_are_inverse(value):
    for style in (Style(), Style(step=3, dash=1), Style(form="flow"), Style(form="json", unit="\t")):
        assert same(read(render({"k": value}, 0, style) + "\n"), {"k": value})


# --- properties over documents in many manners


class Tally:
    """Counts over one property run; refusals must be rare."""

    def __init__(self):
        self.edits = 0
        self.refused = []


def operations_for(rng, data):
    found = []
    for _ in range(rng.choice((1, 1, 2, 4))):
        new = operation(rng, data)
        try:
            data = plain(data, [new])
        except EditRefused:
            continue
        found.append(new)
    return found, data


def check_edit(text, dialect, operations, wanted, tally):
    tally.edits += 1
    try:
        edited = apply(text, operations, dialect)
    except EditRefused as refusal:
        tally.refused.append((text, operations, dialect, refusal.reason))
        return
    assert same(read(edited, dialect), wanted)
    if len(operations) == 1 and text:
        assert complaint(text, edited, operations[0], dialect) is None


def test_edited_text_reads_as_edited_data():
    tally = Tally()

    @settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False), st.sampled_from(DIALECTS))
    def run(rng, dialect):
        text = document(rng)
        try:
            data = read(text, dialect)
        except InputError:
            return
        assert apply(text, [], dialect) == text
        check_edit(text, dialect, *operations_for(rng, data), tally)

    run()
    assert tally.edits > 200
    assert len(tally.refused) < 0.01 * tally.edits, tally.refused


def test_many_more_documents():
    """The same with plain random documents, of which there are more and larger ones than hypothesis makes."""
    tally = Tally()
    for seed in range(1500):
        rng = chooser(seed)
        text, dialect = document(rng), rng.choice(DIALECTS)
        try:
            data = read(text, dialect)
        except InputError:
            continue
        check_edit(text, dialect, *operations_for(rng, data), tally)
    assert tally.edits > 1200
    assert len(tally.refused) < 0.01 * tally.edits, tally.refused


def test_setting_what_is_there_changes_nothing():
    for seed in range(300):
        rng = chooser(seed)
        text, dialect = document(rng), rng.choice(DIALECTS)
        try:
            data = read(text, dialect)
        except InputError:
            continue
        every = list(paths(data))
        present = [Set(path, value_at(data, path)) for path in rng.sample(every, min(10, len(every)))]
        assert apply(text, present, dialect) == text


def test_edits_one_by_one_or_together_read_the_same():
    for seed in range(300):
        rng = chooser(seed)
        text, dialect = document(rng), rng.choice(DIALECTS)
        try:
            operations, wanted = operations_for(rng, read(text, dialect))
        except InputError:
            continue
        for one in operations:
            text = apply(text, [one], dialect)
        assert same(read(text, dialect), wanted)


def json_value(rng, depth):
    kind = rng.random()
    if depth and kind < 0.35:
        return {rng.choice("abcdefg"): json_value(rng, depth - 1) for _ in range(rng.randrange(4))}
    if depth and kind < 0.6:
        return [json_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return rng.choice((1, 1.5, "s", "a\nb", "é", "😀", None, True, "a/b", '"q"'))


LAYOUTS = ({}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}, {"indent": 4, "ensure_ascii": False})


def test_json_stays_json():
    for seed in range(400):
        rng = chooser(seed)
        data = {"a": json_value(rng, 4)}
        text = json.dumps(data, **rng.choice(LAYOUTS)) + rng.choice(("", "\n", " \n"))
        text = text.replace("\n", rng.choice(("\n", "\r\n"))).replace("a/b", rng.choice(("a/b", "a\\/b")))
        operations, wanted = operations_for(rng, data)
        edited = apply(text, operations, "json")
        assert same(json.loads(edited), wanted)
        assert edited.endswith("\n") == text.endswith("\n")
        assert ("\n" in edited.strip()) <= ("\n" in text.strip())


# --- long lists


def long_list(rng):
    """Return a document with ``items`` in a random manner."""
    writer = Writer(rng)
    writer.anchored = rng.random() < 0.1
    lines = ["kind: List"] * rng.randrange(2)
    lines.append("items:" + writer.comment())
    writer.noise(lines, 0)
    column = rng.choice((0, 0, 2))
    for _ in range(3):
        writer.size = 8
        writer.block_seq(lines, column, "")
    writer.noise(lines, 0)
    lines += ["results: [] # none"] * rng.randrange(2)
    return writer.eol.join(lines) + writer.eol * rng.randrange(2)


def test_items_composed_one_by_one_come_out_as_all_at_once(monkeypatch):
    split_up = 0
    for seed in range(300):
        rng = chooser(seed)
        text, dialect = long_list(rng), rng.choice(DIALECTS)
        try:
            operations, _ = operations_for(rng, data := read(text, dialect))
        except InputError:
            continue
        monkeypatch.setattr(parts, "_SMALL", len(text) + 1)
        whole = apply(text, operations, dialect)
        monkeypatch.setattr(parts, "_SMALL", 0)
        split_up += parts.skeleton(text, dialect, data) is not None
        one_by_one = apply(text, operations, dialect)
        # how far new lines are indented is found out from different parts of the document
        assert [line.lstrip() for line in whole.split("\n")] == [line.lstrip() for line in one_by_one.split("\n")]
    assert split_up > 200


def test_a_long_list_composes_only_the_items_it_edits(monkeypatch):
    item = "- kind: Pod\n  metadata:\n    name: p{}\n    labels: {{app: x}} # l\n  spec:\n    list:\n    - 1\n"
    text = "kind: List\nitems: # all\n" + "".join(map(item.format, range(1000))) + "# end\napiVersion: v1\n"
    composed = []
    compose = parts.compose
    monkeypatch.setattr(parts, "compose", lambda text, *rest: composed.append(len(text)) or compose(text, *rest))
    operations = [Set(("items", 500, "metadata", "labels", "a"), "b"), Append(("items", 500, "spec", "list"), 2)]
    operations += [Remove(("items", 10)), Insert(("items", 20), {"kind": "Pod"}), Set(("results",), [])]
    edited = apply(text, operations, "sigs")
    assert sum(composed) < 0.02 * len(text)
    assert edited == (
        "kind: List\nitems: # all\n"
        + "".join(map(item.format, [*range(10), *range(11, 21)]))
        + "- kind: Pod\n"
        + "".join(map(item.format, range(21, 500)))
        + item.format(500).replace("app: x", "app: x, a: b")
        + "    - 2\n"
        + "".join(map(item.format, range(501, 1000)))
        + "# end\napiVersion: v1\nresults: []\n"
    )


# --- new keys by looking at lines


def captured_lists():
    """Yield host, text and data of the ResourceLists that real hosts sent."""
    for path in sorted((Path(__file__).parent / "conformance" / "hosts").glob("*/*.in*")):
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        if "\nitems:\n" in text and "kind: ResourceList" in text:
            with contextlib.suppress(InputError):  # some are odd on purpose
                yield path.parent.name, text, read(text)


def test_keys_put_in_by_lines_stand_where_they_do_by_nodes():
    by_lines = total = 0
    for host, text, data in captured_lists():
        marks = [
            Set(("items", index, "metadata", "annotations", "dralign.dev/checked"), "default")
            for index, item in enumerate(data["items"])
            if item["metadata"].get("annotations")
        ]
        for operations in (marks, [*marks, Set(("results",), [{"message": "m: 'x'", "field": {"path": "a[0]"}}])]):
            quick = with_keys(text, operations, data)
            total += 1
            by_lines += quick is not None
            assert quick in (None, rewrite(text, operations, "sigs")), host
    assert by_lines > 0.7 * total > 20  # metadata in braces is left to nodes


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("metadata:\n  annotations: {a: b}\n", id="flow"),
        pytest.param("metadata:\n  annotations:\n    a: b\n  # comment\n", id="comment at the end"),
        pytest.param("metadata:\n  annotations:\n    a: b\n\n", id="blank line at the end"),
        pytest.param("metadata:\n  annotations:\n    a: b", id="no line break at the end"),
        pytest.param("metadata: # m\n  annotations:\n    a: b\n", id="comment behind the key"),
        pytest.param("'metadata':\n  annotations:\n    a: b\n", id="quoted key"),
    ],
)
def test_where_lines_leave_a_doubt_nodes_decide(text):
    operations = [Set(("metadata", "annotations", "c"), "d")]
    assert with_keys(text, operations, read(text)) is None
    assert read(apply(text, operations, "sigs")) == {"metadata": {"annotations": {"a": "b", "c": "d"}}}


# --- real manifests


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus: set DRALIGN_TRUTH to the folder that holds corpus/")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_real_manifests(dialect):
    documents = 0
    for file in sorted(CORPUS.rglob("*.yaml")):
        text = decode(file.read_bytes(), str(file)).text
        try:
            chunks = split(text, dialect)
        except InputError:
            continue
        for chunk in chunks:
            piece = text[chunk.start : chunk.end]
            try:
                data = read(piece, chunk.dialect)
            except InputError:
                continue
            if isinstance(data, dict):
                documents += 1
                edit_manifest(piece, chunk.dialect, data)
    assert documents > 500


def edit_manifest(text, dialect, data):
    every = [path for path in paths(data) if path]
    lists = [path for path in every if isinstance(value_at(data, path), list)]
    edits = [[Set(("metadata", "annotations", "dralign.dev/checked"), "default")]]
    edits += [[Append(path, {"name": "added"}) for path in lists]]
    edits += [[Append(path, "added")] for path in lists[:1]]
    edits += [[Remove(path)] for path in every[:: len(every) // 2 + 1]]
    for operations in edits:
        edited = apply(text, operations, dialect)
        assert same(read(edited, dialect), plain(data, operations))
        if len(operations) == 1:
            assert complaint(text, edited, operations[0], dialect) is None, operations
