"""NVIDIA GPUs, whole and as MIG partitions: gpu.nvidia.com (kubernetes-sigs/dra-driver-nvidia-gpu).

Seen in: tags v25.3.0 to v0.4.1, main @9593204 (2026-08-07, v0.5.0-dev) and cmd/gpu-kubelet-plugin @0545e9e (#1261).
"""

from __future__ import annotations

from dralign.model.driver import (
    COMPUTE,
    FABRIC,
    LIST_GATE,
    MEMORY,
    NUMA,
    PARENT,
    PCI_BUS_ID,
    PCIE_ROOT,
    PROFILE,
    SHARES,
    TYPE,
    UNIQUE,
    Attribute,
    Capacity,
    DeviceType,
    DriverProfile,
    ShippedClass,
)
from dralign.model.parameters import Field, OpaqueConfig, Sharing
from dralign.model.plugin_names import LegacyPattern, LegacyResource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.partition import Card

_GPU, _MIG, _VFIO = ("gpu",), ("mig",), ("vfio",)
_NVML = ("gpu", "mig")

_SUFFIXES = {"": "", ".me": "+me", ".me.all": "+me.all", ".gfx": "+gfx", "-me": "-me"}
"""Attributes of a MIG profile as the device plugin writes them ('.' for '+') and as go-nvlib does."""


def _mig_profile(text: str) -> str | None:
    """Return the profile that a resource name means, '1g.5gb.me' being '1g.5gb+me'; None if it is no profile."""
    size, gigabytes, suffix = text.partition("gb")
    slices, dot, memory = size.partition("g.")
    if not (gigabytes and dot and slices.isdecimal() and memory.isdecimal() and suffix in _SUFFIXES):
        return None
    return size + gigabytes + _SUFFIXES[suffix]


def _compute_instance(text: str) -> str | None:
    """Return a profile whose compute instance is smaller than its GPU instance ('1c.3g.20gb'), else None."""
    compute, dot, profile = text.partition("c.")
    return text if dot and compute.isdecimal() and _mig_profile(profile) else None


def _cards() -> tuple[Card, ...]:
    from dralign.drivers._mig import CARDS  # noqa: PLC0415 -- few runs ask for the table

    return CARDS


_REPLICAS = (
    "replicas of time-slicing or MPS are no devices: DRA shares one when several containers or pods name one claim"
)
_HAMI = "HAMi's own scheduler serves it; its amount says nothing about a device of gpu.nvidia.com"
_UNOFFERED = "the DRA driver offers only MIG profiles whose compute instance takes the whole GPU instance"

_PARAMETERS = "resource.nvidia.com/v1beta1"
"""api/nvidia.com/resource/v1beta1 of the driver: sharing.go, validate.go, iommu.go (2026-08)."""

_STRATEGY = Field(
    "strategy",
    values=("TimeSlicing", "MPS"),
    required=True,
    needs=(("TimeSlicing", "TimeSlicingSettings"), ("MPS", "MPSSupport")),
)
_SLICES = Field(
    "timeSlicingConfig",
    "object",
    fields=(Field("interval", values=("Default", "Short", "Medium", "Long"), required=True),),
    beside=("strategy", "TimeSlicing"),
)
_STRATEGY_AT, _MPS_AT = ("sharing", "strategy"), ("sharing", "mpsConfig")
_SLICED = Sharing(_STRATEGY_AT, "TimeSlicing", "time-slicing")  # of MIG devices it changes nothing
_BY_MPS = Sharing(
    _STRATEGY_AT,
    "MPS",
    "MPS",
    memory=((*_MPS_AT, "defaultPinnedDeviceMemoryLimit"), (*_MPS_AT, "defaultPerDevicePinnedMemoryLimit")),
    compute=((*_MPS_AT, "defaultActiveThreadPercentage"),),
)
_IOMMU = (
    Field("backendPolicy", values=("PreferIommuFD", "LegacyOnly"), required=True),
    Field("enableAPIDevice", "bool"),
)


