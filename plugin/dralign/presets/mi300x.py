"""A server with eight MI300X behind two EPYC."""

from __future__ import annotations

from dralign.model.preset import Parameter, Preset
from dralign.presets._amd import Model, objects, parameters
from dralign.presets._boards import paired
from dralign.presets._machine import Zone, divided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects
    from dralign.presets._machine import Slot

_GPU = Model("AMD_Instinct_MI300X_OAM", "0x74a1", 196592, 304)
_MACHINE = paired(
    "mi300x",
    (
        (0, "0000:00", "0000:05:00.0", "0000:09:00.0", "ens1np0"),
        (0, "0000:20", "0000:26:00.0", "0000:2a:00.0", "ens2np0"),
        (0, "0000:40", "0000:46:00.0", "0000:4a:00.0", "ens3np0"),
        (0, "0000:60", "0000:65:00.0", "0000:69:00.0", "ens4np0"),
        (1, "0000:80", "0000:85:00.0", "0000:89:00.0", "ens5np0"),
        (1, "0000:a0", "0000:a6:00.0", "0000:aa:00.0", "ens6np0"),
        (1, "0000:c0", "0000:c6:00.0", "0000:ca:00.0", "ens7np0"),
        (1, "0000:e0", "0000:e5:00.0", "0000:e9:00.0", "ens8np0"),
    ),
    (Zone(0, 0, 96, 1152), Zone(1, 1, 96, 1152)),
    {},
    cpu="AMD",
)


def _quarter(index: int, _: Slot) -> int:
    return index % 4


def _objects(chosen: Chosen) -> Objects:
    return objects(divided(_MACHINE, int(chosen["nps"]), _quarter), _GPU, chosen)


PRESET = Preset(
    name="mi300x",
    title="8 x MI300X server: 2 x EPYC 9654, 8 x ConnectX-7",
    sources=(
        "ROCm issue 4740: four GPUs on each socket in NPS1",
        "johnahull/k8s-gpu-dra-driver docs/demo.md: what the driver publishes for an MI300X",
        "amdsmi, GPU partitioning: eight dies, modes of compute and memory",
    ),
    assumed=(
        "all addresses; one NIC beside each GPU, on its root complex",
        "with nps=4, one GPU on each quarter of a socket",
        "partitions get equal shares of memory and compute units; all CPUs and memory are there for pods",
    ),
    parameters=(Parameter("nps", "NUMA nodes per socket of the host (BIOS)", "1", ("1", "4")), *parameters(_GPU)),
    objects=_objects,
)
