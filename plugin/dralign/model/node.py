"""Nodes, and node selectors: how slices, devices and allocations say which nodes they are for."""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Node(Record):
    """What the allocator looks at in a Node. ``declared_features`` is ``status.declaredFeatures``."""

    name: str
    labels: Mapping[str, str]
    declared_features: tuple[str, ...] = ()


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
    metadata = as_map(data.get("metadata"))
    labels = {key: value for key, value in as_map(metadata.get("labels")).items() if isinstance(value, str)}
    features = as_list(as_map(data.get("status")).get("declaredFeatures"))
    return Node(as_text(metadata.get("name")) or "", labels, tuple(map(str, features)))


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
