"""Extended resources of device plugins rewritten as claims: a template before the workload, and its pod wired to it.

One template per shape of ask and namespace, named by its content, so that equal workloads share it and a second run makes
nothing new. Amounts on a device (HAMi's gpumem and the like) and replicas of time-slicing have no twin: a container with
one of those is left as it is.
"""

from __future__ import annotations

from zlib import crc32

from dralign.admission.served import served
from dralign.edit import Append, Remove
from dralign.finding import NewManifest, Patch
from dralign.fixes.alignment import zone_selector
from dralign.fixes.placement import metadata_for
from dralign.model.claim import GROUP, nests_requests
from dralign.model.workload import quantity
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from dralign.context import Context
    from dralign.finding import Fix
    from dralign.manifest import Manifest
    from dralign.model.workload import Container, PodView

LABEL_LENGTH = 63
"""Longest DNS label, which names of claims, requests and pod claims are (RFC 1123)."""

MOST_ON_ONE_NODE = 7
"""From eight GPUs on no usual machine has them on one NUMA node: then the constraint is left out and the finding stays."""


class Ask(Record):
    """One extended resource of one container as a request of a claim."""

    resource: str
    device_class: str
    selector: str
    count: int


def rewrite(ctx: Context, pod: PodView) -> Fix | None:
    """Return the fix that turns the extended resources of a pod into claims; the same object for every caller.

    None where nothing of it can be rewritten: the pod template is not written out, or no resource has a twin.
    """
    return ctx.shared_fix(("legacy", id(pod)), lambda: _rewrite(ctx, pod))


def _rewrite(ctx: Context, pod: PodView) -> Fix | None:
    asked = [(container, asks_of(ctx, container)) for container in pod.containers]
    asked = [(container, asks) for container, asks in asked if asks]
    if not asked or not pod.written:
        return None
    patches: list[Patch | NewManifest] = []
    names = {claim.name for claim in pod.claims}
    given: list[tuple[Sequence[Ask], str]] = []
    made: dict[str, NewManifest] = {}
    for container, asks in sorted(asked, key=lambda pair: pair[0].kind == "init"):
        name = _claim_of_app(given, asks) if container.kind == "init" else None
        if name is None:
            template = _template(ctx, pod, asks)
            name = _free_name(_claim_name(asks, container, several=len(asked) > 1), names)
            given.append((asks, name))
            if not ctx.has_template(pod.manifest, template["metadata"]["name"]):
                made.setdefault(template["metadata"]["name"], NewManifest(pod.manifest, template))
            entry = {"name": name, "resourceClaimTemplateName": template["metadata"]["name"]}
            patches.append(Patch(pod.manifest, Append(pod.path / "resourceClaims", entry)))
        patches += _rewire(pod.manifest, container, [ask.resource for ask in asks], name)
    titles = dict.fromkeys(ask.resource for _, asks in asked for ask in asks)
    return ctx.alignment_fix(f"claim {', '.join(titles)} by DRA", [*made.values(), *patches])


def asks_of(ctx: Context, container: Container) -> tuple[Ask, ...]:
    """Return what of a container's extended resources a claim can say; empty as soon as one has no twin."""
    asks = []
    for name in ctx.legacy_resources(container):
        known = ctx.catalogue.legacy(name)
        if known is None or known.resource.device in ctx.left_to_plugins:
            continue
        amount = quantity(container.limits.get(name, container.requests.get(name)))
        if known.resource.device_class is None or amount is None or not amount.is_whole:
            return ()
        asks.append(Ask(name, known.resource.device_class, known.resource.selector, amount.ceil()))
    return tuple(asks)


def _claim_of_app(given: Sequence[tuple[Sequence[Ask], str]], asks: Sequence[Ask]) -> str | None:
    """Return the claim of an app container that brings at least what an init container asks for.

    Device plugins let init containers use the devices of those that come after them; a claim of their own would take
    more devices than before.
    """
    for others, name in given:
        rest = {ask.resource: ask.count for ask in others}
        if all(ask.count <= rest.get(ask.resource, 0) for ask in asks):
            return name
    return None


