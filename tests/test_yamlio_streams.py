"""Bytes to text, text to documents, and which documents need no reading."""

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
    Sieve,
    compose,
    decode,
    is_relevant,
    load,
    split,
)

FILE = "app.yaml"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(b"a: \xc3\xa9\n", "a: é\n", id="UTF-8"),
        pytest.param(b"\xef\xbb\xbfa: 1\n", "a: 1\n", id="with a byte order mark"),
        pytest.param(b"\xef\xbb\xbf\xef\xbb\xbfa: 1\n", "\ufeffa: 1\n", id="the second mark is text"),
        pytest.param(b"\xff\xfea\x00\n\x00", "a\n", id="UTF-16, little end first"),
        pytest.param(b"\xfe\xff\x00a\x00\n", "a\n", id="UTF-16, big end first"),
        pytest.param(b"", "", id="nothing"),
        pytest.param(b"a:\t1\r\n\xc2\x85\xe2\x80\xa8\n", "a:\t1\r\n\x85\u2028\n", id="tab and all line breaks"),
    ],
)
def test_decode_and_back(data, text):
    decoded = decode(data, FILE)
    assert decoded.text == text
    assert decoded.encode(text) == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(
            b"a: 1\nb: x\xff\n", "app.yaml:2:5: byte 0xFF is not UTF-8 text: save the file as UTF-8", id="no UTF-8"
        ),
        pytest.param(
            "é: é\xe9".encode("latin-1"),
            "app.yaml:1:1: byte 0xE9 is not UTF-8 text: save the file as UTF-8",
            id="Latin-1",
        ),
        pytest.param(
            "é: ".encode() + b"\xc3", "app.yaml:1:4: byte 0xC3 is not UTF-8 text: save the file as UTF-8", id="cut off"
        ),
        pytest.param(
            b"\xed\xa0\x80", "app.yaml:1:1: byte 0xED is not UTF-8 text: save the file as UTF-8", id="surrogate"
        ),
        pytest.param(
            b"\xff\xfea\x00\n", "app.yaml:1:2: broken UTF-16 text: save the file as UTF-8", id="half a character"
        ),
        pytest.param(
            b"a: 1\n\x00b",
            "app.yaml:2:1: control character NUL: of these only tab and line breaks may stand in YAML",
            id="NUL",
        ),
        pytest.param(
            b"a: \x7f",
            "app.yaml:1:4: control character U+007F: of these only tab and line breaks may stand in YAML",
            id="delete",
        ),
        pytest.param(
            "é\x80".encode(),
            "app.yaml:1:2: control character U+0080: of these only tab and line breaks may stand in YAML",
            id="C1",
        ),
        pytest.param(
            "\ufffe".encode(),
            "app.yaml:1:1: control character U+FFFE: of these only tab and line breaks may stand in YAML",
            id="no character",
        ),
        pytest.param(
            b"\xff\xfe\x00\x00",
            "app.yaml:1:1: control character NUL: of these only tab and line breaks may stand in YAML",
            id="UTF-32",
        ),
    ],
)
def test_what_is_no_text(data, message):
    with pytest.raises(InputError) as error:
        decode(data, FILE)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "character", [chr(code) for code in [*range(0x100), 0xD7FF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000]]
)
def test_characters_are_those_libyaml_takes(character):
    def decodes():
        return decode(f"# {character}".encode(), FILE)

    def loads():
        return load(f"# {character}", SIGS, FILE)

    assert refused(decodes) == refused(loads)


def refused(run) -> bool:
    try:
        run()
    except InputError:
        return True
    return False


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(
            b"\xff\xfea\x00\n\x00",
            "app.yaml: kubectl breaks UTF-16 text of this form: save the file as UTF-8",
            id="little end first",
        ),
        pytest.param(
            b"\xfe\xff\x00a",
            "app.yaml: kubectl breaks UTF-16 text of this form: save the file as UTF-8",
            id="no line break at the end",
        ),
    ],
)
def test_utf16_that_kubectl_breaks(data, message):
    with pytest.raises(InputError) as error:
        decode(data, FILE, KUBECTL)
    assert str(error.value) == message


