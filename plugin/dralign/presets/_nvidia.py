"""NVIDIA GPUs of a machine as devices of gpu.nvidia.com: whole, or divided into MIG partitions."""

from __future__ import annotations

from zlib import crc32

from dralign.drivers.nvidia import DRIVER
from dralign.model.preset import Parameter, PresetError
from dralign.presets._mig import DYNAMIC, MIG_OFF, SINCE, dynamic, modes, static
from dralign.presets._objects import amounts, shipped_classes, slices, written
from dralign.presets._standard import CPUS, LISTS, NICS, NODES, driver_parameter, features_of
from dralign.presets._standard import objects as standard
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from dralign.model.preset import Chosen, Objects
    from dralign.presets._machine import Machine


class Model(Record):
    """A model of GPU as NVML describes it; ``memory`` in MiB, ``units`` in multiprocessors."""

    product: str
    architecture: str
    capability: str
    memory: int
    units: int


def parameters(model: Model, *, nics: bool = True) -> tuple[Parameter, ...]:
    """Return the parameters of a machine with such GPUs."""
    mig = modes(model.product)
    return (
        *NODES,
        driver_parameter("gpuDriver", DRIVER),
        *((Parameter("mig", "partitions made beforehand, or by the driver on demand", MIG_OFF, mig),) if mig else ()),
        *CPUS,
        *(NICS if nics else ()),
        LISTS,
    )


def objects(machine: Machine, model: Model, chosen: Chosen) -> Objects:
    """Return all objects of a machine with NVIDIA GPUs.

    Raises:
        PresetError: partitions that the chosen release of the driver does not know how to make.
    """
    version, features = chosen["gpuDriver"], features_of(chosen)
    mode = chosen.get("mig", MIG_OFF)
    if mode == DYNAMIC and not DRIVER.since(SINCE, version):
        raise PresetError(f"preset {machine.name}: mig={DYNAMIC} needs gpuDriver={SINCE} or later, got {version}")
    return standard(
        machine,
        chosen,
        shipped_classes(DRIVER, version, features),
        lambda name: _slices(machine, model, name, chosen),
        _labels(model, machine, mode),
    )


def _slices(machine: Machine, model: Model, node: str, chosen: Chosen) -> Iterable[dict[str, Any]]:
    version, features = chosen["gpuDriver"], features_of(chosen)
    mode = chosen.get("mig", MIG_OFF)
    cards = [_values(machine, model, node, minor) for minor in range(len(machine.accelerators))]
    if mode == DYNAMIC:
        # GPUs before Hopper change the mode only by a reset, so that the driver offers no whole one beside partitions
        return dynamic(node, cards, model.units, version, features, whole=model.architecture != "Ampere")
    if mode != MIG_OFF:
        return static(node, cards, model.units, mode, version, features)
    return slices(
        DRIVER,
        node,
        [
            {
                "name": f"gpu-{minor}",
                "attributes": written(DRIVER, "gpu", version, features, values | {"gpu.nvidia.com/type": "gpu"}),
                "capacity": amounts({"memory": f"{model.memory}Mi"}),
            }
            for minor, values in enumerate(cards)
        ],
    )


def _uuid(node: str, minor: int) -> str:
    """Return a UUID that no other card has, the same in every run."""
    return f"GPU-{crc32(node.encode()):08x}-0000-4000-8000-{minor:012x}"


def _values(machine: Machine, model: Model, node: str, minor: int) -> dict[str, Any]:
    slot = machine.accelerators[minor]
    return {
        "gpu.nvidia.com/uuid": _uuid(node, minor),
        "gpu.nvidia.com/parentUUID": _uuid(node, minor),
        "gpu.nvidia.com/productName": model.product,
        "gpu.nvidia.com/brand": "Nvidia",
        "gpu.nvidia.com/architecture": model.architecture,
        "gpu.nvidia.com/cudaComputeCapability": model.capability,
        "gpu.nvidia.com/driverVersion": "580.126.20",
        "gpu.nvidia.com/cudaDriverVersion": "13.0.0",
        "gpu.nvidia.com/index": minor,
        "gpu.nvidia.com/minor": minor,
        "gpu.nvidia.com/pcieBusID": slot.address,
        "resource.kubernetes.io/pciBusID": slot.address,
        "resource.kubernetes.io/pcieRoot": f"pci{slot.root}" if slot.root else None,
        "resource.kubernetes.io/numaNode": machine.neighbours(slot.zone),
        "memory": model.memory,
    }


def _labels(model: Model, machine: Machine, mode: str) -> dict[str, str]:
    """Return the labels that GPU feature discovery and the MIG manager set."""
    major, minor, _ = model.capability.split(".")
    divisible = bool(modes(model.product))
    mig = {"nvidia.com/mig.config": mode, "nvidia.com/mig.strategy": "mixed"} if mode not in {MIG_OFF, DYNAMIC} else {}
    return {
        "feature.node.kubernetes.io/pci-10de.present": "true",
        "nvidia.com/gpu.present": "true",
        "nvidia.com/gpu.product": model.product.replace(" ", "-"),
        "nvidia.com/gpu.family": model.architecture.lower(),
        "nvidia.com/gpu.count": str(len(machine.accelerators)),
        "nvidia.com/gpu.memory": str(model.memory),
        "nvidia.com/gpu.compute.major": major,
        "nvidia.com/gpu.compute.minor": minor,
        "nvidia.com/mig.capable": str(divisible).lower(),
        **mig,
    }
