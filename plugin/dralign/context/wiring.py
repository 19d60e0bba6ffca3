"""What the bundle holds, and which pods use which claims."""

from __future__ import annotations

from dralign import kinds
from dralign.kinds.claims import TEMPLATE
from dralign.lazy import lazy
from dralign.manifest import as_text
from dralign.model.claim import claim_from
from dralign.model.device_class import device_class_from
from dralign.model.workload import PodView
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.bundle import Bundle
    from dralign.context.stock import Stock
    from dralign.manifest import Manifest
    from dralign.model.catalogue import Catalogue
    from dralign.model.claim import Claim, ClaimSpec
    from dralign.model.device_class import DeviceClass
    from dralign.model.slice import Slice
    from dralign.model.workload import PodClaim


class ClaimUse(Record):
    """One pod template that names a claim or template, and its entry in ``spec.resourceClaims``."""

    pod: PodView
    entry: PodClaim


class Surroundings(Record):
    """What is known beside the bundle: the catalogue of drivers, objects that tell of the cluster, and earlier versions."""

    catalogue: Catalogue
    inventory: Stock
    previous: tuple[Manifest, ...] = ()


class Wiring:
    """The bundle as claims, classes and pods, each read once, and their references to each other."""

    def __init__(self, bundle: Bundle, surroundings: Surroundings) -> None:
        self.bundle = bundle
        self.surroundings = surroundings
        self.catalogue = surroundings.catalogue
        self.stock = surroundings.inventory
        self.inventory = self.stock.manifests
        self.previous = surroundings.previous

    if TYPE_CHECKING:

        @lazy
        def slices(self) -> tuple[Slice, ...]:
            """All ResourceSlices that are there; which those are is told further up, where objects are reviewed."""

    @lazy
    def pods(self) -> tuple[PodView, ...]:
        """All pod templates, in order; those of list items included."""
        return tuple(
            PodView(manifest, found)
            for manifest in self.bundle.manifests
            for row in kinds.rows_for(manifest.ref.api_version, manifest.ref.kind)
            for found in kinds.find_templates(row, manifest.data)
        )

    @lazy
    def claims(self) -> tuple[Claim, ...]:
        """All ResourceClaims and ResourceClaimTemplates that carry a spec, in order; equal specs are one object."""
        found = (claim_from(manifest, self._specs) for manifest in self.bundle.manifests)
        return tuple(claim for claim in found if claim is not None)

    @lazy
    def _specs(self) -> dict[object, ClaimSpec]:
        return {}

    @lazy
    def classes(self) -> Mapping[str, DeviceClass]:
        """DeviceClasses by name, those of the inventory first; of two with one name the later counts, as in a cluster."""
        found = (device_class_from(manifest) for manifest in (*self.inventory, *self.bundle.manifests))
        return {item.name: item for item in found if item is not None}

    @lazy
    def _input(self) -> frozenset[int]:
        return frozenset(id(manifest) for manifest in self.bundle.manifests)

    def is_input(self, manifest: Manifest) -> bool:
        """Say whether an object is part of the bundle, and not of the inventory, which is looked at and never judged."""
        return id(manifest) in self._input

    @lazy
    def extended_resources(self) -> Mapping[str, DeviceClass]:
        """DeviceClasses of the bundle by the extended resource that they serve (KEP-5004)."""
        return {item.extended_resource: item for item in self.classes.values() if item.extended_resource}

    @lazy
    def _pods_by_object(self) -> Mapping[int, tuple[PodView, ...]]:
        found: dict[int, list[PodView]] = {}
        for pod in self.pods:
            found.setdefault(id(pod.manifest), []).append(pod)
        return {key: tuple(value) for key, value in found.items()}

    def pods_of(self, manifest: Manifest) -> tuple[PodView, ...]:
        """Return the pod templates of an object."""
        return self._pods_by_object.get(id(manifest), ())

    def templates_of(self, manifest: Manifest) -> tuple[Any, ...]:
        """Return the metadata of the pod templates of an object."""
        return tuple(pod.metadata for pod in self.pods_of(manifest))

    @lazy
    def _claims_by_name(self) -> Mapping[tuple[bool, str, str], Claim]:
        return {
            (claim.from_template, claim.manifest.ref.home, claim.manifest.ref.name or ""): claim
            for claim in self.claims
        }

    def claim_of(self, pod: PodView, entry: PodClaim) -> Claim | None:
        """Return the claim or template of the bundle that an entry of ``spec.resourceClaims`` names.

        There are no references across namespaces; objects that name none are in ``default``.
        """
        name = entry.template_name or entry.claim_name or ""
        return self._claims_by_name.get((entry.template_name is not None, pod.manifest.ref.home, name))

    def claims_of(self, pod: PodView) -> tuple[Claim, ...]:
        """Return the claims and templates of the bundle that a pod names."""
        return tuple(claim for claim in (self.claim_of(pod, entry) for entry in pod.claims) if claim is not None)

    def has_template(self, user: Manifest, name: str) -> bool:
        """Say whether the bundle holds a claim template of that name in the namespace of ``user``."""
        return (True, user.ref.home, name) in self._claims_by_name

    @lazy
    def _made(self) -> frozenset[tuple[str, str, str]]:
        return frozenset(
            (kind, manifest.ref.home, name)
            for manifest in self.bundle.manifests
            for kind, name, _ in kinds.made_claims(manifest.ref.api_version, manifest.ref.kind, manifest.data)
        )

    def is_made(self, pod: PodView, entry: PodClaim) -> bool:
        """Say whether an object of the bundle makes its controller create the claim or template that an entry names."""
        kind = "ResourceClaimTemplate" if entry.template_name else "ResourceClaim"
        name = entry.template_name or entry.claim_name or ""
        return (kind, pod.manifest.ref.home, name) in self._made

    def unallocated(self, pod: PodView) -> tuple[str, PodClaim] | None:
        """Return the node of a pod that passes by the scheduler, and a claim that nobody allocates for it, else None.

        That is a pod with a nodeName and a claim made from a template. One as a cluster returns it was bound by the
        scheduler.
        """
        node, entry = as_text(pod.spec.get("nodeName")), next((one for one in pod.claims if one.template_name), None)
        if not node or entry is None or pod.manifest.get(("metadata", "uid")) or pod.manifest.get(("status",)):
            return None
        return node, entry

    def is_there(self, user: Manifest, kind: str, name: str) -> bool:
        """Say whether the bundle holds a claim or template that an object can name, or makes a controller create it."""
        home = user.ref.home
        return (kind == TEMPLATE, home, name) in self._claims_by_name or (kind, home, name) in self._made

    @lazy
    def _uses(self) -> Mapping[int, tuple[ClaimUse, ...]]:
        found: dict[int, list[ClaimUse]] = {}
        for pod in self.pods:
            for entry in pod.claims:
                claim = self.claim_of(pod, entry)
                if claim is not None:
                    found.setdefault(id(claim), []).append(ClaimUse(pod, entry))
        return {key: tuple(value) for key, value in found.items()}

    def uses_of(self, claim: Claim) -> tuple[ClaimUse, ...]:
        """Return the pod templates of the bundle that use a claim."""
        return self._uses.get(id(claim), ())

    @lazy
    def _namespace_objects(self) -> Mapping[str, Manifest]:
        found = (manifest for manifest in self.bundle.manifests if manifest.ref.kind == "Namespace")
        return {manifest.ref.name or "": manifest for manifest in found if not manifest.group}

    def namespace_of(self, pod: PodView) -> Manifest | None:
        """Return the Namespace object of the bundle that a pod lives in."""
        return self.namespace_around(pod.manifest)

    def namespace_around(self, manifest: Manifest) -> Manifest | None:
        """Return the Namespace object of the bundle that an object lives in."""
        return self._namespace_objects.get(manifest.ref.namespace or "")
