"""NVIDIA DGX H100: two Xeon, eight H100 SXM, each beside a ConnectX-7 of its own."""

from __future__ import annotations

from dralign.model.preset import Parameter, Preset
from dralign.presets._boards import DGX_HOPPER, in_halves, paired
from dralign.presets._machine import Zone, divided
from dralign.presets._nvidia import Model, objects, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("NVIDIA H100 80GB HBM3", "Hopper", "9.0.0", 81559, 132)
_MACHINE = paired(
    "dgx-h100", DGX_HOPPER, (Zone(0, 0, 56, 1024), Zone(1, 1, 56, 1024)), {"nvidia.com/gpu.machine": "DGXH100"}
)


def _objects(chosen: Chosen) -> Objects:
    return objects(divided(_MACHINE, int(chosen["snc"]), in_halves), _GPU, chosen)


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
    parameters=(Parameter("snc", "sub-NUMA clusters per socket (BIOS)", "1", ("1", "2")), *parameters(_GPU)),
    objects=_objects,
)
