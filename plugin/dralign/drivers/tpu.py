"""Google TPUs: tpu.google.com (kubernetes-sigs/dra-driver-google-tpu).

It publishes no capacity, no NUMA node and no PCIe address. A claim gets all chips of a node or fails on the node, so that
``allocationMode: All`` is the only form that works.
Seen in: driver @f5a9d8c (2026-08-20, v0.2.0), README @2821f13; corpus, GoogleCloudPlatform__*-samples.
"""

from __future__ import annotations

from dralign.model.driver import UNIQUE, Attribute, DriverProfile, ShippedClass
from dralign.model.plugin_names import LegacyResource

DRIVER = DriverProfile(
    name="tpu.google.com",
    device="npu",
    marks=("tpu.google.com", "google.com/tpu"),
    releases=(("0.1",), ("0.2", "2026-08-20")),
    attributes=(
        Attribute("tpu.google.com/index", "int"),
        Attribute("tpu.google.com/uuid", role=UNIQUE),
        Attribute("tpu.google.com/tpuGen"),
        Attribute("tpu.google.com/brand"),
        Attribute("tpu.google.com/accelerator"),
        Attribute("tpu.google.com/chipCount", "int"),
        Attribute("tpu.google.com/topology", optional=True),
    ),
    # the chart can add an extended resource, and does not by default
    classes=(ShippedClass("tpu.google.com", 'device.driver == "tpu.google.com"'),),
    resources=(LegacyResource("google.com/tpu", device="npu", device_class="tpu.google.com"),),
)
