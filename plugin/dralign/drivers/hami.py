"""Shares of NVIDIA GPUs by HAMi: hami-core-gpu.project-hami.io (Project-HAMi/k8s-dra-driver).

Every GPU is one device from which claims take cores (percent) and memory. HAMi's webhook writes such claims for the
resource names of HAMi, which stand in the catalogue with gpu.nvidia.com.
Seen in: @ebeaad9 (v0.1.0), cmd/hami-kubelet-plugin/hami_core.go @008d0e1, chart/hami-dra-driver.
"""

from __future__ import annotations

from dralign.model.driver import (
    COMPUTE,
    MEMORY,
    PCIE_ROOT,
    TYPE,
    UNIQUE,
    Attribute,
    Capacity,
    DriverProfile,
    ShippedClass,
)

_NAME = "hami-core-gpu.project-hami.io"

DRIVER = DriverProfile(
    name=_NAME,
    device="gpu",
    marks=(_NAME,),
    releases=(("0.1", "2026-05-12"),),
    attributes=(
        Attribute("resource.kubernetes.io/pcieRoot", role=PCIE_ROOT),
        Attribute(f"{_NAME}/type", role=TYPE),
        Attribute(f"{_NAME}/uuid", role=UNIQUE),
        Attribute(f"{_NAME}/minor", "int"),
        Attribute(f"{_NAME}/productName"),
        Attribute(f"{_NAME}/brand"),
        Attribute(f"{_NAME}/architecture"),
        Attribute(f"{_NAME}/cudaComputeCapability", "version"),
        Attribute(f"{_NAME}/driverVersion", "version"),
        Attribute(f"{_NAME}/cudaDriverVersion", "version"),
        # the name that gpu.nvidia.com had before 25.12
        Attribute(f"{_NAME}/pcieBusID"),
    ),
    capacities=(
        Capacity(f"{_NAME}/memory", MEMORY, consumable=True),
        Capacity(f"{_NAME}/cores", COMPUTE, consumable=True),
    ),
    classes=(
        ShippedClass(
            _NAME,
            f"device.driver == '{_NAME}' && device.attributes['{_NAME}'].type == 'hami-gpu'",
            extended_resource="nvidia.com/gpu",
        ),
    ),
)
