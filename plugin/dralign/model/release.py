"""Puts versions of a driver in the order of its release lines, however the version is written."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Releases = tuple[tuple[str, ...], ...]

_RANKS: dict[tuple[Releases, str], int] = {}


def rank(releases: Releases, version: str) -> int:
    """Return the place of the release line that a version belongs to, 0 for the oldest known.

    Leading ``v``, missing or additional parts do not matter. A version between two lines counts as the older one; a
    text without numbers, and a number above all known ones, as the latest.

    Args:
        releases: release lines, oldest first, each with all the ways to call it: version, older numbering, date.
        version: any text.
    """
    key = releases, version
    if key not in _RANKS:
        _RANKS[key] = _rank(releases, numbers_of(version))
    return _RANKS[key]


def _rank(releases: Releases, wanted: tuple[int, ...]) -> int:
    lines = [(numbers_of(alias), place) for place, line in enumerate(releases) for alias in line]
    series = [(numbers, place) for numbers, place in lines if wanted[:1] == numbers[:1]]
    if not series:
        newer = not wanted or all(wanted > numbers for numbers, _ in lines)
        return max(len(releases) - 1, 0) if newer else 0
    below = [item for item in series if item[0] <= wanted]
    return max(below)[1] if below else max(min(series)[1] - 1, 0)


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the numbers of a version in order: 'v0.4.1' is (0, 4, 1), '2026-03-09' is (2026, 3, 9)."""
    text = "".join(char if char in "0123456789" else " " for char in version[:40])
    return tuple(int(part) for part in text.split())
