"""An inventory as the allocator of one release sees it: the pools and devices of each node, worked out once."""

from __future__ import annotations

from dralign.sim.capacity import demand
from dralign.sim.counters import CounterPlan
from dralign.sim.pools import SliceIndex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.model.device import Device, Taint
    from dralign.model.inventory import Inventory
    from dralign.model.node import Node
    from dralign.sim.behaviour import Behaviour
    from dralign.sim.capacity import Demand
    from dralign.sim.counters import Usage
    from dralign.sim.pools import Pool
    from dralign.values.quantity import Quantity

_MOST_KEPT = 1_000_000  # devices in remembered views: a pool that every node sees counts once for each node


class Candidate:
    """A device as a choice for a request, whatever is taken.

    ``demand`` is what it takes of the device's capacity, ``usage`` of its pool's counters. ``shared``: the device is
    handed out in shares.
    """

    __slots__ = ("demand", "device", "pool", "shared", "usage")

    def __init__(self, device: Device, pool: Pool, needs: Demand | None, usage: Usage) -> None:
        self.device = device
        self.pool = pool
        self.demand = needs
        self.usage = usage
        self.shared = needs is not None and device.allow_multiple is True


class NodeView:
    """What one node sees. ``devices`` are those of usable pools in order of search, with their numbers and pools."""

    __slots__ = ("devices", "node", "numbers", "pool_of", "pools")

    def __init__(self, node: Node, pools: list[Pool]) -> None:
        self.node = node
        self.pools = pools
        self.devices: list[Device] = [device for pool in pools for device in pool.devices]
        self.numbers = [device.number for device in self.devices]
        self.pool_of: list[Pool] = [pool for pool in pools for _ in pool.devices]

    @property
    def has_invalid_pool(self) -> bool:
        """Whether any pool is invalid: then a pod that does not fit is told so."""
        return any(pool.invalid for pool in self.pools)


class Cluster:
    """An inventory under one behaviour. Nothing in it depends on what is taken."""

    __slots__ = ("_counters", "_defaults", "_index", "_kept", "_views", "how", "inventory")

    def __init__(self, inventory: Inventory, how: Behaviour) -> None:
        self.inventory = inventory
        self.how = how
        self._index = SliceIndex(inventory.slices, how)
        self._views: dict[str, NodeView] = {}
        self._kept = 0
        self._counters: dict[Pool, CounterPlan] = {}
        self._defaults: dict[int, Demand | str] = {}  # by identity of the capacity, which the inventory keeps

    def view(self, node: Node) -> NodeView:
        """Return what a node sees. Raises NodeSelectorError."""
        known = self._views.get(node.name)
        if known is None or known.node is not node:
            known = NodeView(node, self._index.pools(node))
            self._kept += len(known.devices)
            if self._kept > _MOST_KEPT:
                self._views.clear()
                self._counters.clear()
                self._kept = len(known.devices)
            self._views[node.name] = known
        return known

    def counters(self, pool: Pool) -> CounterPlan:
        """Return the counters of a pool."""
        known = self._counters.get(pool)
        if known is None:
            known = self._counters[pool] = CounterPlan(pool)
        return known

    def candidate(self, device: Device, pool: Pool, wanted: Mapping[str, Quantity]) -> Candidate | str:
        """Return a device as a choice for a request, or why its capacity does not do. Raises CapacityError."""
        needs = self._demand(device, wanted) if self.how.consumable else None
        if isinstance(needs, str):
            return needs
        return Candidate(device, pool, needs, self.counters(pool).usage(device) if device.consumes else ())

    def taints(self, device: Device) -> tuple[Taint, ...]:
        """Return a device's own taints and those that taint rules add."""
        if not self.how.taint_rules or not self.inventory.rules:
            return device.taints
        return (*device.taints, *(rule.taint for rule in self.inventory.rules if rule.fits(device)))

    def _demand(self, device: Device, wanted: Mapping[str, Quantity]) -> Demand | str:
        """Work out what a request takes; where it names no amounts, once for all devices that share a capacity."""
        if wanted:
            return demand(device, wanted, self.how)
        known = self._defaults.get(id(device.capacity))
        if known is None:
            known = self._defaults[id(device.capacity)] = demand(device, wanted, self.how)
        return known
