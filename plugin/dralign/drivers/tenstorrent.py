"""Tenstorrent accelerators: tenstorrent.com.

Its documentation and its code differ on names of boards and on the types of attributes, so that none is told here.
Seen in: documentation of the driver (2026-08), whose class carries the name of the device plugin.
"""

from __future__ import annotations

from dralign.model.driver import MEMORY, Capacity, DriverProfile
from dralign.model.plugin_names import LegacyResource

DRIVER = DriverProfile(
    name="tenstorrent.com",
    device="npu",
    marks=("tenstorrent.com",),
    capacities=(Capacity("tenstorrent.com/memory", MEMORY),),
    resources=(
        LegacyResource(
            "tenstorrent.com/chip",
            device="npu",
            no_twin="tenstorrent.com publishes no NUMA node, so that a claim could not say more about alignment",
        ),
    ),
)
