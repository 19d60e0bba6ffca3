"""Rebellions NPUs: npu.rebellions.ai (RBLN-SW/rbln-k8s-dra-driver).

Names of the device plugin only. Seen in: driver @dd9af1b (v0.1.2), deviceclass-npu.yaml of its chart.
"""

from __future__ import annotations

from dralign.model.driver import DriverProfile, LegacyResource

DRIVER = DriverProfile(
    name="npu.rebellions.ai",
    device="npu",
    marks=("rebellions.ai",),
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
