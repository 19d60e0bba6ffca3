"""Written protobuf messages. Those that every environment knows become plain values; others cannot be built.

Source: cel-go interpreter/interpretable.go (evalObj), common/types/provider.go and pb.
"""

from __future__ import annotations

from dralign.cel.printing import go_text
from dralign.cel.values import LISTS, MISSING, CelError, Duration, Map, Optional, Timestamp, Uint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dralign.cel.runtime.scopes import Scope
    from dralign.cel.runtime.steps import Step
    from dralign.cel.values import Value

_COST = 40


class NewMessage:
    """``type{field: value}``; fields are name, value, and whether the value is optional."""

    __slots__ = ("fields", "id", "type_name")

    def __init__(self, node_id: int, type_name: str, fields: Sequence[tuple[str, Step, bool]]) -> None:
        self.id = node_id
        self.type_name = type_name
        self.fields = fields

    def run(self, scope: Scope) -> Value:
        """Compute the fields in turn; the first error ends it."""
        result = self._build(scope)
        tracker = scope.tracker
        tracker.take([step.id for _, step, _ in self.fields])
        tracker.charge(_COST)
        tracker.push(self.id, result)
        return result

    def _build(self, scope: Scope) -> Value:
        values: dict[str, Value] = {}
        for name, step, optional in self.fields:
            value = step.run(scope)
            if isinstance(value, CelError):
                return value
            if optional:
                if type(value) is not Optional:
                    wrong = f"cannot initialize optional entry '{name}' from non-optional value"
                    return CelError(f"{wrong} {go_text(value)}")
                if value.value is MISSING:
                    values.pop(name, None)
                    continue
                value = value.value
            values[name] = value
        try:
            return new_message(self.type_name, values)
        except CelError as error:
            return error


def new_message(type_name: str, fields: Mapping[str, Value]) -> Value:
    """Make the value of a protobuf message. Raises CelError for fields of other types than the message's."""
    name = type_name.removeprefix(_PREFIX)
    wrapped = _WRAPPERS.get(name)
    if wrapped is not None:
        kind, zero = wrapped
        return _field(fields, "value", kind, zero)
    builder = _BUILDERS.get(name)
    if builder is None or not type_name.startswith(_PREFIX):
        raise CelError(f"unknown type '{type_name}'")
    return builder(fields)


def _field(fields: Mapping[str, Value], name: str, kind: type, zero: Value) -> Value:
    value = fields.get(name, zero)
    if type(value) is not kind:
        raise CelError(f"field type conversion error for {name}")
    return value


def _duration(fields: Mapping[str, Value]) -> Duration:
    return Duration(_field(fields, "seconds", int, 0) * 10**9 + _field(fields, "nanos", int, 0))


def _timestamp(fields: Mapping[str, Value]) -> Timestamp:
    carry, nanos = divmod(_field(fields, "nanos", int, 0), 10**9)
    return Timestamp(_field(fields, "seconds", int, 0) + carry, nanos)


def _struct(fields: Mapping[str, Value]) -> Map:
    given = fields.get("fields", Map({}))
    if type(given) is not Map or any(type(key) is not str for key in given):
        raise CelError("field type conversion error for fields")
    return Map({key: _json(given.get(key)) for key in given}, native=True)


def _list(fields: Mapping[str, Value]) -> list[Value]:
    return [_json(value) for value in fields.get("values", [])]


def _value(fields: Mapping[str, Value]) -> Value:
    for name in ("number_value", "string_value", "bool_value", "struct_value", "list_value"):
        if name in fields:
            return _json(fields[name])
    return None


def _json(value: Value) -> Value:
    """Turn a value into what JSON makes of it: numbers become doubles, large integers and moments become text."""
    from dralign.cel.functions.conversions import to_string  # noqa: PLC0415  rare

    kind = type(value)
    if kind in (int, Uint):
        return float(value) if abs(value) < _JSON_INTEGERS else str(int(value))
    if kind in (Duration, Timestamp):
        return to_string(value)
    if kind is bytes:
        import base64  # noqa: PLC0415  rare

        return base64.b64encode(value).decode()
    if kind in LISTS:
        return [_json(element) for element in value]
    if kind is Map:
        return _struct({"fields": value})
    if value is None or kind in (bool, float, str):
        return value
    raise CelError("type conversion error: the value cannot be written as JSON")


_PREFIX = "google.protobuf."
_JSON_INTEGERS = 1 << 53

_WRAPPERS: dict[str, tuple[type, Value]] = {
    "BoolValue": (bool, False),
    "BytesValue": (bytes, b""),
    "DoubleValue": (float, 0.0),
    "FloatValue": (float, 0.0),
    "Int32Value": (int, 0),
    "Int64Value": (int, 0),
    "StringValue": (str, ""),
    "UInt32Value": (Uint, Uint(0)),
    "UInt64Value": (Uint, Uint(0)),
}

_BUILDERS: dict[str, Callable[[Mapping[str, Value]], Value]] = {
    "Duration": _duration,
    "ListValue": _list,
    "Struct": _struct,
    "Timestamp": _timestamp,
    "Value": _value,
}
