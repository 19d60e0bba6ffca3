"""NVIDIA ComputeDomain: IMEX channels and daemons of an NVLink domain, not devices of a machine's topology.

Alignment there goes by node (the NVLink clique), and the controller makes the claims; they are left alone.
Seen in: kubernetes-sigs/dra-driver-nvidia-gpu main @9593204 (2026-08-07).
"""

from __future__ import annotations

from dralign.model.driver import TYPE, Attribute, DeviceType, DriverProfile, ShippedClass
from dralign.model.parameters import Field, OpaqueConfig

_DRIVER = "device.driver == 'compute-domain.nvidia.com' && device.attributes['compute-domain.nvidia.com']"

_PARAMETERS = "resource.nvidia.com/v1beta1"
_DOMAIN = Field("domainID", required=True)

DRIVER = DriverProfile(
    name="compute-domain.nvidia.com",
    device="fabric",
    marks=("nvidia.com",),
    types=(
        DeviceType("channel", 'device.attributes["compute-domain.nvidia.com"].type == "channel"'),
        DeviceType("daemon", 'device.attributes["compute-domain.nvidia.com"].type == "daemon"'),
    ),
    attributes=(
        Attribute("compute-domain.nvidia.com/type", role=TYPE),
        Attribute("compute-domain.nvidia.com/id", "int"),
    ),
    classes=(
        ShippedClass("compute-domain-daemon.nvidia.com", f"{_DRIVER}.type == 'daemon'", "daemon"),
        ShippedClass(
            "compute-domain-default-channel.nvidia.com",
            f"{_DRIVER}.type == 'channel' && device.attributes['compute-domain.nvidia.com'].id == 0",
            "channel",
        ),
    ),
    # api/nvidia.com/resource/v1beta1/computedomainconfig.go; the controller writes them
    configs=(
        OpaqueConfig(_PARAMETERS, "ComputeDomainChannelConfig", (_DOMAIN, Field("allocationMode")), ("channel",)),
        OpaqueConfig(_PARAMETERS, "ComputeDomainDaemonConfig", (_DOMAIN,), ("daemon",)),
    ),
    skip=True,
)
