"""AMD GPUs of a machine as devices of gpu.amd.com: whole, or divided into compute partitions beforehand."""

from __future__ import annotations

from dralign.drivers.amd import DRIVER
from dralign.model.preset import Parameter
from dralign.presets._objects import amounts, shipped_classes, slices, written
from dralign.presets._standard import CPUS, LISTS, NICS, NODES, driver_parameter, features_of
from dralign.presets._standard import objects as standard
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.model.preset import Chosen, Objects
    from dralign.presets._machine import Machine


class Model(Record):
    """A model of GPU as the driver describes it; ``memory`` in MiB, ``units`` in compute units of four SIMD each."""

    product: str
    device: str
    memory: int
    units: int


def parameters(model: Model) -> tuple[Parameter, ...]:
    """Return the parameters of a machine with such GPUs."""
    card = DRIVER.card(model.product)
    profiles = tuple(profile.profile for profile in card.profiles) if card else ()
    return (
        *NODES,
        driver_parameter("gpuDriver", DRIVER),
        Parameter("partition", "compute and memory mode of all GPUs", "spx_nps1", profiles),
        *CPUS,
        *NICS,
        LISTS,
    )


def objects(machine: Machine, model: Model, chosen: Chosen) -> Objects:
    """Return all objects of a machine with AMD GPUs."""
    version, features = chosen["gpuDriver"], features_of(chosen)
    compute, memory = chosen["partition"].split("_")
    return standard(
        machine,
        chosen,
        shipped_classes(DRIVER, version, features),
        lambda name: slices(DRIVER, name, list(_devices(machine, model, chosen))),
        {
            "feature.node.kubernetes.io/amd-gpu": "true",
            "amd.com/gpu.product-name": model.product,
            "amd.com/gpu.vram": f"{round(model.memory / 1024)}G",
            "amd.com/gpu.cu-count": str(model.units),
            "amd.com/gpu.compute-partitioning-supported": "true",
            "amd.com/gpu.compute-memory-partition": f"{compute}_{memory}",
        },
    )


def _devices(machine: Machine, model: Model, chosen: Chosen) -> Iterator[dict[str, Any]]:
    card = DRIVER.card(model.product)
    profile = card.profile(chosen["partition"]) if card else None
    parts = profile.fits if profile else 1
    kind = "amdgpu" if parts == 1 else "amdgpu-partition"
    for number in range(len(machine.accelerators) * parts):
        slot = machine.accelerators[number // parts]
        values = {
            "gpu.amd.com/type": kind,
            "gpu.amd.com/productName": model.product,
            "gpu.amd.com/partitionProfile": chosen["partition"],
            # once the card's own, then that of its model
            "gpu.amd.com/deviceID": model.device,
            "gpu.amd.com/driverVersion": "6.12.12",
            "gpu.amd.com/driverVersionFull": "6.12.12",
            "gpu.amd.com/numaNode": slot.zone,
            "gpu.amd.com/pciAddr": slot.address,
            "gpu.amd.com/cardIndex": number,
            "gpu.amd.com/renderIndex": 128 + number,
            "resource.kubernetes.io/pciBusID": slot.address,
            "resource.kubernetes.io/pcieRoot": f"pci{slot.root}" if slot.root else None,
        }
        units = model.units // parts
        yield {
            "name": f"gpu-{number}-{128 + number}",
            "attributes": written(DRIVER, kind, chosen["gpuDriver"], features_of(chosen), values),
            "capacity": amounts(
                {"memory": f"{model.memory // parts}Mi", "computeUnits": units, "simdUnits": 4 * units}
            ),
        }
