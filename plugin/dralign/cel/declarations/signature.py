"""Reads the signatures of the library tables: ``(int, int) -> int``, ``list(A).(A) -> int``."""

from __future__ import annotations

from dralign.cel.declarations.types import (
    ANY,
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    list_of,
    map_of,
    opaque,
    optional_of,
    parameter,
    struct,
    type_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SIMPLE: dict[str, Type] = {
    "any": ANY,
    "bool": BOOL,
    "bytes": BYTES,
    "double": DOUBLE,
    "duration": DURATION,
    "dyn": DYN,
    "int": INT,
    "net.CIDR": opaque("net.CIDR"),
    "net.IP": opaque("net.IP"),
    "null": NULL,
    "string": STRING,
    "timestamp": TIMESTAMP,
    "uint": UINT,
}

_COMPOSED: dict[str, Callable[..., Type]] = {
    "list": list_of,
    "map": map_of,
    "optional": optional_of,
    "type": type_of,
}


def parse_signature(text: str) -> tuple[bool, tuple[Type, ...], Type]:
    """Return whether a receiver comes first, the parameter types with it, and the result type."""
    left, _, result = text.partition(" -> ")
    member = not left.startswith("(")
    receiver, _, rest = left.rpartition(".(") if member else ("", "", left[1:])
    params = tuple(parse_type(part) for part in _split(rest[:-1]))
    if member:
        params = (parse_type(receiver), *params)
    return member, params, parse_type(result)


def parse_type(text: str) -> Type:
    """Return the type of a text such as ``map(string, list(A))``; equal texts share one type.

    A single capital letter is a type parameter; any other unknown name is a type with fields.
    """
    known = _SIMPLE.get(text)
    if known is None:
        known = _SIMPLE[text] = _make_type(text)
    return known


def _make_type(text: str) -> Type:
    if text.endswith(")"):
        name, _, rest = text.partition("(")
        return _COMPOSED[name](*(parse_type(part) for part in _split(rest[:-1])))
    return parameter(text) if len(text) == 1 else struct(text)


def _split(text: str) -> list[str]:
    """Split at the commas that stand outside parentheses."""
    parts: list[str] = []
    for part in text.split(", ") if text else ():
        if parts and parts[-1].count("(") != parts[-1].count(")"):
            parts[-1] += ", " + part
        else:
            parts.append(part)
    return parts
