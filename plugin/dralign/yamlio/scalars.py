"""What a scalar means to each reader.

Sources: ``resolve.go`` of go.yaml.in/yaml v2.4.4 (sigs.k8s.io/yaml) and v3.0.4 (kyaml). Both accept more numbers than
YAML 1.1 or 1.2 do: every integer that Go's ``strconv.ParseInt(s, 0, 64)`` takes, with underscores anywhere behind the
first character, and whatever looks like a decimal float. v2 alone has the booleans ``y n yes no on off``, v3 alone
turns a date into a time.
"""

from __future__ import annotations

from dralign.yamlio.timestamps import ScalarError, timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

TAG_PREFIX = "tag:yaml.org,2002:"

# tags whose text go-yaml checks -> what the text should be
_CHECKED = {
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "null": "null",
    "timestamp": "date or time",
}
_INT64 = 1 << 63
_UINT64 = 1 << 64
_LONGEST_UINT64 = 20
_NUMBER_START = frozenset("0123456789+-")
_BASES = {"x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2}
_DIGITS = {
    2: frozenset("01"),
    8: frozenset("01234567"),
    10: frozenset("0123456789"),
    16: frozenset("0123456789abcdefABCDEF"),
}


def _spelled(tag: str, value: object, *words: str) -> dict[str, tuple[str, Any]]:
    return {spelling: (tag, value) for word in words for spelling in (word, word.title(), word.upper())}


_WORDS_V3 = {
    "": ("null", None),
    "~": ("null", None),
    **_spelled("null", None, "null"),
    **_spelled("bool", True, "true"),
    **_spelled("bool", False, "false"),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), ("float", float("nan"))),
    **_spelled("float", float("inf"), ".inf", "+.inf"),
    **_spelled("float", float("-inf"), "-.inf"),
}
_WORDS_V2 = _WORDS_V3 | _spelled("bool", True, "y", "yes", "on") | _spelled("bool", False, "n", "no", "off")


def resolve_v2(value: str) -> tuple[str, Any]:
    """Return kind and value of an untagged plain scalar for go-yaml v2, which leaves a time the string it is."""
    kind, found = _resolve(value, _WORDS_V2, "b")
    return (kind, value) if kind == "timestamp" else (kind, found)


def resolve_v3(value: str) -> tuple[str, Any]:
    """Return kind and value of an untagged plain scalar for go-yaml v3; a time is the text that JSON gives it.

    Raises:
        ScalarError: a time that Go cannot write as JSON.
    """
    return _resolve(value, _WORDS_V3, "bo")


def convert(tag: str, value: str, resolve: Callable[[str], tuple[str, Any]]) -> tuple[str, Any]:
    """Return kind and value of a scalar with a tag.

    A tag that is not YAML's own makes it a string of the kind ``tagged``; so does ``!!binary``.

    Args:
        tag: with its handle resolved.
        value: text of the scalar.
        resolve: ``resolve_v2`` or ``resolve_v3``.

    Raises:
        ScalarError: the text is not what the tag says.
    """
    wanted = tag.removeprefix(TAG_PREFIX) if tag.startswith(TAG_PREFIX) else ""
    if wanted == "binary":
        return "tagged", _binary(value)
    if wanted not in _CHECKED:
        return ("str" if wanted == "str" else "tagged"), value
    kind, found = resolve(value)
    if kind == wanted:
        return kind, found
    if wanted == "float" and kind == "int" and found < _INT64:
        return wanted, float(found)
    raise ScalarError(f"'{value}' is no {_CHECKED[wanted]}, as its tag !!{wanted} says it is")


def _binary(value: str) -> str:
    """Decode as Go does: line breaks are skipped, and each byte that is no UTF-8 becomes U+FFFD in JSON."""
    import binascii  # noqa: PLC0415  for the rare tag only

    try:
        data = binascii.a2b_base64(value.replace("\r", "").replace("\n", ""), strict_mode=True)
    except ValueError as error:
        raise ScalarError("the text is no base64, as its tag !!binary says it is") from error
    text = data.decode("utf-8", "surrogateescape")
    return text if text.isascii() else "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in text)


def _resolve(value: str, words: Mapping[str, tuple[str, Any]], signed_bases: str) -> tuple[str, Any]:
    known = words.get(value)
    if known is not None:
        return known
    first = value[0]
    if first == ".":
        number = _decimal(value.replace("_", "")) if _between_digits(value) else None
        return ("str", value) if number is None else ("float", number)
    if first not in _NUMBER_START:
        return "str", value
    moment = timestamp(value)
    return _number(value, signed_bases) if moment is None else ("timestamp", moment)


def _number(value: str, signed_bases: str) -> tuple[str, Any]:
    plain = value.replace("_", "") if "_" in value else value
    whole = _integer(plain)
    if whole is not None:
        return "int", whole
    number = _decimal(plain)
    if number is not None:
        return "float", number
    whole = _signed_behind_prefix(plain, signed_bases)
    return ("str", value) if whole is None else ("int", whole)


def _integer(text: str) -> int | None:
    """Read as ``strconv.ParseInt(text, 0, 64)`` does, or else ``ParseUint``."""
    digits = _unsigned(text)
    signed = digits != text
    base = 10
    if digits[:1] == "0" and len(digits) > 1:
        base = _BASES.get(digits[1], 0) if len(digits) > 2 else 0
        digits = digits[2:] if base else digits[1:]
        base = base or 8
    if not digits or not _DIGITS[base].issuperset(digits):
        return None
    if base == 10 and len(digits) > _LONGEST_UINT64:
        return None
    size = int(digits, base)
    if not signed:
        return size if size < _UINT64 else None
    if text[0] == "-":
        return -size if size <= _INT64 else None
    return size if size < _INT64 else None


def _signed_behind_prefix(text: str, bases: str) -> int | None:
    """Read ``0b-11``: the sign may stand behind the prefix, since go-yaml cuts that off by itself."""
    if text[:1] != "0" or text[1:2] not in bases or text[2:3] not in ("+", "-"):
        return None
    base = _BASES[text[1]]
    digits = text[3:]
    if not digits or not _DIGITS[base].issuperset(digits):
        return None
    size = int(text[2:], base)
    return size if -_INT64 <= size < _INT64 else None


def _decimal(text: str) -> float | None:
    r"""Read ``[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?``; too large for a float is no number."""
    mantissa, mark, exponent = text.replace("E", "e").partition("e")
    if mark and not _all_digits(_unsigned(exponent)):
        return None
    whole, _, fraction = _unsigned(mantissa).partition(".")
    if not _all_digits(whole + fraction):
        return None
    number = float(text)
    return None if number in (float("inf"), float("-inf")) else number


def _between_digits(text: str) -> bool:
    """Whether each underscore stands between digits, where ``strconv.ParseFloat`` takes it."""
    parts = text.split("_")
    return all(part[-1:] in _DIGITS[10] for part in parts[:-1]) and all(part[:1] in _DIGITS[10] for part in parts[1:])


def _unsigned(text: str) -> str:
    return text[1:] if text[:1] in ("+", "-") else text


def _all_digits(text: str) -> bool:
    return bool(text) and _DIGITS[10].issuperset(text)
