"""From chosen devices to allocation results: configuration, and the nodes from which all devices can be reached."""

from __future__ import annotations

from dralign.model.node import NodeTerm, Requirement
from dralign.sim.errors import AllocationError
from dralign.sim.outcome import ClaimAllocation, ConfigEntry, Result
from dralign.sim.taken import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from dralign.model.device import Device
    from dralign.model.node import Node
    from dralign.sim.behaviour import Behaviour
    from dralign.sim.plan import Leaf
    from dralign.sim.pod_claim import PodClaim
    from dralign.sim.room import Choice


def claim_allocation(claim: PodClaim, choices: Sequence[Choice], node: Node, how: Behaviour) -> ClaimAllocation:
    """Return what a claim gets by the choices made for it. Raises AllocationError."""
    leaves = list(dict.fromkeys(choice.candidates.leaf for choice in choices))
    return ClaimAllocation(
        claim.name,
        tuple(_result(choice, how) for choice in choices),
        tuple(_config(claim, leaves, how)),
        _node_selector([choice.candidate.device for choice in choices], node, how),
    )


def _result(choice: Choice, how: Behaviour) -> Result:
    leaf, candidate = choice.candidates.leaf, choice.candidate
    device = candidate.device
    consumed: Mapping[str, Any] = NOTHING
    if candidate.shared and candidate.demand is not None:
        consumed = candidate.demand.consumed
    return Result(
        leaf.name,
        device,
        candidate.shared,
        leaf.admin,
        consumed,
        leaf.tolerations,
        (device.binding.conditions or ()) if how.binding else (),
        device.binding.failure_conditions if how.binding else (),
        device.slice.skip_operations if how.newest and how.knows_1_37_fields else (),
    )


def _config(claim: PodClaim, leaves: Sequence[Leaf], how: Behaviour) -> Iterator[ConfigEntry]:
    """Yield the classes' configuration, each class once for all its requests, then the claim's where it applies."""
    by_class: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        by_class.setdefault(leaf.spec.name, []).append(leaf)
    for users in by_class.values():
        for body in users[0].spec.config:
            names = tuple(leaf.name for leaf in users)
            yield ConfigEntry("FromClass", _shortened(names, leaves, how), body)
    for body in claim.spec.config:
        names = _named(body)
        named = sum(leaf.main_name in names or leaf.name in names for leaf in leaves)
        times = 1 if not names else min(named, 1) if how.tidy_config else named
        for _ in range(times):
            yield ConfigEntry("FromClaim", _shortened(names, leaves, how), body)


def _named(body: Mapping[str, Any]) -> tuple[str, ...]:
    requests = body.get("requests")
    return tuple(name for name in requests if isinstance(name, str)) if isinstance(requests, list) else ()


def _shortened(names: tuple[str, ...], leaves: Sequence[Leaf], how: Behaviour) -> tuple[str, ...]:
    """Leave the names out where they cover every request of the claim: no names means all."""
    covers_all = all(leaf.main_name in names or leaf.name in names for leaf in leaves)
    return () if how.tidy_config and covers_all else names


def _node_selector(devices: Sequence[Device], node: Node, how: Behaviour) -> NodeTerm | None:
    """Return the node itself if any device is bound to it, else all requirements of all devices, else None."""
    labels: list[Requirement] = []
    fields: list[Requirement] = []
    for device in devices:
        scope = device.scope if device.slice.scope.per_device else device.slice.scope
        if scope.node_name is not None or (how.heeds_binds_to_node and device.binding.binds_to_node):
            return NodeTerm((), (Requirement("metadata.name", "In", (node.name,)),))
        terms = scope.selector.terms if scope.selector is not None else ()
        if len(terms) > 1:
            raise AllocationError("node-selector", f"unsupported ResourceSlice.NodeSelector with {len(terms)} terms")
        for term in terms:
            _merge(labels, term.labels)
            _merge(fields, term.fields)
    return NodeTerm(tuple(labels), tuple(fields)) if labels or fields else None


def _merge(have: list[Requirement], more: Sequence[Requirement]) -> None:
    for requirement in more:
        if not any(_same(requirement, other) for other in have):
            have.append(requirement)


def _same(one: Requirement, other: Requirement) -> bool:
    return (one.key, one.operator, set(one.values)) == (other.key, other.operator, set(other.values))
