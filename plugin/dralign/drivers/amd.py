"""AMD GPUs, whole and as compute partitions: gpu.amd.com (ROCm/k8s-gpu-dra-driver).

Seen in: @2622427 (2025-10-06), release v1.0.0 (2026-05-20, notes), cmd/gpu-kubeletplugin/deviceinfo.go @08bc729c,
docs/driver-attributes.md @06dbe583 and docs/device-plugin-to-dra-partitions.md @586f959c (2026-08).
"""

from __future__ import annotations

from dralign.model.driver import (
    COMPUTE,
    MEMORY,
    MODE,
    NUMA,
    PARENT,
    PCI_BUS_ID,
    PCIE_ROOT,
    PROFILE,
    TYPE,
    UNIQUE,
    Attribute,
    Capacity,
    DeviceType,
    DriverProfile,
    ShippedClass,
)
from dralign.model.parameters import Field, OpaqueConfig
from dralign.model.plugin_names import LegacyResource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.partition import Card

_CARDS = ("amdgpu", "amdgpu-partition")
_AUTO = ("AutoPartition",)
"""Feature gate of the driver (beta, off): a device for every mode that a card could be put into."""


_PARAMETERS = "gpu.resource.amd.com/v1alpha1"
_IOMMU = (
    Field("backendPolicy", values=("LegacyOnly", "PreferIommuFD")),
    Field("enableAPIDevice", "bool"),  # in some builds only; the newest always exposes the device
)
_PARTS = {"spx": 1, "dpx": 2, "qpx": 4, "cpx": 8}
_MEMORY_MODES = ("nps1", "nps2", "nps4")


