"""What an extended resource is where a pod goes: device plugins may hand out slices or shares by a card's name.

GPU feature discovery labels nodes with what ``nvidia.com/gpu`` is there (NVIDIA/k8s-device-plugin, docs/gpu-feature-
discovery): MIG strategy ``single`` turns it into a slice, sharing into a share. GKE has labels of its own, by which pods
choose such nodes (cloud.google.com/kubernetes-engine/docs: how-to/gpus-multi, how-to/timesharing-gpus).
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
_SHARED = "-SHARED"
"""Ending of a product of which GPU feature discovery says that it is shared."""
_GKE_SLICE = "cloud.google.com/gke-gpu-partition-size"
_GKE_SHARING, _GKE_CLIENTS = (
    "cloud.google.com/gke-gpu-sharing-strategy",
    "cloud.google.com/gke-max-shared-clients-per-gpu",
)


class Meaning(Record):
    """What a whole device's name stands for on some nodes: ``what`` in words, ``tip`` how to claim it, if at all.

    ``nodes`` is empty where the pod's own node selector says it.
    """

    what: str
    tip: str
    nodes: tuple[str, ...]

    def __str__(self) -> str:
        if not self.nodes:
            return self.what
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


def meaning_for(resource: str, selector: Mapping[str, Any]) -> Meaning | None:
    """Return what a resource is on the nodes that a pod selects; None where that is a whole device, or nothing tells."""
    if resource != GPU:
        return None
    product = as_text(selector.get(_PRODUCT)) or ""
    card = product.removesuffix(_SHARED)
    size = as_text(selector.get(_GKE_SLICE)) or card.partition("-MIG-")[2]
    if size:
        profile = size.replace("gb.", "gb+", 1)  # labels cannot hold '+'
        return Meaning(f"a {profile} slice of a GPU", f"claim it: {_slice(profile)}", ())
    for label, clients in ((_GKE_SHARING, _GKE_CLIENTS), (_SHARING, _REPLICAS)):
        how = as_text(selector.get(label))
        if how and how != "none":
            return Meaning(*_share(label, how, as_text(selector.get(clients)) or ""), ())
    return Meaning(*_share(_PRODUCT, "", ""), ()) if card != product else None


def _share(label: str, how: str, number: str) -> tuple[str, str]:
    what = f"one of {number} shares of a GPU" if number else "a share of a GPU"
    tip = f"no claim says the same (the node selector's {label}): DRA shares a device among all that name one claim"
    return what + (f" by {how}" if how else ""), tip


def _slice(profile: str) -> str:
    return f"a ResourceClaimTemplate with deviceClassName: mig.nvidia.com and a selector on profile '{profile}'"


def _offers(node: Manifest, resource: str) -> bool:
    """Say whether a node hands a resource out; one that does not say what it has may."""
    status = as_map(node.data.get("status"))
    amounts = as_map(status.get("allocatable") or status.get("capacity"))
    return not amounts or bool(quantity(amounts.get(resource)))


def _told(labels: Mapping[str, Any]) -> tuple[str, str] | None:
    product = as_text(labels.get(_PRODUCT)) or ""
    if labels.get(_STRATEGY) == "single" and "-MIG-" in product:
        profile = product.rpartition("-MIG-")[2]
        tip = f"if the slice is meant, claim it: {_slice(profile)} (the nodes say {_STRATEGY}: single)"
        return f"a {profile} slice", tip
    replicas = as_text(labels.get(_REPLICAS)) or ""
    if replicas.isdecimal() and int(replicas) > 1:
        how = as_text(labels.get(_SHARING)) or "time-slicing"
        return (
            f"one of {replicas} shares of a GPU by {how}",
            f"no claim says the same ({_REPLICAS}: {replicas}): DRA shares a device among all that name one claim",
        )
    return None