def _mps(beside: tuple[str, str] | None) -> Field:
    """Return mpsConfig; beside time-slicing it is refused for GPUs, and not looked at for MIG devices."""
    fields = (
        Field("defaultActiveThreadPercentage", "int", least="0", most="100"),
        Field("defaultPinnedDeviceMemoryLimit", "quantity", least="1Mi"),
        Field("defaultPerDevicePinnedMemoryLimit", "map", items="quantity", least="1Mi"),
        Field("multiUser", "bool"),
    )
    return Field("mpsConfig", "object", fields=fields, beside=beside)


def _shared(*fields: Field) -> Field:
    return Field("sharing", "object", fields=fields)


DRIVER = DriverProfile(
    name="gpu.nvidia.com",
    device="gpu",
    marks=("nvidia.com",),
    # The numbering went back from 25.12 to 0.4; milestones of the feature gates call 25.3 0.1 and so on.
    releases=(("25.3", "0.1"), ("25.8", "0.2"), ("25.12", "0.3"), ("0.4", "26.4"), ("0.5",)),
    types=(
        DeviceType("gpu", 'device.attributes["gpu.nvidia.com"].type == "gpu"'),
        # a CUDA process enumerates one MIG device (MIG user guide, "CUDA visible devices")
        DeviceType("mig", 'device.attributes["gpu.nvidia.com"].type == "mig"', one_per_process=True),
        DeviceType("vfio", 'device.attributes["gpu.nvidia.com"].type == "vfio"'),
    ),
    attributes=(
        # 8ce979b5, 3b59d66e, d693b8a6 (July 2026): sysfs -1 is left out; the gate is the driver's own, alpha, off
        Attribute("resource.kubernetes.io/numaNode", "int", NUMA, since="0.5", optional=True, list_gate=LIST_GATE),
        Attribute(
            "gpu.nvidia.com/numa",
            "int",
            NUMA,
            types=_VFIO,
            since="25.12",
            until="0.4",
            successor="resource.kubernetes.io/numaNode",
        ),
        Attribute("resource.kubernetes.io/pcieRoot", role=PCIE_ROOT, optional=True),
        Attribute("resource.kubernetes.io/pciBusID", role=PCI_BUS_ID, since="25.12"),
        Attribute("gpu.nvidia.com/pcieBusID", until="25.8", successor="resource.kubernetes.io/pciBusID"),
        Attribute("gpu.nvidia.com/type", role=TYPE),
        Attribute("gpu.nvidia.com/profile", role=PROFILE, types=_MIG),
        Attribute("gpu.nvidia.com/parentUUID", role=PARENT, types=_MIG),
        # partitions that DynamicMIG may make have no UUID before they exist
        Attribute("gpu.nvidia.com/uuid", role=UNIQUE, types=("gpu", "vfio")),
        Attribute("gpu.nvidia.com/uuid", role=UNIQUE, types=_MIG, optional=True),
        Attribute("gpu.nvidia.com/productName"),
        Attribute("gpu.nvidia.com/brand", types=_NVML),
        Attribute("gpu.nvidia.com/architecture", types=_NVML),
        Attribute("gpu.nvidia.com/cudaComputeCapability", "version", types=_NVML),
        Attribute("gpu.nvidia.com/driverVersion", "version", types=_NVML),
        Attribute("gpu.nvidia.com/cudaDriverVersion", "version", types=_NVML),
        Attribute("gpu.nvidia.com/addressingMode", types=_NVML, optional=True),
        Attribute("gpu.nvidia.com/deviceID", types=_VFIO, since="25.12"),
        Attribute("gpu.nvidia.com/vendorID", types=_VFIO, since="25.12"),
        Attribute("gpu.nvidia.com/iommuFDEnabled", "bool", types=_VFIO, since="25.12", optional=True),
        # NVSwitch partitions; on GPUs and their VFIO twins
        *(
            Attribute(
                f"gpu.nvidia.com/{name}", "int", role, since="0.5", optional=True, needs=("FabricManagerPartitioning",)
            )
            for name, role in (("gpuModuleID", ""), *((f"partition{count}", FABRIC) for count in (1, 2, 4, 8)))
        ),
        # removed by 36fc80ab (2025-09-25)
        Attribute("gpu.nvidia.com/index", "int", until="25.3", successor="gpu.nvidia.com/uuid"),
        Attribute("gpu.nvidia.com/minor", "int", until="25.3", successor="gpu.nvidia.com/uuid"),
        Attribute("gpu.nvidia.com/parentIndex", "int", types=_MIG, until="25.3", successor="gpu.nvidia.com/parentUUID"),
    ),
    capacities=(
        Capacity("gpu.nvidia.com/memory", MEMORY, types=_NVML),
        Capacity("gpu.nvidia.com/addressableMemory", MEMORY, types=_VFIO),
        Capacity("gpu.nvidia.com/multiprocessors", COMPUTE, types=_MIG),
        *(
            Capacity(f"gpu.nvidia.com/{name}", types=_MIG)
            for name in ("copyEngines", "decoders", "encoders", "jpegEngines", "ofaEngines")
        ),
        # static MIG only: 1 for each memory slice that the partition takes
        *(Capacity(f"gpu.nvidia.com/memorySlice{i}", types=_MIG) for i in range(8)),
        Capacity("gpu.nvidia.com/shares", SHARES, types=_NVML, consumable=True, needs=("ConsumableShares",)),
    ),
    # deployments/helm/dra-driver-nvidia-gpu/templates/deviceclass-*.yaml; the name only when rendered as v1
    classes=(
        ShippedClass(
            "gpu.nvidia.com",
            "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'",
            "gpu",
            extended_resource="nvidia.com/gpu",
        ),
        ShippedClass(
            "mig.nvidia.com",
            "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'",
            "mig",
        ),
        ShippedClass(
            "vfio.gpu.nvidia.com",
            "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'vfio'",
            "vfio",
            since="25.12",
        ),
    ),
    partitions=_cards,
    configs=(
        OpaqueConfig(
            _PARAMETERS,
            "GpuConfig",
            (_shared(_STRATEGY, _SLICES, _mps(("strategy", "MPS"))),),
            _GPU,
            shares=(_SLICED, _BY_MPS),
        ),
        OpaqueConfig(_PARAMETERS, "MigDeviceConfig", (_shared(_STRATEGY, _mps(None)),), _MIG, shares=(_BY_MPS,)),
        OpaqueConfig(_PARAMETERS, "VfioDeviceConfig", (Field("iommu", "object", fields=_IOMMU),), _VFIO),
    ),
    # NVIDIA/k8s-device-plugin (names; MIG strategy mixed; renameByDefault) and HAMi charts/hami/values.yaml @00160eb
    resources=(
        LegacyResource("nvidia.com/gpu", device_class="gpu.nvidia.com", topology=True),
        LegacyResource("nvidia.com/gpu.shared", "fractional", no_twin=_REPLICAS, topology=True),
        *(
            LegacyResource(f"nvidia.com/{name}", "capacity", no_twin=_HAMI)
            for name in ("gpumem", "gpumem-percentage", "gpucores", "priority")
        ),
    ),
    patterns=(
        LegacyPattern(
            "nvidia.com/mig-",
            LegacyResource(
                "nvidia.com/mig-<profile>",
                "fractional",
                device_class="mig.nvidia.com",
                selector='device.attributes["gpu.nvidia.com"].?profile.orValue("") == "{}"',
                topology=True,
            ),
            _mig_profile,
        ),
        LegacyPattern(
            "nvidia.com/mig-",
            LegacyResource("nvidia.com/mig-<profile>.shared", "fractional", no_twin=_REPLICAS, topology=True),
            _mig_profile,
            suffix=".shared",
        ),
        *(
            LegacyPattern(
                "nvidia.com/mig-",
                LegacyResource("nvidia.com/mig-<compute instance>", "fractional", no_twin=_UNOFFERED, topology=True),
                _compute_instance,
                suffix=suffix,
            )
            for suffix in ("", ".shared")
        ),
    ),
)
