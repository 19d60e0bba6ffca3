"""Reading and writing IP addresses exactly as Go's net/netip does, error texts included."""

from __future__ import annotations

from dralign.values import gotext

_DIGITS = "0123456789"
_HEX_DIGITS = "0123456789abcdefABCDEF"


def parse_address(text: str) -> tuple[int, int, str]:
    """Return number, width in bits (32 or 128) and zone of an address. Raises ValueError in Go's words."""
    mark = next((char for char in text if char in ".:%"), "")
    if mark == ".":
        return _parse_ipv4(text, text), 32, ""
    if mark == ":":
        return _parse_ipv6(text)
    raise _wrong(text, "missing IPv6 address" if mark else "unable to parse IP")


def parse_prefix(text: str) -> tuple[int, int, int]:
    """Return number, width in bits and prefix length of ``address/length``. Raises ValueError in Go's words."""
    address, slash, length = text.rpartition("/")
    where = f"netip.ParsePrefix({gotext.quote(text)}): "
    if not slash:
        raise ValueError(where + "no '/'")
    try:
        number, width, zone = parse_address(address)
    except ValueError as error:
        raise ValueError(where + str(error)) from None
    if zone:
        raise ValueError(where + "IPv6 zones cannot be present in a prefix")
    if not length or length.strip(_DIGITS) or (len(length) > 1 and length[0] == "0") or len(length) > 18:
        raise ValueError(f"{where}bad bits after slash: {gotext.quote(length)}")
    if int(length) > width:
        raise ValueError(where + "prefix length out of range")
    return number, width, int(length)


def write_address(number: int, width: int) -> str:
    """Write an address in its canonical form; the longest run of two or more zero groups becomes ``::``."""
    if width == 32:
        return ".".join(str(byte) for byte in number.to_bytes(4, "big"))
    groups = [number >> shift & 0xFFFF for shift in range(112, -1, -16)]
    start, end = _longest_zeros(groups)
    written = [f"{group:x}" for group in groups]
    if end - start < 2:
        return ":".join(written)
    return ":".join(written[:start]) + "::" + ":".join(written[end:])


def _longest_zeros(groups: list[int]) -> tuple[int, int]:
    best = (0, 0)
    for start in range(8):
        end = start
        while end < 8 and groups[end] == 0:
            end += 1
        if end - start > best[1] - best[0]:
            best = (start, end)
    return best


def _wrong(text: str, message: str, at: str = "") -> ValueError:
    place = f" (at {gotext.quote(at)})" if at else ""
    return ValueError(f"ParseAddr({gotext.quote(text)}): {message}{place}")


def _parse_ipv4(whole: str, text: str) -> int:
    """Read four numbers; ``whole`` is the address that errors name."""
    fields: list[int] = []
    value: int | None = None
    for index, char in enumerate(text):
        if char in _DIGITS:
            if value == 0:
                raise _wrong(whole, "IPv4 field has octet with leading zero")
            value = (value or 0) * 10 + int(char)
            if value > 255:
                raise _wrong(whole, "IPv4 field has value >255")
        elif char == ".":
            if value is None or index == len(text) - 1:
                raise _wrong(whole, "IPv4 field must have at least one digit", text[index:])
            if len(fields) == 3:
                raise _wrong(whole, "IPv4 address too long")
            fields.append(value)
            value = None
        else:
            raise _wrong(whole, "unexpected character", text[index:])
    if len(fields) < 3:
        raise _wrong(whole, "IPv4 address too short")
    return int.from_bytes(bytes([*fields, value or 0]), "big")


def _parse_ipv6(whole: str) -> tuple[int, int, str]:
    text, percent, zone = whole.partition("%")
    if percent and not zone:
        raise _wrong(whole, "zone must be a non-empty string")
    groups: list[int] = []
    ellipsis = None
    if text.startswith("::"):
        ellipsis, text = 0, text[2:]
    while text and len(groups) < 8:
        digits = text[: len(text) - len(text.lstrip(_HEX_DIGITS))]
        _check_group(whole, text, digits)
        if text[len(digits) : len(digits) + 1] == ".":
            groups += _embedded_ipv4(whole, text, len(groups), ellipsis is not None)
            text = ""
            break
        groups.append(int(digits, 16))
        text = text[len(digits) :]
        if not text:
            break
        text = _after_colon(whole, text)
        if text[0] == ":":
            if ellipsis is not None:
                raise _wrong(whole, "multiple :: in address", text)
            ellipsis, text = len(groups), text[1:]
    if text:
        raise _wrong(whole, "trailing garbage after address", text)
    return _join_groups(whole, groups, ellipsis), 128, zone


def _check_group(whole: str, text: str, digits: str) -> None:
    if len(digits) > 4:
        raise _wrong(whole, "each group must have 4 or less digits", text)
    if not digits:
        raise _wrong(whole, "each colon-separated field must have at least one digit", text)


def _after_colon(whole: str, text: str) -> str:
    if text[0] != ":":
        raise _wrong(whole, "unexpected character, want colon", text)
    if len(text) == 1:
        raise _wrong(whole, "colon must be followed by more characters", text)
    return text[1:]


def _embedded_ipv4(whole: str, text: str, groups: int, has_ellipsis: bool) -> list[int]:
    if not has_ellipsis and groups != 6:
        raise _wrong(whole, "embedded IPv4 address must replace the final 2 fields of the address", text)
    if groups > 6:
        raise _wrong(whole, "too many hex fields to fit an embedded IPv4 at the end of the address", text)
    number = _parse_ipv4(whole, text)
    return [number >> 16, number & 0xFFFF]


def _join_groups(whole: str, groups: list[int], ellipsis: int | None) -> int:
    missing = 8 - len(groups)
    if ellipsis is None:
        if missing:
            raise _wrong(whole, "address string too short")
    elif not missing:
        raise _wrong(whole, "the :: must expand to at least one field of zeros")
    else:
        groups[ellipsis:ellipsis] = [0] * missing
    number = 0
    for group in groups:
        number = number << 16 | group
    return number
