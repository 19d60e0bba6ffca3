"""Formats of names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.admission import names

TEXTS = st.text(st.sampled_from("aZ0-._/ é"), max_size=70)
LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
SUBDOMAIN = re.compile(rf"{LABEL.pattern}(\.{LABEL.pattern})*")
KEY_NAME = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@given(TEXTS)
def test_the_formats_are_what_their_regular_expressions_say(text):
    assert (names.dns_label(text) == []) == bool(LABEL.fullmatch(text) and len(text) <= 63)
    assert (names.dns_subdomain(text) == []) == bool(SUBDOMAIN.fullmatch(text) and len(text) <= 253)
    assert (names.c_identifier(text) == []) == bool(IDENTIFIER.fullmatch(text))
    assert (names.label_value(text) == []) == (not text or bool(KEY_NAME.fullmatch(text) and len(text) <= 63))


@given(TEXTS)
def test_a_label_key_is_a_name_with_or_without_a_domain(text):
    prefix, slash, name = text.partition("/")
    if not slash:
        prefix, name = "", text
    good = KEY_NAME.fullmatch(name) and len(name) <= 63 and (not slash or SUBDOMAIN.fullmatch(prefix))
    assert (names.label_key(text) == []) == bool(good)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("a.b", "must not contain dots", id="dots"),
        pytest.param("a" * 64, "must be no more than 63 characters", id="too long"),
    ],
)
def test_words_for_a_bad_label(text, words):
    assert names.dns_label(text) == [words]
