"""NVIDIA DGX H100: two Xeon, eight H100 SXM, each beside a ConnectX-7 of its own."""

from __future__ import annotations

from dralign.model.preset import Parameter, Preset
from dralign.presets._machine import Machine, Nic, Slot, Zone, divided
from dralign.presets._nvidia import PARAMETERS, Card, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

# NUMA node, root complex, GPU, its NIC and the NIC's name
_PAIRS = (
    (0, "0000:15", "0000:1b:00.0", "0000:18:00.0", "ibp24s0"),
    (0, "0000:3d", "0000:43:00.0", "0000:40:00.0", "ibp64s0"),
    (0, "0000:4c", "0000:52:00.0", "0000:4f:00.0", "ibp79s0"),
    (0, "0000:5b", "0000:61:00.0", "0000:5e:00.0", "ibp94s0"),
    (1, "0000:97", "0000:9d:00.0", "0000:9a:00.0", "ibp154s0"),
    (1, "0000:bd", "0000:c3:00.0", "0000:c0:00.0", "ibp192s0"),
    (1, "0000:cb", "0000:d1:00.0", "0000:ce:00.0", "ibp206s0"),
    (1, "0000:d9", "0000:df:00.0", "0000:dc:00.0", "ibp220s0"),
)
CARD = Card("NVIDIA H100 80GB HBM3", "Hopper", "9.0.0", 81559)
MACHINE = Machine(
    name="dgx-h100",
    cpu="Intel",
    zones=(Zone(0, 0, 56, 1024), Zone(1, 1, 56, 1024)),
    accelerators=tuple(Slot(zone, root, gpu) for zone, root, gpu, _, _ in _PAIRS),
    nics=tuple(
        Nic(Slot(zone, root, nic), name, f"mlx5_{number}") for number, (zone, root, _, nic, name) in enumerate(_PAIRS)
    ),
    labels={"nvidia.com/gpu.machine": "DGXH100"},
)


def _objects(chosen: Chosen) -> Objects:
    # two of the four pairs of a socket on either half
    return objects(divided(MACHINE, int(chosen["snc"]), lambda index, _: index % 4 // 2), CARD, chosen)


PRESET = Preset(
    name="dgx-h100",
    title="NVIDIA DGX H100: 2 x Xeon 8480C, 8 x H100 80GB, 8 x ConnectX-7",
    sources=(
        "NVIDIA DGX H100/H200 user guide: CPUs, memory, names and buses of the network ports",
        "deepseek-ai/DeepEP issue 128: cores 0-55,112-167 on NUMA node 0, four GPUs on each node",
    ),
    assumed=(
        "numbers of the PCIe root complexes; each GPU has one of its own, which it shares with its NIC",
        "with snc=2, GPUs 0, 1, 4 and 5 lie on the first half of their socket, and cores are counted half by half",
        "all CPUs and memory are there for pods; the two storage adapters are left out",
    ),
    parameters=(Parameter("snc", "sub-NUMA clusters per socket (BIOS)", "1", ("1", "2")), *PARAMETERS),
    objects=_objects,
)
