"""NVIDIA DGX A100: two EPYC, in NPS4 with eight NUMA nodes of which four have a pair of GPUs each."""

from __future__ import annotations

from dralign.model.preset import Parameter, Preset
from dralign.presets._machine import Machine, Nic, Slot, Zone, divided
from dralign.presets._nvidia import Model, objects, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("NVIDIA A100-SXM4-80GB", "Ampere", "8.0.0", 81920, 108)

# socket, root complex, GPUs, NICs with their names, quarter of the socket in NPS4
_PAIRS = (
    (0, "0000:00", ("07", "0f"), (("0c", "ibp12s0"), ("12", "ibp18s0")), 3),
    (0, "0000:40", ("47", "4e"), (("4b", "ibp75s0"), ("54", "ibp84s0")), 1),
    (1, "0000:80", ("87", "90"), (("8d", "ibp141s0"), ("94", "ibp148s0")), 3),
    (1, "0000:b0", ("b7", "bd"), (("ba", "ibp186s0"), ("cc", "ibp204s0")), 1),
)
_MACHINE = Machine(
    name="dgx-a100",
    cpu="AMD",
    zones=(Zone(0, 0, 64, 1024), Zone(1, 1, 64, 1024)),
    accelerators=tuple(Slot(socket, root, f"0000:{bus}:00.0") for socket, root, gpus, _, _ in _PAIRS for bus in gpus),
    nics=tuple(
        Nic(Slot(socket, root, f"0000:{bus}:00.0"), name, f"mlx5_{number}", device="MT28908 Family [ConnectX-6]")
        for number, (socket, root, bus, name) in enumerate(
            (socket, root, bus, name) for socket, root, _, nics, _ in _PAIRS for bus, name in nics
        )
    ),
    labels={"nvidia.com/gpu.machine": "DGXA100-920-23687-2530-000"},
)


def _quarter(index: int, _: Slot) -> int:
    return _PAIRS[index // 2][4]


def _objects(chosen: Chosen) -> Objects:
    return objects(divided(_MACHINE, int(chosen["nps"]), _quarter), _GPU, chosen)


PRESET = Preset(
    name="dgx-a100",
    title="NVIDIA DGX A100: 2 x EPYC 7742, 8 x A100 80GB, 8 x ConnectX-6",
    sources=(
        "NVIDIA/nccl issue 1505: GPU pairs on NUMA nodes 3, 1, 7 and 5, two NICs behind the switch of each pair",
        "NVIDIA DGX A100 user guide: CPUs, memory, buses of the network ports",
    ),
    assumed=(
        "numbers of the PCIe root complexes; both GPUs and both NICs of a pair share one",
        "all CPUs and memory are there for pods; the storage adapters are left out",
    ),
    parameters=(Parameter("nps", "NUMA nodes per socket (BIOS)", "4", ("1", "4")), *parameters(_GPU)),
    objects=_objects,
)
