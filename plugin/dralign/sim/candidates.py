"""Which devices of one node can serve one leaf, as far as that does not depend on the other choices.

Devices are judged when the search first meets them, in the allocator's order of tests: selectors of the class, of the
request, node, capacity, then what merely makes a device unusable. So errors surface where Kubernetes meets them.
"""

from __future__ import annotations

from dralign.sim.capacity import CapacityError
from dralign.sim.errors import AllocationError
from dralign.sim.expressions import meets
from dralign.sim.nodes import NodeSelectorError, reaches
from dralign.sim.taints import repelling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from dralign.model.device import Device
    from dralign.sim.cluster import Candidate, Cluster, NodeView
    from dralign.sim.constraints import Constraint
    from dralign.sim.plan import Leaf
    from dralign.sim.taken import Taken

    Answer = Candidate | AllocationError | Literal[False]

NODE_OPERATIONS_FEATURE = "DRAOptionalNodeOperations"
"""What a node declares if it can leave out node operations (KEP-5945)."""


class Candidates:
    """The devices of one node for one leaf. ``answers`` holds what is known, by position in ``view.devices``.

    ``all`` lists the devices that mode All asks for, and whether features, node or taints forbid using them. Making one
    raises AllocationError where that list cannot be made.
    """

    __slots__ = ("_cluster", "_taken", "all", "answers", "constraints", "leaf", "needs", "view")

    def __init__(self, leaf: Leaf, view: NodeView, cluster: Cluster, taken: Taken) -> None:
        self.leaf = leaf
        self.view = view
        self._cluster = cluster
        self._taken = taken
        self.answers: list[Answer | None] = [None] * len(view.devices)
        self.constraints: list[Constraint] = []
        self.all: list[tuple[Candidate, bool]] | None = self._everything() if leaf.wants_all else None
        self.needs = leaf.request.count if self.all is None else len(self.all)

    def judge(self, position: int) -> Answer:
        """Return the candidate at ``position``, False where the device does not do, or the error met there."""
        answer: Answer
        try:
            candidate = self._selected(position)
            if candidate is None or self._is_full(candidate) or self._is_blocked(candidate.device):
                answer = False
            else:
                answer = candidate
        except AllocationError as error:
            answer = error
        self.answers[position] = answer
        return answer

    def judge_all(self) -> list[Answer | None]:
        """Judge every device that is not known yet; return all answers."""
        if self.all is None:
            for position, answer in enumerate(self.answers):
                if answer is None:
                    self.judge(position)
        return self.answers

    def keep_only(self, numbers: set[int]) -> None:
        """Take devices with other numbers for unfit from now on; no device of mode All is left out."""
        for position, number in enumerate(self.view.numbers):
            if number not in numbers:
                self.answers[position] = False

    def _everything(self) -> list[tuple[Candidate, bool]]:
        """Go from pool to pool: the first that is not whole ends it, errors on devices before it come first."""
        found, position = [], 0
        for pool in self.view.pools:
            if pool.incomplete or pool.invalid:
                state = "being updated" if pool.incomplete else "invalid"
                text = f"asks for all devices, but resource pool {pool} is currently {state}"
                raise self.leaf.error("all-incomplete" if pool.incomplete else "all-invalid", text)
            end = position + len(pool.devices)
            found += [self._selected(at) for at in range(position, end)]
            position = end
        wanted = [candidate for candidate in found if candidate is not None]
        if self._cluster.how.all_leaves_out_full:
            wanted = [candidate for candidate in wanted if not self._is_full(candidate)]
        return [(candidate, self._is_blocked(candidate.device)) for candidate in wanted]

    def _selected(self, position: int) -> Candidate | None:
        """Return the device at ``position`` if the leaf selects it. Raises AllocationError."""
        device, leaf = self.view.devices[position], self.leaf
        if device.binding.conditions and not self._cluster.how.binding:
            return None
        if not leaf.in_class(device) or (leaf.selectors and not meets(device, leaf.selectors)):
            return None
        if device.slice.scope.per_device and not self._reaches(device):
            return None
        try:
            candidate = self._cluster.candidate(device, self.view.pool_of[position], leaf.capacity)
        except CapacityError as error:
            if not self._cluster.how.capacity_errors:
                return None
            raise leaf.error("capacity", f"checking capacity for device {device.identity}: {error}") from None
        return None if isinstance(candidate, str) else candidate

    def _reaches(self, device: Device) -> bool:
        try:
            return reaches(device.scope, self.view.node)
        except NodeSelectorError as error:
            raise AllocationError("node-selector", f"device {device.identity}: {error}") from None

    def _is_full(self, candidate: Candidate) -> bool:
        used = self._taken.used.get(candidate.device.number)
        return used is not None and candidate.demand is not None and candidate.demand.lacking(used) is not None

    def _is_blocked(self, device: Device) -> bool:
        how = self._cluster.how
        if device.slice.skip_operations and how.newest and how.knows_1_37_fields:
            declared = NODE_OPERATIONS_FEATURE in self.view.node.declared_features
            if not (how.node_operations and declared):
                return True
        if device.consumes and not how.partitionable:
            return True
        taints = self._cluster.taints(device)
        return bool(taints) and how.taints and repelling(taints, self.leaf.tolerations) is not None
