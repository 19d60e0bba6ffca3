"""NVIDIA GPUs of a machine as devices of gpu.nvidia.com."""

from __future__ import annotations

from zlib import crc32

from dralign.drivers.nvidia import DRIVER
from dralign.presets._objects import amounts, shipped_classes, slices, written
from dralign.presets._standard import CPUS, LISTS, NICS, NODES, driver_parameter, features_of
from dralign.presets._standard import objects as standard
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from dralign.model.preset import Chosen, Objects
    from dralign.presets._machine import Machine


PARAMETERS = (*NODES, driver_parameter("gpuDriver", DRIVER), *CPUS, *NICS, LISTS)


class Card(Record):
    """A model of GPU as NVML describes it; ``memory`` in MiB, as the driver publishes it."""

    product: str
    architecture: str
    capability: str
    memory: int


def gpu_slices(
    machine: Machine, card: Card, node: str, version: str, features: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Yield the slices of gpu.nvidia.com, every card as a whole."""
    devices = [
        {
            "name": f"gpu-{minor}",
            "attributes": written(
                DRIVER, "gpu", version, features, _values(machine, card, node, minor) | {"gpu.nvidia.com/type": "gpu"}
            ),
            "capacity": amounts({"memory": f"{card.memory}Mi"}),
        }
        for minor in range(len(machine.accelerators))
    ]
    yield from slices(DRIVER, node, devices)


def _uuid(node: str, minor: int) -> str:
    """Return a UUID that no other card has, the same in every run."""
    return f"GPU-{crc32(node.encode()):08x}-0000-4000-8000-{minor:012x}"


def _values(machine: Machine, card: Card, node: str, minor: int) -> dict[str, Any]:
    slot = machine.accelerators[minor]
    return {
        "gpu.nvidia.com/uuid": _uuid(node, minor),
        "gpu.nvidia.com/productName": card.product,
        "gpu.nvidia.com/brand": "Nvidia",
        "gpu.nvidia.com/architecture": card.architecture,
        "gpu.nvidia.com/cudaComputeCapability": card.capability,
        "gpu.nvidia.com/driverVersion": "580.126.20",
        "gpu.nvidia.com/cudaDriverVersion": "13.0.0",
        "gpu.nvidia.com/index": minor,
        "gpu.nvidia.com/minor": minor,
        "gpu.nvidia.com/pcieBusID": slot.address,
        "resource.kubernetes.io/pciBusID": slot.address,
        "resource.kubernetes.io/pcieRoot": f"pci{slot.root}" if slot.root else None,
        "resource.kubernetes.io/numaNode": machine.neighbours(slot.zone),
    }


def objects(machine: Machine, card: Card, chosen: Chosen) -> Objects:
    """Return all objects of a machine with NVIDIA GPUs."""
    version, features = chosen["gpuDriver"], features_of(chosen)
    return standard(
        machine,
        chosen,
        shipped_classes(DRIVER, version, features),
        lambda name: gpu_slices(machine, card, name, version, features),
        labels(card, machine),
    )


def labels(card: Card, machine: Machine) -> dict[str, str]:
    """Return the labels that GPU feature discovery sets."""
    major, minor, _ = card.capability.split(".")
    return {
        "feature.node.kubernetes.io/pci-10de.present": "true",
        "nvidia.com/gpu.present": "true",
        "nvidia.com/gpu.product": card.product.replace(" ", "-"),
        "nvidia.com/gpu.family": card.architecture.lower(),
        "nvidia.com/gpu.count": str(len(machine.accelerators)),
        "nvidia.com/gpu.memory": str(card.memory),
        "nvidia.com/gpu.compute.major": major,
        "nvidia.com/gpu.compute.minor": minor,
    }
