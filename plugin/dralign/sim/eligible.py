"""Which nodes could run a pod if nothing else ran there."""

from __future__ import annotations

from dralign.model.inventory import Inventory
from dralign.model.node import Node
from dralign.sim import filters
from dralign.sim.device_filter import Devices, Error, Fits, GivenUp
from dralign.sim.fit import NodeRoom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.sim.behaviour import Behaviour
    from dralign.sim.claims import ClaimState
    from dralign.sim.evaluation import Selectors
    from dralign.sim.podspec import PodSpec

STEPS = 20_000
"""Steps of one search on one node, after which nothing is known."""


class Estate:
    """An empty cluster. Nodes that only slices name count too; what they have beside devices is not known."""

    def __init__(self, inventory: Inventory, how: Behaviour, selectors: Selectors) -> None:
        nodes = {node.name: node for node in _named_by_slices(inventory)} | inventory.nodes
        empty = Inventory(
            inventory.slices, nodes=nodes.values(), classes=inventory.classes.values(), rules=inventory.rules
        )
        self._devices = Devices(empty, how, selectors, STEPS)
        self._rooms = [NodeRoom(node) for node in empty.nodes.values()]

    def eligible(self, pod: PodSpec, claims: Sequence[ClaimState]) -> frozenset[str] | None:
        """Return the names of the nodes; None where a search took too long. An error on any node leaves none."""
        if self._devices.refusal(claims) is not None:
            return frozenset()
        found: set[str] = set()
        for room in self._rooms:
            if filters.refusal(pod, room.node) or room.shortages(pod, self._devices.extended.serves):
                continue
            match self._devices.on(room, pod, claims):
                case GivenUp():
                    return None
                case Error():
                    return frozenset()
                case Fits():
                    found.add(room.node.name)
        return frozenset(found)


def _named_by_slices(inventory: Inventory) -> Iterator[Node]:
    for piece in inventory.slices:
        name = piece.scope.node_name
        if name:
            yield Node(name, {"kubernetes.io/hostname": name})
