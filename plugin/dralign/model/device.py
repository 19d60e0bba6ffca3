"""Devices: what drivers publish, the same for every API version. They are read from ResourceSlices by ``slice``."""

from __future__ import annotations

from dralign.manifest import as_text
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.model.node import NodeSelector
    from dralign.model.slice import Slice
    from dralign.values.quantity import Quantity

    Scalar = bool | int | str  # a version is a Version, which is a str
    Attribute = Scalar | tuple[Scalar, ...] | None


class Version(str):
    """The text of an attribute of kind version; differs in kind from the same text as a string."""

    __slots__ = ()


class Range(Record):
    """``requestPolicy.validRange``: the least amount, the greatest, and the step from the least."""

    min: Quantity | None
    max: Quantity | None
    step: Quantity | None


class Policy(Record):
    """``requestPolicy`` of a capacity: what may be asked for, and what counts as asked for when nothing is."""

    default: Quantity | None
    valid_values: tuple[Quantity, ...]
    valid_range: Range | None


class Capacity(Record):
    """One capacity of a device; ``policy`` None: any amount may be asked for, and no amount means all of it."""

    value: Quantity
    policy: Policy | None = None


class Consumption(Record):
    """What a device takes from one counter set of its pool, and the compatibility groups it declares there."""

    counter_set: str
    counters: Mapping[str, Quantity]
    groups: tuple[str, ...] = ()


class Taint(Record):
    """A taint of a device or node: pods without a matching toleration are kept off, if its effect is a known one."""

    key: str
    value: str
    effect: str


def taint_from(data: Mapping[str, Any]) -> Taint:
    """Read a taint."""
    return Taint(*(as_text(data.get(key)) or "" for key in ("key", "value", "effect")))


class Scope(Record):
    """Which nodes can reach a slice or a device. ``per_device``: each device of the slice says so itself."""

    node_name: str | None = None
    all_nodes: bool = False
    selector: NodeSelector | None = None
    per_device: bool = False


class Binding(Record):
    """When a device is ready. ``conditions`` None: the field is not there (even an empty list orders its pool last)."""

    conditions: tuple[str, ...] | None = None
    failure_conditions: tuple[str, ...] = ()
    binds_to_node: bool = False


NOWHERE = Scope()
NO_BINDING = Binding()


class Device:
    """One device as published. ``number`` is the same for devices of the same driver, pool and name.

    An attribute is a bool, an int, a str, a Version, or a tuple of those of one kind; None where it is of no kind that
    is known. ``slice`` is the slice it stands in. ``unplain`` are the attributes that are no bool, int or str: what a
    selector sees of those, or whether it can see the device at all, has to be worked out; equal ones are one object.
    """

    __slots__ = (
        "allow_multiple",
        "attributes",
        "binding",
        "capacity",
        "consumes",
        "driver",
        "name",
        "number",
        "scope",
        "slice",
        "taints",
        "unplain",
    )

    name: str
    driver: str
    attributes: Mapping[str, Attribute]
    capacity: Mapping[str, Capacity]
    allow_multiple: bool | None
    consumes: tuple[Consumption, ...]
    taints: tuple[Taint, ...]
    scope: Scope
    binding: Binding
    number: int
    slice: Slice
    unplain: tuple[tuple[str, Attribute], ...]

    def __repr__(self) -> str:
        return f"<Device {self.identity}>"

    def attribute(self, name: str) -> Attribute:
        """Return an attribute by its qualified name; drivers may leave their own domain out. None if there is none."""
        if name in self.attributes:
            return self.attributes[name]
        domain, _, bare = name.rpartition("/")
        return self.attributes.get(bare) if domain == self.driver else None

    @property
    def node(self) -> str | None:
        """Name of the one node that reaches the device; None where several do."""
        return self.scope.node_name if self.slice.scope.per_device else self.slice.scope.node_name

    def seen_unshared(self) -> Device:
        """Return the device as it looks to those who know nothing of ``allowMultipleAllocations``."""
        if self.allow_multiple is None:
            return self
        other = Device()
        for field in self.__slots__:
            setattr(other, field, getattr(self, field))
        other.allow_multiple = None
        return other

    @property
    def identity(self) -> str:
        """``driver/pool/name``, as Kubernetes prints it."""
        return f"{self.driver}/{self.slice.pool}/{self.name}"
