"""Pods as the scheduler sees them, read from plain objects once."""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.model.node import node_selector_from
from dralign.record import Record
from dralign.sim.neighbours import terms_from
from dralign.sim.requests import counted, pod_requests, scored_requests
from dralign.sim.spreading import spreads_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.model.node import NodeSelector
    from dralign.sim.neighbours import Term
    from dralign.sim.spreading import Spread

DEFAULT_SCHEDULER = "default-scheduler"


class ClaimEntry(Record):
    """An item of ``spec.resourceClaims``: it names a claim or a template, or neither in pods that are refused."""

    name: str
    claim_name: str | None
    template_name: str | None


class PodSpec(Record):
    """What the scheduler looks at in a pod. ``spec`` is the pod's spec as plain data.

    ``requests`` are counted as the scheduler does (CPU in thousandths); ``scored`` stands for them in scores.
    ``affinity`` is the required node affinity, ``host_ports`` are (IP, protocol, port) wanted of the node, ``near`` and
    ``apart`` the required terms of pod affinity and anti-affinity, ``spreads`` the spread constraints that must hold.
    ``group`` is the PodGroup with whose pods it is placed together (KEP-4671).
    """

    namespace: str
    name: str
    labels: Mapping[str, str]
    spec: Mapping[str, Any]
    claims: tuple[ClaimEntry, ...]
    requests: Mapping[str, int]
    scored: Mapping[str, int]
    node_name: str | None
    node_labels: Mapping[str, Any]
    affinity: NodeSelector | None
    tolerations: tuple[Mapping[str, Any], ...]
    host_ports: tuple[tuple[str, str, int], ...]
    near: tuple[Term, ...]
    apart: tuple[Term, ...]
    spreads: tuple[Spread, ...]
    group: str | None

    @property
    def full_name(self) -> str:
        """Return ``namespace/name``."""
        return f"{self.namespace}/{self.name}"


def podspec_from(data: Mapping[str, Any], namespace: str, name: str) -> PodSpec:
    """Read a Pod, or what stands in the template of one: ``metadata`` and ``spec``."""
    spec = as_map(data.get("spec"))
    labels = as_map(as_map(data.get("metadata")).get("labels"))
    affinity = as_map(spec.get("affinity"))
    node_affinity = as_map(affinity.get("nodeAffinity"))
    return PodSpec(
        namespace,
        name,
        labels,
        spec,
        tuple(_claim(item) for item in _maps(spec.get("resourceClaims"))),
        counted(pod_requests(spec)),
        scored_requests(spec),
        as_text(spec.get("nodeName")) or None,
        as_map(spec.get("nodeSelector")),
        node_selector_from(node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution")),
        tuple(_maps(spec.get("tolerations"))),
        tuple(_host_ports(spec)),
        terms_from(affinity, "podAffinity", namespace, labels),
        terms_from(affinity, "podAntiAffinity", namespace, labels),
        spreads_from(spec, labels),
        as_text(as_map(spec.get("schedulingGroup")).get("podGroupName")) or None,
    )


def _claim(item: Mapping[str, Any]) -> ClaimEntry:
    keys = ("resourceClaimName", "resourceClaimTemplateName")
    return ClaimEntry(as_text(item.get("name")) or "", *(as_text(item.get(key)) or None for key in keys))


def _host_ports(spec: Mapping[str, Any]) -> Iterator[tuple[str, str, int]]:
    sidecars = (item for item in _maps(spec.get("initContainers")) if item.get("restartPolicy") == "Always")
    for container in (*_maps(spec.get("containers")), *sidecars):
        for port in _maps(container.get("ports")):
            number = port.get("hostPort") or (port.get("containerPort") if spec.get("hostNetwork") else None)
            if isinstance(number, int) and number > 0:
                yield as_text(port.get("hostIP")) or "0.0.0.0", as_text(port.get("protocol")) or "TCP", number  # noqa: S104


def _maps(value: Any) -> Iterator[dict[str, Any]]:
    return (item for item in as_list(value) if isinstance(item, dict))