def _cards() -> tuple[Card, ...]:
    """Return the cards that can be divided; one mode is that of the whole card (amdsmi, GPU partitioning).

    Memory is what the driver publishes for an undivided MI300X, by the number of parts.
    """
    from dralign.model.partition import Card, PartitionProfile  # noqa: PLC0415 -- few runs ask for the table

    name = "MI300X-192"
    profiles = tuple(
        PartitionProfile(name, f"{mode}_{memory}", 196592 // parts, (1, parts), (1, parts), 304 // parts, parts)
        for mode, parts in _PARTS.items()
        for memory in _MEMORY_MODES
    )
    return (Card(name, ("AMD_Instinct_MI300X_OAM", "AMD Instinct MI300X"), profiles),)


def _partition(compute: str, memory: str) -> LegacyResource:
    """Return what the device plugin calls amd.com/<compute>_<memory> (naming strategy mixed).

    Partitions made beforehand carry a profile; those of AutoPartition carry both modes. SPX is an undivided card.
    """
    at = 'device.attributes["gpu.amd.com"]'
    return LegacyResource(
        f"amd.com/{compute}_{memory}",
        "whole" if compute == "spx" else "fractional",
        device_class="gpu.amd.com",
        selector=(
            f'{at}.?partitionProfile.orValue("") == "{compute}_{memory}" || '
            f'({at}.?computePartition.orValue("") == "{compute}" && {at}.?memoryPartition.orValue("") == "{memory}")'
        ),
        topology=True,
    )


DRIVER = DriverProfile(
    name="gpu.amd.com",
    device="gpu",
    marks=("amd.com",),
    # Before its first release, 1.0, the driver is known by the dates of its changes; the last line is the newest read.
    releases=(("2025-10-06",), ("2026-03-09",), ("2026-04-16",), ("1.0", "2026-05-20"), ("2026-08-19",)),
    types=(
        DeviceType("amdgpu", 'device.attributes["gpu.amd.com"].type == "amdgpu"'),
        DeviceType("amdgpu-partition", 'device.attributes["gpu.amd.com"].type == "amdgpu-partition"'),
        DeviceType("vfio", 'device.attributes["gpu.amd.com"].type == "vfio"'),
    ),
    attributes=(
        # PR #18 (2026-03-09): what sysfs says, -1 included. No standard name as of issue #92 (2026-08-19).
        Attribute("gpu.amd.com/numaNode", "int", NUMA, since="2026-03-09", unknown=-1),
        Attribute("resource.kubernetes.io/pcieRoot", role=PCIE_ROOT, optional=True),
        Attribute("resource.kubernetes.io/pciBusID", role=PCI_BUS_ID, since="2026-04-16", optional=True),
        # partitions carry the address of their card, so that it says which card they share (2026-04-16)
        Attribute(
            "resource.kubernetes.io/pciBusID",
            role=PARENT,
            types=("amdgpu-partition",),
            since="2026-04-16",
            optional=True,
        ),
        Attribute("gpu.amd.com/type", role=TYPE),
        # without a value on cards that cannot be divided, and under AutoPartition
        Attribute("gpu.amd.com/partitionProfile", role=PROFILE, types=_CARDS, optional=True),
        Attribute("gpu.amd.com/computePartition", role=MODE, types=_CARDS, optional=True, needs=_AUTO),
        Attribute("gpu.amd.com/memoryPartition", role=MODE, types=_CARDS, optional=True, needs=_AUTO),
        Attribute("gpu.amd.com/gpuIndex", "int", types=_CARDS, optional=True, needs=_AUTO),
        # once the card that a partition belongs to, now the PCI id of its model: equal for all cards of one model
        Attribute("gpu.amd.com/deviceID", role=PARENT, until="2026-03-09", successor="resource.kubernetes.io/pciBusID"),
        Attribute("gpu.amd.com/deviceID", since="2026-04-16", optional=True),
        Attribute("gpu.amd.com/productName", types=_CARDS),
        Attribute("gpu.amd.com/productName", types=("vfio",), optional=True),
        Attribute("gpu.amd.com/driverVersion", "version", types=_CARDS, optional=True),
        Attribute("gpu.amd.com/driverVersionFull", types=_CARDS, since="1.0", optional=True),
        Attribute("gpu.amd.com/vendorID", types=("vfio",), since="2026-08-19", optional=True),
        Attribute("gpu.amd.com/iommuGroup", types=("vfio",), since="2026-08-19"),
        Attribute("gpu.amd.com/isVF", "bool", types=("vfio",), since="2026-08-19"),
        Attribute(
            "gpu.amd.com/pciAddr",
            role=UNIQUE,
            types=("amdgpu",),
            until="2025-10-06",
            successor="resource.kubernetes.io/pciBusID",
        ),
        Attribute("gpu.amd.com/pciAddr", types=("vfio",), since="2026-08-19"),
        Attribute("gpu.amd.com/pciAddr", types=_CARDS, since="2026-08-19", needs=_AUTO),
        *(
            Attribute(f"gpu.amd.com/{name}", value, until="2025-10-06", successor="resource.kubernetes.io/pciBusID")
            for name, value in (
                ("parentPciAddr", "string"),
                ("parentDeviceID", "string"),
                ("uuid", "string"),
                ("cardIndex", "int"),
                ("renderIndex", "int"),
            )
        ),
        Attribute("gpu.amd.com/family", until="2025-10-06", successor="gpu.amd.com/productName"),
        Attribute("gpu.amd.com/driverSrcVersion", until="2025-10-06", successor="gpu.amd.com/driverVersionFull"),
    ),
    capacities=(
        # 0 where the size could not be read
        Capacity("gpu.amd.com/memory", MEMORY, types=_CARDS, unknown=0),
        Capacity("gpu.amd.com/computeUnits", COMPUTE, types=_CARDS),
        Capacity("gpu.amd.com/simdUnits", types=_CARDS),
        # partitions of one mode on one card, 1 if the claim asks for no number
        Capacity("gpu.amd.com/partitions", types=_CARDS, consumable=True, needs=_AUTO),
    ),
    # helm-charts-k8s/templates/deviceclass.yaml @b52b585: the extended name is a value of the chart
    classes=(
        ShippedClass("gpu.amd.com", "device.driver == 'gpu.amd.com'", extended_resource="amd.com/gpu"),
        ShippedClass(
            "gpu.amd.com-spx",
            "device.driver == 'gpu.amd.com' && "
            '(!has(device.attributes["gpu.amd.com"].computePartition) || '
            'device.attributes["gpu.amd.com"].computePartition == "spx")',
            extended_resource="amd.com/gpu",
            needs=_AUTO,
        ),
    ),
    partitions=_cards,
    # api/amd.com/resource/gpu/v1alpha1/api.go @0c67c7f
    configs=(
        OpaqueConfig(_PARAMETERS, "GpuConfig", (), _CARDS),
        OpaqueConfig(_PARAMETERS, "VfioDeviceConfig", (Field("iommu", "object", fields=_IOMMU),), ("vfio",)),
    ),
    # ROCm/k8s-device-plugin names by the migration guide; gpumem and gpucores: HAMi device-configmap.yaml @00160eb
    resources=(
        LegacyResource(
            "amd.com/gpu",
            device_class="gpu.amd.com",
            selector='device.attributes["gpu.amd.com"].?type.orValue("") == "amdgpu"',
            topology=True,
        ),
        *(_partition(compute, memory) for compute in _PARTS for memory in _MEMORY_MODES),
        *(
            LegacyResource(
                f"amd.com/{name}",
                "capacity",
                no_twin="HAMi's own scheduler serves it; its amount says nothing about a device of gpu.amd.com",
            )
            for name in ("gpumem", "gpucores")
        ),
    ),
)
