"""A server with an HGX B200 board: two Xeon, eight B200 SXM, eight NICs."""

from __future__ import annotations

from dralign.model.preset import Parameter, Preset
from dralign.presets._boards import HGX, in_halves, paired
from dralign.presets._machine import Zone, divided
from dralign.presets._nvidia import Model, objects, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("NVIDIA B200", "Blackwell", "10.0.0", 183359, 148)
_MACHINE = paired("hgx-b200", HGX, (Zone(0, 0, 56, 1024), Zone(1, 1, 56, 1024)), {})


def _objects(chosen: Chosen) -> Objects:
    return objects(divided(_MACHINE, int(chosen["snc"]), in_halves), _GPU, chosen)


PRESET = Preset(
    name="hgx-b200",
    title="HGX or DGX B200: 2 x Xeon 8570, 8 x B200 180GB, 8 x ConnectX-7",
    sources=(
        "NVIDIA DGX B200 user guide: CPUs and memory",
        "a public note on such a server: addresses and root complexes of the GPUs, one NIC beside each, nodes under SNC-2",
    ),
    assumed=(
        "addresses and names of the NICs; one NIC beside each GPU, on its root complex",
        "all CPUs and memory are there for pods",
        "memory and multiprocessors of partitions from 3g up: their share of the card",
    ),
    parameters=(Parameter("snc", "sub-NUMA clusters per socket (BIOS)", "1", ("1", "2")), *parameters(_GPU)),
    objects=_objects,
)
