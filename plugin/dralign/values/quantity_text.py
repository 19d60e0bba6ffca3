"""Reading and writing the text of a quantity: ``resource.ParseQuantity`` and ``CanonicalizeBytes``."""

from __future__ import annotations

from dralign.values import digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Format = Literal["DecimalSI", "BinarySI", "DecimalExponent"]
    Parts = tuple[int, int, Format, bool]  # unscaled, scale, format, compact

DECIMAL_SI: Format = "DecimalSI"
BINARY_SI: Format = "BinarySI"
DECIMAL_EXPONENT: Format = "DecimalExponent"

WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
WRONG_NUMBER = "unable to parse numeric part of quantity"
WRONG_SUFFIX = "unable to parse quantity's suffix"

_DECIMAL_EXPONENTS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_EXPONENTS = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIXES = {exponent: suffix for suffix, exponent in _DECIMAL_EXPONENTS.items()}
_BINARY_SUFFIXES = {exponent: suffix for suffix, exponent in _BINARY_EXPONENTS.items()}

_DIGITS = "0123456789"
_SUFFIX_LETTERS = "eEinumkKMGTP"
_NANO = -9
_MAX_INT64 = (1 << 63) - 1
_COMPACT_DIGITS = 18  # so many decimal digits always fit an int64
_COMPACT_BINARY_DIGITS = 14  # likewise with a binary suffix, less three for each step of 2**10
_MAX_SHIFT = 100_000  # zeros that bringing a number to nano may add; Kubernetes would add any number


def read(text: str) -> Parts:
    """Read a quantity into number, power of ten, format and whether an int64 holds the number.

    Raises ValueError with Kubernetes' words.
    """
    negative = text[:1] == "-"
    body = text[1:] if text[:1] in ("-", "+") else text
    if not text:
        raise ValueError(WRONG_FORMAT)
    whole, fraction, suffix = _split(body.lstrip("0"))
    if suffix is None:
        raise ValueError(WRONG_FORMAT)
    exponent, fmt = _interpret(suffix)
    if _is_compact(len(whole or "0") + len(fraction), len(fraction), exponent, fmt):
        number, scale, compact = digits.to_int(whole + fraction or "0"), _int32(exponent - len(fraction)), True
        if fmt == BINARY_SI:
            number, scale = number << exponent, 0
    else:
        if body[:1] not in _DIGITS and not fraction and not whole:
            raise ValueError(WRONG_NUMBER)
        number, scale, fmt = _as_decimal(digits.to_int(whole + fraction or "0"), exponent, len(fraction), fmt)
        compact = False
    return -number if negative else number, scale, fmt, compact


def write(unscaled: int, scale: int, fmt: Format) -> str:
    """Write the canonical text: no fraction, largest suffix; binary only where that is exact and 1Ki or more."""
    mantissa, zeros = digits.strip_zeros(unscaled)
    exponent = scale + zeros
    if mantissa == 0:
        return "0"
    if fmt == BINARY_SI and exponent >= 0 and abs(number := mantissa * 10**exponent) >= 1024:
        return _write_binary(number)
    number = digits.to_text(mantissa * 10 ** (exponent % 3))
    exponent -= exponent % 3
    if fmt == DECIMAL_EXPONENT:
        return f"{number}e{exponent}" if exponent else number
    return number + _DECIMAL_SUFFIXES.get(exponent, "")  # without a name there is no suffix: 1000E is written as 1


def _split(body: str) -> tuple[str, str, str | None]:
    """Split what follows sign and zeros into digits, digits after the point, and suffix (None if it is malformed)."""
    rest = body.lstrip(_DIGITS)
    whole, fraction = body[: len(body) - len(rest)], ""
    if rest[:1] == ".":
        after = rest[1:]
        rest = after.lstrip(_DIGITS)
        fraction = after[: len(after) - len(rest)]
    number = rest.lstrip(_SUFFIX_LETTERS)
    if number[:1] in ("-", "+"):
        number = number[1:]
    return whole, fraction, None if number.lstrip(_DIGITS) else rest


def _interpret(suffix: str) -> tuple[int, Format]:
    """Look a suffix up: power of ten (of two for binary ones) and format."""
    if suffix in _DECIMAL_EXPONENTS:
        return _DECIMAL_EXPONENTS[suffix], DECIMAL_SI
    if suffix in _BINARY_EXPONENTS:
        return _BINARY_EXPONENTS[suffix], BINARY_SI
    number = suffix[1:].lstrip("+-")
    if suffix[:1] not in ("e", "E") or not number or number.strip(_DIGITS):
        raise ValueError(WRONG_SUFFIX)
    exponent = digits.to_int(number)
    if suffix[1] == "-":
        exponent = -exponent
    if not -_MAX_INT64 - 1 <= exponent <= _MAX_INT64:
        raise ValueError(WRONG_SUFFIX)
    return _int32(exponent), DECIMAL_EXPONENT


def _is_compact(total: int, decimals: int, exponent: int, fmt: Format) -> bool:
    """Tell whether Kubernetes stores a number of so many digits as an int64."""
    if fmt == BINARY_SI:
        return decimals == 0 and total <= _COMPACT_BINARY_DIGITS - exponent * 3 // 10
    return total <= _COMPACT_DIGITS and _int32(exponent - decimals) >= _NANO


def _as_decimal(number: int, exponent: int, decimals: int, fmt: Format) -> tuple[int, int, Format]:
    """Store a number as a decimal: rounded up to nano, binary ones held at 2**63-1, small binary ones made decimal."""
    if fmt != BINARY_SI:
        return *_to_nano(number, _int32(exponent - decimals)), fmt
    number, scale = _to_nano(number << exponent, -decimals)
    if number > _MAX_INT64 * 10**-scale:
        return _MAX_INT64, 0, fmt
    return number, scale, DECIMAL_SI if 0 < number < 10**-scale else fmt


def _to_nano(number: int, scale: int) -> tuple[int, int]:
    shift = scale - _NANO
    if number == 0 or shift > _MAX_SHIFT:
        return number, scale
    if shift >= 0:
        return number * 10**shift, _NANO
    if number.bit_length() < -shift:
        return 1, _NANO
    return -(-number // 10**-shift), _NANO


def _write_binary(number: int) -> str:
    steps = ((number & -number).bit_length() - 1) // 10
    return digits.to_text(number >> 10 * steps) + _BINARY_SUFFIXES.get(10 * steps, "")


def _int32(number: int) -> int:
    """Wrap as Go's conversion to int32 does."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)
