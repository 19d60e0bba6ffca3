"""Dell R750 with A30 cards, which divide into four."""

from __future__ import annotations

from dralign.model.preset import Preset
from dralign.presets._machine import Machine, Nic, Slot, Zone
from dralign.presets._nvidia import Model, objects, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("NVIDIA A30", "Ampere", "8.0.0", 24576, 56)
_MACHINE = Machine(
    name="r750-a30",
    cpu="Intel",
    zones=(Zone(0, 0, 32, 256), Zone(1, 1, 32, 256)),
    accelerators=(Slot(0, "0000:16", "0000:17:00.0"), Slot(1, "0000:c9", "0000:ca:00.0")),
    nics=(
        Nic(Slot(0, "0000:30", "0000:31:00.0"), "ens3f0np0", "mlx5_0", device="MT2892 Family [ConnectX-6 Dx]"),
        Nic(Slot(1, "0000:b0", "0000:b1:00.0"), "ens5f0np0", "mlx5_1", device="MT2892 Family [ConnectX-6 Dx]"),
    ),
    labels={"nvidia.com/gpu.machine": "PowerEdge-R750"},
)


def _objects(chosen: Chosen) -> Objects:
    return objects(_MACHINE, _GPU, chosen)


PRESET = Preset(
    name="r750-a30",
    title="Dell R750: 2 x Xeon 8358, 2 x A30, 2 x ConnectX-6 Dx",
    sources=("NVIDIA A30 data sheet, MIG user guide",),
    assumed=("all addresses", "one GPU and one NIC on each socket", "all CPUs and memory are there for pods"),
    parameters=parameters(_GPU),
    objects=_objects,
)
