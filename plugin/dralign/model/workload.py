"""Workloads: the pods that an object would make, seen through their containers and claim references.

Requests default to limits, as the API server fills them in when it stores the pod (``SetDefaults_Pod``). Names follow
``core/v1``: PodSpec, Container, ResourceRequirements, PodResourceClaim.
"""

from __future__ import annotations

from dralign import kinds
from dralign.manifest import Path, as_list, as_map, as_text
from dralign.record import Record
from dralign.values.quantity import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal

    from dralign.kinds import FoundTemplate
    from dralign.manifest import Manifest

    ContainerKind = Literal["container", "init", "sidecar"]


def _called_by_place(path: Path) -> str:
    """Return what to call a container without a name: the field that it stands in, where that is not a list."""
    return path[-1] if path and isinstance(path[-1], str) else "(no name)"


class ContainerClaim(Record):
    """One entry of a container's ``resources.claims``; ``request`` None means the whole claim."""

    path: Path
    name: str
    request: str | None


class PodClaim(Record):
    """One entry of ``spec.resourceClaims``: exactly one of ``claim_name`` and ``template_name`` in a valid pod."""

    path: Path
    name: str
    claim_name: str | None
    template_name: str | None

    @property
    def reference(self) -> Path:
        """The field that names the claim or template."""
        return self.path / ("resourceClaimTemplateName" if self.template_name else "resourceClaimName")


class Container:
    """One container of a pod. Ephemeral containers are none of ours: they can hold neither resources nor claims."""

    __slots__ = ("claims", "kind", "limits", "name", "path", "requests", "resources_path")

    def __init__(self, data: dict[str, Any], path: Path, kind: ContainerKind) -> None:
        resources = as_map(data.get("resources"))
        self.path = path
        self.kind: ContainerKind = kind
        self.name = as_text(data.get("name")) or _called_by_place(path)
        self.resources_path = path / "resources"
        self.requests = as_map(resources.get("requests"))
        self.limits = as_map(resources.get("limits"))
        at = self.resources_path / "claims"
        self.claims = tuple(
            ContainerClaim(at / i, as_text(item.get("name")) or "", as_text(item.get("request")))
            for i, item in enumerate(as_list(resources.get("claims")))
            if isinstance(item, dict)
        )

    def request(self, resource: str) -> Quantity | None:
        """Return the amount asked for, limits counting where no request is written; None if absent or unreadable."""
        return quantity(self.requests.get(resource, self.limits.get(resource)))

    def limit(self, resource: str) -> Quantity | None:
        """Return the limit; None if absent or unreadable."""
        return quantity(self.limits.get(resource))

    def amount_path(self, resource: str) -> Path:
        """Return where the amount of ``resource`` is written, limits first; ``resources`` if nowhere."""
        for section, amounts in (("limits", self.limits), ("requests", self.requests)):
            if resource in amounts:
                return self.resources_path / section / resource
        return self.resources_path

    @property
    def resources(self) -> tuple[str, ...]:
        """Names of all resources in limits and requests, each once, in the order written."""
        return tuple(dict.fromkeys((*self.limits, *self.requests)))


class PodView:
    """One pod template of an object: ``path`` is its pod spec's, ``template`` that of the object with its metadata.

    ``written``: pods get these containers as they stand here, so that they can be repaired here.
    """

    __slots__ = ("claims", "containers", "found", "manifest", "path", "spec", "template")

    def __init__(self, manifest: Manifest, found: FoundTemplate) -> None:
        self.manifest = manifest
        self.found = found
        self.path = Path(found.spec_path)
        self.template = Path(found.path)
        self.spec = found.spec
        at = self.path / "resourceClaims"
        entries = enumerate(as_list(found.spec.get("resourceClaims")))
        self.claims = tuple(_pod_claim(item, at / i) for i, item in entries if isinstance(item, dict))
        self.containers = tuple(self._read())

    def _read(self) -> Iterator[Container]:
        """Yield init containers and sidecars, then containers: the order in which the kubelet looks at them."""
        for path, item in kinds.init_containers(self.found):
            yield Container(item, Path(path), "sidecar" if item.get("restartPolicy") == "Always" else "init")
        for path, item in kinds.containers(self.found):
            yield Container(item, Path(path), "container")

    @property
    def written(self) -> bool:
        """Whether the pod template is written out and may carry ``resourceClaims``."""
        return self.found.template.written and self.found.template.takes_claims

    @property
    def metadata_path(self) -> Path:
        """Where the pod's metadata stands or would stand."""
        return self.template.join(self.found.template.metadata)

    @property
    def metadata(self) -> dict[str, Any]:
        """Metadata of the pod template; a Pod's own."""
        return as_map(self.manifest.get(self.metadata_path))

    @property
    def replicas(self) -> int | None:
        """How many pods are made, at most; None if the object does not say."""
        return kinds.replicas(self.found, self.manifest.data)

    @property
    def used_claims(self) -> frozenset[str]:
        """Names of the claims that containers use, or that the kind hands out by a field of its own."""
        at, patterns = self.manifest.get(self.template), self.found.template.claims
        loose = {
            as_text(as_map(item).get("name")) or "" for pattern in patterns for _, item in kinds.expand(pattern, at)
        }
        return frozenset(loose) | {entry.name for container in self.containers for entry in container.claims}

    def claim_named(self, name: str) -> PodClaim | None:
        """Return the entry of ``spec.resourceClaims`` called ``name``."""
        return next((claim for claim in self.claims if claim.name == name), None)

    @property
    def pod_level(self) -> dict[str, Any]:
        """Pod-level resources (KEP-2837); empty where there are none."""
        return as_map(self.spec.get("resources"))


def _pod_claim(item: dict[str, Any], path: Path) -> PodClaim:
    return PodClaim(
        path,
        as_text(item.get("name")) or "",
        as_text(item.get("resourceClaimName")),
        as_text(item.get("resourceClaimTemplateName")),
    )


def quantity(value: Any) -> Quantity | None:
    """Read an amount as ``resource.Quantity`` does, numbers included; None if absent or not a quantity."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        return Quantity.parse(value if isinstance(value, str) else format(value))
    except ValueError:
        return None
