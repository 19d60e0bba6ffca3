"""Tenstorrent accelerators: tenstorrent.com.

Name of the device plugin only. Seen in: documentation of the driver (2026-08), whose class carries it.
"""

from __future__ import annotations

from dralign.model.driver import DriverProfile, LegacyResource

DRIVER = DriverProfile(
    name="tenstorrent.com",
    device="npu",
    marks=("tenstorrent.com",),
    resources=(
        LegacyResource(
            "tenstorrent.com/chip",
            device="npu",
            no_twin="tenstorrent.com publishes no NUMA node, so that a claim could not say more about alignment",
        ),
    ),
)
