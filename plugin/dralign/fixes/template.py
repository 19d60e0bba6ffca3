"""The ResourceClaimTemplate for what one container takes: devices and, where asked for, its CPUs and memory.

It is named by its content, so that equal containers share it and a second run makes nothing new.
"""

from __future__ import annotations

from zlib import crc32

from dralign.admission.served import served
from dralign.fixes import alignment, cpus
from dralign.fixes.placement import metadata_for
from dralign.model.claim import GROUP, nests_requests
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.context import Context
    from dralign.manifest import Manifest

LABEL_LENGTH = 63
"""Longest DNS label, which names of claims, requests and pod claims are (RFC 1123)."""


class Ask(Record):
    """One extended resource of one container as a request of a claim, and what that is called."""

    resource: str
    device_class: str
    selector: str
    count: int
    name: str


class Take(Record):
    """What one container takes: devices, and the CPUs and memory that are claimed with them.

    ``tied`` False: nothing is to put them on one NUMA node, since no node could.
    """

    asks: tuple[Ask, ...]
    beside: tuple[cpus.Beside, ...] = ()
    tied: bool = True

    @property
    def classes(self) -> tuple[str, ...]:
        """DeviceClasses of the devices."""
        return tuple(ask.device_class for ask in self.asks)

    @property
    def all_classes(self) -> tuple[str, ...]:
        """DeviceClasses of all that is claimed."""
        return (*self.classes, *(item.device_class for item in self.beside))

    @property
    def is_large(self) -> bool:
        """Whether that many devices are on no usual NUMA node."""
        return max(ask.count for ask in self.asks) > alignment.MOST_ON_ONE_NODE


def template(ctx: Context, user: Manifest, take: Take) -> dict[str, Any]:
    """Return the template, in the newest version that the release serves, for the namespace and hooks of its user."""
    version = served(f"{GROUP}/v1", "ResourceClaimTemplate", ctx.settings.kube_version).use or f"{GROUP}/v1"
    nested = nests_requests(version)
    place = _place(ctx, take)
    requests = [_request(ctx, ask, place, nested=nested) for ask in take.asks]
    requests += [item.request(nested=nested) for item in take.beside]
    devices: dict[str, Any] = {"requests": requests}
    if place.tied:
        names = [request["name"] for request in requests]
        devices["constraints"] = [{"matchAttribute": place.attribute, "requests": names}]
    metadata = metadata_for(user)
    return {
        "apiVersion": version,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": _name(take, devices, metadata.get("annotations", {})), **metadata},
        "spec": {"spec": {"devices": devices}},
    }


class _Place(Record):
    """How devices get onto one NUMA node: literal ones, alternatives where there are several, and a constraint."""

    attribute: str
    zones: tuple[int, ...]
    tied: bool


def _place(ctx: Context, take: Take) -> _Place:
    """Return how the devices of a template are to be aligned, as far as that was asked for and can be."""
    strategy = ctx.settings.alignment.strategy
    attribute = ctx.common_numa_attribute(take.all_classes)
    if strategy is None or attribute is None or take.is_large or not take.tied:
        return _Place("", (), tied=False)
    several = sum(ask.count for ask in take.asks) + len(take.beside) > 1
    if strategy != "pin":
        return _Place(attribute, (), tied=several)
    zones = alignment.zones(ctx, take.classes, attribute)
    # a literal zone ties all devices; of several each request can take another
    return _Place(attribute, zones, tied=len(zones) > 1 and len(take.all_classes) > 1)


def _request(ctx: Context, ask: Ask, place: _Place, *, nested: bool) -> dict[str, Any]:
    named = {"name": ask.name}
    if len(place.zones) > 1:
        bodies = [{"name": f"numa-{zone}", **_body(ctx, ask, place.attribute, zone)} for zone in place.zones]
        return named | {"firstAvailable": bodies}
    body = _body(ctx, ask, place.attribute, *place.zones)
    return named | ({"exactly": body} if nested else body)


def _body(ctx: Context, ask: Ask, attribute: str, *zone: int) -> dict[str, Any]:
    body: dict[str, Any] = {"deviceClassName": ask.device_class}
    expressions = [ask.selector] if ask.selector else []
    expressions += [alignment.zone_selector(attribute, number, ctx.gates) for number in zone]
    if ask.count > 1:
        body["count"] = ask.count
    if expressions:
        body["selectors"] = [{"cel": {"expression": expression}} for expression in expressions]
    return body


def slug(resource: str) -> str:
    """Return a DNS label for a resource name: ``nvidia.com/mig-1g.10gb`` is ``mig-1g-10gb``."""
    text = resource.rpartition("/")[2].lower()
    label = "".join(char if char.isascii() and char.isalnum() else "-" for char in text)
    return label.strip("-")[:LABEL_LENGTH] or "device"


def _name(take: Take, devices: dict[str, Any], annotations: dict[str, str]) -> str:
    """Name a template by what it holds; a hook's template is never shared with one that stays."""
    hooks = {key: value for key, value in annotations.items() if key.startswith(("helm.sh/", "argocd.argoproj.io/"))}
    digest = f"{crc32(repr([devices, hooks]).encode()):08x}"
    stem = "-".join(ask.name + (f"-x{ask.count}" if ask.count > 1 else "") for ask in take.asks)
    stem += "".join(f"-{item.name}" for item in take.beside)
    return f"{stem[: LABEL_LENGTH - 9].rstrip('-')}-{digest}"
