"""Which nodes could run a pod if nothing else ran there."""

from __future__ import annotations

from dralign.model.node import Node
from dralign.sim import filters
from dralign.sim.device_filter import Devices, Error, Fits, GivenUp
from dralign.sim.fit import NodeRoom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from dralign.model.inventory import Inventory
    from dralign.sim.behaviour import Behaviour
    from dralign.sim.claims import ClaimState
    from dralign.sim.evaluation import Selectors
    from dralign.sim.podspec import PodSpec

STEPS = 20_000
"""Steps of one search on one node, after which nothing is known."""

MOST_NODES = 500


class Estate:
    """An empty cluster. Nodes that only slices name count too; what they have beside devices is not known."""

    def __init__(self, inventory: Inventory, how: Behaviour, selectors: Selectors) -> None:
        nodes = {node.name: node for node in _named_by_slices(inventory)} | inventory.nodes
        empty = inventory.replaced(nodes=nodes.values(), taken=())
        self._devices = Devices(empty, how, selectors, STEPS)
        self._rooms = [NodeRoom(node) for node in empty.nodes.values()]
        self._known: dict[Hashable, frozenset[str] | None] = {}

    def eligible(self, pod: PodSpec, claims: Sequence[ClaimState], alike: Hashable) -> frozenset[str] | None:
        """Return the names of the nodes; None where a search took too long, or there are too many nodes.

        An error on any node leaves none. What is asked ``alike`` is answered alike, and looked at once.
        """
        if alike not in self._known:
            self._known[alike] = self._found(pod, claims) if len(self._rooms) <= MOST_NODES else None
        return self._known[alike]

    def _found(self, pod: PodSpec, claims: Sequence[ClaimState]) -> frozenset[str] | None:
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
