"""What others must hold so that the allocator itself chooses an assignment: the way to it, and the shortest such list.

The allocator takes the first solution in its order. Whatever else it would take can be taken before by others, counters and
capacities permitting; so it is driven towards the assignment one device at a time, and then what was not needed is given
back. Every answer here is one that the allocator gave.
"""

from __future__ import annotations

from dralign.model.verdict import Held
from dralign.proof.filling import filling
from dralign.proof.hunt import numbers_of
from dralign.record import Record
from dralign.sim.amounts import amount
from dralign.sim.outcome import Allocated
from dralign.sim.search import StepLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from dralign.model.device import Device
    from dralign.model.node import Node
    from dralign.proof.hunt import Assignment
    from dralign.proof.judging import Crossing, Judge
    from dralign.sim.allocator import Pod
    from dralign.sim.cluster import Candidate
    from dralign.sim.outcome import Outcome
    from dralign.sim.pools import Pool
    from dralign.sim.taken import Taken
    from dralign.values.quantity import Quantity


class Grab(Record):
    """What others hold of a device: all of it (None), or a share."""

    device: Device
    share: Mapping[str, Quantity] | None = None

    def as_held(self) -> Held:
        """Return it as plain data."""
        return Held(self.device.identity, self.share)


class Found(Record):
    """A reachable allocation that crosses, and what others hold then."""

    grabs: tuple[Grab, ...]
    outcome: Allocated
    crossing: Crossing