def pieces(text, dialect):
    return [(text[chunk.start : chunk.end], chunk.line, chunk.dialect) for chunk in split(text, dialect, FILE)]


ALL = (KUBECTL, SIGS, KYAML)


@pytest.mark.parametrize(
    ("text", "dialects", "documents"),
    [
        pytest.param("a: 1\n", (*ALL, KYAML_NODE), [("a: 1\n", 1)], id="one"),
        pytest.param("", ALL, [("", 1)], id="nothing"),
        pytest.param("a: 1\n---\nb: 2\n", ALL, [("a: 1\n", 1), ("---\nb: 2\n", 2)], id="two"),
        pytest.param("a: 1\n---\nb: 2\n", (KYAML_NODE,), [("a: 1\n---\nb: 2\n", 1)], id="uncut"),
        pytest.param("---\na: 1\n---\n", (KUBECTL, SIGS), [("---\na: 1\n", 1), ("---\n", 3)], id="separators around"),
        pytest.param(
            "a\n--- # c\n# d\n---\t\nb\n", ALL, [("a\n", 1), ("--- # c\n# d\n", 2), ("---\t\nb\n", 4)], id="comments"
        ),
        pytest.param("a\r\n---\r\nb\r\n", ALL, [("a\r\n", 1), ("---\r\nb\r\n", 2)], id="CR LF"),
        pytest.param("a: |\n  ---\n ---\nb: 1\n", ALL, [("a: |\n  ---\n ---\nb: 1\n", 1)], id="indented dashes"),
        pytest.param("a\n---\n---\nb\n", (SIGS,), [("a\n", 1), ("---\n", 2), ("---\nb\n", 3)], id="empty one"),
        pytest.param(
            "a\n---\n---\nb\n",
            (KUBECTL, KYAML),
            [("a\n", 1), ("---\n---\nb\n", 2)],
            id="separator that starts a document",
        ),
        pytest.param("a\n---", (KUBECTL, SIGS), [("a\n", 1), ("---", 2)], id="separator at the end"),
        pytest.param("a\n---", (KYAML,), [("a\n---", 1)], id="kustomize wants a line break behind it"),
        pytest.param(
            "--- {a: 1}\n---\nb\n",
            (SIGS, KYAML),
            [("--- {a: 1}\n", 1), ("---\nb\n", 2)],
            id="content on the first line",
        ),
        pytest.param("a\n...\nb\n---\nc\n", ALL, [("a\n...\nb\n", 1), ("---\nc\n", 4)], id="end marks do not cut"),
    ],
)
def test_split(text, dialects, documents):
    for dialect in dialects:
        assert pieces(text, dialect) == [(*document, dialect) for document in documents]


