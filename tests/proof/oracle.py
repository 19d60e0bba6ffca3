"""What can happen to a pod, by trying every state of every node; and where its parts then are, written down anew."""

from __future__ import annotations

import itertools

from dralign.proof.owning import owned_by
from dralign.sim.outcome import Allocated
from dralign.values.quantity import Quantity
from proof.stage import NUMA, ROOT

KUBELET_NEEDS = 4  # CPUs of the containers that the makers make
WHOLE = object()
HALF = Quantity.parse("4")


def allocations(asked, cluster):
    """Yield what the pod can be given on any node, whatever others hold."""
    prepared = cluster.allocator.prepare(asked.claims)
    for node in cluster.nodes:
        for taken in states(asked, cluster, node):
            outcome = cluster.allocator.allocate(prepared, node, taken)
            if isinstance(outcome, Allocated):
                yield outcome


def states(asked, cluster, node):
    """Yield every state of a node that others can bring about: devices whole, shared ones all or half."""
    view = cluster.allocator.cluster.view(node)
    mine = {item.device for results in asked.held.values() for item in results}
    free = [item for item in view.devices if item.identity not in mine]
    plans = [cluster.allocator.cluster.counters(pool) for pool in view.pools]
    for chosen in itertools.product(*map(_ways_to_hold, free)):
        taken = owned_by(asked, cluster)
        for item, share in zip(free, chosen, strict=True):
            if share is not None:
                taken.take(item, None if share is WHOLE else share)
        if all(left >= 0 for plan in plans for left in plan.left(taken)):
            yield taken


def _ways_to_hold(item):
    if not item.allow_multiple:
        return (None, WHOLE)
    full = {name: offer.value for name, offer in item.capacity.items()}
    return (None, full, dict.fromkeys(full, HALF))


class Oracle:
    """Where a pod's parts are on the nodes of one cluster."""

    def __init__(self, asked, cluster, pinned=False):
        self.asked = asked
        self.cluster = cluster
        self.level = cluster.aim.level
        self.pinned = pinned

    def apart(self, outcome):
        """Say whether some container has parts on different NUMA nodes for sure, or CPUs that can be elsewhere."""
        return not self._has_one_place(outcome.node) and any(
            self._is_apart(use, outcome) for use in self.asked.containers
        )

    def together(self, outcome):
        """Say whether every container's parts are on one NUMA node for sure."""
        return self._has_one_place(outcome.node) or all(
            self._is_together(use, outcome) for use in self.asked.containers
        )

    def _has_one_place(self, node):
        layout = self.cluster.layout(self.cluster.node(node))
        return layout is not None and len(layout.cpus) == 1

    def _is_apart(self, use, outcome):
        devices = self._devices(use, outcome)
        spots = [found for found in self._spots(devices, outcome.node) if found is not None]
        if not spots:
            return False
        common = frozenset.intersection(*spots)
        return not common or bool((self._kubelet_places(devices, outcome.node) or set()) - common)

    def _is_together(self, use, outcome):
        devices = self._devices(use, outcome)
        if not devices:
            return True
        spots = self._spots(devices, outcome.node)
        places = self._kubelet_places(devices, outcome.node)
        if places is None:
            return False
        if None in spots:
            roots = {device.attributes.get(ROOT, device.identity) for device in devices}
            return len(roots) == 1 and not places
        common = frozenset.intersection(*spots)
        return bool(common) and places <= common

    def _devices(self, use, outcome):
        made = [
            item.device
            for claim in outcome.claims
            for item in claim.results
            if use.reaches(claim.name, item.request.partition("/")[0]) and not item.admin_access
        ]
        held = [
            self.cluster.devices[item.device]
            for claim, results in self.asked.held.items()
            for item in results
            if use.reaches(claim, item.request)
        ]
        return made + held

    def _spots(self, devices, node):
        return [self._spot(device, node) for device in devices]

    def _spot(self, device, node):
        numbers = self._numbers(device, node)
        if not numbers:
            return None
        if self.level == "intersect":
            return frozenset(numbers)
        return self._counts_as(numbers[0], node)

    def _numbers(self, device, node):
        """Return what a device says, or what all others of its PCIe root say that say anything."""
        own = _as_tuple(device.attributes.get(NUMA))
        if own or ROOT not in device.attributes:
            return own
        near = {
            _as_tuple(other.attributes[NUMA])
            for other in self._seen(node)
            if other.attributes.get(ROOT) == device.attributes[ROOT] and NUMA in other.attributes
        }
        return min(near) if len({numbers[0] for numbers in near}) == 1 and self._agree(near) else ()

    def _agree(self, near):
        return self.level != "intersect" or len(near) == 1

    def _counts_as(self, number, node):
        if self.level != "socket":
            return frozenset({number})
        sockets = {
            item.attributes[NUMA]: item.attributes["dra.cpu/socketID"]
            for item in self._seen(node)
            if "dra.cpu/socketID" in item.attributes
        }
        return frozenset({sockets[number]}) if number in sockets else None

    def _kubelet_places(self, devices, node):
        """Return where CPUs can be that no claim holds; nothing where claims hold them, None where nobody knows."""
        if not devices or any(device.driver == "dra.cpu" for device in devices):
            return set()
        layout = self.cluster.layout(self.cluster.node(node))
        if layout is None:
            return None
        kept_free = 1 if self.pinned else 0  # CPU 0 is reserved for the system
        least = KUBELET_NEEDS if self.pinned else 0
        nodes = {number for number, count in layout.cpus.items() if count - (kept_free if number == 0 else 0) >= least}
        spots = [self._counts_as(number, node) for number in nodes]
        return set(frozenset.union(*spots)) if spots and None not in spots else None

    def _seen(self, node):
        return self.cluster.visible(self.cluster.node(node))


def _as_tuple(value):
    return value if isinstance(value, tuple) else () if value is None else (value,)
