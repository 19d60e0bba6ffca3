"""Writing a decoded object out again, as the API server answers it."""

from __future__ import annotations

from dralign.admission import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.schema import Field, Shape, Struct

_EMPTY: dict[int, Any] = {
    schema.STRING: "",
    schema.BOOL: False,
    schema.INTEGER: 0,
    schema.FLOAT: 0,
    schema.BYTES: "",
    schema.QUANTITY: "0",
    schema.INT_OR_STRING: 0,
    schema.LIST: None,
    schema.MAP: None,
    schema.RAW: None,
    schema.TIME: None,
}


def encode(type_: Struct, value: dict[str, Any], minor: int) -> dict[str, Any]:
    """Return the JSON of a decoded value of a type; lists and maps that are empty count as absent."""
    out = {}
    for name, field in type_.fields.items():
        item = value.get(name)
        if item is None or (item in ([], {}) and field.kind in (schema.LIST, schema.MAP)):
            if _is_written_empty(field):
                out[name] = _empty(field, minor)
        else:
            out[name] = _encode(field.shape, item, minor)
    return out


def encode_field(type_: Struct, name: str, value: dict[str, Any], minor: int) -> Any:
    """Return the JSON of one field of a decoded value of a type, as Go holds it where it is absent."""
    item = value.get(name)
    return _empty(type_.fields[name], minor) if item is None else _encode(type_.fields[name].shape, item, minor)


def _is_written_empty(field: Field) -> bool:
    """Say whether an absent field is written: without ``omitempty``, or a struct, which is never empty to Go."""
    return field.keep or (field.kind == schema.STRUCT and not field.pointer and not field.omit_zero)


def _empty(field: Field, minor: int) -> Any:
    if field.pointer:
        return None
    if field.kind == schema.STRUCT:
        return encode(schema.struct(field.shape.package, field.shape.type, minor), {}, minor)
    return _EMPTY[field.kind]


def _encode(shape: Shape, value: Any, minor: int) -> Any:
    if shape.kind == schema.STRUCT:
        return encode(schema.struct(shape.package, shape.type, minor), value, minor)
    if shape.item is not None and shape.kind == schema.LIST:
        return [_encode(shape.item, item, minor) for item in value]
    if shape.item is not None and shape.kind == schema.MAP:
        return {key: _encode(shape.item, item, minor) for key, item in value.items()}
    return str(value) if shape.kind == schema.QUANTITY else value
