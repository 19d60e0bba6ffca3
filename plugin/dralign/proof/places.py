"""Where devices are: their NUMA node or socket, as far as they say so.

A device that does not publish its NUMA node is where another device of the same PCIe root is. Negative numbers mean "not
known" and are treated so. Two devices of one root are together even where nobody knows on which NUMA node. NUMA nodes
without CPUs stand for the nearest one that has some: an accelerator's own memory is no place for anything else.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal

    from dralign.model.device import Device
    from dralign.model.numa import NumaLayout

    Level = Literal["physical", "intersect", "socket"]

PHYSICAL: Level = "physical"
INTERSECT: Level = "intersect"
SOCKET: Level = "socket"
"""What counts as together: the devices' own NUMA node (the first of a list), any NUMA node in common, or the socket."""


class Names(Record):
    """Attributes in which devices of one driver publish NUMA node, PCIe root and socket, best first."""

    numa: tuple[str, ...]
    roots: tuple[str, ...]
    sockets: tuple[str, ...]


class Place(Record):
    """Where a device is.

    Attributes:
        spots: NUMA nodes or sockets, any of which counts; None where nobody knows.
        token: what tells places apart of which nobody knows the number.
        numa: the NUMA nodes to name; empty where nobody knows.
    """

    spots: frozenset[int] | None
    token: str
    numa: tuple[int, ...]


class Places:
    """The places of all devices of one node."""

    def __init__(
        self, devices: Iterable[Device], layout: NumaLayout | None, level: Level, names: Callable[[str], Names]
    ) -> None:
        self.level = level
        self.layout = layout
        self._names = names
        self._devices = tuple(devices)
        self._sockets = dict(layout.sockets) if layout is not None else {}
        self._roots: dict[str, tuple[int, ...]] = {}
        self._known: dict[int, Place] = {}
        for device in self._devices:
            self._learn(device)

    def of(self, device: Device) -> Place:
        """Return where a device is."""
        known = self._known.get(device.number)
        if known is None:
            known = self._known[device.number] = self._place(device)
        return known

    def spots(self, numa: Iterable[int]) -> frozenset[int] | None:
        """Return what NUMA nodes count as: themselves or their sockets; None where a socket is not known."""
        if self.level != SOCKET:
            return frozenset(numa)
        found = [self._sockets.get(node) for node in numa]
        return frozenset(socket for socket in found if socket is not None) if None not in found else None

    def inside(self, spots: frozenset[int]) -> frozenset[int]:
        """Return the NUMA nodes that bear CPUs and count as one of the spots."""
        nodes = self.layout.cpus if self.layout is not None else {}
        return frozenset(node for node in nodes if (self.spots((node,)) or frozenset()) & spots)

    def _learn(self, device: Device) -> None:
        """Note which NUMA node the device's root is on, and which socket its NUMA node."""
        numa = self._published(device)
        if not numa:
            return
        for root in self._root(device):
            if self._roots.setdefault(root, numa)[:1] != numa[:1]:
                self._roots[root] = ()  # devices of one root disagree: it tells nothing
        socket = next((value for value in _values(device, self._names(device.driver).sockets)), ())
        if len(socket) == 1 and isinstance(socket[0], int):
            self._sockets.setdefault(numa[0], socket[0])

    def _place(self, device: Device) -> Place:
        numa = self._published(device) or next((self._roots.get(root, ()) for root in self._root(device)), ())
        shown = numa if self.level == INTERSECT else numa[:1]
        spots = self.spots(shown) if shown else None
        token = next(iter(self._root(device)), device.identity)
        return Place(spots or None, token, numa[:1] if spots and self.level != INTERSECT else numa)

    def _published(self, device: Device) -> tuple[int, ...]:
        """Return the NUMA nodes that the device itself names, own node first; empty where it names none it knows."""
        for values in _values(device, self._names(device.driver).numa):
            numbers = tuple(number for number in map(_number, values) if number is not None)
            if numbers and len(numbers) == len(values):
                return self._with_cpus(numbers)
        return ()

    def _with_cpus(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Return NUMA nodes that bear CPUs for those that a device names; empty where that is not known of one."""
        layout = self.layout
        if layout is None:
            return numbers
        found = [number if number in layout.cpus else layout.near.get(number) for number in numbers]
        return tuple(number for number in found if number is not None) if None not in found else ()

    def _root(self, device: Device) -> tuple[str, ...]:
        """Return the device's PCIe root, where it names exactly one."""
        for values in _values(device, self._names(device.driver).roots):
            if len(values) == 1 and isinstance(values[0], str):
                return (values[0],)
        return ()


def _values(device: Device, names: Iterable[str]) -> Iterable[tuple[Any, ...]]:
    for name in names:
        value = device.attribute(name)
        if value is not None:
            yield value if isinstance(value, tuple) else (value,)


def _number(value: Any) -> int | None:
    """Read a number that is known; some drivers write it as text."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 4:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
