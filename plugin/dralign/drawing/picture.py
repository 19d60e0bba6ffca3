"""What of a node is drawn: each NUMA node with its CPUs, memory, and devices by PCIe root."""

from __future__ import annotations

from dralign.model.driver import NUMA, PARENT, PCIE_ROOT, PROFILE, SOCKET, STANDARD
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from dralign.model.catalogue import Catalogue
    from dralign.model.device import Device
    from dralign.model.numa import NumaLayout

_FIRST = ("gpu", "npu", "nic")
"""Kinds of devices in the order in which they stand behind a root; any others follow."""


_UNDRAWN = frozenset({"cpu", "memory", "fabric"})
"""Kinds that hang on no root: what they hand out stands at the NUMA node, or nowhere."""


class Item(Record):
    """A device in the picture. ``parent`` and ``profile`` are those of a partition, empty on whole devices."""

    identity: str
    name: str
    kind: str
    parent: str = ""
    profile: str = ""


class Root(Record):
    """A PCIe root complex and what hangs on it; ``name`` is empty for devices that publish none."""

    name: str
    items: tuple[Item, ...]


class Supply(Record):
    """CPUs, or bytes of memory, of a NUMA node; ``devices`` hand them out, by identity: () where the kubelet does."""

    amount: int
    devices: tuple[str, ...] = ()


class Zone(Record):
    """A NUMA node. ``number`` is None for devices whose node nobody knows; None elsewhere: there is none, or unknown."""

    number: int | None
    socket: int | None
    cpus: Supply | None
    memory: Supply | None
    roots: tuple[Root, ...]


class Picture(Record):
    """A node, ready to be drawn."""

    name: str
    zones: tuple[Zone, ...]


def picture_of(name: str, devices: Iterable[Device], layout: NumaLayout | None, catalogue: Catalogue) -> Picture:
    """Arrange the devices of a node.

    Args:
        name: the node's.
        devices: all that the node can reach, each once.
        layout: its NUMA nodes, None where nobody knows them: then those that devices name are drawn.
        catalogue: says which attributes carry a NUMA node, a root, a parent.
    """
    placed = [(device, _Reading(device, catalogue)) for device in devices]
    numbers = {reading.numa for _, reading in placed if reading.kind not in _UNDRAWN or reading.numa is not None}
    if layout:
        numbers.update(layout.cpus, layout.memory)
    order = sorted(numbers, key=lambda number: (number is None, number or 0))
    return Picture(name, tuple(_zone(number, placed, layout) for number in order))


class _Reading:
    """What the catalogue makes of a device: its kind, NUMA node, root, parent and profile."""

    def __init__(self, device: Device, catalogue: Catalogue) -> None:
        profile = catalogue.driver(device.driver)
        self.kind = profile.device if profile else ""
        rows = profile.attributes if profile else ()
        self.found: dict[str, Any] = {}
        for row in rows:
            value = value_of(device, row.name)
            if row.role and value is not None and value != row.unknown:
                self.found.setdefault(row.role, value)
        for role, name in ((NUMA, "numaNode"), (PCIE_ROOT, "pcieRoot")):
            value = value_of(device, STANDARD + name)
            if value is not None and not profile:
                self.found[role] = value

    @property
    def numa(self) -> int | None:
        """The device's own node: the first of a list (KEP-6072); None for one that sysfs does not know, -1."""
        value = self.found.get(NUMA)
        first = value[0] if isinstance(value, tuple) and value else value
        return first if isinstance(first, int) and not isinstance(first, bool) and first >= 0 else None

    def text(self, role: str) -> str:
        """Return the value of a role as text; empty for none and for lists."""
        value = self.found.get(role)
        return value if isinstance(value, str) else ""


def value_of(device: Device, name: str) -> Any:
    """Return the value of an attribute by its qualified name, None if the device has none."""
    value = device.attributes.get(name)
    return device.attributes.get(name.removeprefix(f"{device.driver}/")) if value is None else value


def _zone(number: int | None, placed: list[tuple[Device, _Reading]], layout: NumaLayout | None) -> Zone:
    here = [(device, reading) for device, reading in placed if reading.numa == number]
    drawn = [(device, reading) for device, reading in here if reading.kind not in _UNDRAWN]
    if number is None:
        return Zone(None, None, None, None, _roots(drawn))
    sockets = [reading.found[SOCKET] for _, reading in here if isinstance(reading.found.get(SOCKET), int)]
    return Zone(
        number,
        sockets[0] if sockets else layout.sockets.get(number) if layout else None,
        _supply("cpu", here, layout.cpus.get(number) if layout else None),
        _supply("memory", here, layout.memory.get(number) if layout else None),
        _roots(drawn),
    )


def _supply(kind: str, here: list[tuple[Device, _Reading]], known: int | None) -> Supply | None:
    """Return what a NUMA node has: by its layout, else what its devices add up to."""
    devices = [device for device, reading in here if reading.kind == kind]
    amount = known if known is not None else sum(amount_of(device, kind) for device in devices)
    return Supply(amount, tuple(device.identity for device in devices)) if amount else None


def amount_of(device: Device, kind: str) -> int:
    """Return how many CPUs, or bytes of memory, a device of dra.cpu or dra.memory stands for."""
    name = amount_name(device, kind)
    return device.capacity[name].value.scaled_value() if name else int(kind == "cpu")


def amount_name(device: Device, kind: str) -> str | None:
    """Return the name of the capacity that counts CPUs or memory, None if the device has none: it is one CPU."""
    names = ("dra.cpu/cpu", "cpu") if kind == "cpu" else ("dra.memory/size", "size")
    return next((name for name in names if name in device.capacity), None)


def _roots(drawn: list[tuple[Device, _Reading]]) -> tuple[Root, ...]:
    by_root: dict[str, list[Item]] = {}
    for device, reading in drawn:
        profile = reading.text(PROFILE)
        item = Item(device.identity, device.name, reading.kind, reading.text(PARENT) if profile else "", profile)
        by_root.setdefault(reading.text(PCIE_ROOT), []).append(item)
    return tuple(Root(root, tuple(sorted(by_root[root], key=_place))) for root in sorted(by_root, key=_last_if_empty))


def _last_if_empty(root: str) -> tuple[bool, str]:
    return not root, root


def _place(item: Item) -> int:
    return _FIRST.index(item.kind) if item.kind in _FIRST else len(_FIRST)