@pytest.mark.parametrize(
    ("text", "dialects", "message"),
    [
        pytest.param(
            "a: 1\n--- x\n",
            (KUBECTL, KYAML),
            "app.yaml:2:1: malformed separator '--- x': only a comment may follow '---'",
            id="word",
        ),
        pytest.param(
            "a: 1\n---x\n",
            ALL,
            "app.yaml:2:1: malformed separator '---x': only a comment may follow '---'",
            id="word at once",
        ),
        pytest.param(
            "a: 1\n----\n",
            ALL,
            "app.yaml:2:1: malformed separator '----': only a comment may follow '---'",
            id="four dashes",
        ),
        pytest.param(
            "--- {a: 1}\n",
            (KUBECTL,),
            "app.yaml:1:1: malformed separator '--- {a: 1}': only a comment may follow '---'",
            id="content",
        ),
        pytest.param(
            f"a\n--- {'x' * 100}\n",
            (KUBECTL,),
            f"app.yaml:2:1: malformed separator '--- {'x' * 56}': only a comment may follow '---'",
            id="long",
        ),
    ],
)
def test_malformed_separators(text, dialects, message):
    for dialect in dialects:
        with pytest.raises(InputError) as error:
            split(text, dialect, FILE)
        assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        pytest.param('{"a": 1}\n', [('{"a": 1}\n', 1, JSON)], id="one value"),
        pytest.param(
            '\n{"a": 1} {}\n[2]', [('\n{"a": 1}', 1, JSON), (" {}", 2, JSON), ("\n[2]", 2, JSON)], id="several"
        ),
        pytest.param(
            '{"a": 1}\n---\nb: 2\n---\n{}\n',
            [('{"a": 1}\n', 1, JSON), ("---\nb: 2\n", 2, SIGS), ("---\n{}\n", 4, KUBECTL)],
            id="YAML after the first",
        ),
        pytest.param('{"a": 1}  b: 2\n', [('{"a": 1}  ', 1, JSON), ("b: 2\n", 1, KUBECTL)], id="YAML on the same line"),
        pytest.param(
            "{a: 1}\n---\nb: 2\n", [("{a: 1}\n", 1, KUBECTL), ("---\nb: 2\n", 2, KUBECTL)], id="no JSON at all"
        ),
        pytest.param(" \n\n{a: 1}\n", [(" \n\n{a: 1}\n", 1, KUBECTL)], id="the same behind space"),
    ],
)
def test_json_streams(text, documents):
    assert pieces(text, KUBECTL) == documents


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "{} {}\nx: 1\n", "app.yaml:2:1: this is no JSON: a value is wanted here", id="no YAML after the second"
        ),
        pytest.param('{"a": 1}\nx', "app.yaml:2:1: this is no JSON: a value is wanted here", id="too short to be YAML"),
    ],
)
def test_broken_json_streams(text, message):
    with pytest.raises(InputError) as error:
        split(text, KUBECTL, FILE)
    assert str(error.value) == message


@pytest.mark.parametrize("dialect", [KUBECTL, SIGS, KYAML, KYAML_NODE])
@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from([fuzz_yaml.stream, fuzz_yaml.json_stream, fuzz_yaml.tree]))
def test_chunks_joined_are_the_text(dialect, seed, kind):
    text = fuzz_yaml.drawn(kind, seed)
    try:
        chunks = split(text, dialect)
    except InputError:
        return
    assert "".join(text[chunk.start : chunk.end] for chunk in chunks) == text
    assert [chunk.line for chunk in chunks] == [text.count("\n", 0, chunk.start) + 1 for chunk in chunks]


