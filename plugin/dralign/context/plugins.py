"""What an extended resource is on the nodes of the inventory: device plugins may hand out slices or shares by a card's name.

GPU feature discovery labels nodes with what ``nvidia.com/gpu`` is there (NVIDIA/k8s-device-plugin, docs/gpu-feature-
discovery): MIG strategy ``single`` turns it into a slice, sharing into a share.
"""

from __future__ import annotations

from dralign.manifest import as_map, as_text
from dralign.model.workload import quantity
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from dralign.manifest import Manifest

GPU = "nvidia.com/gpu"
_PRODUCT, _STRATEGY = "nvidia.com/gpu.product", "nvidia.com/mig.strategy"
_REPLICAS, _SHARING = "nvidia.com/gpu.replicas", "nvidia.com/gpu.sharing-strategy"


class Meaning(Record):
    """What a whole device's name stands for on some nodes: ``what`` in words, ``tip`` how to claim it, if at all."""

    what: str
    tip: str
    nodes: tuple[str, ...]

    def __str__(self) -> str:
        others = len(self.nodes) - 1
        return f"{self.what} on {self.nodes[0]}" + (f" and {others} more" if others else "")


def meanings(objects: Iterable[Manifest]) -> dict[str, Meaning]:
    """Return what resources are on the nodes that hand them out, where that is no whole device; most nodes count."""
    found: dict[tuple[str, str], list[str]] = {}
    for node in objects:
        if node.ref.kind == "Node" and not node.group and _offers(node, GPU):
            words = _told(as_map(node.labels))
            if words is not None:
                found.setdefault(words, []).append(node.ref.name or "")
    if not found:
        return {}
    words = max(found, key=lambda key: len(found[key]))
    return {GPU: Meaning(*words, tuple(found[words]))}


def _offers(node: Manifest, resource: str) -> bool:
    """Say whether a node hands a resource out; one that does not say what it has may."""
    status = as_map(node.data.get("status"))
    amounts = as_map(status.get("allocatable") or status.get("capacity"))
    return not amounts or bool(quantity(amounts.get(resource)))


def _told(labels: Mapping[str, Any]) -> tuple[str, str] | None:
    product = as_text(labels.get(_PRODUCT)) or ""
    if labels.get(_STRATEGY) == "single" and "-MIG-" in product:
        profile = product.rpartition("-MIG-")[2]
        claim = f"a ResourceClaimTemplate with deviceClassName: mig.nvidia.com and a selector on profile '{profile}'"
        return f"a {profile} slice", f"if the slice is meant, claim it: {claim} (the nodes say {_STRATEGY}: single)"
    replicas = as_text(labels.get(_REPLICAS)) or ""
    if replicas.isdecimal() and int(replicas) > 1:
        how = as_text(labels.get(_SHARING)) or "time-slicing"
        return (
            f"one of {replicas} shares of a GPU by {how}",
            f"no claim says the same ({_REPLICAS}: {replicas}): DRA shares a device among all that name one claim",
        )
    return None
