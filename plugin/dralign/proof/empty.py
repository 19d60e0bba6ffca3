"""What an inventory says nothing of: classes that it does not list, pools without devices, nodes that are not there."""

from __future__ import annotations

from dralign.sim.errors import AllocationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.model.device import Device
    from dralign.model.node import Node
    from dralign.proof.known import Known
    from dralign.sim.allocator import Pod
    from dralign.sim.plan import Ask, Leaf


def what_is_missing(pod: Pod, known: Known, nodes: Sequence[Node]) -> str | None:
    """Return why the inventory cannot tell whether a pod is served, None if it can."""
    if not nodes:
        return "no node of the inventory is one on which the pod may run: its pool may be scaled to zero"
    seen = {driver for node in nodes for driver in _drivers_on(node, known)}
    found = (_missing_for(ask, known, seen) for plan in pod.plans for ask in plan.asks)
    return next((missing for missing in found if missing is not None), None)


def _drivers_on(node: Node, known: Known) -> frozenset[str]:
    """Return the drivers of the devices that a node sees."""
    key = "drivers", node.name
    if key not in known.kept:
        known.kept[key] = frozenset(device.driver for device in known.visible(node))
    found: frozenset[str] = known.kept[key]
    return found


def _missing_for(ask: Ask, known: Known, seen: set[str]) -> str | None:
    """Return what is missing for a request; one alternative that is there is enough."""
    missing = []
    for leaf in ask.leaves:
        if isinstance(leaf, AllocationError):
            if leaf.kind != "class":
                return None
            missing.append(str(leaf))
            continue
        lacks = _lacks_devices(leaf, known, seen)
        if lacks is None:
            return None
        missing.append(lacks)
    return missing[0] if missing else None


def _lacks_devices(leaf: Leaf, known: Known, seen: set[str]) -> str | None:
    drivers = _drivers(leaf, known)
    if drivers & seen:
        return None
    if drivers:
        names = " or ".join(sorted(drivers))
        return f"no node on which the pod may run has a device of {names}: its pool may be empty or scaled to zero"
    return f"no device is of class {leaf.spec.name}: its driver may not be running, or its pool scaled to zero"


def _drivers(leaf: Leaf, known: Known) -> set[str]:
    """Return the drivers whose devices a class takes: as the inventory shows, and as the class says itself."""
    key = "drivers of", leaf.spec.name
    if key not in known.kept:
        view = known.views(leaf.request)
        named = {view.driver} if view is not None else set()
        known.kept[key] = named | {device.driver for device in known.devices.values() if _may_be_of(leaf, device)}
    found: set[str] = known.kept[key]
    return found


def _may_be_of(leaf: Leaf, device: Device) -> bool:
    try:
        return leaf.in_class(device)
    except AllocationError:
        return True
