"""Strict decoding: what fits a Go type, and what is said of what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.admission import schema
from dralign.admission.decode import Decoder, Misfit

CLAIM = schema.kind_of("resource.k8s.io/v1", "ResourceClaim", 37)
POD = schema.kind_of("v1", "Pod", 37)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    "apiVersion",
    "metadata",
    "name",
    "spec",
    "devices",
    "requests",
    "exactly",
    "count",
    "selectors",
    "containers",
)
NEARLY_OBJECTS = st.recursive(
    ANY_JSON,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=20,
).filter(lambda value: isinstance(value, dict))


def decode(type_, value, minor=37):
    decoder = Decoder(type_, minor)
    return decoder.decode(value), decoder


@pytest.mark.parametrize(
    ("value", "decoded"),
    [
        pytest.param({"spec": None}, {}, id="null is absent"),
        pytest.param({"metadata": {"name": ""}}, {"metadata": {}}, id="an empty text is absent"),
        pytest.param(
            {"spec": {"activeDeadlineSeconds": 0}}, {"spec": {"activeDeadlineSeconds": 0}}, id="but not 0 here"
        ),
        pytest.param({"metadata": {"labels": {"a": None}}}, {"metadata": {"labels": {"a": ""}}}, id="null in a map"),
        pytest.param({"spec": {"containers": [None]}}, {"spec": {"containers": [{}]}}, id="null in a list"),
    ],
)
def test_what_is_left_of_an_object(value, decoded):
    assert decode(POD, value)[0] == decoded


@pytest.mark.parametrize(
    ("value", "at", "message"),
    [
        pytest.param(
            {"spec": {"containers": {}}},
            ("spec", "containers"),
            "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
            id="object for a list",
        ),
        pytest.param(
            {"spec": {"priority": 1.0}},
            ("spec", "priority"),
            "json: cannot unmarshal number 1.0 into Go struct field PodSpec.spec.priority of type int32",
            id="a whole number with a point",
        ),
        pytest.param(
            {"spec": {"priority": 2**31}},
            ("spec", "priority"),
            "json: cannot unmarshal number 2147483648 into Go struct field PodSpec.spec.priority of type int32",
            id="too large a number",
        ),
        pytest.param(
            {"metadata": {"labels": {"a": True}}},
            ("metadata", "labels", "a"),
            "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string",
            id="bool as a label",
        ),
    ],
)
def test_the_first_misfit_is_reported(value, at, message):
    assert decode(POD, value)[1].misfit == (at, message)


def test_a_quantity_that_cannot_be_read_ends_the_decoding():
    with pytest.raises(Misfit, match="quantities must match") as raised:
        decode(POD, {"spec": {"overhead": {"cpu": "a lot"}, "priority": "x"}})
    assert raised.value.at == ("spec", "overhead", "cpu")


def test_unknown_fields_come_with_the_type_that_lacks_them():
    _, decoder = decode(CLAIM, {"spec": {"devices": {"requests": [{"nam": "a"}], "x": 1}}})
    assert [(at, type_.name) for at, type_ in decoder.unknown] == [
        (("spec", "devices", "requests", 0, "nam"), "DeviceRequest"),
        (("spec", "devices", "x"), "DeviceClaim"),
    ]


@given(value=NEARLY_OBJECTS, minor=st.integers(34, 37))
def test_anything_decodes_or_is_a_misfit(value, minor):
    decoder = Decoder(CLAIM, minor)
    try:
        decoded = decoder.decode(value)
    except Misfit as found:
        decoded, words = None, found.message
    else:
        words = decoder.misfit[1] if decoder.misfit else ""
    assert words or decoder.unknown or decoded == Decoder(CLAIM, minor).decode(decoded)
