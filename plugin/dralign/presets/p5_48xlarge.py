"""AWS p5.48xlarge: two EPYC, eight H100, 32 EFA; one GPU and four EFA behind each of eight switches."""

from __future__ import annotations

from dralign.model.preset import Preset
from dralign.presets._machine import Machine, Nic, Slot, Zone
from dralign.presets._nvidia import Model, objects, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("NVIDIA H100 80GB HBM3", "Hopper", "9.0.0", 81559, 132)
_GPUS = (0x53, 0x64, 0x75, 0x86, 0x97, 0xA8, 0xB9, 0xCA)
_MACHINE = Machine(
    name="p5-48xlarge",
    cpu="AMD",
    zones=(Zone(0, 0, 48, 1024), Zone(1, 1, 48, 1024)),
    accelerators=tuple(Slot(i // 4, f"0000:{bus - 15:02x}", f"0000:{bus:02x}:00.0") for i, bus in enumerate(_GPUS)),
    nics=tuple(
        Nic(
            Slot(i // 4, f"0000:{bus - 15:02x}", f"0000:{efa:02x}:00.0"),
            "",
            f"rdmap{efa}s0",
            "Amazon.com, Inc.",
            "Elastic Fabric Adapter (EFA)",
        )
        for i, bus in enumerate(_GPUS)
        for efa in range(bus - 4, bus)
    ),
    labels={"node.kubernetes.io/instance-type": "p5.48xlarge"},
)


def _objects(chosen: Chosen) -> Objects:
    return objects(_MACHINE, _GPU, chosen)


PRESET = Preset(
    name="p5-48xlarge",
    title="AWS p5.48xlarge: 2 x EPYC 7R13, 8 x H100 80GB, 32 x EFA",
    sources=(
        "aws/aws-ofi-nccl topology of p5.48xlarge: addresses, one GPU and four EFA behind each switch",
        "AWS instance types: 192 vCPUs, 2048 GiB",
    ),
    assumed=(
        "numbers of the PCIe root complexes, one for each switch",
        "GPUs 0 to 3 on NUMA node 0, 4 to 7 on 1 (the topology file says 0 for all)",
        "the EFAs are published as RDMA devices without an interface",
        "all CPUs and memory are there for pods",
    ),
    parameters=parameters(_GPU),
    objects=_objects,
)
