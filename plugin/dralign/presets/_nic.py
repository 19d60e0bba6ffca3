"""Network interfaces of a machine as devices of dra.net."""

from __future__ import annotations

from dralign.drivers.dranet import DRIVER as NET
from dralign.presets._objects import slices, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from dralign.presets._machine import Machine, Nic


def nic_slices(machine: Machine, node: str, version: str, features: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield the slices of dra.net."""
    yield from slices(NET, node, [_device(machine, nic, version, features) for nic in machine.nics])


def _device(machine: Machine, nic: Nic, version: str, features: Collection[str]) -> dict[str, Any]:
    slot = nic.slot
    values = {
        "resource.kubernetes.io/numaNode": machine.neighbours(slot.zone),
        "dra.net/numaNode": slot.zone,
        "resource.kubernetes.io/pcieRoot": f"pci{slot.root}" if slot.root else None,
        "dra.net/pciAddress": slot.address,
        "dra.net/pciVendor": nic.vendor,
        "dra.net/pciDevice": nic.device,
        "dra.net/rdma": bool(nic.rdma),
        "dra.net/rdmaDevice": nic.rdma or None,
        "dra.net/virtual": False if nic.name else None,
        "dra.net/ifName": nic.name or None,
        "dra.net/state": "up" if nic.name else None,
    }
    attributes = written(NET, "pci", version, features, values)
    return {
        "name": "pci-" + slot.address.replace(":", "-").replace(".", "-"),
        "attributes": {name if "/" in name else f"dra.net/{name}": value for name, value in attributes.items()},
    }
