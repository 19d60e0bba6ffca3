"""CPUs and memory of a machine as devices of dra.cpu and dra.memory."""

from __future__ import annotations

from dralign.drivers.cpu import DRIVER as CPU
from dralign.drivers.memory import DRIVER as MEMORY
from dralign.presets._objects import amounts, slices, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from dralign.presets._machine import Machine, Zone

NODE_ALLOCATABLE = "node-allocatable"
"""Option of dra.cpu that makes its CPUs count as those of the node (KEP-5517, as 1.37 writes it)."""

TYPES = {"grouped": "numanode", "socket": "socket", "machine": "machine", "individual": "individual"}
"""Values of the parameter ``cpu``, and the device types of dra.cpu that they stand for."""


def cpu_slices(
    machine: Machine, node: str, grouping: str, version: str, features: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Yield the slices of dra.cpu for one way of grouping; none for ``none``."""
    if grouping == "none":
        return
    kind = TYPES[grouping]
    devices = (
        list(_single(machine, version, features))
        if kind == "individual"
        else [_group(machine, kind, name, zones, version, features) for name, zones in _groups(machine, kind)]
    )
    yield from slices(CPU, node, devices)


def _groups(machine: Machine, kind: str) -> Iterator[tuple[str, list[Zone]]]:
    zones = [zone for zone in machine.zones if zone.cores]
    if kind == "machine":
        yield "cpudevmachine", zones
    elif kind == "socket":
        for socket in sorted({zone.socket for zone in zones}):
            yield f"cpudevsocket{socket:03}", [zone for zone in zones if zone.socket == socket]
    else:
        for zone in zones:
            yield f"cpudevnuma{zone.number:03}", [zone]


def _group(
    machine: Machine, kind: str, name: str, zones: list[Zone], version: str, features: Collection[str]
) -> dict[str, Any]:
    count = sum(zone.cores for zone in zones) * machine.threads
    values = _values(machine, zones) | {"dra.cpu/numCPUs": count}
    return {
        "name": name,
        "attributes": _qualified(written(CPU, kind, version, features, values)),
        "capacity": amounts({"dra.cpu/cpu": count}),
        "allowMultipleAllocations": True,
        **_standing_for({"capacityKey": "dra.cpu/cpu", "capacityMultiplier": "1"}, features),
    }


def _standing_for(mapping: dict[str, str], features: Collection[str]) -> dict[str, Any]:
    return {"nodeAllocatableResources": {"cpu": {"mapping": mapping}}} if NODE_ALLOCATABLE in features else {}


def _single(machine: Machine, version: str, features: Collection[str]) -> Iterator[dict[str, Any]]:
    number = 0
    for zone in machine.zones:
        shared = _values(machine, [zone])
        for cpu, core in machine.cpus_of(zone):
            values = shared | {
                "dra.cpu/cpuID": cpu,
                "dra.cpu/coreID": core,
                "dra.cpu/coreType": "standard",
                "dra.cpu/cacheL3ID": zone.number,
            }
            attributes = _qualified(written(CPU, "individual", version, features, values))
            mapped = _standing_for({"deviceMultiplier": "1"}, features)
            yield {"name": f"cpudev{number:03}", "attributes": attributes, **mapped}
            number += 1


def _values(machine: Machine, zones: list[Zone]) -> dict[str, Any]:
    number = zones[0].number
    numbers = {zone.number for zone in zones}
    slots = (*machine.accelerators, *(nic.slot for nic in machine.nics))
    roots = sorted({f"pci{slot.root}" for slot in slots if slot.zone in numbers and slot.root})
    return {
        "resource.kubernetes.io/numaNode": number,
        "dra.net/numaNode": number,
        "dra.cpu/numaNodeID": number,
        "resource.kubernetes.io/pcieRoot": roots or None,
        "dra.cpu/socketID": zones[0].socket,
        "dra.cpu/smtEnabled": machine.threads > 1,
    }


def _qualified(attributes: dict[str, Any]) -> dict[str, Any]:
    """Write the driver's own domain out, as this driver does."""
    return {name if "/" in name else f"dra.cpu/{name}": value for name, value in attributes.items()}


def memory_slices(machine: Machine, node: str) -> Iterator[dict[str, Any]]:
    """Yield the slices of dra.memory: one device per NUMA node, memory-only ones included, in pages of 4 KiB."""
    devices = [
        {
            "name": f"memory-{zone.number}",
            "attributes": written(
                MEMORY,
                "memory",
                "",
                (),
                {
                    "resource.kubernetes.io/numaNode": zone.number,
                    "dra.net/numaNode": zone.number,
                    "dra.cpu/numaNodeID": zone.number,
                    "resource.kubernetes.io/pageSize": "4Ki",
                    "resource.kubernetes.io/hugeTLB": False,
                },
            ),
            "capacity": amounts({"size": f"{zone.memory}Gi"}),
            "allowMultipleAllocations": True,
        }
        for zone in machine.zones
    ]
    yield from slices(MEMORY, node, devices)
