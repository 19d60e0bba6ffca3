"""SR-IOV virtual functions: sriovnetwork.k8snetworkplumbingwg.io (k8snetworkplumbingwg/dra-driver-sriov).

Nothing is published without a SriovResourcePolicy, which also gives ``resourceName``. The driver has no releases; its
lines are dates.
Seen in: @cd9404f (2026-08-19) and, for the standard numaNode, pkg/devicestate/discovery.go @0b233ef; pkg/consts @00b3a8a;
pkg/api/virtualfunction/v1alpha1 @ca70b09; history of the NUMA attribute by its commits.
"""

from __future__ import annotations

from dralign.model.driver import (
    LIST_GATE,
    NUMA,
    PARENT,
    PCI_BUS_ID,
    PCIE_ROOT,
    UNIQUE,
    Attribute,
    DriverProfile,
    ShippedClass,
)
from dralign.model.parameters import Field, OpaqueConfig

_NAME = "sriovnetwork.k8snetworkplumbingwg.io"
_LINK = (
    Field("vlan", "int", least="0", most="4094"),
    Field("qos", "int", least="0", most="7"),
    Field("vlanProto", values=("802.1q", "802.1ad")),
    Field("spoofChk", "bool"),
    Field("trust", "bool"),
    Field("minTxRate", "int"),
    Field("maxTxRate", "int"),
    Field("linkState", values=("auto", "enable", "disable")),
)

DRIVER = DriverProfile(
    name=_NAME,
    device="nic",
    marks=(_NAME,),
    releases=(("2025-09-29",), ("2026-02-26",), ("2026-03-19", "2026-08-19"), ("2026-08-20",)),
    attributes=(
        # left out where the node is not known; once written as -1, and gone for half a year
        Attribute(
            "resource.kubernetes.io/numaNode", "int", NUMA, since="2026-08-20", optional=True, list_gate=LIST_GATE
        ),
        Attribute("resource.kubernetes.io/numaNode", "int", NUMA, until="2025-09-29", unknown=-1),
        Attribute("dra.net/numaNode", "int", NUMA, since="2026-03-19", unknown=-1),
        Attribute("resource.kubernetes.io/pcieRoot", role=PCIE_ROOT),
        Attribute("resource.kubernetes.io/pciBusID", role=PCI_BUS_ID),
        Attribute(f"{_NAME}/pciAddress", role=UNIQUE),
        Attribute(f"{_NAME}/pfPciAddress", role=PARENT),
        Attribute(f"{_NAME}/PFName"),
        Attribute(f"{_NAME}/EswitchMode"),
        Attribute(f"{_NAME}/vendor"),
        Attribute(f"{_NAME}/deviceID"),
        Attribute(f"{_NAME}/pfDeviceID"),
        Attribute(f"{_NAME}/vfID", "int"),
        Attribute(f"{_NAME}/linkType"),
        Attribute(f"{_NAME}/rdmaCapable", "bool"),
        # of the policy that lets the device out, and of the pod that has it
        Attribute(f"{_NAME}/resourceName", optional=True),
        Attribute(f"{_NAME}/interfaceName", optional=True),
        Attribute("k8s.cni.cncf.io/deviceID"),
        Attribute("k8s.cni.cncf.io/resourceName", optional=True),
    ),
    classes=(ShippedClass(_NAME, f"device.driver == '{_NAME}'"),),
    configs=(
        OpaqueConfig(
            f"{_NAME}/v1alpha1",
            "VfConfig",
            (
                Field("driver"),
                Field("addVhostMount", "bool"),
                Field("ifName"),
                Field("netAttachDefName"),
                Field("netAttachDefNamespace"),
                Field("vf", "object", fields=_LINK),
            ),
        ),
    ),
    # the function is moved into the network namespace of the pod when its sandbox is made
    serves_pods=True,
)
