"""A server with an HGX H200 board: two Xeon, eight H200 SXM, eight NICs."""

from __future__ import annotations

from dralign.model.preset import Parameter, Preset
from dralign.presets._boards import HGX, in_halves, paired
from dralign.presets._machine import Zone, divided
from dralign.presets._nvidia import Model, objects, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("NVIDIA H200", "Hopper", "9.0.0", 143771, 132)
_MACHINE = paired("hgx-h200", HGX, (Zone(0, 0, 56, 1024), Zone(1, 1, 56, 1024)), {})


def _objects(chosen: Chosen) -> Objects:
    return objects(divided(_MACHINE, int(chosen["snc"]), in_halves), _GPU, chosen)


PRESET = Preset(
    name="hgx-h200",
    title="HGX H200 server: 2 x Xeon 8480+, 8 x H200 141GB, 8 x ConnectX-7",
    sources=(
        "NVIDIA HGX H200 data sheet",
        "notes of johnahull/dra-topology-aware-co-placement: root complexes 15, 37, 48, 59, 97, b7, c7, d7 of such boards",
    ),
    assumed=(
        "addresses and names of the NICs; one NIC beside each GPU, on its root complex",
        "all CPUs and memory are there for pods",
    ),
    parameters=(Parameter("snc", "sub-NUMA clusters per socket (BIOS)", "1", ("1", "2")), *parameters(_GPU)),
    objects=_objects,
)
