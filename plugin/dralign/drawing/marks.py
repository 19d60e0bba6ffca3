"""What is taken of a node: by the claims of an inventory, or by any others that the allocator was told of."""

from __future__ import annotations

from dralign.drawing.picture import amount_name, amount_of
from dralign.drawing.text import BLOCKED, HERE, TAKEN, Marks, size
from dralign.sim.amounts import NANO

_ONE: int = 10**NANO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.drawing.picture import Picture, Supply, Zone
    from dralign.model.device import Device
    from dralign.sim.cluster import Cluster, NodeView
    from dralign.sim.outcome import ClaimAllocation
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


def marks_with(
    picture: Picture,
    view: NodeView,
    cluster: Cluster,
    taken: Taken,
    claims: tuple[ClaimAllocation, ...],
    own: frozenset[str] = frozenset(),
) -> Marks:
    """Return the marks of a node on which a pod gets something beside what others hold.

    Args:
        picture: the node.
        view: its devices.
        cluster: where it is.
        taken: what is held before the pod comes.
        claims: what it gets.
        own: identities of devices that are its own already.
    """
    both = taken.copy()
    both.commit(claims)
    before, after = marks_of(picture, view, cluster, taken), marks_of(picture, view, cluster, both)
    mine = own | {result.device.identity for claim in claims for result in claim.results}
    by_identity = {device.identity: device for device in view.devices}
    return Marks(
        {**after.devices, **dict.fromkeys(mine, HERE)},
        {node: (used, after.cpus[node][0] - used) for node, (used, _) in before.cpus.items()},
        before.memory,
        {
            zone.number: note
            for zone in picture.zones
            if zone.number is not None
            for note in ("   ".join(_notes(zone, by_identity, taken, both)),)
            if note
        },
    )


def _notes(zone: Zone, by_identity: dict[str, Device], taken: Taken, both: Taken) -> Iterator[str]:
    """Yield what a pod gets of CPUs and memory that devices of a NUMA node hand out."""
    for kind, supply in (("cpu", zone.cpus), ("memory", zone.memory)):
        got = {
            identity: amount
            for identity in (supply.devices if supply else ())
            for device in (by_identity[identity],)
            for amount in (_used_of(device, kind, both) - _used_of(device, kind, taken),)
            if amount
        }
        if got:
            total = sum(got.values())
            first, *more = (by_identity[identity].name for identity in got)
            name = f"{first} and {len(more)} more" if more else first
            yield f"{HERE} {total if kind == 'cpu' else size(total)} here ({name})"


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
