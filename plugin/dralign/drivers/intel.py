"""Intel GPUs: gpu.intel.com (intel/intel-resource-drivers-for-kubernetes).

Names of the device plugin and of GPU Aware Scheduling only.
Seen in: intel/intel-device-plugins-for-kubernetes cmd/gpu_plugin/README.md; intel/platform-aware-scheduling,
gpu-aware-scheduling docs; driver @1da939f.
"""

from __future__ import annotations

from dralign.model.driver import DriverProfile, LegacyResource

_NO_NUMA = "gpu.intel.com publishes no NUMA node, so that a claim could not say more about alignment"

DRIVER = DriverProfile(
    name="gpu.intel.com",
    device="gpu",
    marks=("intel.com",),
    resources=(
        *(
            LegacyResource(name, no_twin=_NO_NUMA)
            for name in ("gpu.intel.com/i915", "gpu.intel.com/xe", "intel.com/gpu")
        ),
        *(
            LegacyResource(f"gpu.intel.com/{name}", "capacity", no_twin=_NO_NUMA)
            for name in ("millicores", "memory.max", "tiles")
        ),
    ),
    # cmd/kubelet-{gpu,gaudi}-plugin/node_state.go: preparing a claim looks at its devices only
    ignores_parameters=True,
)
