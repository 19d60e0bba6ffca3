"""Vendor parameters: what each driver refuses, by the fields in its profile."""

import pytest

from dralign import registry
from dralign.model.refusals import faults, needs

PROFILES = {profile.name: profile for profile in registry.drivers()}
MPS = {"strategy": "MPS", "mpsConfig": {"defaultActiveThreadPercentage": 50, "defaultPinnedDeviceMemoryLimit": "10Gi"}}


def config(driver, kind=""):
    return next(item for item in PROFILES[driver].configs if item.kind == kind)


def found(driver, kind, given):
    row = config(driver, kind)
    return [(str(fault.path), fault.message) for fault in faults(row.fields, given, strict=row.strict)]


@pytest.mark.parametrize(
    ("driver", "kind", "given"),
    [
        ("gpu.nvidia.com", "GpuConfig", {}),
        ("gpu.nvidia.com", "GpuConfig", {"sharing": None}),
        ("gpu.nvidia.com", "GpuConfig", {"sharing": MPS}),
        ("gpu.nvidia.com", "GpuConfig", {"sharing": {"strategy": "MPS", "mpsConfig": {"multiUser": True}}}),
        ("gpu.nvidia.com", "GpuConfig", {"sharing": {"strategy": "TimeSlicing", "timeSlicingConfig": None}}),
        (
            "gpu.nvidia.com",
            "GpuConfig",
            {"sharing": {"strategy": "MPS", "mpsConfig": {"defaultPerDevicePinnedMemoryLimit": {"0": "4Gi"}}}},
        ),
        ("gpu.nvidia.com", "MigDeviceConfig", {"sharing": {"strategy": "TimeSlicing", "mpsConfig": {}}}),
        ("gpu.nvidia.com", "VfioDeviceConfig", {"iommu": {"backendPolicy": "LegacyOnly", "enableAPIDevice": True}}),
        ("compute-domain.nvidia.com", "ComputeDomainChannelConfig", {"domainID": "a", "allocationMode": "All"}),
        ("gpu.amd.com", "VfioDeviceConfig", {"iommu": {}}),
        ("dra.cpu", "", {"cpuConfig": {"cpuset": "0-3,5"}, "note": "unknown fields are passed over"}),
        ("dra.net", "", {"interface": {"name": "net0", "mtu": 4321}, "ethtool": {"features": {"tso": False}}}),
    ],
)
def test_what_a_driver_takes(driver, kind, given):
    assert found(driver, kind, given) == []


@pytest.mark.parametrize(
    ("driver", "kind", "given", "path", "said"),
    [
        ("gpu.nvidia.com", "GpuConfig", {"sharing": []}, "sharing", "sharing is a list, want an object"),
        ("gpu.nvidia.com", "GpuConfig", {"Sharing": MPS}, "Sharing", "did you mean 'sharing'?"),
        ("gpu.nvidia.com", "GpuConfig", {"sharing": {}}, "sharing", "sharing.strategy is missing"),
        (
            "gpu.nvidia.com",
            "GpuConfig",
            {"sharing": {"strategy": "Fabric"}},
            "sharing.strategy",
            "want TimeSlicing or MPS",
        ),
        (
            "gpu.nvidia.com",
            "GpuConfig",
            {"sharing": {"strategy": "TimeSlicing", "timeSlicingConfig": {}}},
            "sharing.timeSlicingConfig",
            "sharing.timeSlicingConfig.interval is missing, want Default, Short, Medium or Long",
        ),
        (
            "gpu.nvidia.com",
            "GpuConfig",
            {"sharing": {"strategy": "MPS", "mpsConfig": {"defaultActiveThreadPercentage": 101}}},
            "sharing.mpsConfig.defaultActiveThreadPercentage",
            "is 101, want 0 to 100",
        ),
        (
            "gpu.nvidia.com",
            "GpuConfig",
            {"sharing": {"strategy": "MPS", "mpsConfig": {"defaultActiveThreadPercentage": "50"}}},
            "sharing.mpsConfig.defaultActiveThreadPercentage",
            "is the string '50', want a whole number",
        ),
        (
            "gpu.nvidia.com",
            "GpuConfig",
            {"sharing": {"strategy": "MPS", "mpsConfig": {"defaultPinnedDeviceMemoryLimit": "10"}}},
            "sharing.mpsConfig.defaultPinnedDeviceMemoryLimit",
            "is 10, want at least 1Mi",
        ),
        (
            "gpu.nvidia.com",
            "GpuConfig",
            {"sharing": {"strategy": "MPS", "mpsConfig": {"defaultPerDevicePinnedMemoryLimit": {"0": "lots"}}}},
            "sharing.mpsConfig.defaultPerDevicePinnedMemoryLimit.0",
            "is the string 'lots', want a quantity such as 10Gi",
        ),
        (
            "gpu.nvidia.com",
            "MigDeviceConfig",
            {"sharing": {"strategy": "MPS", "timeSlicingConfig": {}}},
            "sharing.timeSlicingConfig",
            "there is no field sharing.timeSlicingConfig",
        ),
        ("gpu.nvidia.com", "VfioDeviceConfig", {"iommu": {}}, "iommu", "iommu.backendPolicy is missing"),
        ("compute-domain.nvidia.com", "ComputeDomainDaemonConfig", {}, "", "domainID is missing"),
        ("gpu.amd.com", "GpuConfig", {"sharing": MPS}, "sharing", "there is no field sharing"),
        ("dra.cpu", "", {"cpuConfig": {"cpuset": "3-0"}}, "cpuConfig.cpuset", "want a list of CPUs such as 0-3,5"),
        ("dra.net", "", {"interface": {"mtu": 60}}, "interface.mtu", "is 60, want at least 68"),
        ("dra.net", "", {"ethtool": {"features": {"tso": "off"}}}, "ethtool.features.tso", "want true or false"),
        ("dra.net", "", {"routes": [{"gateway": "10.0.0.1"}]}, "routes[0]", "routes[0].destination is missing"),
    ],
)
def test_what_a_driver_refuses(driver, kind, given, path, said):
    ((where, message),) = found(driver, kind, given)
    assert where == path
    assert said in message


def test_a_misspelt_word_is_one_fault_and_carries_the_right_one():
    row = config("gpu.nvidia.com", "GpuConfig")
    (fault,) = faults(row.fields, {"sharing": {"strategy": "mps", "mpsConfig": {}}})
    assert fault.value == "MPS"


def test_sharing_needs_a_gate_of_the_driver():
    row = config("gpu.nvidia.com", "GpuConfig")
    assert [need.gate for need in needs(row.fields, {"sharing": MPS})] == ["MPSSupport"]


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_parameters_are_for_types_that_the_driver_has(profile):
    types = {item.name for item in profile.types}
    assert {name for config in profile.configs for name in config.types} <= types
    assert not (profile.configs and profile.ignores_parameters)
