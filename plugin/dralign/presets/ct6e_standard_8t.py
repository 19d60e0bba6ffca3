"""Google Cloud ct6e-standard-8t: eight TPU v6e chips on one host; the driver tells nothing of NUMA nodes."""

from __future__ import annotations

from dralign.drivers.tpu import DRIVER
from dralign.model.preset import Preset
from dralign.presets._machine import Machine, Slot, Zone
from dralign.presets._objects import shipped_classes, slices, written
from dralign.presets._standard import CPUS, LISTS, NODES, driver_parameter, features_of, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.model.preset import Chosen, Objects

_CHIPS = 8
_MACHINE = Machine(
    name="ct6e-standard-8t",
    cpu="AMD",
    zones=(Zone(0, 0, 45, 720), Zone(1, 1, 45, 720)),
    accelerators=tuple(Slot(chip // 4, "", "") for chip in range(_CHIPS)),
    nics=(),
    labels={
        "node.kubernetes.io/instance-type": "ct6e-standard-8t",
        "cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice",
        "cloud.google.com/gke-tpu-topology": "2x4",
    },
)


def _device(chip: int, node: str, chosen: Chosen) -> dict[str, Any]:
    values = {
        "tpu.google.com/index": chip,
        "tpu.google.com/uuid": f"tpu-{node}-{chip}",
        "tpu.google.com/tpuGen": "v6e",
        "tpu.google.com/brand": "Google",
        "tpu.google.com/accelerator": "tpu-v6e-slice",
        "tpu.google.com/chipCount": _CHIPS,
        "tpu.google.com/topology": "2x4",
    }
    return {"name": f"accel{chip}", "attributes": written(DRIVER, "", chosen["tpuDriver"], features_of(chosen), values)}


def _objects(chosen: Chosen) -> Objects:
    return objects(
        _MACHINE,
        chosen,
        shipped_classes(DRIVER, chosen["tpuDriver"], features_of(chosen)),
        lambda name: slices(DRIVER, name, [_device(chip, name, chosen) for chip in range(_CHIPS)]),
        {},
    )


PRESET = Preset(
    name="ct6e-standard-8t",
    title="Google Cloud ct6e-standard-8t: 2 x EPYC, 8 x TPU v6e",
    sources=(
        "Google Cloud, TPU v6e machine types: 180 vCPUs, 1440 GB, two NUMA nodes, eight chips",
        "kubernetes-sigs/dra-driver-google-tpu README and driver @f5a9d8c: names and attributes",
    ),
    assumed=("values of brand and accelerator", "all CPUs and memory are there for pods"),
    parameters=(*NODES, driver_parameter("tpuDriver", DRIVER), *CPUS, LISTS),
    objects=_objects,
)
