"""Entries moved up and down in texts of many manners."""

from __future__ import annotations

import random

import pytest

from dralign.edit import EditRefused, Lift, Nest, apply, plain
from dralign.edit.data import same
from dralign.errors import InputError
from dralign.yamlio import load
from edit_generator import document
from level_cases import CASES

DIALECTS = ("sigs", "kubectl", "kyaml")


def read(text, dialect="sigs"):
    return load(text, dialect, "-", 1).value


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("before", "operations", "after"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_example(dialect, before, operations, after):
    assert apply(before, operations, dialect) == after
    assert same(read(after, dialect), plain(read(before, dialect), operations))


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (Nest(("a",), ("x",), "b"), "a.x does not exist"),
        (Nest(("a",), ("b",), "c"), "a.c exists already"),
        (Lift(("a", "c")), "a.c is no mapping"),
        (Lift(("a",)), "d exists already"),
        (Lift(()), "the document has no key"),
    ],
)
def test_refused(operation, reason):
    with pytest.raises(EditRefused, match=f"^{reason}$"):
        apply("a: {b: 1, c: 2, d: 3}\nd: 4\n", [operation], "sigs")


def mappings(data, path=()):
    """Yield the paths of all filled mappings."""
    if isinstance(data, dict) and data:
        yield path
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in children:
        yield from mappings(value, (*path, key))


def move(rng, data):
    """Return a random move that the data can take, or None."""
    found = list(mappings(data))
    if not found:
        return None
    path = rng.choice(found)
    value = data
    for step in path:
        value = value[step]
    if path and isinstance(path[-1], str) and rng.random() < 0.4:
        return Lift(path)
    keys = rng.sample(list(value), rng.randint(1, len(value)))
    return Nest(path, tuple(keys), "exactly")


def test_moved_text_reads_as_moved_data():
    moved = refused = 0
    for seed in range(1200):
        rng = random.Random(seed)  # noqa: S311  choices of a test
        text, dialect = document(rng), rng.choice(DIALECTS)
        try:
            data = read(text, dialect)
        except InputError:
            continue
        operation = move(rng, data)
        try:
            wanted = plain(data, [operation] if operation else [])
        except EditRefused:
            continue
        try:
            edited = apply(text, [operation] if operation else [], dialect)
        except EditRefused:
            refused += 1
            continue
        moved += operation is not None
        assert same(read(edited, dialect), wanted)
    assert moved > 500
    assert refused < 0.01 * moved


def test_items_of_a_long_list_move_alone():
    item = "- name: c{i}   # {i}\n  request:\n    deviceClassName: gpu  # class\n    name: gpu\n"
    text = "items:\n" + "".join(item.format(i=i) for i in range(400)) + "kind: List\n"
    operations = [Nest(("items", i, "request"), ("deviceClassName",), "exactly") for i in (0, 7, 399)]
    edited = apply(text, operations, "sigs")
    moved = [line for line in edited.splitlines() if line not in text.splitlines()]
    assert moved == ["    exactly:", "      deviceClassName: gpu  # class"] * 3
    assert apply(edited, [Lift((*operation.path, "exactly")) for operation in operations], "sigs") == text
