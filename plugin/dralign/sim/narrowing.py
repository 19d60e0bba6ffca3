"""What constraints leave of devices that could each serve their request alone.

A device goes if its value of an attribute leaves another request of the constraint with too few devices. This is
repeated until nothing changes; it explains most failures, saves long searches, and never removes a device that some
solution uses.
"""

from __future__ import annotations

from dralign.sim.constraints import MISSING, typed
from dralign.sim.outcome import Reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from dralign.model.device import Device
    from dralign.sim.bind import BoundAsk
    from dralign.sim.candidates import Candidates
    from dralign.sim.constraints import Constraint

    Able = dict[Candidates, list[Device]]


def narrow(asks: Sequence[BoundAsk], able: Able) -> list[Reason]:
    """Remove devices from ``able`` that a constraint rules out; return why they went. Raises AllocationError."""
    bound = dict.fromkeys(constraint for ask in asks for c in ask.leaves for constraint in c.constraints)
    tests = [_Narrowing(constraint, asks, able) for constraint in bound]
    found: list[Reason] = []
    while True:
        gone = [reason for test in tests for reason in test.run()]
        if not gone:
            return found
        found += gone


class _Narrowing:
    """One constraint, and the asks that it binds."""

    def __init__(self, constraint: Constraint, asks: Sequence[BoundAsk], able: Able) -> None:
        self._constraint = constraint
        self._name = constraint.lookup.name
        self._asks = [ask for ask in asks if any(constraint in c.constraints for c in ask.leaves)]
        self._able = able

    def run(self) -> Iterator[Reason]:
        """Remove what the constraint rules out by now; yield why."""
        counts = {candidates: self._count(candidates) for ask in self._asks for candidates in ask.leaves}
        for candidates in counts:
            if self._constraint in candidates.constraints:
                kept = []
                for device in self._able[candidates]:
                    objection = self._objection(candidates, device, counts)
                    if objection is None:
                        kept.append(device)
                    else:
                        yield Reason(candidates.leaf.claim, candidates.leaf.name, device, "constraint", objection)
                self._able[candidates] = kept

    def _count(self, candidates: Candidates) -> dict[Hashable, int]:
        """Count a leaf's devices by value."""
        counts: dict[Hashable, int] = {}
        for device in self._able[candidates]:
            for value in self._values(candidates, device):
                counts[value] = counts.get(value, 0) + 1
        return counts

    def _objection(
        self, candidates: Candidates, device: Device, counts: dict[Candidates, dict[Hashable, int]]
    ) -> str | None:
        values = self._values(candidates, device)
        if not values:
            return f"it has no {self._name}"
        if not self._constraint.ties:
            return None
        short = {self._short_of(value, counts) for value in values}
        if None in short:
            return None
        shown = self._constraint.lookup(candidates.leaf, device)
        text = ", ".join(map(str, shown)) if isinstance(shown, tuple) else str(shown)
        return f"{self._name} {text}: too few such devices for {' and '.join(sorted(map(str, short)))}"

    def _short_of(self, value: Hashable, counts: dict[Candidates, dict[Hashable, int]]) -> str | None:
        """Return the request that has too few devices with a value, None if all have enough."""
        for ask in self._asks:
            if not any(self._number(value, c, counts) >= max(c.needs, 1) for c in ask.leaves):
                return ask.name
        return None

    def _number(self, value: Hashable, candidates: Candidates, counts: dict[Candidates, dict[Hashable, int]]) -> int:
        if self._constraint in candidates.constraints:
            return counts[candidates].get(value, 0)
        return len(self._able[candidates])

    def _values(self, candidates: Candidates, device: Device) -> frozenset[Hashable]:
        """Return the elements of the attribute; one that is there without any may still pass as the only device."""
        value = self._constraint.lookup(candidates.leaf, device)
        if value is MISSING:
            return frozenset()
        return frozenset(map(typed, value if isinstance(value, tuple) and value else (value,)))
