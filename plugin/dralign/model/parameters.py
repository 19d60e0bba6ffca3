"""Vendor parameters of claims and classes (``config[].opaque.parameters``): their fields, as data.

The API server takes any object of up to 10 KiB. Only the driver reads it, on the node, when the pod is already there: most
decode strictly, as ``k8s.io/apimachinery`` does, with names and values as they are spelled.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal

    Kind = Literal["string", "int", "bool", "quantity", "object", "list", "map", "any"]


class Field(Record):
    """One field of vendor parameters.

    Attributes:
        name: as it is spelled; upper and lower case count.
        kind: what stands there.
        values: the words that a string can be; () for any.
        fields: of an object, and of the objects in a list or map.
        items: what stands in a list or map that holds no objects.
        required: whether the driver refuses its absence, or an empty string.
        least, most: ends of a number's range; a quantity's as ``Quantity`` is written.
        beside: sibling and value without which the driver refuses the field; None if it may always stand.
        needs: values that the driver takes only with a gate or option of its own that is off by default.
        accepts: what a string must meet, and how that is told to people; None for any.
    """

    name: str
    kind: Kind = "string"
    values: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    items: Kind = "string"
    required: bool = False
    least: str = ""
    most: str = ""
    beside: tuple[str, str] | None = None
    needs: tuple[tuple[str, str], ...] = ()
    accepts: tuple[Callable[[str], bool], str] | None = None


class Sharing(Record):
    """A way to share a device that parameters can choose: where they say so, by which word, and how people call it.

    ``memory`` and ``compute`` are the fields one of which reserves a part of them for each user; () where none can.
    """

    path: tuple[str, ...]
    value: str
    name: str
    memory: tuple[tuple[str, ...], ...] = ()
    compute: tuple[tuple[str, ...], ...] = ()


class OpaqueConfig(Record):
    """Vendor parameters of one kind.

    Attributes:
        api_version, kind: what they must carry; empty where the driver does not look at it.
        fields: the others; None where they are not known here.
        types: device types that they are for; () for all of the driver's.
        strict: whether the driver refuses fields that it does not know, as most do.
        shares: the ways to share a device that they can choose.
    """

    api_version: str
    kind: str = ""
    fields: tuple[Field, ...] | None = None
    types: tuple[str, ...] = ()
    strict: bool = True
    shares: tuple[Sharing, ...] = ()

    def is_of(self, parameters: Mapping[str, Any]) -> bool:
        """Say whether parameters are of this kind, by what the driver looks at."""
        wanted = {"apiVersion": self.api_version, "kind": self.kind}
        return all(parameters.get(key) == value for key, value in wanted.items() if value)
