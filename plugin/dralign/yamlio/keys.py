"""Keys of maps: YAML takes anything, JSON only strings."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_INT64 = 1 << 63


def key_text(kind: str, value: Any) -> str | None:
    """Return the string that ``sigs.k8s.io/yaml`` writes a key as, or None where it refuses the key.

    Numbers are written anew: ``0x10`` is ``16``, and a float has the digits of a 32-bit one. Source:
    ``convertToJSONableObject`` in ``yaml.go``.
    """
    if kind in ("str", "timestamp", "tagged"):
        return str(value)
    if kind == "bool":
        return "true" if value else "false"
    if kind == "int":
        return str(value) if value < _INT64 else None
    if kind == "float":
        return _float_text(value)
    return None


def _float_text(value: float) -> str:
    """Write as ``strconv.FormatFloat(value, 'g', -1, 32)``, with YAML's names for what is no number."""
    single = _single(value)
    if single != single:  # noqa: PLR0124  not a number
        return ".nan"
    if single in (float("inf"), float("-inf")):
        return ".inf" if single > 0 else "-.inf"
    digits = next(text for text in (f"{single:.{places}e}" for places in range(17)) if _single(float(text)) == single)
    mantissa, _, exponent = digits.partition("e")
    power = int(exponent)
    if -4 <= power < 6:
        return _positional(mantissa, power)
    return f"{mantissa}e{power:+03}"


def _positional(mantissa: str, power: int) -> str:
    sign = "-" if mantissa[0] == "-" else ""
    digits = mantissa.lstrip("-").replace(".", "")
    if power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    whole = digits[: power + 1].ljust(power + 1, "0")
    fraction = digits[power + 1 :]
    return f"{sign}{whole}.{fraction}" if fraction else sign + whole


def _single(value: float) -> float:
    import struct  # noqa: PLC0415  for the rare number as a key only

    try:
        single: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return single
