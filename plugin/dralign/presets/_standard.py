"""What all presets have in common: how many nodes, which drivers at which release, and the order of the objects."""

from __future__ import annotations

from dralign.drivers.cpu import DRIVER as CPU
from dralign.drivers.dranet import DRIVER as NET
from dralign.drivers.memory import DRIVER as MEMORY
from dralign.model.driver import LIST_GATE
from dralign.model.preset import Parameter, PresetError
from dralign.presets._cpu import NODE_ALLOCATABLE, TYPES, cpu_slices, memory_slices
from dralign.presets._nic import nic_slices
from dralign.presets._objects import device_class, node, shipped_classes, topology

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from dralign.model.driver import DriverProfile
    from dralign.model.preset import Chosen, Objects
    from dralign.presets._machine import Machine

    Slices = Iterable[dict[str, Any]]

OFF, ON = "off", "on"
NIC_CLASS = "dranet"
"""dranet ships no class; this is the name that its documentation gives one."""


def releases(profile: DriverProfile) -> tuple[str, ...]:
    """Return the release lines of a driver by their first names."""
    return tuple(line[0] for line in profile.releases)


def driver_parameter(name: str, profile: DriverProfile, oldest: str = "") -> Parameter:
    """Return the parameter that chooses a driver's release, the latest if nothing is said."""
    values = tuple(release for release in releases(profile) if profile.since(oldest, release))
    return Parameter(name, f"release of {profile.name}", values[-1], values)


NODES = (
    Parameter("nodes", "how many such nodes there are", "1"),
    Parameter("first", "number of the first of them, as in its name", "0", least=0),
)
CPUS = (
    Parameter("cpu", "devices of dra.cpu: a NUMA node, socket, machine or CPU each", "grouped", (*TYPES, "none")),
    driver_parameter("cpuDriver", CPU),
    Parameter(
        "nodeAllocatable",
        "CPUs of dra.cpu count as the node's (needs DRANodeAllocatableResources, cpuDriver=0.3)",
        OFF,
        (OFF, ON),
    ),
    Parameter("memory", "devices of dra.memory", ON, (ON, OFF)),
)
NICS = (
    Parameter("nics", f"devices of dra.net, and class {NIC_CLASS}", ON, (ON, OFF)),
    driver_parameter("nicDriver", NET, "1.4"),
)
LISTS = Parameter(
    "lists",
    "numaNode of GPUs and NICs and pcieRoot of CPUs as lists, where the drivers can (needs DRAListTypeAttributes)",
    OFF,
    (OFF, ON),
)


def features_of(chosen: Chosen) -> frozenset[str]:
    """Return the gates and options that the drivers run with.

    Raises:
        PresetError: an option that the chosen release of its driver does not have.
    """
    found = {LIST_GATE, "expose-pcie-roots"} if chosen["lists"] == ON else set()
    if chosen["nodeAllocatable"] == ON:
        if not CPU.since("0.3", chosen["cpuDriver"]):
            raise PresetError(f"nodeAllocatable={ON} needs cpuDriver=0.3 or later, got {chosen['cpuDriver']}")
        found.add(NODE_ALLOCATABLE)
    return frozenset(found)


def objects(
    machine: Machine,
    chosen: Chosen,
    classes: Iterable[dict[str, Any]],
    accelerators: Callable[[str], Slices],
    labels: Mapping[str, str],
) -> Objects:
    """Return all objects of a machine: classes once, then node, topology and slices of each node.

    ``accelerators`` makes the slices of its accelerators for a node name, ``classes`` are those of their driver.
    """
    first = int(chosen["first"])
    found = [*classes, *_classes(chosen)]
    for number in range(first, first + int(chosen["nodes"])):
        name = f"{machine.name}-{number}"
        found += [
            node(machine, name, labels),
            topology(machine, name),
            *accelerators(name),
            *_others(machine, chosen, name),
        ]
    return found


def _classes(chosen: Chosen) -> Iterator[dict[str, Any]]:
    features = features_of(chosen)
    if chosen["cpu"] != "none":
        yield from shipped_classes(CPU, chosen["cpuDriver"], features)
    if chosen["memory"] == ON:
        yield from shipped_classes(MEMORY, "", features)
    if chosen.get("nics") == ON:
        yield device_class(NIC_CLASS, f'device.driver == "{NET.name}"')


def _others(machine: Machine, chosen: Chosen, name: str) -> Iterator[dict[str, Any]]:
    features = features_of(chosen)
    yield from cpu_slices(machine, name, chosen["cpu"], chosen["cpuDriver"], features)
    if chosen["memory"] == ON:
        yield from memory_slices(machine, name)
    if chosen.get("nics") == ON:
        yield from nic_slices(machine, name, chosen["nicDriver"], features)
