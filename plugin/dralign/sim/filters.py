"""Which nodes keep a pod off, whatever runs there: node name, unschedulable, taints, node selector and affinity.

Source: the filter plugins of these names in k8s.io/kubernetes/pkg/scheduler/framework/plugins, 1.37.
"""

from __future__ import annotations

from dralign.model.device import Taint
from dralign.model.node import NodeSelector
from dralign.sim.nodes import NodeSelectorError, selects
from dralign.sim.taints import repelling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.node import Node, NodeTerm
    from dralign.sim.podspec import PodSpec

OTHER_NODE = "node(s) didn't match the requested node name"
UNSCHEDULABLE = "node(s) were unschedulable"
TAINTED = "node(s) had untolerated taint(s)"
NOT_SELECTED = "node(s) didn't match Pod's node affinity/selector"
CONTRADICTION = "pod affinity terms conflict"
_CORDON = (Taint("node.kubernetes.io/unschedulable", "", "NoSchedule"),)
_NAME = "metadata.name"


def refusal(pod: PodSpec, node: Node) -> str | None:
    """Return why a node is not for a pod, in the scheduler's words; None if it is."""
    if pod.node_name is not None and pod.node_name != node.name:
        return OTHER_NODE
    if node.unschedulable and repelling(_CORDON, pod.tolerations) is not None:
        return UNSCHEDULABLE
    if repelling(node.taints, pod.tolerations) is not None:
        return TAINTED
    if not wants(pod, node):
        return NOT_SELECTED
    return None


def wants(pod: PodSpec, node: Node) -> bool:
    """Say whether a pod's node selector and required affinity fit a node; terms that cannot be parsed fit nothing."""
    if any(node.labels.get(key) != value for key, value in pod.node_labels.items()):
        return False
    return pod.affinity is None or any(fits(term, node) for term in pod.affinity.terms)


def fits(term: NodeTerm, node: Node) -> bool:
    """Say whether one term fits a node; not if it cannot be parsed."""
    try:
        return selects(NodeSelector((term,)), node)
    except NodeSelectorError:
        return False


def named_nodes(pod: PodSpec) -> frozenset[str] | None:
    """Return the nodes that required affinity names, None where a term does not name any: then all may do."""
    if pod.affinity is None or not pod.affinity.terms:
        return None
    found: frozenset[str] = frozenset()
    for term in pod.affinity.terms:
        names = [frozenset(item.values) for item in term.fields if item.key == _NAME and item.operator == "In"]
        if not names:
            return None
        found |= frozenset.intersection(*names)
    return found
