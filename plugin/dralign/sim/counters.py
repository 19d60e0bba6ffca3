"""Shared counters of partitionable devices (KEP-4815): what is left of each in one pool.

Follows ``checkAvailableCounters``: devices that claims hold anywhere in the pool have consumed theirs, and once any
counter is overdrawn no device that consumes counters can be had, whichever counters it consumes.
"""

from __future__ import annotations

from dralign.sim.amounts import amount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.device import Device
    from dralign.sim.pools import Pool
    from dralign.sim.taken import Taken

    Usage = tuple[tuple[int, int], ...]


class CounterPlan:
    """The counters of one pool, numbered, and what each device consumes of them."""

    __slots__ = ("_left", "_numbers", "_pool", "_stamp", "_usage", "names", "totals")

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._stamp: object = None
        self._left: list[int] = []
        counters = [(owner, name, value) for owner, held in pool.counter_sets.items() for name, value in held.items()]
        self.names = [f"{owner}/{name}" for owner, name, _ in counters]
        self.totals = [amount(value) for _, _, value in counters]
        self._numbers = {(owner, name): number for number, (owner, name, _) in enumerate(counters)}
        self._usage: dict[Device, Usage] = {}

    def usage(self, device: Device) -> Usage:
        """Return (counter number, billionths) for all that the device consumes."""
        known = self._usage.get(device)
        if known is None:
            sums: dict[int, int] = {}
            for part in device.consumes:
                for name, value in part.counters.items():
                    number = self._numbers.get((part.counter_set, name))
                    if number is not None:
                        sums[number] = sums.get(number, 0) + amount(value)
            known = self._usage[device] = tuple(sums.items())
        return known

    def left(self, taken: Taken) -> list[int]:
        """Return what is left of each counter; worked out anew only when what is held of the pool has changed."""
        stamp = taken.stamp(self._pool.key)
        if stamp is not self._stamp:
            self._stamp, self._left = stamp, list(self.totals)
            for device in taken.held(self._pool):
                for number, consumed in self.usage(device):
                    self._left[number] -= consumed
        return self._left.copy()


class Counters:
    """What is left in one pool during a search."""

    __slots__ = ("_names", "_overdrawn", "left")

    def __init__(self, plan: CounterPlan, taken: Taken) -> None:
        self._names = plan.names
        self.left = plan.left(taken)
        self._overdrawn = any(value < 0 for value in self.left)

    def add(self, usage: Usage) -> bool:
        """Charge a device if enough is left of everything."""
        left = self.left
        if self._overdrawn:
            return False
        for number, consumed in usage:
            if left[number] < consumed:
                return False
        for number, consumed in usage:
            left[number] -= consumed
        return True

    def remove(self, usage: Usage) -> None:
        """Give back what a device was charged."""
        for number, consumed in usage:
            self.left[number] += consumed

    def lacking(self, usage: Usage) -> str | None:
        """Return the name, ``set/counter``, of a counter that does not suffice; None if all do."""
        if self._overdrawn:
            return self._names[next(i for i, value in enumerate(self.left) if value < 0)]
        return next((self._names[number] for number, taken in usage if self.left[number] < taken), None)
