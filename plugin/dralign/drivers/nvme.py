"""NVMe disks: dra.nvme (johnahull/dra-driver-nvme), as found in surveys of topology attributes.

Only the names that place a disk on its machine are known here.
"""

from __future__ import annotations

from dralign.model.driver import NUMA, PCI_BUS_ID, PCIE_ROOT, SOCKET, Attribute, DriverProfile

DRIVER = DriverProfile(
    name="dra.nvme",
    device="storage",
    marks=("dra.nvme",),
    attributes=(
        Attribute("resource.kubernetes.io/numaNode", "int", NUMA, optional=True),
        Attribute("dra.nvme/numaNode", "int", NUMA, optional=True, successor="resource.kubernetes.io/numaNode"),
        Attribute("resource.kubernetes.io/pcieRoot", role=PCIE_ROOT, optional=True),
        Attribute("resource.kubernetes.io/pciBusID", role=PCI_BUS_ID, optional=True),
        Attribute("dra.nvme/cpuSocketID", "int", SOCKET, optional=True),
    ),
    partial=True,
)
