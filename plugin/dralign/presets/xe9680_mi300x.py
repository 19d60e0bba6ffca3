"""Dell XE9680 with eight MI300X: two NICs, so that most GPUs share neither switch nor, under SNC-2, NUMA node with one."""

from __future__ import annotations

from dralign.model.preset import Parameter, Preset
from dralign.presets._amd import Model, objects, parameters
from dralign.presets._machine import Machine, Nic, Slot, Zone, divided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("AMD_Instinct_MI300X_OAM", "0x74a1", 196592, 304)

# socket, root complex, bus of the GPU, half of the socket under SNC-2
_GPUS = (
    (0, "15", "1b", 0),
    (0, "37", "3d", 1),
    (0, "48", "4e", 1),
    (0, "59", "5f", 0),
    (1, "97", "9d", 0),
    (1, "b7", "bd", 1),
    (1, "c7", "cd", 1),
    (1, "d7", "dd", 0),
)
_HALVES = {f"0000:{root}": half for _, root, _, half in _GPUS}
_MACHINE = Machine(
    name="xe9680-mi300x",
    cpu="Intel",
    zones=(Zone(0, 0, 32, 1024), Zone(1, 1, 32, 1024)),
    accelerators=tuple(Slot(socket, f"0000:{root}", f"0000:{bus}:00.0") for socket, root, bus, _ in _GPUS),
    nics=tuple(
        Nic(
            Slot(socket, f"0000:{root}", f"0000:{bus}:00.{port}"),
            f"enp{int(bus, 16)}s0f{port}np{port}",
            f"mlx5_{number}",
        )
        for number, (socket, root, bus, port) in enumerate(
            ((0, "15", "1d", 0), (0, "15", "1d", 1), (1, "97", "9f", 0), (1, "97", "9f", 1))
        )
    ),
    labels={},
)


def _objects(chosen: Chosen) -> Objects:
    return objects(divided(_MACHINE, int(chosen["snc"]), lambda _, slot: _HALVES[slot.root]), _GPU, chosen)


PRESET = Preset(
    name="xe9680-mi300x",
    title="Dell XE9680: 2 x Xeon 6448Y, 8 x MI300X, 2 x ConnectX with two ports",
    sources=(
        "johnahull/dra-topology-aware-co-placement: root complexes and addresses, NUMA nodes with and without SNC-2",
        "johnahull/k8s-gpu-dra-driver docs/demo.md: what the driver publishes for an MI300X",
    ),
    assumed=(
        "memory of the host; names of the interfaces",
        "partitions get equal shares of memory and compute units; all CPUs and memory are there for pods",
    ),
    parameters=(Parameter("snc", "sub-NUMA clusters per socket (BIOS)", "1", ("1", "2")), *parameters(_GPU)),
    objects=_objects,
)
