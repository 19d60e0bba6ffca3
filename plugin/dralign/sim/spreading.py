"""Topology spread constraints that must hold (``whenUnsatisfiable: DoNotSchedule``).

Source: k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread, 1.37.
"""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.record import Record
from dralign.sim import filters
from dralign.sim.label_selectors import LabelSelector, label_selector_from, of_own_labels
from dralign.sim.taints import repelling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from dralign.model.node import Node
    from dralign.sim.fit import NodeRoom
    from dralign.sim.podspec import PodSpec

UNEVEN = "node(s) didn't match pod topology spread constraints"
NO_LABEL = f"{UNEVEN} (missing required label)"


class Spread(Record):
    """One constraint. ``heeds_affinity`` and ``heeds_taints`` say which nodes count as places at all."""

    key: str
    selector: LabelSelector
    most_skew: int
    least_places: int
    heeds_affinity: bool
    heeds_taints: bool


def spreads_from(spec: Mapping[str, Any], labels: Mapping[str, Any]) -> tuple[Spread, ...]:
    """Read the constraints of a pod that must hold."""
    items = (as_map(item) for item in as_list(spec.get("topologySpreadConstraints")))
    return tuple(
        Spread(
            as_text(item.get("topologyKey")) or "",
            label_selector_from(item.get("labelSelector"), of_own_labels(item.get("matchLabelKeys"), labels, "In")),
            _whole(item.get("maxSkew"), 1),
            _whole(item.get("minDomains"), 1),
            item.get("nodeAffinityPolicy") != "Ignore",
            item.get("nodeTaintsPolicy") == "Honor",
        )
        for item in items
        if item.get("whenUnsatisfiable", "DoNotSchedule") == "DoNotSchedule"
    )


def _whole(value: Any, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default


class Spreading:
    """How the pods in a cluster are spread, as the constraints of one more count them."""

    __slots__ = ("_counts", "_pod")

    def __init__(self, pod: PodSpec, rooms: Iterable[NodeRoom]) -> None:
        self._pod = pod
        self._counts: tuple[dict[str, int], ...] = tuple({} for _ in pod.spreads)
        for room in rooms if pod.spreads else ():
            if all(spread.key in room.node.labels for spread in pod.spreads):
                for spread, counts in zip(pod.spreads, self._counts, strict=True):
                    if _counts(spread, pod, room.node):
                        place = room.node.labels[spread.key]
                        counts[place] = counts.get(place, 0) + _selected(spread, pod, room.pods)

    def refusal(self, node: Node) -> str | None:
        """Return what is against a node; None if nothing is."""
        for spread, counts in zip(self._pod.spreads, self._counts, strict=True):
            place = node.labels.get(spread.key)
            if place is None:
                return NO_LABEL
            fewest = min(counts.values(), default=None) if len(counts) >= spread.least_places else 0
            own = int(spread.selector.selects(self._pod.labels))
            if fewest is not None and counts.get(place, 0) + own - fewest > spread.most_skew:
                return UNEVEN
        return None


def _counts(spread: Spread, pod: PodSpec, node: Node) -> bool:
    if spread.heeds_affinity and not filters.wants(pod, node):
        return False
    return not spread.heeds_taints or repelling(node.taints, pod.tolerations) is None


def _selected(spread: Spread, pod: PodSpec, others: Sequence[PodSpec]) -> int:
    if spread.selector.is_empty:
        return 0
    return sum(other.namespace == pod.namespace and spread.selector.selects(other.labels) for other in others)
