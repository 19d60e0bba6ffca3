"""Nodes, and node selectors: how slices, devices, allocations and pods say which nodes they are for."""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.model.device import taint_from
from dralign.model.quantities import quantity_from
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.model.device import Taint
    from dralign.values.quantity import Quantity


class Node(Record):
    """What allocator and scheduler look at in a Node. ``declared_features`` is ``status.declaredFeatures``.

    ``allocatable`` is ``status.allocatable``, ``status.capacity`` where there is none, None where neither is written:
    then nobody knows how much the node has. ``cpus`` is how many logical CPUs there are, reserved ones included
    (``status.capacity.cpu``; as far as ``allocatable`` says where that is not written).
    """

    name: str
    labels: Mapping[str, str]
    declared_features: tuple[str, ...] = ()
    allocatable: Mapping[str, Quantity] | None = None
    taints: tuple[Taint, ...] = ()
    unschedulable: bool = False
    cpus: int | None = None


class Requirement(Record):
    """One condition on a label or field of a node (``NodeSelectorRequirement``)."""

    key: str
    operator: str
    values: tuple[str, ...]


class NodeTerm(Record):
    """Conditions that must all hold: on labels (``matchExpressions``) and on fields (``matchFields``)."""

    labels: tuple[Requirement, ...]
    fields: tuple[Requirement, ...]


class NodeSelector(Record):
    """Terms of which one must hold."""

    terms: tuple[NodeTerm, ...]


def node_from(data: Mapping[str, Any]) -> Node:
    """Read a Node."""
    metadata, spec, status = (as_map(data.get(key)) for key in ("metadata", "spec", "status"))
    labels = {key: value for key, value in as_map(metadata.get("labels")).items() if isinstance(value, str)}
    amounts = as_map(status.get("allocatable") or status.get("capacity"))
    cpus = quantity_from(as_map(status.get("capacity")).get("cpu", amounts.get("cpu")))
    read = {resource: amount for resource, value in amounts.items() if (amount := quantity_from(value)) is not None}
    return Node(
        as_text(metadata.get("name")) or "",
        labels,
        tuple(map(str, as_list(status.get("declaredFeatures")))),
        read or None,
        tuple(taint_from(taint) for taint in as_list(spec.get("taints")) if isinstance(taint, dict)),
        spec.get("unschedulable") is True,
        cpus.ceil() if cpus is not None else None,
    )


def node_selector_from(data: Any) -> NodeSelector | None:
    """Read a NodeSelector; None if there is none."""
    if not isinstance(data, dict):
        return None
    terms = [as_map(term) for term in as_list(data.get("nodeSelectorTerms"))]
    return NodeSelector(
        tuple(
            NodeTerm(*(_requirements(term.get(key)) for key in ("matchExpressions", "matchFields"))) for term in terms
        )
    )


def _requirements(data: Any) -> tuple[Requirement, ...]:
    return tuple(
        Requirement(
            as_text(item.get("key")) or "",
            as_text(item.get("operator")) or "",
            tuple(map(str, as_list(item.get("values")))),
        )
        for item in map(as_map, as_list(data))
    )
