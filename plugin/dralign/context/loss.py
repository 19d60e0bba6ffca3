"""What a repair does to the choice of nodes: whether the pods that it touches still fit wherever they could run before."""

from __future__ import annotations

from dralign import kinds
from dralign.edit import EditRefused, plain
from dralign.finding import NewManifest
from dralign.manifest import DEFAULT_NAMESPACE, as_list, as_map, as_text
from dralign.model.claim import GROUP, claim_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from dralign.context import Context
    from dralign.finding import Patch
    from dralign.manifest import Manifest
    from dralign.sim.eligible import Estate
    from dralign.sim.podspec import PodSpec

    Key = tuple[str, str, str]
    Objects = Mapping[Key, Mapping[str, Any]]


KEEPS, LOSES, NOWHERE = "keeps", "loses", "nowhere"
"""All nodes stay, some are lost, or none is left of those that there were."""


def loss(ctx: Context, estate: Estate, patches: Sequence[Patch | NewManifest]) -> str:
    """Say what becomes of the nodes of each pod that patches touch; the worst counts.

    What nobody can tell is a loss: a claim that is not here, a search that took too long, a pod that fits nowhere at all.
    """
    try:
        after, touched = _after(patches)
    except EditRefused:
        return LOSES
    before = {_key(manifest.data): manifest.data for manifest in _claims(ctx)}
    found = [
        (_eligible(estate, old, before), _eligible(estate, new, before | after))
        for manifest, data in _users(ctx, after, touched)
        for old, new in zip(_pods(manifest, manifest.data), _pods(manifest, data), strict=True)
    ]
    if any(old and new == frozenset() for old, new in found) and _all_known(ctx, after):
        return NOWHERE
    return KEEPS if found and all(new and old is not None and old <= new for old, new in found) else LOSES


def _all_known(ctx: Context, objects: Objects) -> bool:
    """Say whether the inventory shows devices for every ask of some claims; an empty pool may fill again."""
    leaves = (leaf for data in objects.values() for leaf in claim_spec(_body(data)).leaves)
    views = [ctx.driver_of(leaf) for leaf in leaves]
    return all(view is not None and ctx.devices_of_driver(view.driver) for view in views)


def estate_of(ctx: Context) -> Estate | None:
    """Return the cluster that is known, empty; None where no slices are.

    A class that only its driver is known to ship serves no extended resource: nobody knows how it was installed.
    """
    if not ctx.has_slices:
        return None
    from dralign.sim.behaviour import behaviour  # noqa: PLC0415 -- few runs know slices
    from dralign.sim.eligible import Estate  # noqa: PLC0415
    from dralign.sim.selectors import ReleaseSelectors  # noqa: PLC0415

    known, release = ctx.cluster, ctx.settings.kube_version
    classes = [
        spec if name in ctx.classes else spec.replace(extended_resource=None) for name, spec in known.classes.items()
    ]
    return Estate(
        known.replaced(classes=classes, taken=()), behaviour(release, ctx.gates), ReleaseSelectors(release, ctx.gates)
    )


def _after(patches: Sequence[Patch | NewManifest]) -> tuple[dict[Key, Any], dict[int, Any]]:
    """Return the claims that patches make or change, by key, and the data of all changed objects, by manifest."""
    touched: dict[int, Any] = {}
    manifests: dict[int, Manifest] = {}
    made: dict[Key, Any] = {}
    for patch in patches:
        if isinstance(patch, NewManifest):
            made[_key(patch.data)] = patch.data
            continue
        number = id(patch.manifest)
        manifests[number] = patch.manifest
        touched[number] = plain(touched.get(number, patch.manifest.data), [patch.operation])
    made |= {_key(touched[number]): touched[number] for number, m in manifests.items() if m.group == GROUP}
    return made, touched


def _claims(ctx: Context) -> Iterator[Manifest]:
    for manifest in (*ctx.inventory, *ctx.bundle.manifests):
        if manifest.group == GROUP and manifest.ref.kind in ("ResourceClaim", "ResourceClaimTemplate"):
            yield manifest


def _key(data: Mapping[str, Any]) -> Key:
    metadata = as_map(data.get("metadata"))
    namespace = as_text(metadata.get("namespace")) or DEFAULT_NAMESPACE
    return str(data.get("kind")), namespace, as_text(metadata.get("name")) or ""


def _users(ctx: Context, after: Objects, touched: Mapping[int, Any]) -> Iterator[tuple[Manifest, Any]]:
    """Yield the workloads that are changed, or whose claims are, with the data that they then have."""
    seen: set[int] = set()
    for pod in ctx.pods:
        manifest = pod.manifest
        uses = any(
            _reference(entry, pod.manifest.ref.home) in after for entry in as_list(pod.spec.get("resourceClaims"))
        )
        if id(manifest) not in seen and (id(manifest) in touched or uses):
            seen.add(id(manifest))
            yield manifest, touched.get(id(manifest), manifest.data)


def _pods(manifest: Manifest, data: Any) -> list[PodSpec]:
    from dralign.sim.podspec import podspec_from  # noqa: PLC0415

    return [
        podspec_from({"spec": defaulted(found.spec)}, manifest.ref.home, manifest.ref.name or "")
        for row in kinds.rows_for(manifest.ref.api_version, manifest.ref.kind)
        for found in kinds.find_templates(row, data)
    ]


def defaulted(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a pod spec in which requests default to limits, as the API server stores it."""
    made = dict(spec)
    for section in ("initContainers", "containers"):
        if isinstance(spec.get(section), list):
            made[section] = [_with_requests(item) for item in spec[section]]
    return made


def _with_requests(container: Any) -> Any:
    resources = as_map(as_map(container).get("resources"))
    if not resources.get("limits"):
        return container
    requests = as_map(resources["limits"]) | as_map(resources.get("requests"))
    return {**container, "resources": {**resources, "requests": requests}}


def _eligible(estate: Estate, pod: PodSpec, objects: Objects) -> frozenset[str] | None:
    entries = as_list(pod.spec.get("resourceClaims"))
    found = [objects.get(_reference(entry, pod.namespace)) for entry in entries]
    bodies = [_body(data) for data in found if data is not None]
    if len(bodies) < len(entries):
        return None
    from dralign.sim.claims import ClaimState  # noqa: PLC0415

    states = [ClaimState(pod.namespace, str(number), claim_spec(body)) for number, body in enumerate(bodies)]
    places = {key: pod.spec.get(key) for key in ("nodeName", "nodeSelector", "affinity", "tolerations")}
    return estate.eligible(pod, states, repr((pod.requests, pod.host_ports, places, bodies)))


def _body(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the spec of a claim, or of those that a template makes."""
    spec = as_map(data.get("spec"))
    return as_map(spec.get("spec")) if data.get("kind") == "ResourceClaimTemplate" else spec


def _reference(entry: Any, namespace: str) -> Key:
    written = as_map(entry)
    template = as_text(written.get("resourceClaimTemplateName"))
    kind = "ResourceClaimTemplate" if template else "ResourceClaim"
    return kind, namespace, template or as_text(written.get("resourceClaimName")) or ""
