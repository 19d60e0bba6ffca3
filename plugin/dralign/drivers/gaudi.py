"""Intel Gaudi accelerators: gaudi.intel.com (intel/intel-resource-drivers-for-kubernetes).

Names of the device plugins only. Seen in: driver @1da939f, docs.habana.ai.
"""

from __future__ import annotations

from dralign.model.driver import DriverProfile, LegacyResource

_NO_NUMA = "gaudi.intel.com publishes no NUMA node, so that a claim could not say more about alignment"

DRIVER = DriverProfile(
    name="gaudi.intel.com",
    device="npu",
    marks=("habana.ai", "intel.com"),
    resources=(
        LegacyResource("habana.ai/gaudi", device="npu", no_twin=_NO_NUMA),
        LegacyResource("intel.com/gaudi", device="npu", no_twin=_NO_NUMA),
    ),
    # cmd/kubelet-{gpu,gaudi}-plugin/node_state.go: preparing a claim looks at its devices only
    ignores_parameters=True,
)
