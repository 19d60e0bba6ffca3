"""The nodes that are known, and how many CPUs and how much memory each of their NUMA nodes bears."""

from __future__ import annotations

from dralign.context.reviews import Reviews
from dralign.context.stock import named_in
from dralign.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dralign.kubelet.machine import Machine
    from dralign.manifest import Manifest
    from dralign.model.device import Device
    from dralign.model.node import Node
    from dralign.model.numa import NumaLayout


class Machines(Reviews):
    """The bundle with the machines of the nodes it may run on."""

    @lazy
    def known_objects(self) -> tuple[Manifest, ...]:
        """All objects that may tell of the cluster, slices aside: the inventory's, then the bundle's."""
        return (*self.inventory, *self.bundle.manifests)

    @lazy
    def node_objects(self) -> Mapping[str, Manifest]:
        """Node objects by name; of two with one name the later counts."""
        return {m.ref.name or "": m for m in self.known_objects if m.ref.kind == "Node" and not m.group}

    @lazy
    def nodes(self) -> Mapping[str, Node]:
        """Node objects by name, as allocator and scheduler see them."""
        from dralign.model.node import node_from  # noqa: PLC0415 -- most runs know no node

        return {name: node_from(manifest.data) for name, manifest in self.node_objects.items()}

    @lazy
    def node_names(self) -> tuple[str, ...]:
        """Names of all nodes that are known of: by their own objects, their slices or their topology."""
        return tuple(dict.fromkeys((*self.stock.node_names, *nodes_in(self.bundle.manifests))))

    def layout_at(self, node: str) -> NumaLayout | None:
        """Return the NUMA nodes of a node's machine; None where nobody says how many CPUs they bear."""
        return self._layouts.get(node)

    @lazy
    def _layouts(self) -> Mapping[str, NumaLayout]:
        from dralign.model import numa  # noqa: PLC0415 -- most runs know no machine

        by_node: dict[str, list[Device]] = {}
        for device in self.devices:
            if device.driver == numa.CPU_DRIVER and device.slice.scope.node_name is not None:
                by_node.setdefault(device.slice.scope.node_name, []).append(device)
        found = ((name, numa.layout_of_devices(devices, self._cpus_at(name))) for name, devices in by_node.items())
        by_topology = numa.layouts_from(manifest.data for manifest in self.known_objects)
        return {name: layout for name, layout in found if layout is not None} | by_topology

    def _cpus_at(self, node: str) -> int | None:
        known = self.nodes.get(node)
        cpus = known.allocatable.get("cpu") if known and known.allocatable else None
        return cpus.ceil() if cpus is not None else None

    def machines_of(self, nodes: Iterable[str] | None) -> tuple[tuple[str, Machine], ...]:
        """Return the known machines of some nodes, or of all, each different one with the first node that has it."""
        found: dict[int, tuple[str, Machine]] = {}
        for name in self.node_names if nodes is None else sorted(nodes):
            machine = self.machine_at(name)
            if machine is not None:
                found.setdefault(id(machine), (name, machine))
        return tuple(found.values())

    def machine_at(self, node: str) -> Machine | None:
        """Return the machine of a node as its kubelet would see it; None where its NUMA nodes are unknown.

        Equal machines are the same object.
        """
        return self._machines.get(node)

    @lazy
    def _machines(self) -> Mapping[str, Machine]:
        made: dict[tuple[object, ...], Machine] = {}
        found = {}
        for name, layout in self._layouts.items():
            key = (
                *(tuple(sorted(amounts.items())) for amounts in (layout.cpus, layout.memory)),
                repr(layout.hugepages),
            )
            if key not in made:
                made[key] = _machine(layout)
            found[name] = made[key]
        return found


def nodes_in(objects: Iterable[Manifest]) -> tuple[str, ...]:
    """Return the names of the nodes that objects tell of, each once, in order."""
    return tuple(dict.fromkeys(name for manifest in objects for name in named_in(manifest)))


def _machine(layout: NumaLayout) -> Machine:
    """Build a machine; huge pages count beside its memory, since exporters differ in that."""
    from dralign.kubelet.machine import machine_of_counts  # noqa: PLC0415 -- most runs know no machine
    from dralign.kubelet.room import with_distances  # noqa: PLC0415
    from dralign.model.workload import quantity  # noqa: PLC0415

    pages: dict[int, dict[int, int]] = {}
    sizes = dict(layout.memory)
    for resource, amounts in layout.hugepages.items():
        page = quantity(resource.partition("-")[2])
        for node, amount in amounts.items():
            if page:
                pages.setdefault(node, {})[page.ceil()] = amount // page.ceil()
                sizes[node] = sizes.get(node, 0) + amount
    machine = with_distances(machine_of_counts(layout.cpus, sizes if layout.memory else None))
    return machine.replace(nodes=tuple(node.replace(hugepages=pages.get(node.id, {})) for node in machine.nodes))
