"""How many NUMA nodes a machine has, and how many CPUs each bears.

Sources, the first that knows wins: a NodeResourceTopology object (topology.node.k8s.io v1alpha1 and v1alpha2; presets
bring one), then ``dra.cpu`` devices that cover all CPUs of the node. Otherwise nobody knows. NUMA nodes without CPUs
(memory of an accelerator) are listed by some machines and count for nothing here.
"""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.model.quantities import quantity_from
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from dralign.model.device import Device

TOPOLOGY_GROUP = "topology.node.k8s.io"
TOPOLOGY_KIND = "NodeResourceTopology"
CPU_DRIVER = "dra.cpu"
HUGEPAGES = "hugepages-"

_NUMA = ("dra.cpu/numaNodeID", "resource.kubernetes.io/numaNode", "dra.net/numaNode")
_SOCKET = "dra.cpu/socketID"
_ONE_CPU = "dra.cpu/cpuID"
_CPUS = "dra.cpu/cpu"
_EMPTY: Mapping[int, int] = {}


class NumaLayout(Record):
    """NUMA nodes of one machine that bear CPUs.

    Attributes:
        cpus: logical CPUs by NUMA node.
        source: who says so, in words.
        memory: bytes by NUMA node, those without CPUs included; empty where unknown.
        sockets: socket by NUMA node; empty where unknown.
        near: for NUMA nodes without CPUs (an accelerator's own memory) the one with CPUs that is nearest, where it is known.
        hugepages: bytes of huge pages by resource (``hugepages-2Mi``) and NUMA node; empty where unknown.
    """

    cpus: Mapping[int, int]
    source: str
    memory: Mapping[int, int] = _EMPTY
    sockets: Mapping[int, int] = _EMPTY
    near: Mapping[int, int] = _EMPTY
    hugepages: Mapping[str, Mapping[int, int]] = {}

    @property
    def is_single(self) -> bool:
        """Whether all CPUs are on one NUMA node."""
        return len(self.cpus) == 1


def layouts_from(objects: Iterable[Mapping[str, Any]]) -> dict[str, NumaLayout]:
    """Read the layouts of nodes, by name, from NodeResourceTopology objects; other kinds are passed over."""
    found = {}
    for data in objects:
        group = (as_text(data.get("apiVersion")) or "").rpartition("/")[0]
        name = as_text(as_map(data.get("metadata")).get("name"))
        if data.get("kind") == TOPOLOGY_KIND and group == TOPOLOGY_GROUP and name is not None:
            layout = _of_topology(data)
            if layout is not None:
                found[name] = layout
    return found


def layout_of_devices(devices: Iterable[Device], cpus: int | None) -> NumaLayout | None:
    """Return the layout that the ``dra.cpu`` devices of a node show; None unless they cover all its CPUs.

    Args:
        devices: all devices of the node, each once.
        cpus: logical CPUs of the node (``status.capacity.cpu``); None where unknown: then nothing is covered for sure.
    """
    counts: dict[int, int] = {}
    sockets: dict[int, int] = {}
    for device in (device for device in devices if device.driver == CPU_DRIVER):
        node, count = _numa_of(device), _cpus_of(device)
        if node is None or count is None:
            return None
        counts[node] = counts.get(node, 0) + count
        socket = _attribute(device, _SOCKET)
        if socket is not None:
            sockets[node] = socket
    if not counts or cpus is None or sum(counts.values()) < cpus:
        return None
    return NumaLayout(counts, "dra.cpu devices", sockets=sockets if sockets.keys() == counts.keys() else _EMPTY)


def _of_topology(data: Mapping[str, Any]) -> NumaLayout | None:
    """Read one object; None where no zone bears CPUs, or where a zone's name has no number."""
    amounts: dict[str, dict[int, int]] = {"cpu": {}, "memory": {}}
    costs: dict[int, dict[int, int]] = {}
    for zone in map(as_map, as_list(data.get("zones"))):
        if as_text(zone.get("type")) != "Node":
            continue
        number = _number(zone.get("name"))
        if number is None:
            return None
        costs[number] = _costs(zone)
        for resource in map(as_map, as_list(zone.get("resources"))):
            amount = quantity_from(resource.get("capacity"))
            name = as_text(resource.get("name")) or ""
            if amount is not None and amount.sign > 0 and (name in amounts or name.startswith(HUGEPAGES)):
                amounts.setdefault(name, {})[number] = amount.scaled_value()
    cpus, memory = amounts.pop("cpu"), amounts.pop("memory")
    near = {node: nearest for node in costs if node not in cpus for nearest in _nearest(costs[node], cpus)}
    return NumaLayout(cpus, TOPOLOGY_KIND, memory, near=near, hugepages=amounts) if cpus else None


def _costs(zone: Mapping[str, Any]) -> dict[int, int]:
    """Read the distances of a zone to others."""
    found = {}
    for cost in map(as_map, as_list(zone.get("costs"))):
        other, value = _number(cost.get("name")), quantity_from(cost.get("value"))
        if other is not None and value is not None:
            found[other] = value.scaled_value()
    return found


def _nearest(costs: Mapping[int, int], cpus: Mapping[int, int]) -> tuple[int, ...]:
    """Return the NUMA node with CPUs that is nearest; nothing where two are equally near, or a distance is missing."""
    if not cpus or not cpus.keys() <= costs.keys():
        return ()
    least = min(costs[node] for node in cpus)
    nearest = tuple(node for node in cpus if costs[node] == least)
    return nearest if len(nearest) == 1 else ()


def _number(name: Any) -> int | None:
    """Read the number of a zone: NFD and the exporters write ``node-0``."""
    digits = (as_text(name) or "").rpartition("-")[2]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 4 else None


def _numa_of(device: Device) -> int | None:
    found = (_attribute(device, name) for name in _NUMA)
    return next((node for node in found if node is not None), None)


def _attribute(device: Device, name: str) -> int | None:
    """Return a number that is known: drivers write -1 for one that is not."""
    value = device.attributes.get(name, device.attributes.get(name.removeprefix(f"{CPU_DRIVER}/")))
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _cpus_of(device: Device) -> int | None:
    """Return how many CPUs a device stands for; None where it does not say."""
    if _attribute(device, _ONE_CPU) is not None:
        return 1
    capacity = device.capacity.get(_CPUS) or device.capacity.get("cpu")
    return capacity.value.scaled_value() if capacity is not None else None
