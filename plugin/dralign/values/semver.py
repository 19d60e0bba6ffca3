"""Semantic versions as device attributes hold them and CEL's ``semver()`` reads them.

Source: github.com/blang/semver/v4 (reading, order, wording) and k8s.io/apiserver/pkg/cel/library/semverlib.go
(normalisation). Numbers are unsigned 64-bit.
"""

from __future__ import annotations

from dralign.values import gotext

_DIGITS = "0123456789"
_ALPHANUMERIC = _DIGITS + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"
_MAX_UINT64 = (1 << 64) - 1


class Semver:
    """An immutable semantic version. Compares and hashes by precedence: build metadata does not count."""

    __slots__ = ("_key", "build", "major", "minor", "patch", "prerelease")

    def __init__(
        self, numbers: tuple[int, int, int], prerelease: tuple[int | str, ...] = (), build: tuple[str, ...] = ()
    ) -> None:
        self.major, self.minor, self.patch = numbers
        self.prerelease = prerelease
        self.build = build
        # A release ranks above its pre-releases, and there numbers rank below words.
        ranks = tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in prerelease)
        self._key = (*numbers, not prerelease, ranks)

    @classmethod
    def parse(cls, text: str, *, normalize: bool = False) -> Semver:
        """Read a version; ``normalize`` drops a leading v and leading zeros and fills in missing numbers.

        Raises ValueError with the words of the Go library.
        """
        return _read(_normalized(text) if normalize else text)

    def compare(self, other: Semver) -> int:
        """Return -1, 0 or 1 by precedence."""
        return (self._key > other._key) - (self._key < other._key)

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Semver) else NotImplemented

    def __lt__(self, other: Semver) -> bool:
        return self._key < other._key

    def __le__(self, other: Semver) -> bool:
        return self._key <= other._key

    def __gt__(self, other: Semver) -> bool:
        return self._key > other._key

    def __ge__(self, other: Semver) -> bool:
        return self._key >= other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        """Return the canonical text."""
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.prerelease:
            text += "-" + ".".join(map(str, self.prerelease))
        return text + "+" + ".".join(self.build) if self.build else text

    def __repr__(self) -> str:
        return f"Semver({str(self)!r})"


def _normalized(text: str) -> str:
    parts = [_without_leading_zeros(part) for part in text.removeprefix("v").split(".", 2)]
    if len(parts) < 3 and ("+" in parts[-1] or "-" in parts[-1]):
        raise ValueError("short version cannot contain PreRelease/Build meta data")
    return ".".join(parts + ["0"] * (3 - len(parts)))


def _without_leading_zeros(part: str) -> str:
    if len(part.encode(errors="surrogatepass")) <= 1:
        return part
    part = part.lstrip("0")
    return part if part[:1] and part[0] in _DIGITS else "0" + part


def _read(text: str) -> Semver:
    if not text:
        raise ValueError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise ValueError("No Major.Minor.Patch elements found")
    major, minor = _number(parts[0], "Major"), _number(parts[1], "Minor")
    rest, plus, build = parts[2].partition("+")
    rest, dash, prerelease = rest.partition("-")
    patch = _number(rest, "Patch")
    return Semver(
        (major, minor, patch),
        tuple(_prerelease(part) for part in prerelease.split(".")) if dash else (),
        tuple(_build(part) for part in build.split(".")) if plus else (),
    )


def _number(text: str, name: str) -> int:
    if text.strip(_DIGITS):
        raise ValueError(f"Invalid character(s) found in {name.lower()} number {gotext.quote(text)}")
    if len(text) > 1 and text[0] == "0":
        raise ValueError(f"{name} number must not contain leading zeroes {gotext.quote(text)}")
    return _uint64(text)


def _prerelease(text: str) -> int | str:
    if not text:
        raise ValueError("Prerelease is empty")
    if text.strip(_DIGITS):
        if text.strip(_ALPHANUMERIC):
            raise ValueError(f"Invalid character(s) found in prerelease {gotext.quote(text)}")
        return text
    if len(text) > 1 and text[0] == "0":
        raise ValueError(f"Numeric PreRelease version must not contain leading zeroes {gotext.quote(text)}")
    return _uint64(text)


def _build(text: str) -> str:
    if not text:
        raise ValueError("Build meta data is empty")
    if text.strip(_ALPHANUMERIC):
        raise ValueError(f"Invalid character(s) found in build meta data {gotext.quote(text)}")
    return text


def _uint64(digits: str) -> int:
    """Read digits without leading zeros as Go's ``strconv.ParseUint`` does."""
    if not digits:
        raise ValueError('strconv.ParseUint: parsing "": invalid syntax')
    if len(digits) > 20 or int(digits) > _MAX_UINT64:
        raise ValueError(f"strconv.ParseUint: parsing {gotext.quote(digits)}: value out of range")
    return int(digits)
