"""Intel GPUs: gpu.intel.com (intel/intel-resource-drivers-for-kubernetes).

Seen in: @1da939f (2026-08-11, gpu-v0.11.0), cmd/kubelet-gpu-plugin/node_state.go; charts/intel-gpu-resource-driver; names
used before in intel/intel-device-plugins-for-kubernetes cmd/gpu_plugin/README.md and intel/platform-aware-scheduling.
"""

from __future__ import annotations

from dralign.model.driver import MEMORY, PCI_BUS_ID, PCIE_ROOT, TYPE, Attribute, Capacity, DriverProfile, ShippedClass
from dralign.model.plugin_names import LegacyResource

_AWARE = "GPU Aware Scheduling serves it; its amount says nothing about a device of gpu.intel.com"
_ROOT, _BUS = "resource.kubernetes.io/pcieRoot", "resource.kubernetes.io/pciBusID"

DRIVER = DriverProfile(
    name="gpu.intel.com",
    device="gpu",
    marks=("intel.com",),
    releases=(("0.9",), ("0.10",), ("0.11", "2026-08-11")),
    attributes=(
        Attribute(_ROOT, role=PCIE_ROOT, since="0.10"),
        Attribute(_BUS, role=PCI_BUS_ID, since="0.11"),
        Attribute("gpu.intel.com/type", role=TYPE),
        Attribute("gpu.intel.com/model"),
        Attribute("gpu.intel.com/family"),
        # the kernel's: i915, xe, vfio-pci, xe-vfio-pci
        Attribute("gpu.intel.com/driver"),
        Attribute("gpu.intel.com/sriov", "bool"),
        Attribute("gpu.intel.com/pciId"),
        Attribute("gpu.intel.com/health", since="0.10"),
        Attribute("gpu.intel.com/healthy", "bool", until="0.9", successor="gpu.intel.com/health"),
        # both go with 1.0; the root is the bus alone, and left out where it could not be read
        Attribute("gpu.intel.com/pciAddress", successor=_BUS),
        Attribute("gpu.intel.com/pciRoot", optional=True, successor=_ROOT),
    ),
    capacities=(
        # 0 until xpumd says how much there is
        Capacity("gpu.intel.com/memory", MEMORY, unknown=0),
        Capacity("gpu.intel.com/millicores"),
    ),
    # the extended resource is a value of the chart, off by default
    classes=(
        ShippedClass("gpu.intel.com", 'device.driver == "gpu.intel.com"'),
        ShippedClass("gpu-vfio.intel.com", 'device.driver == "gpu.intel.com"'),
    ),
    resources=(
        LegacyResource("intel.com/gpu", device_class="gpu.intel.com", topology=True),
        # named after the kernel's driver
        *(
            LegacyResource(
                f"gpu.intel.com/{kernel}",
                device_class="gpu.intel.com",
                selector=f'device.attributes["gpu.intel.com"].?driver.orValue("") == "{kernel}"',
                topology=True,
            )
            for kernel in ("i915", "xe")
        ),
        *(
            LegacyResource(f"gpu.intel.com/{name}", "capacity", no_twin=_AWARE)
            for name in ("millicores", "memory.max", "tiles")
        ),
    ),
    # cmd/kubelet-{gpu,gaudi}-plugin/node_state.go: preparing a claim looks at its devices only
    ignores_parameters=True,
)
