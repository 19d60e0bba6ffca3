"""Google TPUs: tpu.google.com (kubernetes-sigs/dra-driver-google-tpu).

Name of the device plugin only. Seen in: driver @f5a9d8c (2026-08-20); corpus, GoogleCloudPlatform__*-samples.
"""

from __future__ import annotations

from dralign.model.driver import DriverProfile, LegacyResource

DRIVER = DriverProfile(
    name="tpu.google.com",
    device="npu",
    marks=("tpu.google.com", "google.com/tpu"),
    resources=(
        LegacyResource(
            "google.com/tpu",
            device="npu",
            no_twin="tpu.google.com publishes no NUMA node, so that a claim could not say more about alignment",
        ),
    ),
)
