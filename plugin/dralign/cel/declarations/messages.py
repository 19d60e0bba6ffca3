"""The protobuf messages that every environment knows, with their fields, and the names that stand for types."""

from __future__ import annotations

from dralign.cel.declarations.signature import parse_type
from dralign.cel.declarations.types import BOOL, BYTES, DOUBLE, INT, STRING, TYPE, UINT, Type, nullable, type_of

_WRAPPED = {
    "BoolValue": BOOL,
    "BytesValue": BYTES,
    "DoubleValue": DOUBLE,
    "FloatValue": DOUBLE,
    "Int32Value": INT,
    "Int64Value": INT,
    "StringValue": STRING,
    "UInt32Value": UINT,
    "UInt64Value": UINT,
}

# message: the type its values have, its fields
_PLAIN = {
    "Any": ("any", {"type_url": "string", "value": "bytes"}),
    "Duration": ("duration", {"seconds": "int", "nanos": "int"}),
    "Empty": ("google.protobuf.Empty", {}),
    "ListValue": ("list(dyn)", {"values": "list(dyn)"}),
    "Struct": ("map(string, dyn)", {"fields": "map(string, dyn)"}),
    "Struct.FieldsEntry": ("google.protobuf.Struct.FieldsEntry", {"key": "string", "value": "dyn"}),
    "Timestamp": ("timestamp", {"seconds": "int", "nanos": "int"}),
    "Value": (
        "dyn",
        {
            "null_value": "int",
            "number_value": "double",
            "string_value": "string",
            "bool_value": "bool",
            "struct_value": "map(string, dyn)",
            "list_value": "list(dyn)",
        },
    ),
}

_PREFIX = "google.protobuf."

MESSAGES: dict[str, Type] = {f"{_PREFIX}{name}": nullable(wrapped) for name, wrapped in _WRAPPED.items()} | {
    f"{_PREFIX}{name}": parse_type(text) for name, (text, _) in _PLAIN.items()
}
"""Name of a message -> the type that its values have to the checker."""

ENUM_VALUES = {"google.protobuf.NullValue.NULL_VALUE": 0}
"""Names that stand for a number."""

WELL_KNOWN = {
    "any": "google.protobuf.Any",
    "bool": "google.protobuf.BoolValue",
    "bytes": "google.protobuf.BytesValue",
    "double": "google.protobuf.DoubleValue",
    "duration": "google.protobuf.Duration",
    "dyn": "google.protobuf.Value",
    "int": "google.protobuf.Int64Value",
    "list": "google.protobuf.ListValue",
    "map": "google.protobuf.Struct",
    "null": "google.protobuf.NullValue",
    "string": "google.protobuf.StringValue",
    "timestamp": "google.protobuf.Timestamp",
    "uint": "google.protobuf.UInt64Value",
}
"""Kind of a type -> the message under which its fields are looked up when it is built by a message's name."""

_SCALARS = ("bool", "bytes", "double", "int", "net.CIDR", "net.IP", "string", "uint")

TYPE_NAMES: dict[str, Type] = (
    {name: type_of(denoted) for name, denoted in MESSAGES.items()}
    | {name: type_of(parse_type(name)) for name in _SCALARS}
    | {"null_type": type_of(parse_type("null")), "type": type_of(TYPE)}
    # Found through the API server's type provider: accepted by the checker, refused when the program is planned.
    | {name: type_of(parse_type(name)) for name in ("duration", "timestamp")}
)
"""Name of a type in an expression -> the type of that name, but for those of ``OPEN_TYPE_NAMES``."""

OPEN_TYPE_NAMES: dict[str, dict[str, Type]] = {
    "0.26": {
        "list": type_of(parse_type("list(A)")),
        "map": type_of(parse_type("map(A, B)")),
        "optional_type": type_of(Type("opaque", "optional_type")),
    },
    "0.29": {
        "list": type_of(parse_type("list(dyn)")),
        "map": type_of(parse_type("map(dyn, dyn)")),
        "optional_type": type_of(parse_type("optional(dyn)")),
    },
}
"""Version of cel-go -> names of the types with parameters, which differ."""

UNPLANNABLE = frozenset({"duration", "timestamp"}) | {
    name for name, of in MESSAGES.items() if of.name != name or of.kind == "any"
}
"""Type names that the run time of cel-go does not know."""


def message_field(message: str, field: str) -> Type | None:
    """Return the type of a field of one of these messages, or None."""
    name = message.removeprefix(_PREFIX)
    if name in _WRAPPED:
        return _WRAPPED[name] if field == "value" else None
    text = _PLAIN[name][1].get(field)
    return None if text is None else parse_type(text)


def well_known_message(of: Type) -> str | None:
    """Return the message that a type is built as, or None if it is not one of protobuf's own."""
    if of.kind in ("any", "timestamp", "duration", "dyn", "null") or of.nullable:
        return WELL_KNOWN[of.kind]
    if of.kind == "list" and of.params[0].kind == "dyn":
        return WELL_KNOWN["list"]
    if of.kind == "map" and of.params[0] is STRING and of.params[1].kind == "dyn":
        return WELL_KNOWN["map"]
    return None
