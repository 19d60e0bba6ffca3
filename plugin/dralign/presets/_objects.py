"""Kubernetes objects as their writers write them: nodes, slices, classes, topologies. No machine is known here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from dralign.model.driver import Attribute, DriverProfile
    from dralign.presets._machine import Machine

MOST_DEVICES = 128
"""How many devices fit into one ResourceSlice (resource.k8s.io/v1)."""

MOST_COUNTER_SETS = 8
"""How many counter sets do."""


def written(
    profile: DriverProfile, device_type: str, version: str, features: Collection[str], values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the attributes of a device: those of ``values`` that the driver publishes at this release.

    A list is written as one where the driver does so, else its first item is; None is not written at all. Attributes of
    the driver's own domain are written without it.
    """
    found: dict[str, Any] = {}
    for row in _carried(profile, device_type, version, frozenset(features)):
        value = values.get(row.name)
        if value is None:
            continue
        listed = row.form == "list" or row.list_gate in features
        items = value if isinstance(value, list) else [value]
        name = row.name.removeprefix(f"{profile.name}/")
        found[name] = {f"{row.value}s": items} if listed else {row.value: items[0]}
    return found


_rows: dict[tuple[str, str, str, frozenset[str]], list[Attribute]] = {}


def _carried(profile: DriverProfile, device_type: str, version: str, features: frozenset[str]) -> list[Attribute]:
    """Return the attributes that devices of a type carry, worked out once for all of them."""
    key = profile.name, device_type, version, features
    if key not in _rows:
        _rows[key] = profile.carried(device_type, version, features)
    return _rows[key]


def amounts(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return capacities or counters: quantities by name."""
    return {name: {"value": str(value)} for name, value in values.items()}


def slices(profile: DriverProfile, node: str, devices: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the ResourceSlices of a node's pool that holds only devices."""
    yield from pool(profile, node, [{"devices": list(part)} for part in cut(devices, MOST_DEVICES)])


def pool(profile: DriverProfile, node: str, parts: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the ResourceSlices of a node's pool; parts hold either ``devices`` or ``sharedCounters``."""
    for number, part in enumerate(parts):
        yield {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": f"{node}-{profile.name}-{number:02}"},
            "spec": {
                "driver": profile.name,
                "nodeName": node,
                "pool": {"name": node, "generation": 1, "resourceSliceCount": len(parts)},
                **part,
            },
        }


def cut(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield pieces of at most ``size`` items."""
    return (items[start : start + size] for start in range(0, len(items), size))


def shipped_classes(profile: DriverProfile, version: str, features: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield the DeviceClasses that a release of a driver comes with."""
    for item in profile.classes:
        if profile.since(item.since, version) and all(need in features for need in item.needs):
            extended = {"extendedResourceName": item.extended_resource} if item.extended_resource else {}
            yield device_class(item.name, item.selector, extended)


def device_class(name: str, selector: str, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a DeviceClass with one selector."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": [{"cel": {"expression": selector}}], **(more or {})},
    }


def node(machine: Machine, name: str, labels: Mapping[str, str]) -> dict[str, Any]:
    """Return the Node: all its CPUs and memory are there for pods."""
    memory = sum(zone.memory for zone in machine.zones if zone.cores)
    resources = {
        "cpu": str(machine.cpus),
        "memory": f"{memory}Gi",
        "hugepages-1Gi": "0",
        "hugepages-2Mi": "0",
        "pods": "110",
    }
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {
                "kubernetes.io/arch": machine.architecture,
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "feature.node.kubernetes.io/cpu-model.vendor_id": machine.cpu,
                "feature.node.kubernetes.io/cpu-hardware_multithreading": str(machine.threads > 1).lower(),
                "feature.node.kubernetes.io/memory-numa": str(len(machine.zones) > 1).lower(),
                **machine.labels,
                **labels,
            },
        },
        "status": {
            "capacity": resources,
            "allocatable": dict(resources),
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def topology(machine: Machine, name: str) -> dict[str, Any]:
    """Return the NodeResourceTopology: CPUs and memory of each NUMA node, distances from node to node."""
    return {
        "apiVersion": "topology.node.k8s.io/v1alpha2",
        "kind": "NodeResourceTopology",
        "metadata": {"name": name},
        "zones": [
            {
                "name": f"node-{zone.number}",
                "type": "Node",
                "costs": [
                    {
                        "name": f"node-{other.number}",
                        "value": _distance(zone.number == other.number, zone.socket == other.socket),
                    }
                    for other in machine.zones
                ],
                "resources": [
                    {"name": kind, "capacity": amount, "allocatable": amount, "available": amount}
                    for kind, amount in (("cpu", str(zone.cores * machine.threads)), ("memory", f"{zone.memory}Gi"))
                    if not amount.startswith("0")
                ],
            }
            for zone in machine.zones
        ],
    }


def _distance(same: bool, near: bool) -> int:
    """Return a distance as the kernel's table (SLIT) gives it."""
    return 10 if same else 12 if near else 21
