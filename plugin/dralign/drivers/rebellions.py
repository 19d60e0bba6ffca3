"""Rebellions NPUs: npu.rebellions.ai (RBLN-SW/rbln-k8s-dra-driver).

Seen in: driver @dd9af1b (v0.1.2), cmd/npu-kubelet-plugin/state.go @48c830c and, before the standard names, @170eeaf;
deviceclass-npu.yaml of its chart.
"""

from __future__ import annotations

from dralign.model.driver import (
    MEMORY,
    NUMA,
    PCI_BUS_ID,
    PCIE_ROOT,
    TYPE,
    UNIQUE,
    Attribute,
    Capacity,
    DriverProfile,
    ShippedClass,
)
from dralign.model.plugin_names import LegacyResource

_NUMA, _BUS = "resource.kubernetes.io/numaNode", "resource.kubernetes.io/pciBusID"

DRIVER = DriverProfile(
    name="npu.rebellions.ai",
    device="npu",
    marks=("rebellions.ai",),
    releases=(("0.1.0",), ("0.1.2", "2026-06-23")),
    attributes=(
        # what the vendor's tool says, left out where it says nothing
        Attribute(_NUMA, "int", NUMA, since="0.1.2", optional=True, unknown=-1),
        Attribute("npu.rebellions.ai/numaNode", "int", NUMA, until="0.1.0", unknown=-1, successor=_NUMA),
        Attribute("resource.kubernetes.io/pcieRoot", role=PCIE_ROOT, since="0.1.2"),
        Attribute(_BUS, role=PCI_BUS_ID, since="0.1.2"),
        Attribute("npu.rebellions.ai/pciBusID", until="0.1.0", successor=_BUS),
        Attribute("npu.rebellions.ai/type", role=TYPE),
        Attribute("npu.rebellions.ai/productName"),
        Attribute("npu.rebellions.ai/sid"),
        Attribute("npu.rebellions.ai/uuid", role=UNIQUE),
        *(
            Attribute(f"npu.rebellions.ai/{name}")
            for name in ("pciDeviceID", "pciLinkSpeed", "pciLinkWidth", "firmwareVersion", "driverVersion")
        ),
    ),
    capacities=(Capacity("npu.rebellions.ai/memory", MEMORY),),
    classes=(
        ShippedClass(
            "npu.rebellions.ai", 'device.driver == "npu.rebellions.ai"', extended_resource="rebellions.ai/npu"
        ),
    ),
    resources=(
        # the class carries this name as its extended resource
        LegacyResource("rebellions.ai/npu", device="npu", device_class="npu.rebellions.ai"),
        LegacyResource(
            "rebellions.ai/ATOM",
            device="npu",
            no_twin="which product npu.rebellions.ai calls by this name is not known",
        ),
    ),
)
