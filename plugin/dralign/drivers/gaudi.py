"""Intel Gaudi accelerators: gaudi.intel.com (intel/intel-resource-drivers-for-kubernetes).

Seen in: @1da939f (2026-08-11, gaudi-v0.7.2), cmd/kubelet-gaudi-plugin/node_state.go; charts/intel-gaudi-resource-driver;
names of the device plugins in docs.habana.ai.
"""

from __future__ import annotations

from dralign.model.driver import PCIE_ROOT, UNIQUE, Attribute, DriverProfile, ShippedClass
from dralign.model.plugin_names import LegacyResource

DRIVER = DriverProfile(
    name="gaudi.intel.com",
    device="npu",
    marks=("habana.ai", "intel.com"),
    releases=(("0.6",), ("0.7", "2026-08-11")),
    attributes=(
        Attribute("resource.kubernetes.io/pcieRoot", role=PCIE_ROOT, since="0.7"),
        Attribute("gaudi.intel.com/model"),
        Attribute("gaudi.intel.com/serial", role=UNIQUE),
        Attribute("gaudi.intel.com/healthy", "bool"),
        Attribute("gaudi.intel.com/pciRoot", optional=True, successor="resource.kubernetes.io/pcieRoot"),
    ),
    # the extended resource is a value of the chart, off by default
    classes=(ShippedClass("gaudi.intel.com", 'device.driver == "gaudi.intel.com"'),),
    resources=(
        LegacyResource("habana.ai/gaudi", device="npu", device_class="gaudi.intel.com"),
        LegacyResource("intel.com/gaudi", device="npu", device_class="gaudi.intel.com"),
    ),
    # cmd/kubelet-{gpu,gaudi}-plugin/node_state.go: preparing a claim looks at its devices only
    ignores_parameters=True,
)
