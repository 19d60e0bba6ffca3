"""Semantic versions: reading, order, canonical text, and the normalisation that CEL offers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralign.values.semver import Semver

NUMBERS = st.integers(0, 2**64 - 1)
WORDS = st.from_regex(r"[0-9A-Za-z-]*[A-Za-z-][0-9A-Za-z-]*", fullmatch=True)
PRERELEASES = st.lists(st.one_of(NUMBERS, WORDS), max_size=3).map(tuple)
BUILDS = st.lists(st.from_regex(r"[0-9A-Za-z-]+", fullmatch=True), max_size=2).map(tuple)
VERSIONS = st.builds(Semver, st.tuples(NUMBERS, NUMBERS, NUMBERS), PRERELEASES, BUILDS)

IN_ORDER = [  # the specification's own example, and numbers beside it
    "0.0.1",
    "1.0.0-0",
    "1.0.0-2",
    "1.0.0-11",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.2.0",
    "1.10.0",
    "10.0.0",
]


def test_order():
    versions = [Semver.parse(text) for text in IN_ORDER]
    for index, version in enumerate(versions):
        for place, other in enumerate(versions):
            assert version.compare(other) == (index > place) - (index < place)
            assert (version < other, version <= other) == (index < place, index <= place)
            assert (version > other, version >= other) == (index > place, index >= place)
            assert (version == other) == (index == place)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "Version string empty", id="empty"),
        pytest.param("1.2", "No Major.Minor.Patch elements found", id="too short"),
        pytest.param("v1.2.3", 'Invalid character(s) found in major number "v1"', id="a leading v"),
        pytest.param("01.2.3", 'Major number must not contain leading zeroes "01"', id="a leading zero"),
        pytest.param("1.2.3-", "Prerelease is empty", id="nothing behind the dash"),
        pytest.param("1.2.3-01", 'Numeric PreRelease version must not contain leading zeroes "01"', id="prerelease 01"),
        pytest.param("1.2.3-a_b", 'Invalid character(s) found in prerelease "a_b"', id="an underscore"),
        pytest.param("1.2.3+", "Build meta data is empty", id="nothing behind the plus"),
        pytest.param("1.2.3+é", 'Invalid character(s) found in build meta data "é"', id="a letter beyond ASCII"),
        pytest.param("1.2.99999999999999999999", "strconv.ParseUint: parsing", id="more than 64 bits"),
        pytest.param("1..3", 'strconv.ParseUint: parsing "": invalid syntax', id="a number without digits"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(ValueError) as caught:
        Semver.parse(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        pytest.param("v1.2.3", "1.2.3", id="a leading v"),
        pytest.param("1", "1.0.0", id="one number"),
        pytest.param("1.2", "1.2.0", id="two numbers"),
        pytest.param("01.02.03", "1.2.3", id="leading zeros"),
        pytest.param("1.2.003-rc1", "1.2.3-rc1", id="a prerelease stays"),
        pytest.param("v1.00.0", "1.0.0", id="nothing but zeros"),
    ],
)
def test_normalisation(text, canonical):
    assert str(Semver.parse(text, normalize=True)) == canonical


def test_short_versions_have_no_prerelease():
    with pytest.raises(ValueError, match="short version cannot contain"):
        Semver.parse("1.2-rc1", normalize=True)


def test_build_metadata_does_not_count():
    one, other = Semver.parse("1.2.3+a"), Semver.parse("1.2.3+b")
    assert (one == other, hash(one) == hash(other), str(one)) == (True, True, "1.2.3+a")
    assert one != "1.2.3+a"
    assert repr(one) == "Semver('1.2.3+a')"


@given(VERSIONS)
def test_the_canonical_text_gives_the_same_version(version):
    again = Semver.parse(str(version))
    assert (again, again.prerelease, again.build) == (version, version.prerelease, version.build)
    assert Semver.parse(f"v{version}", normalize=True) == version


@given(VERSIONS, VERSIONS, VERSIONS)
def test_order_is_total(a, b, c):
    assert a.compare(b) == -b.compare(a)
    assert (a == b) == (a.compare(b) == 0)
    assert hash(a) == hash(b) or a != b
    assert a <= c or a > b or b > c


@given(st.text(alphabet="0123456789.-+av", max_size=12))
def test_any_text_is_read_or_refused(text):
    try:
        version = Semver.parse(text)
    except ValueError:
        return
    assert Semver.parse(str(version)) == version
