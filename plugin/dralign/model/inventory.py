"""The inventory: nodes, device classes, slices, what claims already hold, and taint rules, read from plain objects.

Slices keep the order in which they came, later inputs behind earlier ones; of two classes or nodes of one name the
later one counts.
"""

from __future__ import annotations

from dralign.manifest import ROOT, as_list, as_map, as_text
from dralign.model.claim import GROUP, selectors_from
from dralign.model.device import taint_from
from dralign.model.node import Node, node_from
from dralign.model.slice import quantities_from, slice_from
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from dralign.model.device import Device, Taint
    from dralign.model.slice import Slice
    from dralign.values.quantity import Quantity


class ClassSpec(Record):
    """A DeviceClass as allocator and scheduler see it: selector expressions, and configuration that goes to allocations.

    ``extended_resource`` is ``spec.extendedResourceName`` (KEP-5004), ``created`` the time of creation as RFC 3339 text.
    """

    name: str
    expressions: tuple[str, ...]
    config: tuple[Any, ...] = ()
    extended_resource: str | None = None
    created: str = ""


class TakenDevice(Record):
    """A device that an allocated claim holds: all of it, or a share with the amounts it was given."""

    driver: str
    pool: str
    device: str
    shared: bool
    consumed: Mapping[str, Quantity]


class TaintRule(Record):
    """A DeviceTaintRule: a taint for all devices that fit. None in a field fits anything."""

    driver: str | None
    pool: str | None
    device: str | None
    taint: Taint

    def fits(self, device: Device) -> bool:
        """Say whether the rule taints this device."""
        return (
            self.driver in (None, device.driver)
            and self.pool in (None, device.slice.pool)
            and self.device in (None, device.name)
        )


class Inventory:
    """All that is known of a cluster's devices. Devices of one driver, pool and name share a number."""

    __slots__ = ("classes", "nodes", "numbers", "rules", "slices", "taken")

    def __init__(
        self,
        slices: Iterable[Slice],
        *,
        nodes: Iterable[Node] = (),
        classes: Iterable[ClassSpec] = (),
        taken: Iterable[TakenDevice] = (),
        rules: Iterable[TaintRule] = (),
    ) -> None:
        self.slices = tuple(slices)
        self.numbers: dict[tuple[str, str, str], int] = {}
        for piece in self.slices:
            for device in piece.devices:
                key = (device.driver, piece.pool, device.name)
                device.number = self.numbers.setdefault(key, len(self.numbers))
        self._set(nodes, classes, taken, rules)

    def says_the_same(self, other: Inventory) -> bool:
        """Say whether both are about the very same devices, and equal in all else."""
        mine, theirs = ((one.nodes, one.classes, one.taken, one.rules) for one in (self, other))
        return self.slices is other.slices and mine == theirs

    def _set(
        self,
        nodes: Iterable[Node],
        classes: Iterable[ClassSpec],
        taken: Iterable[TakenDevice],
        rules: Iterable[TaintRule],
    ) -> None:
        self.nodes = {node.name: node for node in nodes}
        self.classes = {spec.name: spec for spec in classes}
        self.taken = tuple(taken)
        self.rules = tuple(rules)

    def replaced(
        self,
        *,
        slices: tuple[Slice, ...] | None = None,
        nodes: Iterable[Node] | None = None,
        classes: Iterable[ClassSpec] | None = None,
        taken: Iterable[TakenDevice] | None = None,
        rules: Iterable[TaintRule] | None = None,
    ) -> Inventory:
        """Return an inventory with some parts replaced. While the slices stay the same, their devices are shared.

        Other slices must begin with those that are there, so that each device keeps its number.
        """
        if slices is None or slices is self.slices:
            made = object.__new__(Inventory)
            made.slices, made.numbers = self.slices, self.numbers
        else:
            made = Inventory(slices)
        made._set(
            self.nodes.values() if nodes is None else nodes,
            self.classes.values() if classes is None else classes,
            self.taken if taken is None else taken,
            self.rules if rules is None else rules,
        )
        return made


def inventory_from(objects: Iterable[Mapping[str, Any]], slices: Iterable[Slice] = ()) -> Inventory:
    """Read objects of any API version; those of other kinds are passed over. ``slices`` are some that were read before."""
    found: dict[str, list[Any]] = {kind: [] for kind in _READERS}
    for data in objects:
        kind = str(data.get("kind"))
        group = (as_text(data.get("apiVersion")) or "").rpartition("/")[0]
        if kind in _READERS and group == ("" if kind == "Node" else GROUP):
            found[kind].extend(_READERS[kind](data))
    return Inventory(
        (*slices, *found["ResourceSlice"]),
        nodes=found["Node"],
        classes=found["DeviceClass"],
        taken=found["ResourceClaim"],
        rules=found["DeviceTaintRule"],
    )


def class_from(data: Mapping[str, Any]) -> ClassSpec:
    """Read a DeviceClass."""
    metadata, spec = as_map(data.get("metadata")), as_map(data.get("spec"))
    return ClassSpec(
        as_text(metadata.get("name")) or "",
        tuple(selector.expression for selector in selectors_from(spec, ROOT)),
        tuple(item for item in as_list(spec.get("config")) if isinstance(item, dict)),
        as_text(spec.get("extendedResourceName")),
        as_text(metadata.get("creationTimestamp")) or "",
    )


def taken_from(data: Mapping[str, Any]) -> Iterator[TakenDevice]:
    """Read what a ResourceClaim's allocation holds; devices of admin access are held by nobody."""
    allocation = as_map(as_map(data.get("status")).get("allocation"))
    for result in as_list(as_map(allocation.get("devices")).get("results")):
        if isinstance(result, dict) and result.get("adminAccess") is not True:
            driver, pool, device = (as_text(result.get(key)) or "" for key in ("driver", "pool", "device"))
            shared = as_text(result.get("shareID")) is not None
            yield TakenDevice(driver, pool, device, shared, quantities_from(result.get("consumedCapacity")))


def rule_from(data: Mapping[str, Any]) -> Iterator[TaintRule]:
    """Read a DeviceTaintRule; one without a selector taints nothing, one with an empty selector everything."""
    spec = as_map(data.get("spec"))
    selector = spec.get("deviceSelector")
    if isinstance(selector, dict):
        driver, pool, device = (as_text(selector.get(key)) for key in ("driver", "pool", "device"))
        yield TaintRule(driver, pool, device, taint_from(as_map(spec.get("taint"))))


_READERS: dict[str, Callable[[Mapping[str, Any]], Iterable[Any]]] = {
    "ResourceSlice": lambda data: (slice_from(data),),
    "Node": lambda data: (node_from(data),),
    "DeviceClass": lambda data: (class_from(data),),
    "ResourceClaim": taken_from,
    "DeviceTaintRule": rule_from,
}
