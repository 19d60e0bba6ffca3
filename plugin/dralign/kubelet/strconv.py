"""Numbers and truth values in texts, as Go's ``strconv`` reads them and complains of them."""

from __future__ import annotations

from dralign.values.gotext import quote

_DIGITS = frozenset("0123456789")
_TRUE = frozenset(("1", "t", "T", "true", "TRUE", "True"))
_FALSE = frozenset(("0", "f", "F", "false", "FALSE", "False"))
_INT64 = 1 << 63
_FLOAT = frozenset("0123456789+-.eE")
_NOT_NUMBERS = frozenset(("inf", "infinity", "nan"))


def atoi(text: str) -> int:
    """Read a decimal int64, sign allowed. Raises ValueError with the words of ``strconv.Atoi``."""
    body = text[1:] if text[:1] in ("+", "-") else text
    if not body or not _DIGITS.issuperset(body):
        raise ValueError(f"strconv.Atoi: parsing {quote(text)}: invalid syntax")
    digits = body.lstrip("0") or "0"
    number = int(digits) if len(digits) < 20 else _INT64 * 2
    number = -number if text[0] == "-" else number
    if not -_INT64 <= number < _INT64:
        raise ValueError(f"strconv.Atoi: parsing {quote(text)}: value out of range")
    return number


def parse_bool(text: str) -> bool:
    """Read a truth value. Raises ValueError with the words of ``strconv.ParseBool``."""
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError(f"strconv.ParseBool: parsing {quote(text)}: invalid syntax")


def parse_float32(text: str) -> float:
    """Read a number as ``strconv.ParseFloat(text, 32)`` does, hexadecimal ones apart. Raises ValueError with its words."""
    if not _FLOAT.issuperset(text) and text.lstrip("+-").lower() not in _NOT_NUMBERS:
        raise ValueError(f"strconv.ParseFloat: parsing {quote(text)}: invalid syntax")
    try:
        return float32(float(text))
    except ValueError:
        raise ValueError(f"strconv.ParseFloat: parsing {quote(text)}: invalid syntax") from None
    except OverflowError:
        raise ValueError(f"strconv.ParseFloat: parsing {quote(text)}: value out of range") from None


def float32(number: float) -> float:
    """Round to single precision. OverflowError if it is too large for that."""
    from struct import pack, unpack  # noqa: PLC0415 - only percentages need it

    return float(unpack("<f", pack("<f", number))[0])
