"""Refusals by admission plugins: answers that name no field.

Source: plugin/pkg/admission/priority and plugin/pkg/admission/nodedeclaredfeatures of k8s.io/kubernetes.
"""

from __future__ import annotations

from dralign.admission.layout import device_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.server import Check

_BUILT_IN_CLASSES = ("system-cluster-critical", "system-node-critical")
_LOWER = "PreemptLowerPriority"


def refuse_pod(check: Check, pod: dict[str, Any]) -> str | None:
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
    """Say why a slice whose devices stand for node resources is refused: it names a node that does not exist."""
    nodes, spec = check.server.nodes, resource_slice["spec"]
    if nodes is None or "DRANodeAllocatableResources" not in check.features:
        return None
    per_device = spec.get("perDeviceNodeSelection")
    for device in spec.get("devices", ()):
        body, _ = device_body(device, (), flat=check.flat)
        if body.get("nodeAllocatableResources"):
            node = (body if per_device else spec).get("nodeName")
            if node and node not in nodes:
                return f'node "{node}" not found for device "{device.get("name", "")}"'
    return None
