"""What is known of the cluster: devices, NUMA nodes, kubelets, drivers. Worked out once for all questions of a run."""

from __future__ import annotations

from dralign.lazy import lazy
from dralign.model.driver import NUMA, PARENT, PCIE_ROOT, SOCKET, STANDARD
from dralign.model.node import Node
from dralign.model.numa import layout_of_devices
from dralign.proof.places import PHYSICAL, Names
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from dralign.cel.analysis import Facts
    from dralign.kubelet.configuration import Configuration
    from dralign.model.catalogue import Catalogue, DriverView
    from dralign.model.claim import Request
    from dralign.model.device import Device
    from dralign.model.inventory import Inventory
    from dralign.model.numa import NumaLayout
    from dralign.proof.places import Level
    from dralign.proof.question import Question
    from dralign.sim.allocator import Allocator
    from dralign.sim.behaviour import Behaviour
    from dralign.sim.evaluation import Selectors

_NO_LAYOUTS: Mapping[str, NumaLayout] = {}
_NO_KUBELETS: Mapping[str, Configuration] = {}


class Drivers(Record):
    """What is known of drivers.

    Attributes:
        catalogue: all of them.
        views: whose devices an ask gets, as far as the text says.
        facts: what class and selectors of an ask say of its devices.
    """

    catalogue: Catalogue
    views: Callable[[Request], DriverView | None]
    facts: Callable[[Request], Facts]


class Machines(Record):
    """What is known of nodes beside their devices.

    Attributes:
        layouts: NUMA nodes by node, from presets and NodeResourceTopology objects; ``dra.cpu`` devices are read anyway.
        kubelets: configurations by node.
        kubelet: the configuration of all nodes that have none of their own; None where nobody knows it.
    """

    layouts: Mapping[str, NumaLayout] = _NO_LAYOUTS
    kubelets: Mapping[str, Configuration] = _NO_KUBELETS
    kubelet: Configuration | None = None


class Aim(Record):
    """What counts as aligned, and how long to look for a counterexample: a bound that is hit makes it undecided.

    Attributes:
        attribute: the NUMA attribute that wins, ``alignment.attribute``.
        level: what counts as one place, ``alignment.level``.
        steps: of one search, as the allocator counts them.
        tries: allocations tried for one question on one node shape.
    """

    attribute: str = f"{STANDARD}numaNode"
    level: Level = PHYSICAL
    steps: int = 50_000
    tries: int = 400


class Known:
    """The cluster and the catalogue.

    Args:
        inventory: nodes, classes (those that drivers ship included), slices, what is taken, taint rules.
        how: the allocator of the release.
        selectors: CEL of the release.
        drivers, machines, aim: see there.
    """

    def __init__(
        self,
        inventory: Inventory,
        how: Behaviour,
        selectors: Selectors,
        drivers: Drivers,
        machines: Machines = Machines(),  # noqa: B008 -- records do not change
        aim: Aim = Aim(),  # noqa: B008
    ) -> None:
        self.inventory = inventory
        self._how = how
        self._selectors = selectors
        self.catalogue = drivers.catalogue
        self.views = drivers.views
        self.facts = drivers.facts
        self.aim = aim
        self.nodes = _nodes(inventory)
        self._by_name = {node.name: node for node in self.nodes}
        by_age = sorted(inventory.slices, key=lambda piece: piece.generation)
        self.devices = {device.identity: device for piece in by_age for device in piece.devices}
        self._machines = machines
        self._names: dict[str, Names] = {}
        self.kept: dict[Any, Any] = {}
        """What proofs remember from question to question."""

    def rests_on(self, inventory: Inventory, machines: Machines, aim: Aim) -> bool:
        """Say whether all that is known of a cluster is what this was made of; drivers are those of its classes."""
        return inventory.says_the_same(self.inventory) and machines == self._machines and aim == self.aim

    @lazy
    def allocator(self) -> Allocator:
        """Make what allocates as the release does; the text alone needs none."""
        from dralign.sim.allocator import Allocator  # noqa: PLC0415 -- where no devices are known it is never asked

        return Allocator(self.inventory, self._how, self._selectors)

    def eligible(self, question: Question) -> tuple[Node, ...]:
        """Return the nodes on which the pod may run."""
        allowed = question.eligible
        return tuple(node for node in self.nodes if allowed is None or allowed(node))

    def node(self, name: str | None) -> Node | None:
        """Return a node by its name."""
        return self._by_name.get(name) if name is not None else None

    def layout(self, node: Node) -> NumaLayout | None:
        """Return the NUMA nodes of a node that bear CPUs; None where nobody knows."""
        key = "layout", node.name
        if key not in self.kept:
            self.kept[key] = self._machines.layouts.get(node.name) or layout_of_devices(self.visible(node), node.cpus)
        found: NumaLayout | None = self.kept[key]
        return found

    def kubelet(self, node: Node | None) -> Configuration | None:
        """Return the configuration of a node's kubelet; None where nobody knows. Without a node: that of all others."""
        return (
            self._machines.kubelets.get(node.name, self._machines.kubelet)
            if node is not None
            else self._machines.kubelet
        )

    def visible(self, node: Node) -> tuple[Device, ...]:
        """Return the devices that a node sees; none where a node selector of a slice cannot be parsed."""
        from dralign.sim.nodes import NodeSelectorError  # noqa: PLC0415 -- as above

        try:
            return tuple(self.allocator.cluster.view(node).devices)
        except NodeSelectorError:
            return ()

    def kind(self, device: Device) -> str | None:
        """Return what a device is (gpu, nic, cpu, …); None for a driver that the catalogue does not know."""
        profile = self.catalogue.driver(device.driver)
        return profile.device if profile else None

    def has_place(self, driver: str) -> bool:
        """Say whether devices of a driver are anywhere in particular; channels of a fabric are not."""
        profile = self.catalogue.driver(driver)
        return profile is None or not profile.skip

    def names(self, driver: str) -> Names:
        """Return the attributes by which devices of a driver say where they are, whatever the release."""
        if driver not in self._names:
            profile = self.catalogue.driver(driver)
            rows = profile.attributes if profile else ()
            numa = tuple(dict.fromkeys((self.aim.attribute, f"{STANDARD}numaNode", *_of_role(rows, NUMA))))
            roots = tuple(dict.fromkeys((f"{STANDARD}pcieRoot", *_of_role(rows, PCIE_ROOT), *_of_role(rows, PARENT))))
            self._names[driver] = Names(numa, roots, _of_role(rows, SOCKET))
        return self._names[driver]


def _of_role(rows: tuple[Any, ...], role: str) -> tuple[str, ...]:
    return tuple(row.name for row in rows if row.role == role)


def _nodes(inventory: Inventory) -> tuple[Node, ...]:
    """Return the nodes of the inventory, then those that only slices name, in order of name: nothing else is known."""
    named = {piece.scope.node_name for piece in inventory.slices if piece.scope.node_name}
    named |= {
        device.scope.node_name
        for piece in inventory.slices
        if piece.scope.per_device
        for device in piece.devices
        if device.scope.node_name
    }
    known = {**inventory.nodes, **{name: Node(name, {}) for name in named if name not in inventory.nodes}}
    return tuple(known[name] for name in sorted(known))
