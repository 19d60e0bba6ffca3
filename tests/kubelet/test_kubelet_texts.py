"""Lists of CPUs, durations and numbers as the kubelet reads and writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.kubelet import cpulists, durations, strconv


@pytest.mark.parametrize(
    ("text", "cpus"),
    [
        pytest.param("", set(), id="nothing"),
        pytest.param("3", {3}, id="one"),
        pytest.param("0-2,8", {0, 1, 2, 8}, id="range and one"),
        pytest.param("1-1", {1}, id="range of one"),
        pytest.param("2,2,+1", {1, 2}, id="twice, with a sign"),
    ],
)
def test_lists_are_read(text, cpus):
    assert cpulists.parse(text) == cpus


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("0-", 'strconv.Atoi: parsing "": invalid syntax', id="open range"),
        pytest.param("-1", 'strconv.Atoi: parsing "": invalid syntax', id="negative"),
        pytest.param("1-0", 'invalid range "1-0" (1 > 0)', id="backwards"),
        pytest.param("0, 1", 'strconv.Atoi: parsing " 1": invalid syntax', id="blank"),
        pytest.param("0x1", 'strconv.Atoi: parsing "0x1": invalid syntax', id="hexadecimal"),
        pytest.param(
            "99999999999999999999",
            'strconv.Atoi: parsing "99999999999999999999": value out of range',
            id="too large",
        ),
        pytest.param("0-4294967295", 'range "0-4294967295" holds more than 65536 CPUs', id="endless"),
    ],
)
def test_lists_are_refused(text, message):
    with pytest.raises(ValueError) as found:
        cpulists.parse(text)
    assert str(found.value) == message


@given(st.frozensets(st.integers(0, 300)))
def test_lists_come_back(cpus):
    assert cpulists.parse(cpulists.write(cpus)) == cpus


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        pytest.param("0", 0, id="zero needs no unit"),
        pytest.param("1h2m3.5s", 3723_500_000_000, id="several units"),
        pytest.param("-1.5ms", -1_500_000, id="negative"),
        pytest.param(".5s", 500_000_000, id="no digit before the point"),
        pytest.param("1\u00b5s", 1000, id="micro sign"),
        pytest.param("2562047h47m16.854775807s", (1 << 63) - 1, id="the longest"),
    ],
)
def test_durations_are_read(text, nanoseconds):
    assert durations.parse(text) == nanoseconds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", 'time: invalid duration ""', id="empty"),
        pytest.param("10", 'time: missing unit in duration "10"', id="no unit"),
        pytest.param("1x", 'time: unknown unit "x" in duration "1x"', id="unknown unit"),
        pytest.param("s", 'time: invalid duration "s"', id="no number"),
        pytest.param("2562047h47m16.854775808s", 'time: invalid duration "2562047h47m16.854775808s"', id="too long"),
        pytest.param("9" * 400 + "h", f'time: invalid duration "{"9" * 400}h"', id="far too long"),
    ],
)
def test_durations_are_refused(text, message):
    with pytest.raises(ValueError) as found:
        durations.parse(text)
    assert str(found.value) == message


@given(st.integers(-(1 << 63) + 1, (1 << 63) - 1))
def test_durations_come_back(nanoseconds):
    assert durations.parse(durations.write(nanoseconds)) == nanoseconds


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        pytest.param(0, "0s", id="zero"),
        pytest.param(1100, "1.1\u00b5s", id="microseconds"),
        pytest.param(100_000_000, "100ms", id="milliseconds"),
        pytest.param(90_000_000_000, "1m30s", id="minutes"),
        pytest.param(-3600_000_000_000, "-1h0m0s", id="a negative hour"),
    ],
)
def test_durations_are_written(nanoseconds, text):
    assert durations.write(nanoseconds) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("33.3", 33.29999923706055, id="rounded to single precision"),
        pytest.param("1e1", 10.0, id="exponent"),
        pytest.param("-inf", float("-inf"), id="infinite"),
    ],
)
def test_single_precision(text, number):
    assert strconv.parse_float32(text) == number


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("1_0", 'strconv.ParseFloat: parsing "1_0": invalid syntax', id="underscore"),
        pytest.param("", 'strconv.ParseFloat: parsing "": invalid syntax', id="empty"),
        pytest.param("1e39", 'strconv.ParseFloat: parsing "1e39": value out of range', id="too large"),
    ],
)
def test_no_single_precision(text, message):
    with pytest.raises(ValueError) as found:
        strconv.parse_float32(text)
    assert str(found.value) == message
