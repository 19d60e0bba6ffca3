"""Claims: what a ResourceClaim or a ResourceClaimTemplate asks for, the same for every API version.

``resource.k8s.io`` v1 and v1beta2 nest a request's body in ``exactly``; v1beta1 and v1alpha3 write it flat. Alternatives
in ``firstAvailable`` are flat everywhere. Wrong types are read as absent: saying so is the admission rules' matter.
"""

from __future__ import annotations

from dralign.manifest import ROOT, Path, as_list, as_map, as_text, content
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.manifest import Manifest

GROUP = "resource.k8s.io"
EXACT_COUNT = "ExactCount"
ALL = "All"


class Selector(Record):
    """One CEL expression over a device, and where it stands."""

    path: Path
    expression: str


class Request(Record):
    """One named ask inside a claim. With ``alternatives`` (``firstAvailable``) its own body is empty.

    ``path`` is the list item's; ``body`` is where ``deviceClassName`` and ``selectors`` stand.
    """

    name: str
    path: Path
    body: Path
    device_class: str | None
    selectors: tuple[Selector, ...]
    mode: str
    count: int
    admin_access: bool
    tolerations: tuple[Any, ...]
    capacity: Mapping[str, Any]
    derived: tuple[Any, ...]
    alternatives: tuple[Request, ...] = ()

    def leaves(self) -> tuple[Request, ...]:
        """Return the asks that can be allocated: the alternatives, or the request itself."""
        return self.alternatives or (self,)


class Constraint(Record):
    """A condition across devices of one claim. No ``requests`` means all of them; both attributes set: match counts."""

    path: Path
    requests: tuple[str, ...]
    match_attribute: str | None
    distinct_attribute: str | None

    def covers(self, request: Request) -> bool:
        """Say whether the constraint binds every device that ``request`` can get."""
        if not self.requests or request.name in self.requests:
            return True
        return bool(request.alternatives) and all(
            f"{request.name}/{a.name}" in self.requests for a in request.alternatives
        )


class ClaimSpec(Record):
    """``ResourceClaim.spec``, or ``ResourceClaimTemplate.spec.spec``."""

    path: Path
    requests: tuple[Request, ...]
    constraints: tuple[Constraint, ...]
    config: tuple[Any, ...]

    @property
    def leaves(self) -> tuple[Request, ...]:
        """All allocatable asks of all requests."""
        return tuple(leaf for request in self.requests for leaf in request.leaves())


class Claim(Record):
    """A claim of a manifest: one that is written out, or the one its template would make."""

    manifest: Manifest
    from_template: bool
    spec: ClaimSpec

    @property
    def requests(self) -> tuple[Request, ...]:
        """The claim's requests, in order."""
        return self.spec.requests

    @property
    def nested(self) -> bool:
        """Whether the API version nests request bodies in ``exactly``."""
        return nests_requests(self.manifest.ref.api_version)


def nests_requests(api_version: str) -> bool:
    """Say whether this ``resource.k8s.io`` version writes ``exactly:`` (v1, v1beta2) or flat requests."""
    return api_version.rpartition("/")[2] not in {"v1beta1", "v1alpha3"}


def claim_from(manifest: Manifest, known: dict[object, ClaimSpec] | None = None) -> Claim | None:
    """Read a manifest as a claim; None if it is neither a ResourceClaim nor a ResourceClaimTemplate.

    Claims read with the same ``known`` share one spec where they ask for the same in the same words.
    """
    if manifest.group != GROUP:
        return None
    match manifest.ref.kind:
        case "ResourceClaim":
            path, template = Path(("spec",)), False
        case "ResourceClaimTemplate":
            path, template = Path(("spec", "spec")), True
        case _:
            return None
    data = as_map(manifest.get(path))
    words = content(data) if known is not None else None
    if known is None or words is None:
        return Claim(manifest, template, claim_spec(data, path))
    if (template, words) not in known:
        known[template, words] = claim_spec(data, path)
    return Claim(manifest, template, known[template, words])


def claim_spec(spec: Mapping[str, Any], path: Path = ROOT) -> ClaimSpec:
    """Read a claim's spec from plain data; ``path`` is where it stands in its object."""
    devices, at = as_map(spec.get("devices")), path / "devices"
    return ClaimSpec(
        path,
        tuple(_request(item, at / "requests" / i) for i, item in _items(devices, "requests")),
        tuple(_constraint(item, at / "constraints" / i) for i, item in _items(devices, "constraints")),
        tuple(item for _, item in _items(devices, "config")),
    )


def _items(parent: Mapping[str, Any], key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    return ((i, item) for i, item in enumerate(as_list(parent.get(key))) if isinstance(item, dict))


def _request(item: dict[str, Any], path: Path) -> Request:
    name = as_text(item.get("name")) or ""
    alternatives = tuple(
        _leaf(as_text(alternative.get("name")) or "", alternative, at, at)
        for i, alternative in _items(item, "firstAvailable")
        for at in (path / "firstAvailable" / i,)
    )
    if alternatives:
        return _leaf(name, {}, path, path).replace(alternatives=alternatives)
    if isinstance(item.get("exactly"), dict):
        return _leaf(name, item["exactly"], path, path / "exactly")
    return _leaf(name, item, path, path)


def _leaf(name: str, body: dict[str, Any], path: Path, at: Path) -> Request:
    count = body.get("count")
    return Request(
        name=name,
        path=path,
        body=at,
        device_class=as_text(body.get("deviceClassName")),
        selectors=selectors_from(body, at),
        mode=as_text(body.get("allocationMode")) or EXACT_COUNT,
        count=count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 1,
        admin_access=body.get("adminAccess") is True,
        tolerations=tuple(as_list(body.get("tolerations"))),
        capacity=as_map(as_map(body.get("capacity")).get("requests")),
        derived=tuple(as_list(body.get("derivedAttributes"))),
    )


def selectors_from(body: Mapping[str, Any], at: Path) -> tuple[Selector, ...]:
    """Read ``selectors[].cel.expression`` of a request or class body that stands at ``at``."""
    found = []
    for i, item in _items(body, "selectors"):
        expression = as_map(item.get("cel")).get("expression")
        if isinstance(expression, str):
            found.append(Selector(at / "selectors" / i / "cel" / "expression", expression))
    return tuple(found)


def _constraint(item: dict[str, Any], path: Path) -> Constraint:
    names = tuple(name for name in as_list(item.get("requests")) if isinstance(name, str))
    return Constraint(path, names, as_text(item.get("matchAttribute")), as_text(item.get("distinctAttribute")))
