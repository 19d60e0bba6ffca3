"""Words of the user: patterns that they fit, and near misses, which known word a wrong one was meant to be."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def fits(word: str, pattern: str) -> bool:
    """Say whether a word fits a pattern in which ``*`` stands for anything, ``?`` for one character."""
    if not any(mark in pattern for mark in "*?["):
        return word == pattern
    from fnmatch import fnmatchcase  # noqa: PLC0415 -- slow to import, and most patterns are plain words

    return fnmatchcase(word, pattern)


def nearest(word: str, known: Iterable[str], *, alike: float = 0.6) -> str | None:
    """Return the known word that ``word`` most looks like, or None where none is close enough to suggest.

    ``alike`` is the share of letters that both must have in common; short words need more of it.
    """
    from difflib import get_close_matches  # noqa: PLC0415 -- slow to import, needed for faults only

    close = get_close_matches(word, list(known), n=1, cutoff=alike)
    return close[0] if close else None


def is_slip(word: str, other: str) -> bool:
    """Say whether two names differ by one slip of the hand: a letter left out, added, changed, or two swapped.

    Digits are no slips: ``gpu-1`` and ``gpu-2`` are two names. Short words are left alone.
    """
    if min(len(word), len(other)) < 4 or word == other:
        return False
    head = next(
        (i for i, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), min(len(word), len(other))
    )
    a, b = word[head:], other[head:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    swapped = len(a) == len(b) == 2 and a == b[::-1]
    return (swapped or max(len(a), len(b)) == 1) and not any(char.isdigit() for char in a + b)


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return ``, did you mean 'x'?`` or nothing."""
    close = nearest(word, known)
    return f", did you mean '{close}'?" if close else ""
