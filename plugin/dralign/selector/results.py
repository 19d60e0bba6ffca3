"""What the scheduler makes of the value that a selector or a derived attribute gives.

Source: DeviceMatches and EvaluateDerivedAttribute in k8s.io/dynamic-resource-allocation/cel/compile.go; the words are
those of cel-go's and the API server's value types.
"""

from __future__ import annotations

from dralign.cel.values import LISTS, NONE, Optional, TypeValue, type_name
from dralign.model.device import Version
from dralign.values.semver import Semver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value
    from dralign.model.device import Attribute, Scalar


class WrongResult(Exception):  # noqa: N818  the scheduler's error, not ours
    """The value is of no use; ``str()`` gives the scheduler's words."""


_NOT_BOOL = {
    "bytes": "type conversion error from Bytes to 'bool'",
    "double": "type conversion error from Double to 'bool'",
    "google.protobuf.Duration": "type conversion error from 'Duration' to 'bool'",
    "google.protobuf.Timestamp": "type conversion error from 'Timestamp' to 'bool'",
    "int": "unsupported type conversion from 'int' to bool",
    "kubernetes.NamedFormat": "type conversion error from 'Format' to 'bool'",
    "kubernetes.Quantity": "type conversion error from 'Quantity' to 'bool'",
    "kubernetes.Semver": "type conversion error from 'Semver' to 'bool'",
    "kubernetes.URL": "type conversion error from 'URL' to 'bool'",
    "list": "type conversion error from list to 'bool'",
    "map": "type conversion error from map to 'bool'",
    "net.CIDR": "type conversion error from 'CIDR' to 'bool'",
    "net.IP": "type conversion error from 'IP' to 'bool'",
    "null_type": "type conversion error from 'null_type' to 'bool'",
    "string": "unsupported native conversion from string to 'bool'",
    "type": "type conversion not supported for 'type'",
    "uint": "unsupported type conversion from 'uint' to bool",
}

_GO_TYPES = {
    "bool": "bool",
    "bytes": "[]uint8",
    "double": "float64",
    "google.protobuf.Duration": "time.Duration",
    "google.protobuf.Timestamp": "time.Time",
    "int": "int64",
    "kubernetes.NamedFormat": "cel.Format",
    "kubernetes.Quantity": "*resource.Quantity",
    "kubernetes.Semver": "semver.Version",
    "kubernetes.URL": "*url.URL",
    "list": "[]ref.Val",
    "map": "map[ref.Val]ref.Val",
    "net.CIDR": "netip.Prefix",
    "net.IP": "netip.Addr",
    "null_type": "structpb.NullValue",
    "optional_type": "<nil>",
    "string": "string",
    "uint": "uint64",
}

_ELEMENT_WORDS = {bool: "bool", int: "int", str: "string", Version: "semver"}


def match_of(value: Value) -> bool:
    """Return whether a device matches; an optional counts as what is in it. Raises WrongResult for other values."""
    inner = value
    while isinstance(inner, Optional) and inner is not NONE:
        inner = inner.value
    if type(inner) is bool:
        return inner
    reason = "optional.none() dereference" if inner is NONE else _NOT_BOOL.get(type_name(inner))
    if reason is None:
        reason = "type conversion error from '*dynamicpb.Message' to 'bool'"
    raise WrongResult(f"CEL result of type {type_name(value)} could not be converted to bool: {reason}")


def attribute_of(value: Value) -> Attribute:
    """Return a derived attribute in the form of ``Device.attributes``. Raises WrongResult for values that are none."""
    scalar = _scalar(value)
    if scalar is not None:
        return scalar
    if type(value) not in LISTS:
        raise WrongResult(f"unsupported CEL return type: {_go_type(value)}")
    elements: list[Scalar] = []
    for index, item in enumerate(value):
        element = _scalar(item)
        if not elements and element is None:
            raise WrongResult(f"unsupported list element type: {_go_type(item)}")
        if element is None or (elements and type(element) is not type(elements[0])):
            wanted = _ELEMENT_WORDS[type(elements[0])]
            raise WrongResult(f"expected list element at index {index} to be {wanted}, got {_go_type(item)}")
        elements.append(element)
    return tuple(elements)


def _scalar(value: Value) -> Scalar | None:
    """Return a value that an attribute can hold; optionals stand for what is in them, types for their names."""
    while isinstance(value, Optional) and value is not NONE:
        value = value.value
    if isinstance(value, Semver):
        return Version(str(value))
    scalar: Scalar | None = value if type(value) in (bool, int, str) else None
    return value.name if isinstance(value, TypeValue) else scalar


def _go_type(value: Value) -> str:
    while isinstance(value, Optional) and value is not NONE:
        value = value.value
    return _GO_TYPES.get(type_name(value), "*dynamicpb.Message")
