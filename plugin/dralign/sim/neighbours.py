"""Pod affinity and anti-affinity: which nodes a pod must share, or must not share, with other pods.

Source: k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity, 1.37; only what is required.
"""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.record import Record
from dralign.sim.label_selectors import LabelSelector, label_selector_from, of_own_labels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from dralign.model.node import Node
    from dralign.sim.fit import NodeRoom
    from dralign.sim.podspec import PodSpec

    Place = tuple[str, str]  # topology key and value
    Namespaces = Mapping[str, Mapping[str, str]]

NOT_NEAR = "node(s) didn't match pod affinity rules"
NOT_APART = "node(s) didn't match pod anti-affinity rules"
UNWELCOME = "node(s) didn't satisfy existing pods anti-affinity rules"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


class Term(Record):
    """A required term: pods that ``selector`` selects in some namespaces, and the label of nodes that makes a place."""

    key: str
    selector: LabelSelector
    namespaces: frozenset[str]
    in_namespaces: LabelSelector

    def selects(self, pod: PodSpec, namespaces: Namespaces) -> bool:
        """Say whether the term is about a pod."""
        here = pod.namespace in self.namespaces or self.in_namespaces.selects(namespaces.get(pod.namespace, {}))
        return here and self.selector.selects(pod.labels)


def terms_from(affinity: Mapping[str, Any], kind: str, namespace: str, labels: Mapping[str, Any]) -> tuple[Term, ...]:
    """Read the required terms of ``podAffinity`` or ``podAntiAffinity``."""
    return tuple(
        _term(item, namespace, labels)
        for item in as_list(as_map(affinity.get(kind)).get(_REQUIRED))
        if isinstance(item, dict)
    )


def _term(item: Mapping[str, Any], namespace: str, labels: Mapping[str, Any]) -> Term:
    own = of_own_labels(item.get("matchLabelKeys"), labels, "In")
    others = of_own_labels(item.get("mismatchLabelKeys"), labels, "NotIn")
    listed, selector = as_list(item.get("namespaces")), item.get("namespaceSelector")
    return Term(
        as_text(item.get("topologyKey")) or "",
        label_selector_from(item.get("labelSelector"), (*own, *others)),
        frozenset(map(str, listed)) if listed or isinstance(selector, dict) else frozenset({namespace}),
        label_selector_from(selector),
    )


class Neighbours:
    """What the pods in a cluster mean for one more, worked out once for all nodes."""

    __slots__ = ("_avoided", "_near", "_shared", "_starts", "_unwelcome")

    def __init__(self, pod: PodSpec, rooms: Iterable[NodeRoom], namespaces: Namespaces) -> None:
        self._near = pod.near
        self._shared: set[Place] = set()
        self._avoided: set[Place] = set()
        self._unwelcome: set[Place] = set()
        for room in rooms:
            for other in room.pods if pod.near or pod.apart else room.shy:
                if pod.near and all(term.selects(other, namespaces) for term in pod.near):
                    self._shared.update(_places(pod.near, room.node))
                about = [term for term in pod.apart if term.selects(other, namespaces)]
                self._avoided.update(_places(about, room.node))
                theirs = [term for term in other.apart if term.selects(pod, namespaces)]
                self._unwelcome.update(_places(theirs, room.node))
        # The first of a group that keeps to itself may go anywhere.
        self._starts = not self._shared and all(term.selects(pod, namespaces) for term in pod.near)

    def refusal(self, node: Node) -> str | None:
        """Return what is against a node; None if nothing is."""
        if self._near and not self._is_near(node):
            return NOT_NEAR
        if self._is_at(node, self._avoided):
            return NOT_APART
        if self._is_at(node, self._unwelcome):
            return UNWELCOME
        return None

    def _is_near(self, node: Node) -> bool:
        here = [(term.key, node.labels[term.key]) for term in self._near if term.key in node.labels]
        return len(here) == len(self._near) and (self._starts or self._shared.issuperset(here))

    @staticmethod
    def _is_at(node: Node, places: set[Place]) -> bool:
        return any(node.labels.get(key) == value for key, value in places)


def _places(terms: Sequence[Term], node: Node) -> Iterator[Place]:
    return ((term.key, node.labels[term.key]) for term in terms if term.key in node.labels)
