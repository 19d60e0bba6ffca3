"""Refusals by admission plugins: answers that name no field.

Source: plugin/pkg/admission/priority, plugin/pkg/admission/runtimeclass and plugin/pkg/admission/nodedeclaredfeatures of
k8s.io/kubernetes.
"""

from __future__ import annotations

from dralign.admission.layout import device_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.server import Check

_BUILT_IN_CLASSES = ("system-cluster-critical", "system-node-critical")
_LOWER = "PreemptLowerPriority"
_NODE_RESOURCES = "DRANodeAllocatableResources"


def refuse_pod(check: Check, pod: dict[str, Any]) -> str | None:
    """Say why a plugin refuses a Pod, None if none does."""
    return _refuse_priority(check, pod) or _refuse_runtime_class(check, pod["spec"])


def _refuse_runtime_class(check: Check, spec: dict[str, Any]) -> str | None:
    name, known = spec.get("runtimeClassName"), check.server.runtime_classes
    if name is None or known is None or name in known:
        return None
    return f'pod rejected: RuntimeClass "{name}" not found'


def _refuse_priority(check: Check, pod: dict[str, Any]) -> str | None:
    """Say why the Priority plugin refuses a Pod, None if it does not.

    Without a class the priority is 0: no class is taken to be the default of the cluster.
    """
    spec = pod["spec"]
    class_name, classes = spec.get("priorityClassName", ""), check.server.priority_classes
    policy = _LOWER
    if class_name and class_name not in _BUILT_IN_CLASSES:
        if classes is None:
            return None
        if class_name not in classes:
            return f"no PriorityClass with name {class_name} was found"
        policy = classes[class_name]
    computed = "priority admission controller computed {} from the given PriorityClass name"
    if not class_name and spec.get("priority", 0) != 0:
        given = f"the integer value of priority ({spec['priority']}) must not be provided in pod spec"
        return f"{given}; {computed.format(0)}"
    if spec.get("preemptionPolicy", policy) != policy:
        given = f"the string value of PreemptionPolicy ({spec['preemptionPolicy']}) must not be provided in pod spec"
        return f"{given}; {computed.format(policy)}"
    return None


def refuse_slice(check: Check, resource_slice: dict[str, Any]) -> str | None:
    """Say why a slice whose devices stand for node resources is refused: a node that does not exist or does not know them.

    Node selectors are not followed.
    """
    spec = resource_slice["spec"]
    if _NODE_RESOURCES not in check.features:
        return None
    per_device = spec.get("perDeviceNodeSelection")
    for device in spec.get("devices", ()):
        body, _ = device_body(device, (), flat=check.flat)
        if body.get("nodeAllocatableResources"):
            refusal = _refuse_nodes(check, body if per_device else spec, device.get("name", ""))
            if refusal is not None:
                return refusal
    return None


def _refuse_nodes(check: Check, scope: dict[str, Any], device: str) -> str | None:
    nodes, features = check.server.nodes, check.server.node_features
    name = scope.get("nodeName")
    if name and nodes is not None and name not in nodes:
        return f'node "{name}" not found for device "{device}"'
    if features is None:
        return None
    meant = [name] if name else sorted(nodes or ()) if scope.get("allNodes") else []
    unfit = next((node for node in meant if _NODE_RESOURCES not in features.get(node, ())), None)
    return None if unfit is None else f'node "{unfit}" does not support {_NODE_RESOURCES} feature'
