"""Memory and huge pages as devices, one per NUMA node and page size: dra.memory (ffromani/dra-driver-memory).

Device types are named after the classes. Its document calls the pages 4k, 2m and 1g, its code 4Ki, 2Mi and 1Gi.
Seen in: @1b0d668 (2026-02-06, v0.1.6): pkg/types/types.go, pkg/sysinfo/rslice.go; README @411323a.
"""

from __future__ import annotations

from dralign.model.driver import (
    MEMORY,
    NUMA,
    Attribute,
    Capacity,
    DeviceType,
    DriverProfile,
    ShippedClass,
)

_AT = 'device.attributes["resource.kubernetes.io"]'
_PAGES = (("memory", "4Ki", "false"), ("hugepages-2m", "2Mi", "true"), ("hugepages-1g", "1Gi", "true"))


def _selector(page: str, huge: str) -> str:
    return f'device.driver == "dra.memory" && {_AT}.hugeTLB == {huge} && {_AT}.pageSize == "{page}"'


DRIVER = DriverProfile(
    name="dra.memory",
    device="memory",
    marks=("dra.memory", "dra.hugepages"),
    releases=(("0.1", "2026-02-06"),),
    types=tuple(DeviceType(name, f'{_AT}.pageSize == "{page}"') for name, page, _ in _PAGES),
    attributes=(
        Attribute("resource.kubernetes.io/numaNode", "int", NUMA),
        # for claims with dra.cpu and dra.net
        Attribute("dra.net/numaNode", "int", NUMA, successor="resource.kubernetes.io/numaNode"),
        Attribute("dra.cpu/numaNodeID", "int", NUMA, successor="resource.kubernetes.io/numaNode"),
        # these two are no standard names, whatever their domain says
        Attribute("resource.kubernetes.io/pageSize"),
        Attribute("resource.kubernetes.io/hugeTLB", "bool"),
    ),
    capacities=(Capacity("dra.memory/size", MEMORY, consumable=True),),
    classes=tuple(ShippedClass(f"dra.{name}", _selector(page, huge), name) for name, page, huge in _PAGES),
)