WORD = b"nvidia.com/gpu"


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(b"nvidia.com/gpu: 1\n", id="as it is"),
        pytest.param(b"# nvidia.com/gpu\n", id="in a comment: who knows"),
        pytest.param(b'"nvidia\\x2ecom/gpu": 1\n', id="hexadecimal"),
        pytest.param(b'"nvidia\\u002ecom/gpu": 1\n', id="four digits"),
        pytest.param(b'"nvidia\\U0000002ecom/gpu": 1\n', id="eight digits"),
        pytest.param(b'{"nvidia.com\\/gpu": 1}\n', id="slash of JSON"),
        pytest.param(b'"nvidia\\\n   .com/gpu": 1\n', id="escaped line break"),
        pytest.param(b'"nvidia\\\r\n   .com/gpu": 1\n', id="escaped CR LF"),
        pytest.param('"nvidia\\\x85   .com/gpu": 1\n'.encode(), id="escaped next line"),
        pytest.param('"nvidia\\\u2028   .com/gpu": 1\n'.encode(), id="escaped line separator"),
        pytest.param(b"!!binary bnZpZGlhLmNvbS9ncHU=: 1\n", id="base64"),
        pytest.param(b"!!bin%61ry bnZpZGlhLmNvbS9ncHU=: 1\n", id="base64 with a hidden tag"),
        pytest.param(
            b"%TAG !b! tag:yaml.org,2002:bin\n---\n!b!ary bnZpZGlhLmNvbS9ncHU=: 1\n", id="base64 with a handle"
        ),
    ],
)
def test_a_word_cannot_hide(document):
    assert is_relevant(document, [b"other", WORD])


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(b"a: nvidia.com\nb: /gpu\n", id="parts of it"),
        pytest.param(b'a: "100%! \\n \\t \\" \\\\"\n', id="harmless escapes"),
        pytest.param(b"!x a: 50% !\n", id="a tag and a per cent sign apart"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_what_is_passed_over(document):
    assert not is_relevant(document, [b"other", WORD])


def test_a_word_with_a_space_is_sought_in_parts():
    assert is_relevant(b"a: aligned\n   devices\n", [b"aligned devices"])
    assert not is_relevant(b"a: aligned\n", [b"aligned devices"])


@given(
    st.lists(
        st.sampled_from([b"", b"a: x\n", b"a: gpu\n", b"b: nic\n", b"gpu nic", b"a: *b\n", b"!x%", b'"\\x41"']),
        max_size=8,
    )
)
def test_a_sieve_says_of_each_document_what_it_would_say_of_it_alone(documents):
    words = [b"gpu", b"nic", b"two words"]
    sieve = Sieve(b"---\n".join(documents), words)
    assert [sieve.finds(document) for document in documents] == [is_relevant(one, words) for one in documents]


SPELLINGS = {
    "plain": str,
    "hexadecimal": lambda c: f"\\x{ord(c):02x}",
    "four digits": lambda c: f"\\u{ord(c):04X}",
    "eight digits": lambda c: f"\\U{ord(c):08x}",
    "escaped break before": lambda c: f"\\\n   {c}",
    "escaped CR LF before": lambda c: f"\\\r\n {c}",
    "tag": lambda c: f"%{ord(c):02x}",
}


@settings(max_examples=500, deadline=None)
@given(data=st.data())
def test_no_document_that_holds_a_word_is_passed_over(data):
    """Texts are drawn around a short word, in every quoting, and read by every reader."""
    word = "gpu"
    letters = data.draw(st.lists(st.sampled_from([*word, "a", " ", "\n  ", "\n", "/", "!", "%"]), max_size=8))
    spelled = [
        data.draw(st.sampled_from(list(SPELLINGS.values())))(letter) if len(letter) == 1 else letter
        for letter in [*letters, *word]
    ]
    form = data.draw(
        st.sampled_from(
            [
                "a: {}\n",
                'a: "{}"\n',
                "a: '{}'\n",
                "a: |\n  {}\n",
                "a: >\n  {}\n",
                '["{}"]',
                '{{"{}": 1}}',
                "!!{} eA==",
                "&{} x",
            ]
        )
    )
    text = form.format("".join(spelled))
    held = any(word in scalar for dialect in (SIGS, KUBECTL, KYAML) for scalar in scalars(text, dialect))
    if held:
        assert is_relevant(text.encode(), [word.encode()])


@settings(max_examples=500, deadline=None)
@given(
    seed=st.integers(0, 2**32), word=st.sampled_from(["key", "nvidia.com/gpu", "deeper", "z", "x", "h\ufffd", "y z"])
)
def test_no_scalar_of_a_random_document_is_missed(seed, word):
    text = fuzz_yaml.drawn(fuzz_yaml.tree, seed)
    held = any(word in scalar for scalar in scalars(text, SIGS))
    assert is_relevant(text.encode(), [word.encode()]) or not held


def scalars(text, dialect):
    """Every text in a document: of keys, values and what they stand for."""
    try:
        pending = [compose(text, dialect, FILE)]
        values = [load(text, dialect, FILE).value]
    except InputError:
        return
    while pending:
        node = pending.pop()
        yield node.value if node.kind == "scalar" else ""
        pending.extend([*node.items, *(part for entry in node.entries for part in entry)])
    while values:
        value = values.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            values.extend([*value, *value.values()])
        elif isinstance(value, list):
            values.extend(value)