class Reach:
    """Drives the allocator of one pod on one node. Raises StepLimitError where the tries are used up."""

    def __init__(self, judge: Judge, pod: Pod, node: Node, own: Taken) -> None:
        self._judge = judge
        self._allocator = judge.known.allocator
        self._pod = pod
        self._node = node
        self._own = own
        self._view = self._allocator.cluster.view(node)
        self._pools: dict[int, Pool] = dict(zip(self._view.numbers, self._view.pool_of, strict=True))
        self._left = judge.known.aim.tries
        self._refused: set[Hashable] = set()

    @property
    def is_exact(self) -> bool:
        """Whether an assignment that was not reached surely cannot be.

        Not where 1.36 forgets to undo what it tried, nor where it takes thought how much of a device others can share.
        """
        how = self._allocator.cluster.how
        return not how.undo_defects and not any(map(_is_shared_in_steps, self._view.devices))

    def allocate(self, grabs: Iterable[Grab]) -> Outcome:
        """Return what the allocator does while others hold these."""
        self._left -= 1
        if self._left < 0:
            raise StepLimitError
        taken = self._own.copy()
        for grab in grabs:
            taken.take(grab.device, grab.share)
        return self._allocator.allocate(self._pod, self._node, taken, self._judge.known.aim.steps)

    def force(self, assignment: Assignment) -> Found | None:
        """Return a state in which the allocator's choice crosses, on the way to the assignment; None if there is none."""
        needs = _needs_of(assignment)
        if needs in self._refused:
            return None
        found = self._drive(assignment, (), set())
        if found is None:
            self._refused.add(needs)
            return None
        return self._shrunk(found)

    def force_shorter(self, assignment: Assignment, than: Found) -> Found | None:
        """Return the same if others have to hold fewer devices for it, and that shows within a share of the tries."""
        self._left = self._judge.known.aim.tries // 8
        try:
            found = self._drive(assignment, (), set(), len(than.grabs) - 1)
        except StepLimitError:
            return None
        return self._shrunk(found) if found is not None else None

    def _drive(
        self, assignment: Assignment, grabs: tuple[Grab, ...], seen: set[frozenset[str]], most: int | None = None
    ) -> Found | None:
        """Let others hold more and more of what the allocator chooses; where they can hold one or the other, try each."""
        key = frozenset(map(repr, grabs))
        if key in seen or (most is not None and len(grabs) > most):
            return None
        seen.add(key)
        outcome = self.allocate(grabs)
        if not isinstance(outcome, Allocated):
            return None
        crossing = self._judge.crossing(outcome)
        if crossing is not None:
            return Found(grabs, outcome, crossing)
        further = (
            self._drive(assignment, (*grabs, *more), seen, most) for more in self._obstacles(outcome, assignment, grabs)
        )
        return next((found for found in further if found is not None), None)

    def _crossing_with(self, grabs: tuple[Grab, ...]) -> Found | None:
        outcome = self.allocate(grabs)
        crossing = self._judge.crossing(outcome) if isinstance(outcome, Allocated) else None
        return Found(grabs, outcome, crossing) if isinstance(outcome, Allocated) and crossing is not None else None

    def _shrunk(self, found: Found) -> Found:
        """Leave out what is not needed: halves, then smaller parts, then single devices; as far as the tries go."""
        size = max(len(found.grabs) // 2, 1)
        start = 0
        while start < len(found.grabs) and self._left > 0:
            shorter = self._crossing_with(found.grabs[:start] + found.grabs[start + size :])
            found, start = (found, start + size) if shorter is None else (shorter, start)
            if start >= len(found.grabs) and size > 1:
                size, start = size // 2, 0
        return found

    def _obstacles(self, outcome: Allocated, assignment: Assignment, grabs: tuple[Grab, ...]) -> list[tuple[Grab, ...]]:
        """Return what others could hold so that this outcome is no more: one of these must be held, whatever else is.

        What the assignment does not need and no counter forbids can be held in any case: then that is the only one.
        """
        used = numbers_of(assignment)
        devices = [item.device for claim in outcome.claims for item in claim.results if not item.admin_access]
        free = tuple(self._in_any_case(devices, assignment, grabs))
        if free:
            return [free]
        partitions = [device for device in devices if device.consumes]
        partitions += [other for device in devices for other in self._neighbours(device)]
        partitions.sort(
            key=lambda device: -sum(len(part.counters) for part in device.consumes)
        )  # fewer are needed then
        barred = used | {grab.device.number for grab in grabs}
        return [
            (Grab(device),)
            for device in dict.fromkeys(partitions)
            if device.number not in barred and self._can_be_held(device, assignment, grabs)
        ]

    def _in_any_case(self, devices: list[Device], assignment: Assignment, grabs: tuple[Grab, ...]) -> Iterator[Grab]:
        """Yield what others can hold of these devices whatever else they and the assignment hold."""
        used = numbers_of(assignment)
        for device in dict.fromkeys(devices):
            share = self._share(device, assignment, grabs) if device.allow_multiple else None
            if share or (device.number not in used and not device.consumes and not device.allow_multiple):
                yield Grab(device, share)

    def _share(self, device: Device, assignment: Assignment, grabs: tuple[Grab, ...]) -> dict[str, Quantity]:
        """Return all of a shared device that neither the assignment nor others need."""
        needed: dict[str, int] = {}
        for choice in (choice for choices in assignment for choice in choices):
            if choice.candidate.device.number == device.number and choice.candidate.demand is not None:
                for name, taken, _ in choice.candidate.demand.parts:
                    needed[name] = needed.get(name, 0) + taken
        for grab in (grab for grab in grabs if grab.device.number == device.number and grab.share):
            for name, quantity in (grab.share or {}).items():
                needed[name] = needed.get(name, 0) + amount(quantity)
        return filling(device, needed)

    def _neighbours(self, device: Device) -> Iterator[Device]:
        """Yield other partitions of the same card: who holds one keeps others off."""
        sets = {part.counter_set for part in device.consumes}
        for other in self._pools[device.number].devices if sets else ():
            if other is not device and any(part.counter_set in sets for part in other.consumes):
                yield other

    def _can_be_held(self, device: Device, assignment: Assignment, grabs: tuple[Grab, ...]) -> bool:
        """Say whether counters allow others to hold a device beside what they and the assignment hold."""
        if device.allow_multiple or device.number in self._own.whole:
            return False
        if not device.consumes:
            return True
        pool = self._pools[device.number]
        plan = self._allocator.cluster.counters(pool)
        left = list(plan.totals)
        partitions = {grab.device.number: grab.device for grab in grabs}
        partitions |= {item.device.number: item.device for item in _held_in(assignment)}
        partitions |= {held.number: held for held in self._own.held(pool)}
        for other in (*partitions.values(), device):
            if self._pools.get(other.number) is pool:
                for number, consumed in plan.usage(other):
                    left[number] -= consumed
        return min(left, default=0) >= 0


def _held_in(assignment: Assignment) -> tuple[Candidate, ...]:
    """Return what an assignment holds; admin access holds nothing."""
    made = (choice for choices in assignment for choice in choices)
    return tuple(choice.candidate for choice in made if not choice.candidates.leaf.admin)


def _needs_of(assignment: Assignment) -> Hashable:
    """Return the devices of an assignment with what is needed of each, whatever for."""
    choices = _held_in(assignment)
    parts = (
        (item.device.number, item.demand.parts if item.shared and item.demand is not None else ()) for item in choices
    )
    return tuple(sorted(parts))


def _is_shared_in_steps(device: Device) -> bool:
    """Say whether not every amount of a shared device can be held, so that what is left over may matter."""
    if not device.allow_multiple:
        return False
    policies = [offer.policy for offer in device.capacity.values() if offer.policy is not None]
    limited = any(policy.valid_values or (policy.valid_range and policy.valid_range.max) for policy in policies)
    return limited or bool(device.consumes) or not device.capacity
