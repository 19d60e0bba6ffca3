"""The state of one search: which devices are chosen so far, and what is left of everything they draw on.

``take`` chooses a device if nothing forbids it, ``give_back`` undoes the last choice. Follows ``allocateDevice``.
"""

from __future__ import annotations

from dralign.sim.counters import Counters
from dralign.sim.groups import Groups
from dralign.sim.taken import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Literal

    from dralign.sim.candidates import Candidates
    from dralign.sim.cluster import Candidate, Cluster
    from dralign.sim.pools import Pool
    from dralign.sim.taken import Taken

    Refusal = Literal["counter", "constraint", "capacity"]


class Choice:
    """A device chosen for a leaf; ``charged``: it consumes counters, and no earlier share of it did."""

    __slots__ = ("candidate", "candidates", "charged")

    def __init__(self, candidates: Candidates, candidate: Candidate, *, charged: bool) -> None:
        self.candidates = candidates
        self.candidate = candidate
        self.charged = charged


class Room:
    """What is taken already, and what the search has chosen.

    ``chosen``: choices by claim. ``held``: exclusive devices of this pod, by number, with a bit for each claim that
    holds them (admin access lets several). ``shares`` and ``used``: shares given out, and billionths of capacity.
    """

    __slots__ = ("_cluster", "chosen", "counters", "groups", "held", "shares", "taken", "used")

    def __init__(self, cluster: Cluster, taken: Taken, claims: int) -> None:
        self._cluster = cluster
        self.taken = taken
        self.chosen: list[list[Choice]] = [[] for _ in range(claims)]
        self.held: dict[int, int] = {}
        self.shares: dict[int, int] = {}
        self.used: dict[int, dict[str, int]] = {}
        self.counters: dict[Pool, Counters] = {}
        self.groups: dict[Pool, Groups] = {}

    def in_use(self, number: int, claim: int, *, admin: bool) -> bool:
        """Say whether a device is out of reach: for admin access only if this claim has it already."""
        if admin:
            return bool(self.held.get(number, 0) >> claim & 1)
        return number in self.held or number in self.taken.whole

    def take(self, candidates: Candidates, candidate: Candidate, claim: int) -> Refusal | None:
        """Choose a device that is not in use, or return what forbids it. Raises AllocationError."""
        lacking = not self._has_capacity(candidate)
        if lacking and candidates.all is None:
            return "capacity"
        charged = bool(candidate.device.consumes) and not self._is_charged(candidate)
        if charged and not self._charge(candidate):
            return "counter"
        bound = self._bind(candidates, candidate)
        if lacking or not bound:  # mode All asks the constraints first, since their refusal is an error
            if bound:
                self._unbind(candidates, candidate, len(candidates.constraints))
            if charged:
                self._discharge(candidate)
            return "capacity" if bound else "constraint"
        self._hold(candidate, claim)
        self.chosen[claim].append(Choice(candidates, candidate, charged=charged))
        return None

    def give_back(self, claim: int) -> None:
        """Undo the last choice of a claim."""
        choice = self.chosen[claim].pop()
        candidate = choice.candidate
        self._release(candidate, claim)
        self._unbind(choice.candidates, candidate, len(choice.candidates.constraints))
        if choice.charged:
            self._discharge(candidate)

    def state(self) -> Hashable:
        """Return what later choices depend on, the devices in ``held`` apart."""
        return (
            tuple((pool.key, tuple(counters.left)) for pool, counters in self.counters.items()),
            tuple((pool.key, groups.state()) for pool, groups in self.groups.items()),
            frozenset((number, *used.items()) for number, used in self.used.items()),
        )

    def _has_capacity(self, candidate: Candidate) -> bool:
        number = candidate.device.number
        if not candidate.shared and number not in self.taken.used:
            return True
        mine, theirs = self.used.get(number, NOTHING), self.taken.used.get(number, NOTHING)
        return candidate.demand is None or all(
            mine.get(name, 0) + theirs.get(name, 0) + taken <= limit for name, taken, limit in candidate.demand.parts
        )

    def _is_charged(self, candidate: Candidate) -> bool:
        """Say whether an earlier share of this device has its counters charged."""
        if not candidate.shared:
            return False
        number = candidate.device.number
        if number in self.shares or number in self.taken.used:
            return True
        return self._cluster.how.shares_count_without_capacity and number in self.taken.shares

    def _charge(self, candidate: Candidate) -> bool:
        pool = candidate.pool
        counters = self.counters.get(pool)
        if counters is None:
            counters = self.counters[pool] = Counters(self._cluster.counters(pool), self.taken)
        if self._cluster.how.groups:
            groups = self.groups.get(pool)
            if groups is None:
                groups = self.groups[pool] = Groups(pool, self.taken)
            if not groups.add(candidate.device):
                return False
            if not counters.add(candidate.usage):
                groups.remove(candidate.device)
                return False
            return True
        return counters.add(candidate.usage)

    def _discharge(self, candidate: Candidate) -> None:
        self.counters[candidate.pool].remove(candidate.usage)
        if self._cluster.how.groups:
            self.groups[candidate.pool].remove(candidate.device)

    def _bind(self, candidates: Candidates, candidate: Candidate) -> bool:
        """Add the device to the constraints of its leaf, to all or to none."""
        for added, constraint in enumerate(candidates.constraints):
            if not constraint.add(candidates.leaf, candidate.device):
                self._unbind(candidates, candidate, added)
                return False
        return True

    def _unbind(self, candidates: Candidates, candidate: Candidate, added: int) -> None:
        for constraint in reversed(candidates.constraints[:added]):
            constraint.remove(candidates.leaf, candidate.device)

    def _hold(self, candidate: Candidate, claim: int) -> None:
        number = candidate.device.number
        if not candidate.shared or candidate.demand is None:
            self.held[number] = self.held.get(number, 0) | 1 << claim
            return
        self.shares[number] = self.shares.get(number, 0) + 1
        used = self.used.setdefault(number, {})
        for name, taken, _ in candidate.demand.parts:
            used[name] = used.get(name, 0) + taken

    def _release(self, candidate: Candidate, claim: int) -> None:
        number = candidate.device.number
        if not candidate.shared or candidate.demand is None:
            self.held[number] &= ~(1 << claim)
            if not self.held[number]:
                del self.held[number]
            return
        self.shares[number] -= 1
        if not self.shares[number]:
            del self.shares[number]
            del self.used[number]
            return
        used = self.used[number]
        for name, taken, _ in candidate.demand.parts:
            used[name] -= taken
