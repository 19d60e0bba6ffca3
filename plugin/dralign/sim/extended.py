"""Extended resources that DRA serves (KEP-5004): the claim that the scheduler makes for a pod that asks for them.

Source: dynamicresources/extendeddynamicresources.go of the scheduler and deviceclass/extendedresourcecache, 1.37.
"""

from __future__ import annotations

from dralign.manifest import as_list, as_map, as_text
from dralign.model.claim import claim_spec
from dralign.model.device_class import IMPLICIT_RESOURCE
from dralign.model.quantities import quantity_from
from dralign.record import Record
from dralign.sim.requests import is_extended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from dralign.model.claim import ClaimSpec
    from dralign.model.inventory import ClassSpec
    from dralign.sim.fit import NodeRoom
    from dralign.sim.podspec import PodSpec

SPECIAL_CLAIM = "<extended-resources>"
"""What the claim is called until it is written."""


class Mapped(Record):
    """Which request of the special claim holds the devices that a container gets for a resource."""

    container: str
    resource: str
    request: str


class SpecialClaim(Record):
    """The claim for the extended resources of a pod on one kind of node. Without requests nobody gets a device by it."""

    spec: ClaimSpec
    mappings: tuple[Mapped, ...]


class ExtendedResources:
    """Which class serves which extended resource, and the special claims of pods, each worked out once."""

    __slots__ = ("_class_of", "_known")

    def __init__(self, classes: Iterable[ClassSpec]) -> None:
        self._class_of: dict[str, str] = {}
        chosen: dict[str, ClassSpec] = {}
        for spec in classes:
            self._class_of[IMPLICIT_RESOURCE + spec.name] = spec.name
            if spec.extended_resource and _wins(spec, chosen.get(spec.extended_resource)):
                chosen[spec.extended_resource] = spec
                self._class_of[spec.extended_resource] = spec.name
        self._known: dict[tuple[int, tuple[str, ...]], tuple[PodSpec, SpecialClaim]] = {}

    def serves(self, resource: str) -> bool:
        """Say whether a class stands for a resource."""
        return resource in self._class_of

    def asked(self, pod: PodSpec) -> tuple[str, ...]:
        """Return the extended resources a pod asks for if a class serves any of them, sorted; else nothing."""
        names = sorted(name for name, value in pod.requests.items() if value and _may_be_served(name))
        return tuple(names) if any(map(self.serves, names)) else ()

    def claim(self, pod: PodSpec, asked: tuple[str, ...], room: NodeRoom) -> SpecialClaim:
        """Return the special claim of a pod on a node: for what a class serves and the node itself cannot give."""
        names = tuple(name for name in asked if self.serves(name) and not room.gives(name))
        key = (id(pod.spec), names)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = (pod, _special_claim(pod.spec, {name: self._class_of[name] for name in names}))
        return known[1]


def _may_be_served(resource: str) -> bool:
    return is_extended(resource) or resource.startswith(IMPLICIT_RESOURCE)


def _wins(spec: ClassSpec, other: ClassSpec | None) -> bool:
    """Say whether a class serves a resource rather than another: the newer one, of two equally old the lower name."""
    return other is None or spec.created > other.created or (spec.created == other.created and spec.name < other.name)


def _special_claim(spec: Mapping[str, Any], class_of: Mapping[str, str]) -> SpecialClaim:
    before = [item for item in as_list(spec.get("initContainers")) if isinstance(item, dict)]
    containers = before + [item for item in as_list(spec.get("containers")) if isinstance(item, dict)]
    short = {i for i, item in enumerate(before) if item.get("restartPolicy") != "Always"}
    requests: list[dict[str, Any]] = []
    mappings: list[Mapped] = []
    for resource, class_name in class_of.items():
        made, mapped = _requests_for(resource, class_name, containers, short)
        requests += made
        mappings += mapped
    requests.sort(key=lambda request: str(request["name"]))
    return SpecialClaim(claim_spec({"devices": {"requests": requests}}), tuple(mappings))


def _requests_for(
    resource: str, class_name: str, containers: list[dict[str, Any]], short: set[int]
) -> tuple[list[dict[str, Any]], list[Mapped]]:
    """Return requests and mappings for one resource: one request per long-lived container, one for all others.

    Init containers (``short``) reuse what containers behind them hold; what the greediest needs beyond is one request.
    """
    held: list[dict[str, Any] | None] = [None] * len(containers)
    mappings: list[Mapped] = []
    for i, container in enumerate(containers):
        if i not in short:
            held[i], mapped = _request_of(i, container, resource, class_name, [])
            mappings += mapped
    beyond: list[dict[str, Any]] = []
    reused: list[Mapped] = []
    for i in sorted(short):
        request, mapped = _request_of(i, containers[i], resource, class_name, held[i:])
        beyond += [request] if request is not None else []
        reused += mapped
    greediest = max(beyond, key=_count, default=None)
    names = {request["name"] for request in beyond}
    for item in reused:
        shared = greediest is not None and item.request in names
        mappings.append(item.replace(request=greediest["name"]) if greediest is not None and shared else item)
    return [request for request in (greediest, *held) if request is not None], mappings


def _count(request: Mapping[str, Any]) -> int:
    count: int = request["exactly"]["count"]
    return count


def _request_of(
    number: int,
    container: Mapping[str, Any],
    resource: str,
    class_name: str,
    reusable: Iterable[dict[str, Any] | None],
) -> tuple[dict[str, Any] | None, list[Mapped]]:
    """Return the request for what a container needs beyond ``reusable`` ones, and all that it is mapped to."""
    resources = as_map(container.get("resources"))
    amounts = {**as_map(resources.get("limits")), **as_map(resources.get("requests"))}
    quantity = quantity_from(amounts.get(resource))
    wanted = quantity.as_int64() if quantity is not None else None
    name = as_text(container.get("name")) or ""
    mapped: list[Mapped] = []
    if not wanted:
        return None, mapped
    for request in reusable:
        if request is not None:
            wanted -= _count(request)
            mapped.append(Mapped(name, resource, request["name"]))
            if wanted <= 0:
                return None, mapped
    request_name = f"container-{number}-request-{sorted(amounts).index(resource)}"
    mapped.append(Mapped(name, resource, request_name))
    body = {"deviceClassName": class_name, "allocationMode": "ExactCount", "count": wanted}
    return {"name": request_name, "exactly": body}, mapped
