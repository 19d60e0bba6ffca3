"""Strict decoding: is this JSON the Go type that it claims to be, and what is left of it.

Decodes as sigs.k8s.io/json does with ``fieldValidation=Strict``: a value that its own reader refuses (quantity, time)
ends everything; else the first value of the wrong type is reported; else all unknown and duplicate fields. The decoded
object holds no nulls, no empty scalars where empty means absent, and Quantity objects for quantities.
"""

from __future__ import annotations

from dralign.admission import amounts, schema
from dralign.admission.location import MapKey, render_dotted
from dralign.admission.schema import (
    BOOL,
    BYTES,
    FLOAT,
    INT_OR_STRING,
    INTEGER,
    LIST,
    MAP,
    QUANTITY,
    RAW,
    STRING,
    STRUCT,
    TIME,
)
from dralign.values import gotext
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.schema import Shape, Struct

_ZERO: dict[int, Any] = {
    STRING: "",
    BOOL: False,
    INTEGER: 0,
    FLOAT: 0.0,
    BYTES: "",
    INT_OR_STRING: 0,
    TIME: "",
}
_SCALARS = frozenset({STRING, BOOL, INTEGER, FLOAT, BYTES})
_WITH_OWN_READER = frozenset({QUANTITY, TIME, INT_OR_STRING, RAW})
_TEXTS = frozenset({STRING, BYTES})
_OBJECTS = frozenset({STRUCT, MAP})
_NUMBERS = frozenset({"int32", "int64", "float64", "uint8"})
_EMBEDDED_NAMED = 35  # from this release on, built with a newer Go, messages name embedded structs
_JSON_WORDS = {str: "string", bool: "bool", int: "number", float: "number", dict: "object", list: "array"}


class Misfit(Exception):  # noqa: N818 - not an error of the program: what decoding found
    """A value that its own reader refuses; ends the decoding."""

    def __init__(self, at: Location, message: str) -> None:
        super().__init__(message)
        self.at = at
        self.message = message


