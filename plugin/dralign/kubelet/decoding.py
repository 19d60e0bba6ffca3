"""Turns plain data into the typed values of a KubeletConfiguration, or says why the kubelet could not.

The kubelet decodes strictly first; unknown fields are then only logged and left out, while a wrong type ends it. Names
are matched with their case. Source: ``kubeletconfig/util/codec`` (DecodeKubeletConfiguration), ``sigs.k8s.io/json``.
"""

from __future__ import annotations

from dralign.kubelet import durations
from dralign.kubelet.fields import ROOT, SCALARS, fields_of, go_name
from dralign.record import Record
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

GROUP_VERSION = "kubelet.config.k8s.io/v1beta1"
KIND = "KubeletConfiguration"

_WORDS = {
    str: "string",
    bool: "bool",
    int: "number",
    float: "number",
    dict: "object",
    list: "array",
    type(None): "null",
}
_RANGES = {"int32": (-(1 << 31), 1 << 31), "int64": (-(1 << 63), 1 << 63), "uint32": (0, 1 << 32)}
_ZEROS: dict[str, Any] = {"string": "", "bool": False, "int32": 0, "int64": 0, "uint32": 0, "float64": 0.0}
_EXACT_FLOATS = 1e21  # whole floats below are written without an exponent when YAML becomes JSON


class Decoded(Record):
    """What decoding found: typed values by JSON name (durations in ns), ignored fields, and the fault that ends it.

    ``at`` is the field of the fault, as those of ``unknown`` are written; empty where the object as a whole is at fault.
    """

    values: Mapping[str, Any]
    unknown: tuple[str, ...] = ()
    fault: str | None = None
    at: str = ""


class _Refused(Exception):  # noqa: N818 - not an error of the program: what decoding found
    """A value that its own reader refuses: it ends the decoding."""


def decode(document: Any) -> Decoded:
    """Decode the plain data of a configuration file. Never raises; what is wrong is in the answer."""
    fault = _wrong_kind(document)
    if fault is not None:
        return Decoded({}, fault=fault)
    decoder = _Decoder()
    try:
        values = decoder.struct(ROOT, document, "")
    except _Refused as refused:
        return Decoded({}, fault=decoder.misfit or str(refused), at=decoder.at)
    if decoder.misfit is not None:
        return Decoded({}, fault=decoder.misfit, at=decoder.at)
    return Decoded(values, tuple(decoder.unknown))


def _wrong_kind(document: Any) -> str | None:
    """Say why an object cannot be told to be a KubeletConfiguration; None if it is one."""
    if not isinstance(document, dict):
        return f"couldn't get version/kind; json parse error: cannot unmarshal {_WORDS.get(type(document))}"
    for key, name in (("kind", "Kind"), ("apiVersion", "apiVersion")):
        value = document.get(key)
        if value is not None and not isinstance(value, str):
            what = f"json: cannot unmarshal {_WORDS[type(value)]} into Go struct field .{key} of type string"
            return f"couldn't get version/kind; json parse error: {what}"
        if not value:
            return f"Object '{name}' is missing"
    if (document["kind"], document["apiVersion"]) != (KIND, GROUP_VERSION):
        return f'no kind "{document["kind"]}" is registered for version "{document["apiVersion"]}"'
    return None


class _Decoder:
    """One decoding: remembers the first value of a wrong type and where it is, and the fields that do not exist."""

    def __init__(self) -> None:
        self.at = ""
        self.misfit: str | None = None
        self.unknown: list[str] = []

    def struct(self, name: str, value: dict[str, Any], at: str) -> dict[str, Any]:
        fields = fields_of(name)
        out: dict[str, Any] = {}
        for key in sorted(value):
            shape = fields.get(key)
            path = f"{at}.{key}" if at else key
            if shape is None:
                self.unknown.append(path)
            elif value[key] is not None or shape == "Duration":
                out[key] = self._value(shape.lstrip("*"), value[key], path, name)
        return out

    def _value(self, shape: str, value: Any, at: str, owner: str) -> Any:
        if shape in SCALARS:
            return self._scalar(shape, value, at, owner)
        if shape in _READERS:
            return self._read(shape, value, at, owner)
        if shape.startswith("[]"):
            if isinstance(value, list):
                return [self._item(shape[2:], item, f"{at}[{i}]", owner) for i, item in enumerate(value)]
        elif shape.startswith("{}"):
            if isinstance(value, dict):
                return {key: self._item(shape[2:], value[key], f"{at}.{key}", owner) for key in sorted(value)}
        elif isinstance(value, dict):
            return self.struct(shape, value, at)
        return self._misfit(shape, value, at, owner)

    def _item(self, shape: str, value: Any, at: str, owner: str) -> Any:
        """Decode an entry of a list or map, where null stands for the zero value."""
        if value is not None:
            return self._value(shape, value, at, owner)
        if shape == "Quantity":
            return Quantity.of(0)
        return _ZEROS.get(shape, {})

    def _scalar(self, shape: str, value: Any, at: str, owner: str) -> Any:
        if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_FLOATS and shape in _RANGES:
            value = int(value)
        if shape == "string":
            fits = isinstance(value, str)
        elif shape == "bool":
            fits = isinstance(value, bool)
        elif shape == "float64":
            fits = isinstance(value, int | float) and not isinstance(value, bool)
        else:
            low, high = _RANGES[shape]
            fits = isinstance(value, int) and not isinstance(value, bool) and low <= value < high
        return value if fits else self._misfit(shape, value, at, owner)

    def _read(self, shape: str, value: Any, at: str, owner: str) -> Any:
        """Let a value's own reader decide; what it refuses ends the decoding."""
        try:
            return _READERS[shape](value)
        except TypeError:
            self._misfit("string", value, at, owner)
            raise _Refused from None
        except ValueError as error:
            self.at = self.at or at
            raise _Refused(str(error)) from None

    def _misfit(self, shape: str, value: Any, at: str, owner: str) -> None:
        if self.misfit is None:
            self.at = at
            what = _WORDS.get(type(value), "object")
            if what == "number" and shape in _RANGES:
                what = f"number {value}"
            where = f"{owner.rpartition('.')[2]}.{_go_path(at)}"
            self.misfit = f"json: cannot unmarshal {what} into Go struct field {where} of type {go_name(shape)}"


def _go_path(at: str) -> str:
    """Return the fields on the way to a value; Go's messages leave out indices, and keys of maps."""
    struct, names = ROOT, []
    for step in at.split("."):
        name = step.partition("[")[0]
        names.append(name)
        struct = fields_of(struct)[name].lstrip("*[]{}")
        if struct in SCALARS or struct in _READERS:
            break
    return ".".join(names)


def _duration(value: Any) -> int:
    if value is None:
        value = ""
    if not isinstance(value, str):
        raise TypeError
    return durations.parse(value)


def _flush(value: Any) -> int:
    """Read a duration that may also be a number of nanoseconds."""
    if isinstance(value, str):
        return durations.parse(value)
    low, high = _RANGES["int64"]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value < high:
        what = _WORDS.get(type(value), "object")
        raise ValueError(f"invalid duration: json: cannot unmarshal {what} into Go value of type time.Duration")
    return value


def _quantity(value: Any) -> Quantity:
    """Read a quantity; numbers count as their text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        value = "true" if value else "{}"
    return Quantity.parse(value.strip() if isinstance(value, str) else format(value))


def _time(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


_READERS = {"Duration": _duration, "Flush": _flush, "Quantity": _quantity, "Time": _time}
