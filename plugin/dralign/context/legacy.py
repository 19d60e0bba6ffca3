"""Extended resources that stand for devices, wherever objects ask for them."""

from __future__ import annotations

from dralign import kinds
from dralign.context.plugins import meaning_for, meanings
from dralign.context.ties import Ties
from dralign.lazy import lazy
from dralign.manifest import Path, as_map
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dralign.context.plugins import Meaning
    from dralign.manifest import Manifest
    from dralign.model.claim import Claim
    from dralign.model.plugin_names import LegacyResource
    from dralign.model.workload import Container, PodView


class LegacyUse(Record):
    """One extended resource that stands for a device, where it is asked for.

    Attributes:
        manifest: the object.
        path: of the amount.
        resource: its name.
        known: what the catalogue says of it; None where only a class of the bundle serves it.
        served_by: DeviceClass of the bundle that serves it by DRA; None where a device plugin must.
        pod: the pod template; None for kinds that take resources outside of one.
        container: the container; None likewise.
        claimed: kinds of devices that the pod has by claim, as people write them.
        claimed_here: whether the container itself claims this kind of device.
    """

    manifest: Manifest
    path: Path
    resource: str
    known: LegacyResource | None
    served_by: str | None
    pod: PodView | None
    container: Container | None
    claimed: tuple[str, ...]
    claimed_here: bool

    @property
    def who(self) -> str:
        """Who asks: the container, or the object itself."""
        return f"container '{self.container.name}'" if self.container else self.manifest.ref.kind

    @property
    def device(self) -> str:
        """What kind of device it is, as people write it."""
        return self.known.device.upper() if self.known else "device"

    @property
    def one_device(self) -> str:
        """One such device, with its article."""
        return f"{'an' if self.device == 'NPU' else 'a'} {self.device}"

    @property
    def beside_claim(self) -> bool:
        """Whether the pod has the same kind of device by claim too."""
        return self.device in self.claimed


class LegacyUses(Ties):
    """The bundle with what of it asks device plugins."""

    def legacy_uses(self) -> tuple[LegacyUse, ...]:
        """Return every extended resource of the bundle that stands for a device, in order; none of them 0."""
        return self._legacy_uses

    @lazy
    def _meanings(self) -> Mapping[str, Meaning]:
        return meanings(self.inventory)

    def meaning_of(self, resource: str, pod: PodView | None) -> Meaning | None:
        """Return what an extended resource is where a pod goes, by its node selector, else by the nodes of the inventory.

        None where that is a whole device, or nobody can tell.
        """
        chosen = meaning_for(resource, as_map(pod.spec.get("nodeSelector"))) if pod else None
        return chosen or self._meanings.get(resource)

    @lazy
    def _legacy_uses(self) -> tuple[LegacyUse, ...]:
        in_pods = (
            self._legacy_use(pod, container, resource)
            for pod in self.pods
            for container in pod.containers
            for resource in self.legacy_resources(container)
        )
        return (*in_pods, *self._loose_uses())

    def _legacy_use(self, pod: PodView, container: Container, resource: str) -> LegacyUse:
        known = self.catalogue.legacy(resource)
        claims = [(claim, None) for claim in self.claims_of(pod)]
        here = [
            (claim, entry.request)
            for entry in container.claims
            for declared in (pod.claim_named(entry.name),)
            for claim in ((self.claim_of(pod, declared),) if declared else ())
            if claim is not None
        ]
        device = known.resource.device.upper() if known else ""
        return LegacyUse(
            manifest=pod.manifest,
            path=container.amount_path(resource),
            resource=resource,
            known=known.resource if known else None,
            served_by=self.class_behind(resource),
            pod=pod,
            container=container,
            claimed=self._devices_in(claims),
            claimed_here=device in self._devices_in(here),
        )

    def _devices_in(self, claims: Iterable[tuple[Claim, str | None]]) -> tuple[str, ...]:
        devices = (device for claim, request in claims for device in self.devices_of(claim, request))
        return tuple(dict.fromkeys(device.upper() for device in devices if device))

    def _loose_uses(self) -> Iterator[LegacyUse]:
        """Yield the extended resources that kinds take outside of any pod template; limits and equal requests are one."""
        for manifest in self.bundle.manifests:
            seen: set[tuple[str | int, ...]] = set()
            for row in kinds.rows_for(manifest.ref.api_version, manifest.ref.kind):
                for path, resource, _ in kinds.loose_resources(row, manifest.data):
                    known, served = self.catalogue.legacy(resource), self.class_behind(resource)
                    place = tuple("limits" if part == "requests" else part for part in path)
                    if (known or served) and place not in seen:
                        seen.add(place)
                        told = known.resource if known else None
                        yield LegacyUse(manifest, Path(path), resource, told, served, None, None, (), False)