class Decoder:
    """Decodes one object.

    After :meth:`decode`, ``misfit`` is the first value of the wrong type as (location, message), ``unknown`` the
    locations of the fields that the type does not have, with the type that was asked.
    """

    __slots__ = ("_minor", "_root", "misfit", "unknown")

    def __init__(self, type_: Struct, minor: int) -> None:
        self._root = type_
        self._minor = minor
        self.misfit: tuple[Location, str] | None = None
        self.unknown: list[tuple[Location, Struct]] = []

    def decode(self, value: dict[str, Any]) -> dict[str, Any]:
        """Decode an object. Raises Misfit for a value that its own reader refuses."""
        return self._struct(self._root, value, ())

    def _struct(self, type_: Struct, value: dict[str, Any], at: Location) -> dict[str, Any]:
        fields = type_.fields
        out: dict[str, Any] = {}
        for name, item in value.items():
            field = fields.get(name)
            if field is None:
                self.unknown.append(((*at, name), type_))
            elif item is not None:
                kind = field.kind
                if kind == STRING and type(item) is str:
                    if item or field.pointer:
                        out[name] = item
                    continue
                decoded = self._value(field.shape, item, (*at, name), type_)
                if decoded is not None and (decoded or field.pointer or kind not in _SCALARS):
                    out[name] = decoded
            elif field.kind == QUANTITY and not field.pointer:
                out[name] = Quantity.of(0)
        return out

    def _value(self, shape: Shape, value: Any, at: Location, owner: Struct) -> Any:
        """Return the decoded value; None if it does not fit."""
        kind = shape.kind
        if kind == STRUCT and isinstance(value, dict):
            return self._struct(schema.struct(shape.package, shape.type, self._minor), value, at)
        if kind == LIST and isinstance(value, list):
            return self._list(shape.item, value, at, owner)
        if kind == MAP and isinstance(value, dict):
            return self._map(shape.item, value, at, owner)
        if kind in _WITH_OWN_READER:
            return self._own_reading(kind, value, at, owner)
        if kind in _SCALARS and _is_scalar(kind, value, shape.bits):
            return value
        self._does_not_fit(shape, value, at, owner)
        return None

    def _own_reading(self, kind: int, value: Any, at: Location, owner: Struct) -> Any:
        if kind == QUANTITY:
            return _quantity(value, at)
        if kind == TIME:
            return self._time(value, at, owner)
        return self._int_or_string(value, at, owner) if kind == INT_OR_STRING else value

    def _list(self, item: Shape | None, value: list[Any], at: Location, owner: Struct) -> list[Any]:
        if item is not None and item.kind == STRING and all(type(entry) is str for entry in value):
            return value[:]
        out = []
        for index, entry in enumerate(value):
            if entry is None:
                out.append(_zero(item))
                continue
            decoded = self._value(item, entry, (*at, index), owner)  # type: ignore[arg-type]  # lists have an item
            out.append(_zero(item) if decoded is None else decoded)
        return out

    def _map(self, item: Shape | None, value: dict[str, Any], at: Location, owner: Struct) -> dict[str, Any]:
        kind = item.kind if item is not None else RAW
        if kind == STRING and all(type(entry) is str for entry in value.values()):
            return value.copy()
        out = {}
        for key, entry in value.items():
            if entry is None:
                out[key] = _zero(item)
                continue
            known = amounts.known(entry) if kind == QUANTITY and type(entry) is str else None
            if known is not None:
                out[key] = known
                continue
            decoded = self._value(item, entry, (*at, MapKey(key)), owner)  # type: ignore[arg-type]  # as above
            out[key] = _zero(item) if decoded is None else decoded
        return out

    def _time(self, value: Any, at: Location, owner: Struct) -> str:
        if not isinstance(value, str):
            raise Misfit(at, self._words(value, "string", at, owner))
        from dralign.admission import timestamps  # noqa: PLC0415  manifests hardly ever hold a time

        wrong = timestamps.problem(value)
        if wrong:
            raise Misfit(at, wrong)
        return value

    def _int_or_string(self, value: Any, at: Location, owner: Struct) -> int | str:
        if isinstance(value, str) or _is_scalar(INTEGER, value, 32):
            return value  # type: ignore[no-any-return]  # one of the two, as just tested
        raise Misfit(at, self._words(value, "int32" if _JSON_WORDS[type(value)] == "number" else "string", at, owner))

    def _does_not_fit(self, shape: Shape, value: Any, at: Location, owner: Struct) -> None:
        if self.misfit is None:
            self.misfit = at, self._words(value, shape.go, at, owner)

    def _words(self, value: Any, wanted: str, at: Location, owner: Struct) -> str:
        what = _JSON_WORDS[type(value)]
        if what == "number" and wanted in _NUMBERS:
            what = f"number {value}"
        return f"json: cannot unmarshal {what} into Go struct field {owner.name}.{self._go_path(at)} of type {wanted}"

    def _go_path(self, at: Location) -> str:
        """Return the names of fields and embedded structs on the way to a location."""
        names = []
        type_ = self._root
        for step in at:
            if isinstance(step, str) and not isinstance(step, MapKey):
                field = type_.fields[step]
                names += [field.embedded, step] if field.embedded and self._minor >= _EMBEDDED_NAMED else [step]
                shape = field.shape
                while shape.item is not None:
                    shape = shape.item
                if shape.kind == STRUCT:
                    type_ = schema.struct(shape.package, shape.type, self._minor)
        return ".".join(names)


def unknown_field(at: Location) -> str:
    """Return what strict decoding says of a field that the type does not have."""
    return f"unknown field {gotext.quote(render_dotted(at))}"


def duplicate_field(at: Location) -> str:
    """Return what strict decoding says of a field that stands twice."""
    return f"duplicate field {gotext.quote(render_dotted(at))}"


def _is_scalar(kind: int, value: Any, bits: int) -> bool:
    if kind in _TEXTS:
        return isinstance(value, str)
    if kind == BOOL:
        return isinstance(value, bool)
    if kind == FLOAT:
        return isinstance(value, int | float) and not isinstance(value, bool)
    limit = 1 << bits - 1
    return isinstance(value, int) and not isinstance(value, bool) and -limit <= value < limit


def _zero(shape: Shape | None) -> Any:
    kind = shape.kind if shape else RAW
    if kind == QUANTITY:
        return Quantity.of(0)
    if kind in _OBJECTS:
        return {}
    return [] if kind == LIST else _ZERO.get(kind)


def _quantity(value: Any, at: Location) -> Quantity:
    if isinstance(value, str):
        text = value.strip(" \t\r\n\v\f\x85\xa0")
    elif isinstance(value, bool):
        text = "true" if value else "false"
    else:
        text = repr(value) if isinstance(value, int | float) else "{}"
    try:
        return amounts.read(text)
    except ValueError as error:
        raise Misfit(at, str(error)) from None
