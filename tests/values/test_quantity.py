"""Quantities: reading, canonical text, order, sums, and the conversions that Kubernetes offers."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dralign.values.quantity import BINARY_SI, DECIMAL_EXPONENT, DECIMAL_SI, Quantity

MAX_INT64 = 2**63 - 1


def exact(quantity):
    return quantity.unscaled * Fraction(10) ** quantity.scale


TEXTS = st.builds(
    lambda sign, whole, decimals, suffix: f"{sign}{whole}{decimals}{suffix}",
    st.sampled_from(["", "+", "-"]),
    st.integers(0, 10**25).map(str),
    st.one_of(st.just(""), st.integers(0, 10**12).map(lambda number: f".{number}")),
    st.sampled_from(["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-2"]),
)
QUANTITIES = TEXTS.map(Quantity.parse)


@pytest.mark.parametrize(
    ("text", "canonical", "fmt"),
    [
        pytest.param("40Gi", "40Gi", BINARY_SI, id="binary"),
        pytest.param("1024Mi", "1Gi", BINARY_SI, id="binary, in the largest unit that stays whole"),
        pytest.param("1.5Gi", "1536Mi", BINARY_SI, id="binary with decimals"),
        pytest.param("512", "512", DECIMAL_SI, id="plain"),
        pytest.param("0.5", "500m", DECIMAL_SI, id="a fraction in thousandths"),
        pytest.param("1000k", "1M", DECIMAL_SI, id="decimal, in the largest unit"),
        pytest.param("1e3", "1e3", DECIMAL_EXPONENT, id="an exponent stays one"),
        pytest.param("0.5Ki", "512", BINARY_SI, id="below one unit there is no suffix"),
        pytest.param("0.1n", "1n", DECIMAL_SI, id="beyond nano it is rounded up"),
        pytest.param("-0.1n", "-1n", DECIMAL_SI, id="rounding goes away from zero"),
        pytest.param("+.5", "500m", DECIMAL_SI, id="sign and point without digits before it"),
        pytest.param("-0", "0", DECIMAL_SI, id="there is one zero"),
        pytest.param("100m", "100m", DECIMAL_SI, id="milli"),
    ],
)
def test_reading_and_canonical_text(text, canonical, fmt):
    quantity = Quantity.parse(text)
    assert (str(quantity), quantity.format) == (canonical, fmt)
    assert repr(quantity) == f"Quantity('{canonical}')"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "quantities must match", id="empty"),
        pytest.param("1 Gi", "quantities must match", id="a space"),
        pytest.param("1g", "quantities must match", id="a letter of no suffix"),
        pytest.param("1kk", "unable to parse quantity's suffix", id="no such suffix"),
        pytest.param("1e", "unable to parse quantity's suffix", id="an exponent without digits"),
        pytest.param("one", "quantities must match", id="no number"),
        pytest.param("1.5.", "quantities must match", id="two points"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(ValueError) as caught:
        Quantity.parse(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        pytest.param("1Gi", "1024Mi", 0, id="by value, not by text"),
        pytest.param("1G", "1Gi", -1, id="decimal units are smaller"),
        pytest.param("1", "999m", 1, id="units of different size"),
        pytest.param("-1", "0", -1, id="negative"),
        pytest.param("1e999999999", "1e-999999999", 1, id="billions of places apart"),
        pytest.param("-1e999999999", "1", -1, id="hugely negative"),
    ],
)
def test_order(left, right, order):
    a, b = Quantity.parse(left), Quantity.parse(right)
    assert (a.compare(b), b.compare(a)) == (order, -order)
    assert (a < b, a <= b, a == b, a >= b, a > b) == (order < 0, order <= 0, order == 0, order >= 0, order > 0)
    assert a != "1"


@pytest.mark.parametrize(
    ("text", "whole", "ceil", "milli", "as_int64"),
    [
        pytest.param("1500m", False, 2, 1500, None, id="a fraction"),
        pytest.param("-1500m", False, -2, -1500, None, id="rounded away from zero"),
        pytest.param("2000m", True, 2, 2000, None, id="whole, but stored in thousandths"),
        pytest.param("2", True, 2, 2000, 2, id="whole"),
        pytest.param("0", True, 0, 0, 0, id="zero"),
        pytest.param("1Gi", True, 2**30, 2**30 * 1000, 2**30, id="memory"),
        pytest.param("1e30", True, MAX_INT64, MAX_INT64, None, id="held within an int64"),
        pytest.param("1n", False, 1, 1, None, id="the smallest"),
    ],
)
def test_conversions(text, whole, ceil, milli, as_int64):
    quantity = Quantity.parse(text)
    assert (quantity.is_whole, quantity.ceil(), quantity.milli(), quantity.as_int64()) == (whole, ceil, milli, as_int64)
    assert quantity.scaled_value() == quantity.ceil() or text == "1e30"
    assert bool(quantity) == (text != "0")


@pytest.mark.parametrize(
    ("left", "right", "total", "difference"),
    [
        pytest.param("1Gi", "1", "1073741825", "1073741823", id="the left one's format"),
        pytest.param("0", "1Gi", "1Gi", "-1Gi", id="the right one's if the left is zero"),
        pytest.param("1", "500m", "1500m", "500m", id="of different scale"),
        pytest.param("9223372036854775807", "1", "9223372036854775808", "9223372036854775806", id="beyond an int64"),
    ],
)
def test_sums(left, right, total, difference):
    a, b = Quantity.parse(left), Quantity.parse(right)
    assert (str(a + b), str(a - b)) == (total, difference)


def test_sums_of_numbers_too_far_apart_are_refused():
    with pytest.raises(OverflowError):
        Quantity.parse("1e99999999") + Quantity.parse("1")


def test_of_makes_the_quantity_of_a_number():
    assert (Quantity.of(3), str(Quantity.of(2048, BINARY_SI))) == (Quantity.parse("3"), "2Ki")


@given(TEXTS)
def test_the_canonical_text_gives_the_same_quantity(text):
    quantity = Quantity.parse(text)
    assume(quantity.format != DECIMAL_SI or not quantity or exact(quantity) % 10**21)  # 1000E is written as 1
    again = Quantity.parse(str(quantity))
    assert (exact(again), str(again)) == (exact(quantity), str(quantity))


@given(QUANTITIES, QUANTITIES)
def test_order_and_hash_go_by_value(a, b):
    assert a.compare(b) == (exact(a) > exact(b)) - (exact(a) < exact(b))
    assert (a == b) == (exact(a) == exact(b))
    assert hash(a) == hash(b) or a != b


@given(QUANTITIES, QUANTITIES)
def test_sums_are_exact(a, b):
    assert exact(a + b) == exact(a) + exact(b)
    assert exact(a - b) == exact(a) - exact(b)
    assert (a + b) - b == a


@given(QUANTITIES)
def test_rounding_goes_away_from_zero_to_the_next_whole_number(quantity):
    value = exact(quantity)
    rounded = -(-abs(value) // 1)
    assert abs(quantity.ceil()) == min(rounded, MAX_INT64)
    assert quantity.ceil() * value >= 0
    assert quantity.is_whole == (value == int(value))


@given(QUANTITIES)
def test_the_approximate_double_is_near(quantity):
    assert quantity.approximate() == pytest.approx(float(exact(quantity)), rel=1e-12)


@given(st.text(alphabet="0123456789+-.eEkKMGTPinum ", max_size=12))
def test_any_text_is_read_or_refused(text):
    try:
        quantity = Quantity.parse(text)
    except ValueError as error:
        assert str(error).startswith(("quantities must match", "unable to parse"))  # noqa: PT017  most texts are read
    else:
        assert Quantity.parse(str(quantity)) == quantity
