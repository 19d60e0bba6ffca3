"""Machines in numbers: NUMA nodes, accelerators and network interfaces, and where each of them sits."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class Zone(Record):
    """A NUMA node. One without cores bears memory only: that of an accelerator which the kernel shows as its own."""

    number: int
    socket: int
    cores: int
    memory: int
    """In GiB."""


class Slot(Record):
    """A place on the PCIe fabric: NUMA node, root complex and address as sysfs shows them.

    ``root`` is '0000:15'; empty where the device hangs on no root complex that the machine shows.
    """

    zone: int
    root: str
    address: str


class Nic(Record):
    """A network interface: its place, its name, and its RDMA device, empty if it has none."""

    slot: Slot
    name: str
    rdma: str = ""
    vendor: str = "Mellanox Technologies"
    device: str = "MT2910 Family [ConnectX-7]"


class Machine(Record):
    """One node. ``labels`` are those that tell the model; ``cpu`` is the vendor as NFD calls it."""

    name: str
    cpu: str
    zones: tuple[Zone, ...]
    accelerators: tuple[Slot, ...]
    nics: tuple[Nic, ...]
    labels: Mapping[str, str]
    threads: int = 2
    architecture: str = "amd64"

    @property
    def cpus(self) -> int:
        """How many logical CPUs there are."""
        return sum(zone.cores for zone in self.zones) * self.threads

    def neighbours(self, zone: int) -> list[int]:
        """Return a NUMA node, then the others of its socket that bear CPUs: numaNode as a list (KEP-6072)."""
        socket = next(item.socket for item in self.zones if item.number == zone)
        return [
            zone,
            *(item.number for item in self.zones if item.socket == socket and item.cores and item.number != zone),
        ]

    def cpus_of(self, zone: Zone) -> Iterator[tuple[int, int]]:
        """Yield (CPU, core) of a NUMA node, siblings side by side: the kernel counts first threads, then second ones."""
        cores = sum(item.cores for item in self.zones)
        first = sum(item.cores for item in self.zones if item.number < zone.number)
        for core in range(first, first + zone.cores):
            for thread in range(self.threads):
                yield core + thread * cores, core


def divided(machine: Machine, parts: int, place: Callable[[int, Slot], int]) -> Machine:
    """Return a machine whose NUMA nodes are cut into ``parts`` each, by SNC or NPS.

    ``place`` says in which part of its NUMA node a slot then lies; devices are numbered from 0 on each node.
    """
    if parts == 1:
        return machine
    zones = tuple(
        Zone(zone.number * parts + part, zone.socket, zone.cores // parts, zone.memory // parts)
        for zone in machine.zones
        for part in range(parts)
    )

    def moved(index: int, slot: Slot) -> Slot:
        return slot.replace(zone=slot.zone * parts + place(index, slot))

    return machine.replace(
        zones=zones,
        accelerators=tuple(moved(i, slot) for i, slot in enumerate(machine.accelerators)),
        nics=tuple(nic.replace(slot=moved(i, nic.slot)) for i, nic in enumerate(machine.nics)),
    )
