"""Vendor parameters of the bundle: where they stand, and for whose devices."""

from __future__ import annotations

from dralign.manifest import Path, as_list, as_map, as_text
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.context import Context
    from dralign.manifest import Manifest
    from dralign.model.catalogue import DriverView
    from dralign.model.claim import Claim, Request


class OpaqueEntry(Record):
    """One ``config[].opaque`` of a claim, template or class.

    Attributes:
        manifest: the object.
        at: path of ``opaque``.
        driver: whom the parameters are for.
        claim: the claim; None for a class.
        leaves: the asks that it is for; () for a class.
        views: whose devices they can get, or those of the class; None where nobody can tell.
        named: whether it names its requests; a driver then applies it to whatever they got.
        beside: whose devices the other requests of the claim can get; None likewise. A driver that serves any request
            of a claim is handed the parameters of all.
    """

    manifest: Manifest
    at: Path
    driver: str
    claim: Claim | None
    leaves: tuple[Request, ...]
    views: tuple[DriverView | None, ...]
    named: bool
    beside: tuple[DriverView | None, ...] = ()

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters; empty where they are no object, which is for the API server to say."""
        return as_map(self.manifest.get(self.at / "parameters"))


def opaque_entries(ctx: Context) -> Iterator[OpaqueEntry]:
    """Yield the vendor parameters of classes, claims and templates of the input."""
    for known in ctx.classes.values():
        if ctx.is_input(known.manifest):
            for i, item in _items(known.manifest, Path(("spec", "config"))):
                at = Path(("spec", "config", i, "opaque"))
                yield OpaqueEntry(known.manifest, at, _driver(item), None, (), (ctx.class_view(known),), named=True)
    for claim in ctx.claims:
        at = claim.spec.path / "devices" / "config"
        for i, item in _items(claim.manifest, at):
            wanted = [name for name in as_list(item.get("requests")) if isinstance(name, str)]
            leaves = _leaves(claim, wanted)
            views = tuple(ctx.driver_of(leaf) for leaf in leaves)
            beside = tuple(ctx.driver_of(leaf) for leaf in claim.spec.leaves if leaf not in leaves)
            place = at / i / "opaque"
            yield OpaqueEntry(claim.manifest, place, _driver(item), claim, leaves, views, bool(wanted), beside)


def _items(manifest: Manifest, at: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the entries that name a driver as drivers are named."""
    entries = ((i, as_map(item)) for i, item in enumerate(as_list(manifest.get(at))))
    return ((i, item) for i, item in entries if _driver(item) and "/" not in _driver(item))


def _driver(item: dict[str, Any]) -> str:
    return as_text(as_map(item.get("opaque")).get("driver")) or ""


def _leaves(claim: Claim, wanted: list[str]) -> tuple[Request, ...]:
    return tuple(
        leaf
        for request in claim.requests
        for leaf in request.leaves()
        if not wanted or request.name in wanted or f"{request.name}/{leaf.name}" in wanted
    )
