"""Where a value stands, told by lines, is where the document's events and nodes say it stands."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dralign import yamlio
from dralign.document import Document, walk
from dralign.manifest import Path
from dralign.yamlio.outline import place_by_lines

NAMES = st.sampled_from(("a", "b", "name", "on", "1", "nvidia.com/gpu", "x: y", "- a", "", "b: 1\n  a: 2", "'", '"'))
TREES = st.recursive(
    st.sampled_from(("b: 1", "x\n  b: 1\nb: 2\n", "one two " * 9, "# no", "- a", 1, None, True, "é\u2028b: 1")),
    lambda inner: st.dictionaries(NAMES, inner, max_size=4) | st.lists(inner, max_size=3),
    max_leaves=12,
)
WIDE = 10_000


def paths_of(data, path=()):
    """Yield the paths of all values below the root, and of one that is missing beside each."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield (*path, key)
        yield (*path, key, "missing")
        yield from paths_of(value, (*path, key))


def by_nodes(document, path):
    node, _ = walk(document.node, path)
    return node.line, node.column


def check(document):
    """Return how many places lines told; each has to be the one that the nodes tell."""
    told = 0
    for path in paths_of(document.data):
        place = place_by_lines(document.text, document.data, path)
        if place is not None:
            told += 1
            assert place == by_nodes(document, Path(path)), path
    return told


def read(text):
    return Document(text, "a.yaml", 1, 0, yamlio.KUBECTL)


@given(TREES, st.sampled_from((None, False)), st.sampled_from((12, 80, WIDE)), st.sampled_from((2, 4)))
def test_lines_agree_with_nodes(data, flow, width, indent):
    text = yaml.safe_dump(
        data, default_flow_style=flow, width=width, indent=indent, allow_unicode=True, sort_keys=False
    )
    check(read(text))


def test_lines_tell_every_place_of_a_plain_document():
    text = """\
---
# Source: chart
apiVersion: v1
kind: Pod
metadata:
  annotations:
    "helm.sh/hook": pre-install

    'b': |
      kind: not this
    c: one
      two
spec:   # what runs
  containers:
  - name: main
    resources:
      limits:
        nvidia.com/gpu: 1
    # the last
    args:
      - --a
      -
        b: 1
  -   name: side
      image: x
  # end
"""
    document = read(text)
    assert check(document) == sum(1 for _ in paths_of(document.data))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('m:\n  a: "x\n  b: y"\n  "\\x62": 1\n', ("m", "b")),  # the line of a text looks like a key
        ('m:\n  a: "x\n  b: y"\n  b: 1\n', ("m", "b")),
        ("m:\n  a: 'x\nb: y'\nb: 1\n", ("b",)),
        ("m: {a: 1}\n", ("m", "a")),
        ("m: &x\n  a: 1\np: *x\n", ("p", "a")),
        ("x: &x {a: 1}\nm:\n  <<: *x\n  b: 1\n", ("m", "a")),
        ("m:\n  ? a\n  : 1\n", ("m", "a")),
        ("m:\n- - a\n", ("m", 0, 0)),
        ("m:\n- &x a\n- *x\n", ("m", 0)),
        ("m:\r\n  a: 1\r\n", ("m", "a")),
        ("m:\n  a: x\u2028\n  b: 1\n", ("m", "b")),
        ("%YAML 1.1\n---\nm: {}\n", ("m",)),
        ("--- # one\nm: {}\n...\n", ("m",)),
    ],
)
def test_what_lines_cannot_tell_is_left_to_events(text, path):
    document = read(text)
    told = place_by_lines(text, document.data, path)
    assert told is None or told == by_nodes(document, Path(path))
    assert document.locate(Path(path)).line - 1 == by_nodes(document, Path(path))[0]
