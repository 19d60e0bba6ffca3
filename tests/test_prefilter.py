"""The prefilter never misses: what it leaves unparsed holds none of the words, however it is spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.errors import InputError
from dralign.yamlio import KUBECTL, KYAML, SIGS, is_relevant, load

WORDS = (b"nvidia.com", b"resourceClaim")


def scalars(value):
    """Yield every text of plain data, keys included."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from scalars(item)
    elif isinstance(value, list):
        for item in value:
            yield from scalars(item)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('a: "nv\\x69dia.com/gpu"', id="hex escape"),
        pytest.param('a: "\\u006evidia.com/gpu"', id="unicode escape"),
        pytest.param('a: "\\U0000006evidia.com"', id="long escape"),
        pytest.param('a: "nvi\\\n  dia.com"', id="escaped line break"),
        pytest.param('a: "nvi\\\r\n  dia.com"', id="escaped CR LF"),
        pytest.param('a: "nvi\\\u2028  dia.com"', id="escaped line separator"),
        pytest.param('a: "nvi\\\x85dia.com"', id="escaped next line"),
        pytest.param("a: !!binary bnZpZGlhLmNvbQ==", id="base64"),
        pytest.param("a: !<tag:yaml.org,2002:binary> bnZpZGlhLmNvbQ==", id="base64 with the whole tag"),
        pytest.param("a: !!bin%61ry bnZpZGlhLmNvbQ==", id="base64 with an escaped tag"),
        pytest.param(
            "%TAG !x! tag:yaml.org,2002:bin\n---\na: !x!ary bnZpZGlhLmNvbQ==", id="base64 with a tag of one's own"
        ),
        pytest.param("a: 'nvidia.com/gpu'", id="single quotes"),
        pytest.param("? nvidia.com/gpu\n: 1", id="an explicit key"),
        pytest.param('{"a": "resource\\u0043laim"}', id="JSON"),
        pytest.param("a: *nobody", id="an alias without its anchor"),
        pytest.param("a: [1, *nobody]", id="one in a list"),
    ],
)
def test_hiding_places_are_known(text):
    assert is_relevant(text.encode(), WORDS)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: b\n", id="nothing"),
        pytest.param("schedule: '*/5 * * * *'\n", id="stars of cron"),
        pytest.param("a: &x 1\nb: *x\n", id="an alias with its anchor"),
        pytest.param("a: 100%!\n", id="a per cent sign that is no tag"),
        pytest.param("a: C:\\temp\n", id="a backslash that is no escape"),
    ],
)
def test_what_needs_no_parsing_is_left_alone(text):
    assert not is_relevant(text.encode(), WORDS)


letters = st.sampled_from("nvidiacom./resourceClaim:-#&*!%\"'\\{}[],|> \n\t0169uxU\x85\u2028")
pieces = st.sampled_from(
    [
        "nvidia.com",
        "nv\\x69dia.com",
        "resource",
        "Claim",
        "&a ",
        "*a",
        "!!binary ",
        "!<x%79>",
        '"',
        "'",
        "\\\n",
        "\\u006e",
        "- ",
        ": ",
        "\n",
        "? ",
        "bnZpZGlhLmNvbQ==",
        "%TAG ! !!bin\n---\n",
        "!ary ",
    ]
)
texts = st.lists(st.one_of(pieces, letters), max_size=30).map("".join)


@given(texts, st.sampled_from([KUBECTL, SIGS, KYAML]))
def test_it_never_misses(text, dialect):
    if is_relevant(text.encode(), WORDS):
        return
    try:
        value = load(text, dialect, "x", 1).value
    except InputError:
        return
    for scalar in scalars(value):
        assert not any(word.decode() in scalar for word in WORDS), scalar


@given(st.text(alphabet="nvidia.com\\x69u", max_size=20), st.sampled_from(['a: "{}"', '- "{}"', '{{"a": "{}"}}']))
def test_it_never_misses_in_double_quotes(inner, frame):
    text = frame.format(inner)
    if not is_relevant(text.encode(), WORDS):
        try:
            value = load(text, KUBECTL, "x", 1).value
        except InputError:
            return
        assert not any("nvidia.com" in scalar for scalar in scalars(value))
