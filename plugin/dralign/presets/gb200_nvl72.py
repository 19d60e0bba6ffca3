"""One compute tray of a GB200 NVL72: two Grace CPUs, four GPUs whose memory can be NUMA nodes of its own."""

from __future__ import annotations

from dralign.model.preset import Parameter, Preset
from dralign.presets._machine import Machine, Nic, Slot, Zone
from dralign.presets._nvidia import Model, objects, parameters
from dralign.presets._standard import OFF, ON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("NVIDIA GB200", "Blackwell", "10.0.0", 189471, 152)
_GRACE = (Zone(0, 0, 72, 480), Zone(1, 1, 72, 480))
_HBM = (Zone(2, 0, 0, 185), Zone(10, 0, 0, 185), Zone(18, 1, 0, 185), Zone(26, 1, 0, 185))

# PCI domains of the GPUs and, never the same, of the NICs with two ports each
_GPUS = ("0008", "0009", "0018", "0019")
_CARDS = ("0000", "0002", "0010", "0012")


def _objects(chosen: Chosen) -> Objects:
    own = chosen["hbmNodes"] == ON
    machine = Machine(
        name="gb200-nvl72",
        cpu="ARM",
        zones=_GRACE + _HBM if own else _GRACE,
        accelerators=tuple(
            Slot(_HBM[i].number if own else i // 2, f"{domain}:00", f"{domain}:01:00.0")
            for i, domain in enumerate(_GPUS)
        ),
        nics=tuple(
            Nic(
                Slot(i // 2, f"{domain}:00", f"{domain}:03:00.{port}"),
                f"enP{int(domain, 16)}p3s0f{port}np{port}",
                f"mlx5_{2 * i + port}",
                device="CX8 Family [ConnectX-8]",
            )
            for i, domain in enumerate(_CARDS)
            for port in (0, 1)
        ),
        labels={"nvidia.com/gpu.machine": "NVIDIA-GB200-NVL"},
        threads=1,
        architecture="arm64",
    )
    return objects(machine, _GPU, chosen)


PRESET = Preset(
    name="gb200-nvl72",
    title="GB200 NVL72 compute tray: 2 x Grace, 4 x GB200, 4 x ConnectX-8",
    sources=(
        "kubernetes-sigs/dranet examples for BM.GPU.GB200-v3.4: domains of GPUs and NICs, four ports on each NUMA node",
        "vllm-project/vllm #39361: memory of the GPUs as NUMA nodes 2, 10, 18 and 26 unless the driver manages it (CDMM)",
        "kubernetes-sigs/dra-driver-nvidia-gpu #1242: the driver reports the node of that memory",
    ),
    assumed=(
        "bus numbers within the PCI domains, and names of the interfaces",
        "memory and multiprocessors of partitions from 3g up: their share of the card",
        "all CPUs and memory are there for pods",
    ),
    parameters=(
        Parameter("hbmNodes", "memory of the GPUs as NUMA nodes of their own; off under CDMM", ON, (ON, OFF)),
        *parameters(_GPU),
    ),
    objects=_objects,
)
