"""Sets of characters, as sorted tuples of ranges ``(first, last)`` of code points.

Source: Go's regexp/syntax (perl_groups.go, parse.go) and unicode packages.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Range = tuple[int, int]
    Charset = tuple[Range, ...]

MAX_RUNE = 0x10FFFF
ANY: Charset = ((0, MAX_RUNE),)
NOT_NEWLINE: Charset = ((0, 9), (11, MAX_RUNE))

_DIGIT: Charset = ((0x30, 0x39),)
_UPPER: Charset = ((0x41, 0x5A),)
_LOWER: Charset = ((0x61, 0x7A),)
_ALPHA: Charset = (*_UPPER, *_LOWER)
_ALNUM: Charset = (*_DIGIT, *_ALPHA)
_WORD: Charset = (*_DIGIT, *_UPPER, (0x5F, 0x5F), *_LOWER)

PERL: dict[str, Charset] = {"d": _DIGIT, "s": ((0x9, 0xA), (0xC, 0xD), (0x20, 0x20)), "w": _WORD}
"""Letter behind the backslash -> set; the upper-case letter stands for all others."""

POSIX: dict[str, Charset] = {
    "alnum": _ALNUM,
    "alpha": _ALPHA,
    "ascii": ((0, 0x7F),),
    "blank": ((0x9, 0x9), (0x20, 0x20)),
    "cntrl": ((0, 0x1F), (0x7F, 0x7F)),
    "digit": _DIGIT,
    "graph": ((0x21, 0x7E),),
    "lower": _LOWER,
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": ((0x9, 0xD), (0x20, 0x20)),
    "upper": _UPPER,
    "word": _WORD,
    "xdigit": (*_DIGIT, (0x41, 0x46), (0x61, 0x66)),
}

_FOLDED_END = 0x1E943  # the last character that has another case


def normal(ranges: Iterable[Range]) -> Charset:
    """Sort ranges and join those that touch."""
    joined: list[Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)


def complement(charset: Charset) -> Charset:
    """Return all other characters."""
    others = []
    start = 0
    for first, last in charset:
        if start < first:
            others.append((start, first - 1))
        start = last + 1
    if start <= MAX_RUNE:
        others.append((start, MAX_RUNE))
    return tuple(others)


def contains(charset: Charset, code: int) -> bool:
    """Tell whether a character is in a set."""
    return any(first <= code <= last for first, last in charset)


def folded(charset: Sequence[Range]) -> Charset:
    """Add the other cases of all characters."""
    ranges = list(charset)
    for first, last in charset:
        for code in range(first, min(last, _FOLDED_END) + 1):
            ranges.extend((other, other) for other in other_cases(code))
    return normal(ranges)


def other_cases(code: int) -> tuple[int, ...]:
    """Return the characters that differ from one only in case, by simple case folding."""
    if code < 0x80:
        char = chr(code)
        if not char.isalpha():
            return ()
        other = ord(char.swapcase())
        extra = {"k": (0x212A,), "s": (0x017F,)}.get(char.lower(), ())
        return (other, *extra)
    return _orbits().get(code, ())


_orbit_table: dict[int, tuple[int, ...]] = {}
_WITHOUT_SIMPLE_CASE = (0x130, 0x131)  # dotted I and dotless i fold in Turkish only


def _orbits() -> dict[int, tuple[int, ...]]:
    """Build, once, the table of all characters that differ only in case."""
    if not _orbit_table:
        groups: dict[str, set[int]] = {}
        for code in range(0x41, _FOLDED_END + 1):
            char = chr(code)
            if code in _WITHOUT_SIMPLE_CASE or char.lower() == char.upper():
                continue
            key = char.upper().lower() if len(char.upper()) == 1 else char.lower()
            groups.setdefault(key if len(key) == 1 else char, set()).add(code)
        for group in groups.values():
            for code in group:
                _orbit_table[code] = tuple(sorted(group - {code}))
    return _orbit_table
