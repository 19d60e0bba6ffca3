"""Spelling of scalars so that every reader of Kubernetes manifests takes them for the same value.

Readers differ in what a bare word means (YAML 1.1 with its ``y``, ``1:30`` and ``1_000``, go-yaml v2 and v3, YAML 1.2;
``conformance/yaml`` has their answers). A string is written bare only where none of them can take it for anything else.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_WORDS = frozenset(
    ("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "none", "nan", "inf", "infinity")
)
# Numbers in all bases, with exponents, ``_``, sexagesimal ones and timestamps are made of these alone.
_NUMERIC = frozenset("0123456789abcdefABCDEFxXoO_+-.:tTzZ ")
_FLOW_MARKS = frozenset(",[]{}:?#&*!|>'\"%@`")
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def is_plain(text: str, *, flow: bool) -> bool:
    """Whether a string may stand without quotes, in block context or within ``{}`` and ``[]``."""
    if not text or not text.isprintable() or text.lower() in _WORDS:
        return False
    first = text[0]
    if "0" <= first <= "9":
        if _NUMERIC.issuperset(text):
            return False
    elif not first.isalpha() and first != "/":
        return False
    if text[-1] in " :" or ": " in text or " #" in text:
        return False
    return not flow or _FLOW_MARKS.isdisjoint(text)


def double_quoted(text: str) -> str:
    """Return the string in double quotes, with escapes that YAML and JSON share."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    short = _SHORT_ESCAPES.get(character)
    if short is not None:
        return short
    if character.isprintable() or character > "\uffff":
        return character
    return f"\\u{ord(character):04x}"


def quoted(text: str, quote: str = '"') -> str:
    """Return the string in quotes: in ``quote`` where it can, without escapes where either kind can."""
    free = text.isprintable()
    if quote == "'" and free:
        return "'" + text.replace("'", "''") + "'"
    if free and ('"' in text or "\\" in text) and "'" not in text:
        return f"'{text}'"
    return double_quoted(text)


def string(text: str, *, flow: bool, quote: str = "") -> str:
    """Return the string on one line: bare where ``quote`` is empty and every reader agrees, else quoted."""
    if not quote and is_plain(text, flow=flow):
        return text
    return quoted(text, quote or '"')


def literal(text: str) -> tuple[str, list[str]] | None:
    """Return header and content lines of a ``|`` block, or None where such a block would not be exact.

    Lines of blanks only, blanks that begin the text, and more than one line break at its end depend on indentation
    indicators and on what follows, which not all readers treat alike.
    """
    body = text.removesuffix("\n")
    lines = body.split("\n")
    if "\n" not in text or not body.replace("\n", "").replace("\t", "").isprintable():
        return None
    if lines[0][:1] in ("", " ", "\t") or not lines[-1]:
        return None
    if any(line[0] in " \t" and (line[0] == "\t" or not line.strip()) for line in lines if line):
        return None
    return ("|" if body is not text else "|-"), lines


def bare(value: Any) -> str:
    """Return null, a boolean or a number as all readers, JSON's too, understand it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return _float(value)


def _float(value: float) -> str:
    if value != value:  # noqa: PLR0124  not-a-number alone differs from itself
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    digits, mark, exponent = repr(value).partition("e")
    # YAML 1.1 takes ``1e+16`` for a string
    return f"{digits}{'' if '.' in digits or not mark else '.0'}{mark}{exponent}"
