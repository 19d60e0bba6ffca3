"""Devices of device plugins: the kubelet's Topology Manager keeps them with their CPUs, or it does not."""

from __future__ import annotations

from dralign.kubelet.pinning import keeps_together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.proof.known import Known
    from dralign.proof.question import Question


def kept_by_kubelet(question: Question, known: Known, name: str | None) -> str | bool:
    """Say whether the kubelet of a node keeps devices of device plugins with their CPUs: True, or why not.

    False where the pod has no such devices. ``name`` is None for a node that nobody knows.
    """
    plugged = [use for use in question.containers if use.legacy is not None]
    if not plugged:
        return False
    where = name or "the nodes"
    silent = next((use.name for use in plugged if not use.legacy), None)
    if silent is not None:
        return f"the device plugin of {silent}'s devices does not say on which NUMA nodes they are"
    config = known.kubelet(known.node(name))
    if config is None or question.pod is None:
        return f"nobody knows the kubelet configuration of {where}"
    if keeps_together(config, question.pod, [use.name for use in plugged]):
        return True
    return (
        f"the kubelet of {where} does not keep them together: it takes Guaranteed QoS, whole CPUs, and static CPU manager "
        f"with single-numa-node (here {config.cpu_policy}, {config.topology_policy}, scope {config.topology_scope})"
    )
