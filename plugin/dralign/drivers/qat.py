"""Intel QuickAssist virtual functions: qat.intel.com (intel/intel-resource-drivers-for-kubernetes).

They say what they do and nothing of where they are. The order within ``services`` is that of the device's configuration:
``sym;asym`` on one is ``asym;sym`` on another.
Seen in: @3ef104c (qat-v0.4.3), cmd/kubelet-qat-plugin/deviceresources.go; charts/intel-qat-resource-driver.
"""

from __future__ import annotations

from dralign.model.driver import Attribute, DriverProfile, ShippedClass

DRIVER = DriverProfile(
    name="qat.intel.com",
    device="crypto",
    marks=("qat.intel.com",),
    attributes=(Attribute("qat.intel.com/services"),),
    # the extended resource is a value of the chart, off by default
    classes=(ShippedClass("qat.intel.com", 'device.driver == "qat.intel.com"'),),
)
