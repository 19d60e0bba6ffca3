"""AWS Neuron devices (Inferentia, Trainium): neuron.aws.com.

Names of the device plugin only. Seen in: AWS Neuron documentation, "Neuron K8 device plugin".
"""

from __future__ import annotations

from dralign.model.driver import DriverProfile
from dralign.model.plugin_names import LegacyResource

_CLOSED = "attributes of neuron.aws.com are not public, so that a claim could not be checked"

DRIVER = DriverProfile(
    name="neuron.aws.com",
    device="npu",
    marks=("neuron.aws.com", "aws.amazon.com/neuron"),
    resources=(
        LegacyResource("aws.amazon.com/neuron", device="npu", no_twin=_CLOSED),
        LegacyResource("aws.amazon.com/neurondevice", device="npu", no_twin=_CLOSED),
        LegacyResource("aws.amazon.com/neuroncore", "fractional", device="npu", no_twin=_CLOSED),
    ),
)
