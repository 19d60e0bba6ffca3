"""CPUs as devices: dra.cpu (kubernetes-sigs/dra-driver-cpu).

Device types are the ways in which the driver groups CPUs: ``cpuDeviceMode`` grouped, by ``groupBy`` numanode (default),
socket or machine; and cpuDeviceMode individual, one device per CPU. A node has one of them.
Seen in: @de98098 (2026-08-20, after v0.2.0); docs/user/device-attributes.md @009e907, configuration.md and upgrade.md
@058766b (for 0.3.0).
"""

from __future__ import annotations

from dralign.model.driver import (
    CPUS,
    NUMA,
    PCIE_ROOT,
    SOCKET,
    UNIQUE,
    Attribute,
    Capacity,
    DeviceType,
    DriverProfile,
    ShippedClass,
)
from dralign.model.parameters import Field, OpaqueConfig

_GROUPS = ("numanode", "socket", "machine")
_NUMA_NODE = ("numanode", "individual")
"""Only these have one NUMA node each."""

_AT = 'device.attributes["dra.cpu"]'


def _is_cpuset(text: str) -> bool:
    """Say whether a text is a list of CPUs as ``k8s.io/utils/cpuset`` reads it: numbers and ranges, commas between."""
    ranges = [part.split("-") for part in text.split(",")]
    return all(
        len(ends) < 3 and all(end.isascii() and end.isdecimal() for end in ends) and int(ends[0]) <= int(ends[-1])
        for ends in ranges
    )


_CPUSET = Field("cpuset", required=True, accepts=(_is_cpuset, "a list of CPUs such as 0-3,5"))

DRIVER = DriverProfile(
    name="dra.cpu",
    device="cpu",
    marks=("dra.cpu",),
    releases=(("0.1",), ("0.2",), ("0.3", "2026-08-20")),
    types=(
        DeviceType("numanode", f"has({_AT}.numaNodeID) && !has({_AT}.cpuID)"),
        DeviceType("socket", f"has({_AT}.socketID) && !has({_AT}.numaNodeID) && !has({_AT}.cpuID)"),
        DeviceType("machine", f"!has({_AT}.socketID)"),
        DeviceType("individual", f"has({_AT}.cpuID)"),
    ),
    default_type="numanode",
    attributes=(
        # issue #219 (2026-06-30), upgrade notes 0.2.0 to 0.3.0
        Attribute("resource.kubernetes.io/numaNode", "int", NUMA, types=_NUMA_NODE, since="0.3"),
        Attribute("dra.net/numaNode", "int", NUMA, types=_NUMA_NODE, successor="resource.kubernetes.io/numaNode"),
        Attribute("dra.cpu/numaNodeID", "int", NUMA, types=_NUMA_NODE, successor="resource.kubernetes.io/numaNode"),
        # flag --expose-pcie-roots: always a list, so that the cluster needs DRAListTypeAttributes
        Attribute("resource.kubernetes.io/pcieRoot", role=PCIE_ROOT, form="list", needs=("expose-pcie-roots",)),
        Attribute("dra.cpu/socketID", "int", SOCKET, types=("numanode", "socket", "individual")),
        Attribute("dra.cpu/numCPUs", "int", types=_GROUPS),
        Attribute("dra.cpu/smtEnabled", "bool"),
        Attribute("dra.cpu/cpuID", "int", UNIQUE, types=("individual",)),
        Attribute("dra.cpu/coreID", "int", types=("individual",)),
        Attribute("dra.cpu/coreType", types=("individual",)),
        Attribute("dra.cpu/cacheL3ID", "int", types=("individual",)),
        Attribute("dra.cpu/cpuIDs", types=_GROUPS, since="0.3", needs=("external-allocator",)),
        Attribute("dra.cpu/smtLayout", types=_GROUPS, since="0.3", needs=("external-allocator",)),
    ),
    capacities=(Capacity("dra.cpu/cpu", CPUS, types=_GROUPS, consumable=True),),
    # deployment/helm/dra-driver-cpu/templates/deviceclass.yaml
    classes=(ShippedClass("dra.cpu", 'device.driver == "dra.cpu"'),),
    # api/v1alpha1/types.go, api/opaque_config.go @94b248a: no kind, and decoded without strictness
    configs=(
        OpaqueConfig(
            "v1alpha1", fields=(Field("cpuConfig", "object", fields=(_CPUSET,), required=True),), strict=False
        ),
    ),
)
