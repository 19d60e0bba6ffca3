"""What allocated claims hold: whole devices, and shares with the capacity they were given."""

from __future__ import annotations

from dralign.sim.amounts import amount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.model.device import Device
    from dralign.model.inventory import Inventory
    from dralign.sim.outcome import ClaimAllocation
    from dralign.sim.pools import Pool, PoolKey
    from dralign.values.quantity import Quantity

NOTHING: Mapping[str, int] = {}


class Taken:
    """The devices of one inventory that are held, by number.

    ``whole``: held exclusively. ``shares``: how many shares are held. ``used``: billionths held of each capacity.
    """

    __slots__ = ("_origin", "_stamps", "shares", "used", "whole")

    def __init__(self) -> None:
        self.whole: set[int] = set()
        self.shares: dict[int, int] = {}
        self.used: dict[int, dict[str, int]] = {}
        self._origin = object()
        self._stamps: dict[PoolKey, object] = {}

    @classmethod
    def of(cls, inventory: Inventory, *, shareable: bool) -> Taken:
        """Return what the inventory's claims hold. Without consumable capacity a share is the whole device."""
        made = cls()
        for item in inventory.taken:
            number = inventory.numbers.get((item.driver, item.pool, item.device))
            if number is None:
                continue  # published no more: it cannot be handed out either
            made._add(number, item.consumed if item.shared and shareable else None)
        return made

    def take(self, device: Device, share: Mapping[str, Quantity] | None = None) -> None:
        """Hold a device: all of it, or one more share with the amounts in ``share``."""
        self._add(device.number, share)
        self._stamps[device.driver, device.slice.pool] = object()

    def commit(self, claims: tuple[ClaimAllocation, ...]) -> None:
        """Hold what was allocated; devices of admin access are not held."""
        for result in (result for claim in claims for result in claim.results):
            if not result.admin_access:
                self.take(result.device, result.consumed if result.shared else None)

    def stamp(self, key: PoolKey) -> object:
        """Return an object that is another one after each change to what is held of a pool."""
        return self._stamps.get(key, self._origin)

    def held(self, pool: Pool) -> list[Device]:
        """Return the devices of a pool, on any node, of which anything is held."""
        if not (self.whole or self.shares):
            return []
        devices = (*pool.devices, *pool.elsewhere)
        return [device for device in devices if device.number in self.whole or device.number in self.shares]

    def copy(self) -> Taken:
        """Return a copy that changes on its own."""
        made = Taken()
        made.whole = set(self.whole)
        made.shares = dict(self.shares)
        made.used = {number: dict(used) for number, used in self.used.items()}
        made._origin = self._origin
        made._stamps = dict(self._stamps)
        return made

    def _add(self, number: int, share: Mapping[str, Quantity] | None) -> None:
        if share is None:
            self.whole.add(number)
            return
        self.shares[number] = self.shares.get(number, 0) + 1
        if share:
            used = self.used.setdefault(number, {})
            for name, quantity in share.items():
                used[name] = used.get(name, 0) + amount(quantity)
