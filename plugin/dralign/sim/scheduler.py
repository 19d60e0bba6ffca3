"""The scheduler: which node a pod goes to, with which devices, or why to none.

Follows one cycle of kube-scheduler 1.37 with its default plugins: what is checked before any node (PreFilter), then per
node in the plugins' order, then the choice among nodes that fit. Preemption is left out. Source: ``schedule_one.go``,
``framework/types.go`` (FitError) and ``plugins/dynamicresources`` in k8s.io/kubernetes/pkg/scheduler.
"""

from __future__ import annotations

from collections import Counter

from dralign.record import Record
from dralign.sim import filters
from dralign.sim.binding import bind
from dralign.sim.device_filter import Devices, Error, Fits, GivenUp, Refused
from dralign.sim.fit import NodeRoom
from dralign.sim.neighbours import Neighbours
from dralign.sim.placement import Placed, Unknown, Unplaced
from dralign.sim.spreading import Spreading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from dralign.model.inventory import Inventory
    from dralign.model.node import Node
    from dralign.sim.behaviour import Behaviour
    from dralign.sim.claims import ClaimState
    from dralign.sim.evaluation import Selectors
    from dralign.sim.placement import Placement
    from dralign.sim.podspec import PodSpec
    from dralign.sim.volumes import Volumes

    Namespaces = Mapping[str, Mapping[str, str]]
    Choose = Callable[[PodSpec, Sequence[str]], str]

NO_NODES = "no nodes available to schedule pods"
NO_PORTS = "node(s) didn't have free ports for the requested pod ports"
UNPREPARED = " not found"
"""What DynamicResources says, when it is asked for help, of a pod that an earlier plugin kept from it."""
NOT_NAMED = "node(s) didn't satisfy plugin(s) [NodeAffinity]"


def first(pod: PodSpec, nodes: Sequence[str]) -> str:
    """Choose the first of several nodes that are equally good."""
    del pod
    return nodes[0]


class Others:
    """What the pods that are there mean for one more."""

    __slots__ = ("neighbours", "spreading")

    def __init__(self, pod: PodSpec, rooms: Collection[NodeRoom], namespaces: Namespaces) -> None:
        self.neighbours = Neighbours(pod, rooms, namespaces)
        self.spreading = Spreading(pod, rooms)


class Options(Record):
    """How the scheduler goes about it.

    ``choose`` picks one of several nodes that are equally good. ``exhaustive`` False takes the first node that fits and
    looks at no other, as is quicker where the choice does not matter. ``step_limit`` bounds the search for devices on a
    node. ``namespaces`` gives the labels of namespaces, ``volumes`` the claims for volumes; without it volumes are not
    looked at.
    """

    choose: Choose = first
    exhaustive: bool = True
    step_limit: int | None = None
    namespaces: Namespaces | None = None
    volumes: Volumes | None = None


class Scheduler:
    """Places pods on the nodes of one inventory and keeps account of what they hold."""

    __slots__ = ("_options", "devices", "rooms")

    def __init__(
        self, inventory: Inventory, how: Behaviour, selectors: Selectors, options: Options | None = None
    ) -> None:
        self._options = options or Options()
        self.devices = Devices(inventory, how, selectors, self._options.step_limit)
        self.rooms = {name: NodeRoom(node) for name, node in inventory.nodes.items()}

    def place(self, pod: PodSpec, claims: Sequence[ClaimState] = (), among: Collection[str] | None = None) -> Placement:
        """Place one pod, whose claims are given in the order of its ``resourceClaims``; what it gets is held.

        ``among`` are the nodes to look at, None for all.
        """
        if not self.rooms:
            return Unplaced("Unschedulable", NO_NODES)
        named = filters.named_nodes(pod)
        if named is not None and not named:
            return self._nowhere(filters.CONTRADICTION, UNPREPARED)
        volumes = self._options.volumes
        refusal = volumes.refusal(pod) if volumes is not None else None
        if refusal is not None:
            return self._nowhere(refusal, UNPREPARED)
        refusal = self.devices.refusal(claims)
        if refusal is not None:
            return self._nowhere(refusal)
        looked_at = self.rooms if among is None else among
        rooms = [self.rooms[name] for name in looked_at if named is None or name in named]
        return self._among(rooms, pod, claims)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Return the nodes, in their order."""
        return tuple(room.node for room in self.rooms.values())

    def occupy(self, pod: PodSpec) -> None:
        """Put a pod on the node that it names itself, without asking."""
        room = self.rooms.get(pod.node_name or "")
        if room is not None:
            room.add(pod)

    def _among(self, rooms: Iterable[NodeRoom], pod: PodSpec, claims: Sequence[ClaimState]) -> Placement:
        fitting: dict[str, Fits] = {}
        refusals: dict[str, tuple[str, ...]] = {}
        errors: list[str] = []
        others = Others(pod, self.rooms.values(), self._options.namespaces or {})
        for room in rooms:
            reasons = self._reasons(pod, room, others)
            if reasons:
                refusals[room.node.name] = reasons
                continue
            match self.devices.on(room, pod, claims):
                case GivenUp(why=why):
                    return Unknown(why)
                case Error(message=message):
                    errors.append(message)
                case Refused(reason=reason):
                    refusals[room.node.name] = (reason,)
                case Fits() as fits:
                    fitting[room.node.name] = fits
                    if not self._options.exhaustive:
                        break
        if errors:
            return Unplaced("SchedulerError", errors[0], refusals, tuple(errors[1:]))
        if not fitting:
            return Unplaced("Unschedulable", self._message(refusals), refusals)
        node = self._options.choose(pod, list(fitting))
        placement = bind(pod, claims, node, fitting[node], self.devices.taken)
        if isinstance(placement, Placed):
            self.rooms[node].add(pod)
        return placement

    def _reasons(self, pod: PodSpec, room: NodeRoom, others: Others) -> tuple[str, ...]:
        """Return what is against a node before its devices are looked at, in the order of the scheduler's plugins."""
        refusal = filters.refusal(pod, room.node)
        if refusal is not None:
            return (refusal,)
        if not room.has_free_ports(pod):
            return (NO_PORTS,)
        shortages = room.shortages(pod, self.devices.extended.serves)
        if shortages:
            return shortages
        refusal = others.spreading.refusal(room.node) or others.neighbours.refusal(room.node)
        return () if refusal is None else (refusal,)

    def _nowhere(self, message: str, tail: str = "") -> Unplaced:
        return Unplaced("Unschedulable", f"0/{len(self.rooms)} nodes are available: {message}.{tail}")

    def _message(self, refusals: Mapping[str, tuple[str, ...]]) -> str:
        counts = Counter(reason for reasons in refusals.values() for reason in reasons)
        absent = len(self.rooms) - len(refusals)
        if absent:
            counts[NOT_NAMED] += absent
        reasons = ", ".join(sorted(f"{count} {reason}" for reason, count in counts.items()))
        return f"0/{len(self.rooms)} nodes are available: {reasons}."
