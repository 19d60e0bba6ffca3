"""Network interfaces and RDMA devices: dra.net (kubernetes-sigs/dranet, before google/dranet).

No class comes with it: classes that select ``device.driver == "dra.net"`` have any name; its examples use a few.
Interfaces on virtual buses (Azure VFs, domains 0101 and up) have no pcieRoot; virtual ones have no place on the machine at
all.
Seen in: @f258477 (2026-08-21, after v1.4.0): pkg/apis/attributes.go, pkg/inventory/db.go. The standard numaNode came by
a7fdaf0 (#283).
"""

from __future__ import annotations

from dralign.model.driver import (
    LIST_GATE,
    NUMA,
    PCIE_ROOT,
    TYPE,
    UNIQUE,
    Attribute,
    DeviceType,
    DriverProfile,
    ShippedClass,
)
from dralign.model.parameters import Field, OpaqueConfig
from dralign.model.plugin_names import LegacyPattern, LegacyResource

_PCI = ("pci",)

_CLOUDS = (
    ("gce", ("block", "subBlock", "host", "networkName", "networkProjectNumber", "ipAliases", "machineType")),
    ("azure", ("placementGroupId", "vmSize", "interconnectGroupId", "interconnectSubgroupId")),
    ("oke", ("hpcIslandId", "networkBlockId", "localBlockId", "rackId", "gpuMemoryFabricId", "shape")),
    ("alibaba", ("instanceType",)),
)
"""What the metadata service of a cloud says of the node (pkg/cloudprovider); all of it strings."""

_OWN_CLASS = "dranet ships no class; which one serves these interfaces is for the cluster to say"


def _any_name(text: str) -> str | None:
    """Return what stands behind rdma/, whatever the shared device plugin was told to call it."""
    return text or None


_OURS = 'device.driver == "dra.net"'
_GKE = ("mrdma.google.com", "netdev.google.com")
"""Classes that come with GKE's managed dranet."""

_ADDRESSES = Field("addresses", "list")
_TABLE = Field("table", "int", least="0")
_IPVLAN = Field("ipvlan", "object", fields=(Field("mode"), Field("flag"), Field("addressing", "any")))
_NETWORK = (
    Field(
        "interface",
        "object",
        fields=(
            Field("name"),
            _ADDRESSES,
            Field("dhcp", "bool"),
            Field("mtu", "int", least="68"),
            Field("hardwareAddr"),
            *(Field(f"{name}MaxSize", "int", least="1") for name in ("gso", "gro", "gsoIPv4", "groIPv4")),
            Field("disableEbpfPrograms", "bool"),
            Field("forwarding", "bool"),
            Field("vrf", "object", fields=(Field("name"), Field("table", "int", least="1"))),
            _IPVLAN,
        ),
    ),
    Field("subInterface", "any"),  # younger than the last release; its fields still move
    Field(
        "routes",
        "list",
        fields=(Field("destination", required=True), Field("gateway"), Field("source"), Field("scope", "int"), _TABLE),
    ),
    Field(
        "rules",
        "list",
        fields=(Field("priority", "int", least="0", most="32767"), Field("source"), Field("destination"), _TABLE),
    ),
    Field("neighbors", "list", fields=(Field("destination"), Field("hardwareAddr"))),
    Field(
        "ethtool",
        "object",
        fields=(Field("features", "map", items="bool"), Field("privateFlags", "map", items="bool")),
    ),
    Field("profile", "any"),  # of some releases
)

DRIVER = DriverProfile(
    name="dra.net",
    device="nic",
    marks=("dra.net", "dranet", *_GKE, "rdma/", "vpc.amazonaws.com/efa"),
    # Names got their domain in March 2025. The last line is main after v1.4.0, taken for 1.5.
    releases=(("0.1", "2025-03"), ("1.4",), ("1.5", "2026-08-18")),
    types=(
        DeviceType("pci", 'has(device.attributes["dra.net"].pciAddress)'),
        DeviceType("virtual", '!has(device.attributes["dra.net"].pciAddress)'),
    ),
    attributes=(
        Attribute(
            "resource.kubernetes.io/numaNode", "int", NUMA, types=_PCI, since="1.5", optional=True, list_gate=LIST_GATE
        ),
        Attribute("dra.net/numaNode", "int", NUMA, types=_PCI, optional=True),
        Attribute("resource.kubernetes.io/pcieRoot", role=PCIE_ROOT, types=_PCI, optional=True),
        Attribute("dra.net/pciAddress", role=UNIQUE, types=_PCI),
        Attribute("dra.net/pciVendor", types=_PCI, optional=True),
        Attribute("dra.net/pciDevice", types=_PCI, optional=True),
        Attribute("dra.net/pciSubsystem", types=_PCI, optional=True),
        Attribute("dra.net/rdma", "bool"),
        Attribute("dra.net/rdmaDevice", optional=True),
        # all of these only where there is an interface: not on RDMA devices without one
        Attribute("dra.net/virtual", "bool", TYPE, optional=True),
        Attribute("dra.net/ifName", optional=True),
        Attribute("dra.net/mac", optional=True),
        Attribute("dra.net/mtu", "int", optional=True),
        Attribute("dra.net/encapsulation", optional=True),
        Attribute("dra.net/alias", optional=True),
        Attribute("dra.net/state", optional=True),
        Attribute("dra.net/type", optional=True),
        Attribute("dra.net/ipv4", optional=True),
        Attribute("dra.net/ipv6", optional=True),
        Attribute("dra.net/tcFilterNames", optional=True),
        Attribute("dra.net/tcxProgramNames", optional=True),
        Attribute("dra.net/ebpf", "bool", optional=True),
        Attribute("dra.net/sriov", "bool", optional=True),
        Attribute("dra.net/sriovVfs", "int", optional=True),
        Attribute("dra.net/isSriovVf", "bool", optional=True),
        *(Attribute(f"{cloud}.dra.net/{name}", optional=True) for cloud, names in _CLOUDS for name in names),
        Attribute("oke.dra.net/rdmaFabricIpv6", "bool", optional=True),
        Attribute("oke.dra.net/rdmaFabricPlanes", "int", optional=True),
        Attribute("alibaba.dra.net/erdma", "bool", optional=True),
        # names of old examples: demo_gke_multinetwork in the corpus
        Attribute("dra.net/name", until="0.1", successor="dra.net/ifName"),
        Attribute("dra.net/cloudNetwork", until="0.1", successor="gce.dra.net/networkName"),
    ),
    # examples/ and site/ of the driver
    classes=(
        *(ShippedClass(name, _OURS, usual=True) for name in ("dranet", "dranet.net", "dra.net")),
        *(ShippedClass(name, _OURS) for name in _GKE),
    ),
    # pkg/apis/types.go, validation.go: NetworkConfig; parameters carry neither apiVersion nor kind
    configs=(OpaqueConfig("", fields=_NETWORK),),
    # Mellanox/k8s-rdma-shared-dev-plugin (rdma/<name>), aws-efa-k8s-device-plugin
    resources=(LegacyResource("vpc.amazonaws.com/efa", device="nic", no_twin=_OWN_CLASS),),
    patterns=(
        LegacyPattern(
            "rdma/", LegacyResource("rdma/<name>", "fractional", device="nic", no_twin=_OWN_CLASS), _any_name
        ),
    ),
    # interfaces are moved into the network namespace of the pod (NRI hook RunPodSandbox)
    serves_pods=True,
)
