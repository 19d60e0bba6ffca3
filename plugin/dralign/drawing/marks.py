"""What is taken of a node: by the claims of an inventory, or by any others that the allocator was told of."""

from __future__ import annotations

from dralign.drawing.picture import amount_name, amount_of
from dralign.drawing.text import BLOCKED, TAKEN, Marks
from dralign.sim.amounts import NANO

_ONE: int = 10**NANO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.drawing.picture import Picture, Supply
    from dralign.model.device import Device
    from dralign.sim.cluster import Cluster, NodeView
    from dralign.sim.pools import Pool
    from dralign.sim.taken import Taken


def marks_of(picture: Picture, view: NodeView, cluster: Cluster, taken: Taken) -> Marks:
    """Return the marks of a node: devices that are held, and partitions that are blocked by what is held beside them."""
    by_identity = {device.identity: device for device in view.devices}
    zones = [zone for zone in picture.zones if zone.number is not None]
    return Marks(
        {
            device.identity: mark
            for device, pool in zip(view.devices, view.pool_of, strict=True)
            if (mark := _mark(device, pool, cluster, taken))
        },
        {
            zone.number or 0: (_used(zone.cpus, "cpu", by_identity, taken), 0)
            for zone in zones
            if zone.cpus and zone.cpus.devices
        },
        {zone.number or 0: _used(zone.memory, "memory", by_identity, taken) for zone in zones if zone.memory},
    )


def _mark(device: Device, pool: Pool, cluster: Cluster, taken: Taken) -> str | None:
    if device.number in taken.whole or device.number in taken.shares:
        return TAKEN
    if not device.consumes:
        return None
    counters = cluster.counters(pool)
    left = counters.left(taken)
    return BLOCKED if any(consumed > left[number] for number, consumed in counters.usage(device)) else None


def _used(supply: Supply, kind: str, by_identity: dict[str, Device], taken: Taken) -> int:
    return sum(_used_of(by_identity[identity], kind, taken) for identity in supply.devices)


def _used_of(device: Device, kind: str, taken: Taken) -> int:
    """Return how much of a device is held, rounded up."""
    if device.number in taken.whole:
        return amount_of(device, kind)
    used = taken.used.get(device.number, {}).get(amount_name(device, kind) or "", 0)
    return -(-used // _ONE)
