"""The pods that workloads make: how many, with which names, and what their controllers add.

Source: the controllers in k8s.io/kubernetes/pkg/controller (deployment, replicaset, statefulset, daemon, job).
"""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.record import Record
from dralign.sim import filters
from dralign.sim.claim_book import ANY
from dralign.sim.podspec import podspec_from
from dralign.sim.taints import repelling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from dralign.model.node import Node

    Object = Mapping[str, Any]

_TOLERATED = (
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
)
_HASH = "0"  # stands for the hash of a Deployment's template: its pods have the same
_NO_NETWORK = ("node.kubernetes.io/network-unavailable", "NoSchedule")


class MadePod(Record):
    """Pods that a workload makes all alike. ``body`` has their ``metadata`` and ``spec``; ``owner`` is ``Kind/name``.

    ``volume_claims`` are specs of PersistentVolumeClaims made with a pod, by name.
    """

    name: str
    owner: str | None
    body: Mapping[str, Any]
    count: int = 1
    volume_claims: tuple[tuple[str, Mapping[str, Any]], ...] = ()


def pods_of(workload: Object, nodes: Iterable[Node], *, ready: bool) -> Iterator[MadePod]:
    """Yield the pods of a workload as plain data with defaults filled in.

    ``ready``: pods become ready, so that a StatefulSet goes on behind its first one.
    """
    kind = as_text(workload.get("kind")) or ""
    if kind == "Pod":
        yield MadePod(_name(workload), None, workload)
    elif kind == "DaemonSet":
        yield from _daemon_pods(workload, nodes)
    elif kind == "StatefulSet":
        yield from _stateful_pods(workload, ready=ready)
    elif kind in _MAKERS:
        yield from _MAKERS[kind](workload)


def _name(workload: Object) -> str:
    metadata = as_map(workload.get("metadata"))
    return as_text(metadata.get("name")) or (as_text(metadata.get("generateName")) or "") + ANY


def _template(workload: Object) -> dict[str, Any]:
    return as_map(as_map(workload.get("spec")).get("template"))


def _number(spec: Object, key: str, default: int) -> int:
    value = spec.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def _replicas(workload: Object) -> int:
    return _number(as_map(workload.get("spec")), "replicas", 1)


def _replicated(workload: Object) -> Iterator[MadePod]:
    name, template = _name(workload), _template(workload)
    owner = f"{workload.get('kind')}/{name}"
    if workload.get("kind") == "Deployment":
        owner = f"ReplicaSet/{name}-{ANY}"
        metadata = as_map(template.get("metadata"))
        labels = {**as_map(metadata.get("labels")), "pod-template-hash": _HASH}
        template = {**template, "metadata": {**metadata, "labels": labels}}
    yield MadePod(f"{name}-{ANY}", owner, template, _replicas(workload))


def _stateful_pods(workload: Object, *, ready: bool) -> Iterator[MadePod]:
    spec, name = as_map(workload.get("spec")), _name(workload)
    count, start = _replicas(workload), _number(as_map(spec.get("ordinals")), "start", 0)
    if not ready and spec.get("podManagementPolicy") != "Parallel":
        count = min(count, 1)
    templates = [item for item in as_list(spec.get("volumeClaimTemplates")) if isinstance(item, dict)]
    for ordinal in range(start, start + count):
        pod = f"{name}-{ordinal}"
        claims = {_name(item): (f"{_name(item)}-{pod}", as_map(item.get("spec"))) for item in templates}
        body = _with_volumes(_template(workload), {volume: claim for volume, (claim, _) in claims.items()})
        yield MadePod(pod, f"StatefulSet/{name}", body, 1, tuple(claims.values()))


def _with_volumes(template: Object, claims: Mapping[str, str]) -> Object:
    """Return a pod template with volumes for claims, which replace volumes of the same names."""
    if not claims:
        return template
    spec = as_map(template.get("spec"))
    kept = [item for item in as_list(spec.get("volumes")) if as_map(item).get("name") not in claims]
    made = [{"name": name, "persistentVolumeClaim": {"claimName": claim}} for name, claim in claims.items()]
    return {**template, "spec": {**spec, "volumes": [*kept, *made]}}


def _job_pods(workload: Object) -> Iterator[MadePod]:
    spec, name = as_map(workload.get("spec")), _name(workload)
    if spec.get("suspend") is True:
        return
    at_once = _number(spec, "parallelism", 1)
    count = min(at_once, _number(spec, "completions", at_once))
    if spec.get("completionMode") == "Indexed":
        for index in range(count):
            yield MadePod(f"{name}-{index}-{ANY}", f"Job/{name}", _template(workload))
    else:
        yield MadePod(f"{name}-{ANY}", f"Job/{name}", _template(workload), count)


def _cron_pods(workload: Object) -> Iterator[MadePod]:
    job = as_map(as_map(workload.get("spec")).get("jobTemplate"))
    yield from _job_pods({"kind": "Job", "metadata": {"name": f"{_name(workload)}-{ANY}"}, "spec": job.get("spec")})


def _daemon_pods(workload: Object, nodes: Iterable[Node]) -> Iterator[MadePod]:
    name, template = _name(workload), _template(workload)
    spec = dict(as_map(template.get("spec")))
    added = [*_TOLERATED, _NO_NETWORK] if spec.get("hostNetwork") is True else _TOLERATED
    spec["tolerations"] = [
        *as_list(spec.get("tolerations")),
        *({"key": key, "operator": "Exists", "effect": effect} for key, effect in added),
    ]
    pod = podspec_from({"spec": spec}, "", "")
    for node in nodes:
        named = pod.node_name in (None, node.name)
        if named and filters.wants(pod, node) and repelling(node.taints, pod.tolerations) is None:
            yield MadePod(f"{name}-{ANY}", f"DaemonSet/{name}", {**template, "spec": _tied(spec, node.name)})


def _tied(spec: Object, node: str) -> dict[str, Any]:
    """Return a pod spec whose required node affinity is for one node alone."""
    affinity = as_map(spec.get("affinity"))
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
    on_nodes = as_map(affinity.get("nodeAffinity")) | {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}
    }
    return {**spec, "affinity": {**affinity, "nodeAffinity": on_nodes}}


_MAKERS: dict[str, Callable[[Object], Iterator[MadePod]]] = {
    "Deployment": _replicated,
    "ReplicaSet": _replicated,
    "ReplicationController": _replicated,
    "Job": _job_pods,
    "CronJob": _cron_pods,
}
KINDS = frozenset({"Pod", "DaemonSet", "StatefulSet", *_MAKERS})