def _rewire(manifest: Manifest, container: Container, resources: Sequence[str], claim: str) -> Iterator[Patch]:
    """Yield the patches that take extended resources off a container and give it a claim."""
    yield Patch(manifest, Append(container.resources_path / "claims", {"name": claim}))
    yield from take_off(manifest, container, resources)


def take_off(manifest: Manifest, container: Container, resources: Sequence[str]) -> Iterator[Patch]:
    """Yield the patches that remove resources from limits and requests; a section that they empty goes with them."""
    for section, amounts in (("limits", container.limits), ("requests", container.requests)):
        at = container.resources_path / section
        present = [name for name in amounts if name in resources]
        if present and len(present) == len(amounts):
            yield Patch(manifest, Remove(at))
        else:
            yield from (Patch(manifest, Remove(at / name)) for name in present)


def _template(ctx: Context, pod: PodView, asks: Sequence[Ask]) -> dict[str, Any]:
    """Return the ResourceClaimTemplate for what a container asks, in the newest version that the release serves."""
    version = served(f"{GROUP}/v1", "ResourceClaimTemplate", ctx.settings.kube_version).use or f"{GROUP}/v1"
    requests = [_request(ctx, ask, nested=nests_requests(version)) for ask in asks]
    devices: dict[str, Any] = {"requests": requests}
    counts = [ask.count for ask in asks]
    if ctx.settings.alignment.strategy == "constraint" and sum(counts) > 1 and max(counts) <= MOST_ON_ONE_NODE:
        attribute = ctx.settings.alignment.attribute
        if all(ctx.class_publishes(ask.device_class, attribute) for ask in asks):
            names = [request["name"] for request in requests]
            devices["constraints"] = [{"matchAttribute": attribute, "requests": names}]
    metadata = metadata_for(pod.manifest)
    metadata["name"] = _template_name(asks, devices, metadata.get("annotations", {}))
    return {
        "apiVersion": version,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": metadata.pop("name"), **metadata},
        "spec": {"spec": {"devices": devices}},
    }


def _request(ctx: Context, ask: Ask, *, nested: bool) -> dict[str, Any]:
    body: dict[str, Any] = {"deviceClassName": ask.device_class}
    expressions = [ask.selector] if ask.selector else []
    wanted = ctx.settings.alignment
    if wanted.strategy == "pin":
        expressions.append(zone_selector(wanted.attribute, wanted.zone or 0, ctx.gates))
    if ask.count > 1:
        body["count"] = ask.count
    if expressions:
        body["selectors"] = [{"cel": {"expression": expression}} for expression in expressions]
    name = {"name": _slug(ask.resource)}
    return name | ({"exactly": body} if nested else body)


def _slug(resource: str) -> str:
    """Return a DNS label for a resource name: ``nvidia.com/mig-1g.10gb`` is ``mig-1g-10gb``."""
    text = resource.rpartition("/")[2].lower()
    label = "".join(char if char.isascii() and char.isalnum() else "-" for char in text)
    return label.strip("-")[:LABEL_LENGTH] or "device"


def _template_name(asks: Sequence[Ask], devices: dict[str, Any], annotations: dict[str, str]) -> str:
    """Name a template by what it holds; a hook's template is never shared with one that stays."""
    hooks = {key: value for key, value in annotations.items() if key.startswith(("helm.sh/", "argocd.argoproj.io/"))}
    digest = f"{crc32(repr([devices, hooks]).encode()):08x}"
    stem = "-".join(_slug(ask.resource) + (f"-x{ask.count}" if ask.count > 1 else "") for ask in asks)
    return f"{stem[: LABEL_LENGTH - 9].rstrip('-')}-{digest}"


def _claim_name(asks: Sequence[Ask], container: Container, *, several: bool) -> str:
    slug = _slug(asks[0].resource)
    return f"{container.name}-{slug}"[:LABEL_LENGTH].rstrip("-") if several else slug


def _free_name(wanted: str, taken: set[str]) -> str:
    """Return the wanted name, with a number behind it where it is taken, and take it."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted[: LABEL_LENGTH - 3]}-{number}", number + 1
    taken.add(name)
    return name
