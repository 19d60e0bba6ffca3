"""Whether two decoded values are the same to the API server.

It compares as ``equality.Semantic.DeepEqual`` does: missing and empty are one, quantities are compared by their amount;
parameters of drivers are compared as text, so that the order of their keys matters.
"""

from __future__ import annotations

from dralign.admission import schema
from dralign.admission.causes import INVALID, to_go_json, to_json
from dralign.admission.encode import encode_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.schema import Shape, Struct
    from dralign.admission.server import Check

    Object = dict[str, Any]

IMMUTABLE = "field is immutable"
_NONE = object()


def same(type_: Struct, one: Object, other: Object, minor: int, fields: Iterable[str] | None = None) -> bool:
    """Say whether two values of a type are the same, in all fields or in some."""
    return all(
        _field(type_, name, one, minor) == _field(type_, name, other, minor)
        for name in (type_.fields if fields is None else fields)
    )


def validate_immutable(
    check: Check, type_: Struct, fields: Iterable[str], new: Object, old: Object, at: Location
) -> None:
    """Object to fields of a struct that differ from the stored ones."""
    for field in fields:
        if not same(type_, new, old, check.minor, (field,)):
            value = to_go_json(encode_field(type_, field, new, check.minor))
            check.add((*at, field), INVALID, f"{value}: {IMMUTABLE}")


def _field(type_: Struct, name: str, value: Object, minor: int) -> Any:
    item = value.get(name)
    field = type_.fields[name]
    if item is None:
        return _NONE
    comparable = _comparable(field.shape, item, minor)
    return _NONE if not field.pointer and comparable in ("", 0, [], {}) else comparable


def _comparable(shape: Shape, value: Any, minor: int) -> Any:
    if shape.kind == schema.STRUCT:
        type_ = schema.struct(shape.package, shape.type, minor)
        pairs = ((name, _field(type_, name, value, minor)) for name in type_.fields)
        return {name: item for name, item in pairs if item is not _NONE}
    if shape.item is not None and shape.kind == schema.LIST:
        return [_comparable(shape.item, item, minor) for item in value]
    if shape.item is not None and shape.kind == schema.MAP:
        return {key: _comparable(shape.item, item, minor) for key, item in value.items()}
    return to_json(value) if shape.kind == schema.RAW else value
