"""``dralign inventory capture``: what a live cluster says of its devices, as objects that an inventory file can hold.

Only what decides where claims land is kept: no Secret is read, no parameters of claims, no images or addresses of nodes.
"""

from __future__ import annotations

from dralign.hosts.cluster import ClusterError
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from dralign.hosts.cluster import Cluster

    Object = dict[str, Any]

_GROUP = "resource.k8s.io"
_VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha3")
"""Versions of the group in the order in which they are asked for."""

_TOPOLOGY = "topology.node.k8s.io"
_METADATA = ("name", "namespace", "labels", "annotations", "creationTimestamp")
_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class Captured(Record):
    """Objects of a cluster, and what could not be read, in words."""

    objects: tuple[Object, ...]
    gaps: tuple[str, ...]

    @property
    def talk(self) -> str:
        """What could not be read, as lines for standard error."""
        return "".join(f"dralign: not captured: {gap}\n" for gap in self.gaps)


def capture(cluster: Cluster, *, kubelets: bool) -> Captured:
    """Read nodes, classes, slices, taint rules, topologies, what claims hold and, if asked, how kubelets are configured.

    Raises:
        ClusterError: nodes, classes or slices cannot be read: without them there is no inventory.
    """
    gaps: list[str] = []
    nodes = [_node(item) for item in cluster.items("/api/v1/nodes")]
    served = _served(cluster)
    objects = list(nodes)
    for plural, kept in _KEPT.items():
        version = served.get(plural)
        if version is None:
            if plural in _NEEDED:
                raise ClusterError(404, f"{cluster.host} serves no {plural} of {_GROUP}; want Kubernetes 1.32 or later")
            continue
        found = _listed(cluster, f"/apis/{_GROUP}/{version}/{plural}", gaps, needed=plural in _NEEDED)
        objects += [item for item in map(kept, found) if item]
    objects += map(_plain, _topologies(cluster, gaps))
    if kubelets:
        objects += _kubelets(cluster, [node["metadata"]["name"] for node in nodes], gaps)
    return Captured(tuple(objects), tuple(gaps))


def _served(cluster: Cluster) -> dict[str, str]:
    """Return the first version that serves each resource of the group."""
    found: dict[str, str] = {}
    for version in _VERSIONS:
        try:
            resources = cluster.get(f"/apis/{_GROUP}/{version}").get("resources") or ()
        except ClusterError as error:
            if error.status != 404:
                raise
            continue
        for resource in resources:
            found.setdefault(resource.get("name", ""), version)
    return found


def _listed(cluster: Cluster, path: str, gaps: list[str], *, needed: bool) -> list[Object]:
    try:
        return list(cluster.items(path))
    except ClusterError as error:
        if needed or not error.status:
            raise
        gaps.append(str(error))
        return []


def _topologies(cluster: Cluster, gaps: list[str]) -> list[Object]:
    """Return NodeResourceTopology objects; a cluster without the resource has none."""
    for version in ("v1alpha2", "v1alpha1"):
        try:
            cluster.get(f"/apis/{_TOPOLOGY}/{version}")
        except ClusterError as error:
            if not error.status:
                raise
            continue
        return _listed(cluster, f"/apis/{_TOPOLOGY}/{version}/noderesourcetopologies", gaps, needed=False)
    return []


def _kubelets(cluster: Cluster, names: list[str], gaps: list[str]) -> Iterator[Object]:
    """Yield what each kubelet says of its configuration, with the name of its node beside it."""
    refused = []
    for name in names:
        try:
            answer = cluster.get(f"/api/v1/nodes/{name}/proxy/configz")
        except ClusterError as error:
            refused.append(error)
            continue
        yield {"metadata": {"name": name}, "kubeletconfig": answer.get("kubeletconfig") or {}}
    if refused:
        gaps.append(f"kubelet configuration of {len(refused)} of {len(names)} nodes: {refused[0]}")


def _plain(item: Object) -> Object:
    """Return an object without what only the API server needs."""
    metadata = item.get("metadata") or {}
    kept = {key: metadata[key] for key in _METADATA if metadata.get(key)}
    if "annotations" in kept:
        kept["annotations"] = {key: value for key, value in kept["annotations"].items() if key != _APPLIED}
        if not kept["annotations"]:
            del kept["annotations"]
    rest = {key: value for key, value in item.items() if key not in {"apiVersion", "kind", "metadata"}}
    return {"apiVersion": item["apiVersion"], "kind": item["kind"], "metadata": kept, **rest}


def _node(item: Object) -> Object:
    spec, status = item.get("spec") or {}, item.get("status") or {}
    plain = _plain({key: item[key] for key in ("apiVersion", "kind", "metadata")})
    plain["metadata"].pop("annotations", None)
    return {
        **plain,
        "spec": {key: spec[key] for key in ("providerID", "taints", "unschedulable") if key in spec},
        "status": {key: status[key] for key in ("capacity", "allocatable", "declaredFeatures") if key in status},
    }


def _claim(item: Object) -> Object | None:
    """Return what a claim holds; None for one that holds nothing."""
    allocation = (item.get("status") or {}).get("allocation") or {}
    results = (allocation.get("devices") or {}).get("results")
    if not results:
        return None
    plain = _plain({key: item[key] for key in ("apiVersion", "kind", "metadata")})
    return {**plain, "status": {"allocation": {"devices": {"results": results}}}}


_KEPT: dict[str, Callable[[Object], Object | None]] = {
    "deviceclasses": _plain,
    "resourceslices": _plain,
    "devicetaintrules": _plain,
    "resourceclaims": _claim,
}
_NEEDED = frozenset({"deviceclasses", "resourceslices"})
