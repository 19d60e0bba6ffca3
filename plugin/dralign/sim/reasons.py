"""Why claims do not fit on a node: a second pass that looks at every device for every request.

A device is first tested alone, by what is written (driver, selectors, capacity, …), then by what is left (in use,
capacity, counters). Of those that pass, a constraint removes the ones whose value no other request can match. What
remains could serve each request alone: then only the combination is impossible.
"""

from __future__ import annotations

from dralign.sim.bind import bind
from dralign.sim.capacity import CapacityError
from dralign.sim.counters import Counters
from dralign.sim.errors import AllocationError
from dralign.sim.expressions import meets
from dralign.sim.narrowing import narrow
from dralign.sim.nodes import reaches
from dralign.sim.outcome import Reason
from dralign.sim.taints import repelling
from dralign.sim.taken import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.model.device import Device
    from dralign.sim.bind import BoundAsk
    from dralign.sim.candidates import Candidates
    from dralign.sim.cluster import Candidate, Cluster, NodeView
    from dralign.sim.expressions import ClassSelection
    from dralign.sim.outcome import Test
    from dralign.sim.plan import ClaimPlan
    from dralign.sim.taken import Taken

    Verdict = tuple[Test, str]


def reasons(plans: Sequence[ClaimPlan], view: NodeView, cluster: Cluster, taken: Taken) -> tuple[Reason, ...]:
    """Return why each device cannot serve each request, then why those that can alone cannot together.

    Raises AllocationError where the allocator reports an error before it looks at devices.
    """
    inspector = _Inspector(view, cluster, taken)
    asks = bind(plans, view, cluster, taken)
    found: list[Reason] = []
    alone: dict[Candidates, list[Device]] = {}
    for candidates in (candidates for ask in asks for candidates in ask.leaves):
        alone[candidates] = inspector.inspect(candidates, found)
    if all(any(_suffices(c, alone[c]) for c in ask.leaves) for ask in asks):
        found += narrow(asks, alone)
    found += _shortages(asks, alone)
    return tuple(found)


class _Inspector:
    """Tests single devices against single requests on one node."""

    def __init__(self, view: NodeView, cluster: Cluster, taken: Taken) -> None:
        self._view = view
        self._cluster = cluster
        self._taken = taken
        self._drivers: dict[ClassSelection, set[str]] = {}

    def inspect(self, candidates: Candidates, found: list[Reason]) -> list[Device]:
        """Return the devices that could serve a leaf alone; note reasons for the others and for unusable pools."""
        leaf, able = candidates.leaf, []
        for pool in self._view.pools:
            if pool.incomplete or pool.invalid:
                detail = f"{pool}: {pool.invalid or 'not all of its slices are there'}"
                found.append(Reason(leaf.claim, leaf.name, None, "pool", detail))
        for position, device in enumerate(self._view.devices):
            verdict = (
                self._selectors(candidates, device)
                or self._written(candidates, position)
                or self._left(candidates, position)
            )
            if verdict is None:
                able.append(device)
            else:
                found.append(Reason(leaf.claim, leaf.name, device, *verdict))
        return able

    def _selectors(self, candidates: Candidates, device: Device) -> Verdict | None:
        """Test what class and request select."""
        leaf = candidates.leaf
        try:
            if not leaf.in_class(device):
                return self._outside_class(leaf.in_class, device), f"it is not of class {leaf.spec.name}"
            failed = next((item for item in leaf.selectors if not meets(device, (item,))), None)
        except AllocationError as error:
            return "request selector", str(error)
        return None if failed is None else ("request selector", failed.text)

    def _written(self, candidates: Candidates, position: int) -> Verdict | None:
        """Test what else device and request say, whatever is taken."""
        device, how = self._view.devices[position], self._cluster.how
        if device.binding.conditions and not how.binding:
            return "feature", "it has binding conditions, and DRADeviceBindingConditions is off"
        if device.consumes and not how.partitionable:
            return "feature", "it consumes counters, and DRAPartitionableDevices is off"
        if device.slice.scope.per_device and not reaches(device.scope, self._view.node):
            return "node", f"it cannot be reached from {self._view.node.name}"
        taint = repelling(self._cluster.taints(device), candidates.leaf.tolerations) if how.taints else None
        if taint is not None:
            return "taint", f"{taint.key}={taint.value}:{taint.effect}"
        candidate = self._candidate(candidates, position)
        return ("capacity", candidate) if isinstance(candidate, str) else None

    def _left(self, candidates: Candidates, position: int) -> Verdict | None:
        """Test what others have left of a device that would do."""
        device = self._view.devices[position]
        if device.number in self._taken.whole and not candidates.leaf.admin:
            return "in use", "another claim holds it"
        candidate = self._candidate(candidates, position)
        if isinstance(candidate, str):
            return "capacity", candidate
        if candidate.demand is not None:
            lacking = candidate.demand.lacking(self._taken.used.get(device.number, NOTHING))
            if lacking is not None:
                return "capacity", f"too little of {lacking} is left"
        if device.consumes:
            lacking = Counters(self._cluster.counters(candidate.pool), self._taken).lacking(candidate.usage)
            if lacking is not None and not self._is_charged(device):
                return "counter", f"too little of {lacking} is left"
        return None

    def _is_charged(self, device: Device) -> bool:
        return device.allow_multiple is True and self._cluster.how.consumable and device.number in self._taken.shares

    def _candidate(self, candidates: Candidates, position: int) -> Candidate | str:
        device, pool = self._view.devices[position], self._view.pool_of[position]
        try:
            return self._cluster.candidate(device, pool, candidates.leaf.capacity)
        except CapacityError as error:
            return str(error)

    def _outside_class(self, selection: ClassSelection, device: Device) -> Test:
        """Tell devices of a foreign driver from those of the class's driver that its selectors refuse."""
        drivers = self._drivers.get(selection)
        if drivers is None:
            drivers = self._drivers[selection] = set()
            for other in (other for piece in self._cluster.inventory.slices for other in piece.devices):
                if other.driver not in drivers and _is_of(selection, other):
                    drivers.add(other.driver)
        return "class selector" if device.driver in drivers or not drivers else "driver"


def _is_of(selection: ClassSelection, device: Device) -> bool:
    try:
        return selection(device)
    except AllocationError:
        return True


def _suffices(candidates: Candidates, devices: Sequence[Device]) -> bool:
    return len(devices) >= max(candidates.needs, 1)


def _shortages(asks: Sequence[BoundAsk], able: dict[Candidates, list[Device]]) -> Iterator[Reason]:
    """Yield which requests have too few devices left; if none has, that it is the combination."""
    short = False
    for ask in asks:
        if any(_suffices(candidates, able[candidates]) for candidates in ask.leaves):
            continue
        short = True
        for candidates in ask.leaves:
            leaf = candidates.leaf
            detail = f"{len(able[candidates])} of {max(candidates.needs, 1)} devices"
            yield Reason(leaf.claim, leaf.name, None, "count", detail)
    if not short and asks:
        first = asks[0].leaves[0].leaf
        detail = "each request could be served alone, not all of them together"
        yield Reason(first.claim, "", None, "combination", detail)
