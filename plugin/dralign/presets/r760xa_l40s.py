"""Dell R760xa with L40S cards: GPUs and NICs on root complexes of their own."""

from __future__ import annotations

from dralign.model.preset import Preset
from dralign.presets._machine import Machine, Nic, Slot, Zone
from dralign.presets._nvidia import Model, objects, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("NVIDIA L40S", "Ada Lovelace", "8.9.0", 46068, 142)
_MACHINE = Machine(
    name="r760xa-l40s",
    cpu="Intel",
    zones=(Zone(0, 0, 32, 512), Zone(1, 1, 32, 512)),
    accelerators=tuple(
        Slot(zone, f"0000:{root}", f"0000:{bus}:00.0")
        for zone, root, bus in ((0, "37", "38"), (0, "48", "49"), (1, "b7", "b8"), (1, "c7", "c8"))
    ),
    nics=tuple(
        Nic(Slot(zone, f"0000:{root}", f"0000:{bus}:00.0"), f"enp{int(bus, 16)}s0np0", f"mlx5_{zone}")
        for zone, root, bus in ((0, "15", "16"), (1, "97", "98"))
    ),
    labels={"nvidia.com/gpu.machine": "PowerEdge-R760xa"},
)


def _objects(chosen: Chosen) -> Objects:
    return objects(_MACHINE, _GPU, chosen)


PRESET = Preset(
    name="r760xa-l40s",
    title="Dell R760xa: 2 x Xeon 6448Y, 4 x L40S, 2 x ConnectX-7",
    sources=(
        "NVIDIA L40S data sheet: memory, multiprocessors, no MIG",
        "KEP-6072: on an R760xa no GPU shares a root complex with a NIC",
    ),
    assumed=("all addresses", "two GPUs and one NIC on each socket", "all CPUs and memory are there for pods"),
    parameters=parameters(_GPU),
    objects=_objects,
)
