"""``'%d of %s'.format([…])`` as the strings extension (before version 4) writes it, for the locale en_US.

Source: cel-go ext/formatting.go; Go's fmt; golang.org/x/text/message for ``%f`` and ``%e``.
"""

from __future__ import annotations

from dralign.cel.functions.conversions import to_string
from dralign.cel.functions.readers import double
from dralign.cel.values import LISTS, CelError, Duration, Map, Timestamp, TypeValue, Uint, type_name
from dralign.record import Record
from dralign.values import gotext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dralign.cel.values import Value

_DEFAULT_PRECISION = 6
_DIGITS = "0123456789"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SPELLED = ("NaN", "Infinity", "-Infinity")


class Clause(Record):
    """One ``%`` clause: its letter, precision if it was given, and the number of its argument."""

    letter: str
    precision: int | None
    argument: int


def clauses(pattern: str, arguments: int) -> Iterator[str | Clause]:
    """Yield the plain texts and clauses of a format string one by one.

    Raises CelError in cel-go's words at the clause that is malformed or finds no argument.
    """
    number = 0
    plain, percent, rest = pattern.partition("%")
    while percent:
        yield plain
        if rest[:1] == "%":
            yield "%"
            plain, percent, rest = rest[1:].partition("%")
            continue
        if number >= arguments:
            raise CelError(f"index {number} out of range")
        if not rest:
            raise CelError("unexpected end of string")
        letter, precision, rest = _read_clause(rest)
        yield Clause(letter, precision, number)
        number += 1
        plain, percent, rest = rest.partition("%")
    yield plain


def format_text(pattern: str, arguments: Value) -> str:
    """``pattern.format(arguments)``."""
    parts = []
    for part in clauses(pattern, len(arguments)):
        if isinstance(part, str):
            parts.append(part)
            continue
        try:
            parts.append(_CLAUSES[part.letter](arguments[part.argument], part.precision))
        except CelError as error:
            raise CelError(f"error during formatting: {error.message}") from None
    return "".join(parts)


def _read_clause(text: str) -> tuple[str, int | None, str]:
    """Read ``.3f`` at the start; returns letter, precision, and what follows."""
    precision = None
    if text[0] == ".":
        rest = text[1:].lstrip(_DIGITS)
        digits = text[1 : len(text) - len(rest)]
        wrong = "could not parse formatting clause: error while parsing precision: "
        if not rest:
            raise CelError(wrong + "could not find end of precision specifier")
        if not digits or int(digits[:400]) >= 1 << 63:
            fault = "value out of range" if digits else "invalid syntax"
            quoted = gotext.quote(digits)
            raise CelError(
                f"{wrong}error while converting precision to integer: strconv.Atoi: parsing {quoted}: {fault}"
            )
        precision, text = int(digits), rest
    letter = text[0]
    if letter not in _CLAUSES:
        first_byte = chr(letter.encode("utf-8", "surrogatepass")[0])
        raise CelError(f'could not parse formatting clause: unrecognized formatting clause "{first_byte}"')
    return letter, precision, text[1:]


def _string(value: Value, _: int | None = None) -> str:
    kind = type(value)
    if kind is str:
        return str(value)
    if value is None:
        return "null"
    if kind is TypeValue:
        return str(value.name)
    if kind in LISTS:
        return "[" + ", ".join(map(_literal, value)) + "]"
    if kind is Map:
        entries = sorted((_map_key(key), _literal(value.find(key))) for key in value)
        return "{" + ", ".join(f"{key}:{item}" for key, item in entries) + "}"
    if kind not in (bool, int, Uint, float, bytes, Duration, Timestamp):
        raise CelError(
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
            f"and timestamps, was given {type_name(value)}"
        )
    try:
        return to_string(value)
    except CelError as error:
        raise CelError(f"could not convert argument {gotext.quote(error.message)} to string") from None


def _literal(value: Value) -> str:
    """Write an element of a list or map as CEL would."""
    kind = type(value)
    if kind is str:
        return gotext.quote(value)
    if kind is bytes:
        return "b" + gotext.quote(_string(value))
    if kind is float:
        return f"{value:.{_DEFAULT_PRECISION}f}" if _is_finite(value) else f'"{to_string(value)}"'
    if kind in (Duration, Timestamp):
        return f'{"duration" if kind is Duration else "timestamp"}("{to_string(value)}")'
    if kind not in (type(None), bool, int, Uint, TypeValue, Map, *LISTS):
        raise CelError(f"no formatting function for {type_name(value)}")
    return _string(value)


def _map_key(key: Value) -> str:
    if type(key) not in (str, bool, int, Uint):
        raise CelError(f"no formatting function for map key of type {type_name(key)}")
    return _literal(key)


def _decimal(value: Value, _: int | None) -> str:
    if type(value) not in (int, Uint):
        raise CelError(f"decimal clause can only be used on integers, was given {type_name(value)}")
    return str(int(value))


def _fixed(value: Value, precision: int | None) -> str:
    number = _double(value, "fixed-point")
    if not _is_finite(number):
        return _not_finite(number)
    text = f"{abs(number):,.{_DEFAULT_PRECISION if precision is None else precision}f}"
    return "-" + text if number < 0 else text


def _scientific(value: Value, width: int | None) -> str:
    """Write with six decimals: cel-go passes the precision on as the width."""
    number = _double(value, "scientific")
    if _is_finite(number):
        mantissa, _, exponent = f"{abs(number):.{_DEFAULT_PRECISION}e}".partition("e")
        text = f"{'-' if number < 0 else ''}{mantissa}\u00d710{exponent.lstrip('+').translate(_SUPERSCRIPTS)}"
    else:
        text = _not_finite(number)
    return text.rjust(_DEFAULT_PRECISION if width is None else width)


def _double(value: Value, clause: str) -> float:
    number = double(value) if type(value) is str and value in _SPELLED else value
    if type(number) is not float:
        raise CelError(f"{clause} clause can only be used on doubles, was given {type_name(value)}")
    return number


def _is_finite(number: float) -> bool:
    return number - number == 0


def _not_finite(number: float) -> str:
    if number > 0:
        return "\u221e"
    return "-\u221e" if number < 0 else "NaN"


def _binary(value: Value, _: int | None) -> str:
    if type(value) not in (bool, int, Uint):
        raise CelError(f"only integers and bools can be formatted as binary, was given {type_name(value)}")
    return f"{int(value):b}"


def _octal(value: Value, _: int | None) -> str:
    if type(value) not in (int, Uint):
        raise CelError(f"octal clause can only be used on integers, was given {type_name(value)}")
    return f"{int(value):o}"


def _hex(value: Value, _: int | None) -> str:
    if type(value) in (str, bytes):
        data = value.encode("utf-8", "surrogatepass") if type(value) is str else value
        return str(data.hex())
    if type(value) not in (int, Uint):
        raise CelError(
            f"only integers, byte buffers, and strings can be formatted as hex, was given {type_name(value)}"
        )
    return f"{int(value):x}"


def _upper_hex(value: Value, _: int | None) -> str:
    return _hex(value, None).upper()


_CLAUSES: dict[str, Callable[[Value, int | None], str]] = {
    "s": _string,
    "d": _decimal,
    "f": _fixed,
    "e": _scientific,
    "b": _binary,
    "o": _octal,
    "x": _hex,
    "X": _upper_hex,
}
