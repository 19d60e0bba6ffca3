"""AWS p4d.24xlarge: two Xeon, eight A100, four EFA; two GPUs and one EFA on each root complex."""

from __future__ import annotations

from dralign.model.preset import Preset
from dralign.presets._machine import Machine, Nic, Slot, Zone
from dralign.presets._nvidia import Model, objects, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.preset import Chosen, Objects

_GPU = Model("NVIDIA A100-SXM4-40GB", "Ampere", "8.0.0", 40960, 108)
_ROOTS = ((0, 0x10), (0, 0x20), (1, 0x90), (1, 0xA0))
_MACHINE = Machine(
    name="p4d-24xlarge",
    cpu="Intel",
    zones=(Zone(0, 0, 24, 576), Zone(1, 1, 24, 576)),
    accelerators=tuple(
        Slot(zone, f"0000:{bus:02x}", f"0000:{bus:02x}:{slot}.0") for zone, bus in _ROOTS for slot in ("1c", "1d")
    ),
    nics=tuple(
        Nic(
            Slot(zone, f"0000:{bus:02x}", f"0000:{bus:02x}:1b.0"),
            "",
            f"rdmap{bus}s27",
            "Amazon.com, Inc.",
            "Elastic Fabric Adapter (EFA)",
        )
        for zone, bus in _ROOTS
    ),
    labels={"node.kubernetes.io/instance-type": "p4d.24xlarge"},
)


def _objects(chosen: Chosen) -> Objects:
    return objects(_MACHINE, _GPU, chosen)


PRESET = Preset(
    name="p4d-24xlarge",
    title="AWS p4d.24xlarge: 2 x Xeon 8275CL, 8 x A100 40GB, 4 x EFA",
    sources=(
        "kubernetes-sigs/dranet examples/aws_eks_examples/gpu-efa: root complexes 10 and 20 on NUMA node 0, 90 and a0 on 1",
        "AWS instance types: 96 vCPUs, 1152 GiB",
    ),
    assumed=("the EFAs are published as RDMA devices without an interface", "all CPUs and memory are there for pods"),
    parameters=parameters(_GPU),
    objects=_objects,
)
