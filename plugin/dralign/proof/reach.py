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
    from collections.abc import Iterable, Iterator, Mapping

    from dralign.model.device import Device
    from dralign.model.node import Node
    from dralign.proof.hunt import Assignment
    from dralign.proof.judging import Crossing, Judge
    from dralign.sim.allocator import Pod
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
        self._refused: set[frozenset[int]] = set()

    @property
    def is_exact(self) -> bool:
        """Whether taking all other devices shows for sure that an assignment cannot be reached.

        Not where devices are partitions or shared, nor where 1.36 forgets to undo what it tried.
        """
        how = self._allocator.cluster.how
        return not how.undo_defects and not any(
            device.consumes or device.allow_multiple for device in self._view.devices
        )

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
        used = numbers_of(assignment)
        if used in self._refused:
            return None
        found = self._drive(assignment, used) or (self._crowd(used) if self.is_exact else None)
        if found is None:
            self._refused.add(used)
            return None
        return self._shrunk(found)

    def _drive(self, assignment: Assignment, used: frozenset[int]) -> Found | None:
        grabs: list[Grab] = []
        while True:
            outcome = self.allocate(grabs)
            if not isinstance(outcome, Allocated):
                return None
            crossing = self._judge.crossing(outcome)
            if crossing is not None:
                return Found(tuple(grabs), outcome, crossing)
            grab = next(self._obstacles(outcome, assignment, used, grabs), None)
            if grab is None:
                return None
            grabs.append(grab)

    def _crowd(self, used: frozenset[int]) -> Found | None:
        """Let others hold every other device."""
        grabs = tuple(Grab(device) for device in self._view.devices if device.number not in used | self._own.whole)
        return self._crossing_with(grabs)

    def _crossing_with(self, grabs: tuple[Grab, ...]) -> Found | None:
        outcome = self.allocate(grabs)
        crossing = self._judge.crossing(outcome) if isinstance(outcome, Allocated) else None
        return Found(grabs, outcome, crossing) if isinstance(outcome, Allocated) and crossing is not None else None

    def _shrunk(self, found: Found) -> Found:
        """Leave out what is not needed: halves, then smaller parts, then single devices."""
        size = max(len(found.grabs) // 2, 1)
        while found.grabs:
            start = 0
            while start < len(found.grabs):
                shorter = self._crossing_with(found.grabs[:start] + found.grabs[start + size :])
                if shorter is None:
                    start += size
                else:
                    found = shorter
            if size == 1:
                break
            size //= 2
        return found

    def _obstacles(
        self, outcome: Allocated, assignment: Assignment, used: frozenset[int], grabs: list[Grab]
    ) -> Iterator[Grab]:
        """Yield what others could hold so that the allocator chooses something else, what it chose first before."""
        for result in (result for claim in outcome.claims for result in claim.results if not result.admin_access):
            device = result.device
            if result.shared:
                share = self._share(device, assignment, grabs)
                if share:
                    yield Grab(device, share)
            elif device.number not in used:
                if self._can_be_held(device, assignment, grabs):
                    yield Grab(device)
                yield from self._neighbours(device, assignment, used, grabs)

    def _share(self, device: Device, assignment: Assignment, grabs: list[Grab]) -> dict[str, Quantity]:
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

    def _neighbours(
        self, device: Device, assignment: Assignment, used: frozenset[int], grabs: list[Grab]
    ) -> Iterator[Grab]:
        """Yield other partitions of the same card: holding one keeps a larger one off."""
        sets = {part.counter_set for part in device.consumes}
        held = {grab.device.number for grab in grabs}
        for other in self._pools[device.number].devices if sets else ():
            same_card = any(part.counter_set in sets for part in other.consumes)
            free = other.number not in used and other.number not in held and other is not device
            if same_card and free and self._can_be_held(other, assignment, grabs):
                yield Grab(other)

    def _can_be_held(self, device: Device, assignment: Assignment, grabs: list[Grab]) -> bool:
        """Say whether counters allow others to hold a device beside what they and the assignment hold."""
        if device.allow_multiple or device.number in self._own.whole:
            return False
        if not device.consumes:
            return True
        pool = self._pools[device.number]
        plan = self._allocator.cluster.counters(pool)
        left = list(plan.totals)
        partitions = {grab.device.number: grab.device for grab in grabs}
        partitions |= {item.device.number: item.device for item in (c.candidate for cs in assignment for c in cs)}
        partitions |= {held.number: held for held in self._own.held(pool)}
        for other in (*partitions.values(), device):
            if self._pools.get(other.number) is pool:
                for number, consumed in plan.usage(other):
                    left[number] -= consumed
        return min(left, default=0) >= 0
