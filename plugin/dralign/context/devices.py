"""Whose devices claims and containers ask for, by the driver catalogue."""

from __future__ import annotations

from dralign.admission.gates import features
from dralign.context.wiring import Wiring
from dralign.lazy import lazy
from dralign.model.device_class import IMPLICIT_RESOURCE
from dralign.model.driver import NUMA
from dralign.model.workload import quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from dralign.bundle import Bundle
    from dralign.cel.analysis import Facts
    from dralign.context.wiring import Surroundings
    from dralign.model.catalogue import DriverView
    from dralign.model.claim import Claim, Request
    from dralign.model.device_class import DeviceClass
    from dralign.model.workload import Container, ContainerClaim, PodClaim, PodView
    from dralign.settings import Settings


class Devices(Wiring):
    """The bundle with what the catalogue and the user's settings say of its devices."""

    def __init__(self, bundle: Bundle, settings: Settings, surroundings: Surroundings) -> None:
        super().__init__(bundle, surroundings)
        self.settings = settings
        self._views: dict[tuple[str, ...], DriverView | None] = {}
        self._asked: dict[int, tuple[Request, DriverView | None]] = {}
        self._resources: dict[Container, tuple[str, ...]] = {}

    left_to_plugins = ("nic", "cpu", "memory")
    """Devices that device plugins may go on handing out: other rules speak of their neighbourhood, none asks for claims."""

    @lazy
    def gates(self) -> frozenset[str]:
        """Feature gates that are on at the target release, with the user's own settings."""
        return features(self.settings.kube_version, self.settings.feature_gates)

    def driver_of(self, request: Request) -> DriverView | None:
        """Return which driver's devices, and which of its device types, an ask can get; None if nobody can tell."""
        if request.device_class is None:
            return None
        asked = self._asked.get(id(request))
        if asked is None:
            key = (request.device_class, *(selector.expression for selector in request.selectors))
            if key not in self._views:
                classes = self._class_expressions(request)
                self._views[key] = self.catalogue.view(key[0], classes, key[1:], self.settings.drivers)
            asked = self._asked[id(request)] = request, self._views[key]  # kept, so that its id stays its own
        return asked[1]

    @lazy
    def lists_classes(self) -> bool:
        """Whether the inventory says which DeviceClasses the cluster has."""
        return any(manifest.ref.kind == "DeviceClass" for manifest in self.inventory)

    @lazy
    def known_classes(self) -> frozenset[str]:
        """Names of the DeviceClasses that are there; drivers' own count, unless the inventory lists the cluster's."""
        return frozenset(self.classes) | (frozenset() if self.lists_classes else frozenset(self.catalogue.classes))

    def class_view(self, known: DeviceClass) -> DriverView | None:
        """Return which devices a class of the bundle stands for."""
        expressions = tuple(selector.expression for selector in known.selectors)
        return self.catalogue.view(known.name, expressions, (), self.settings.drivers)

    def class_facts(self, known: DeviceClass) -> Facts:
        """Return what the selectors of a class say of every device that meets them."""
        return _facts(tuple(selector.expression for selector in known.selectors))

    def class_selectors(self, name: str) -> tuple[str, ...] | None:
        """Return the selectors of a class: as the bundle or inventory has it, else as its driver ships it."""
        known = self.classes.get(name)
        if known is not None:
            return tuple(selector.expression for selector in known.selectors)
        shipped = self.catalogue.shipped(name)
        return (shipped.selector,) if shipped is not None else None

    def facts_of(self, request: Request) -> Facts:
        """Return what the selectors of an ask say of every device that it can get, its class's first."""
        own = tuple(selector.expression for selector in request.selectors)
        return _facts((*(self.class_selectors(request.device_class or "") or ()), *own))

    def _class_expressions(self, request: Request) -> tuple[str, ...] | None:
        known = self.classes.get(request.device_class or "")
        return tuple(selector.expression for selector in known.selectors) if known else None

    def view_of_class(self, name: str) -> DriverView | None:
        """Return which devices a class of the bundle, or shipped with a driver, stands for."""
        known = self.classes.get(name)
        return self.class_view(known) if known else self.catalogue.view(name, None, (), self.settings.drivers)

    def common_numa_attribute(self, classes: Iterable[str]) -> str | None:
        """Return a NUMA attribute that the devices of all classes publish, the wanted one first; None if there is none."""
        views = [self.view_of_class(name) for name in classes]
        names = (self.settings.alignment.attribute, *(name for view in views if view for name in view.attributes(NUMA)))
        fitting = (name for name in names if all(view and view.published(name) for view in views))
        return next(fitting, None)

    def twin_of(self, resource: str) -> tuple[str, str] | None:
        """Return DeviceClass and selector that get the same devices as an extended resource; None if nothing does."""
        served = self.class_behind(resource)
        known = self.catalogue.legacy(resource)
        if served is not None:
            return served, ""
        if known is None or known.resource.device_class is None:
            return None
        return known.resource.device_class, known.resource.selector

    def devices_of(self, claim: Claim, request: str | None = None) -> tuple[str | None, ...]:
        """Return for each ask of a claim, or of one of its requests, what its devices are; None where nobody can tell.

        Admin access holds nothing, so that such an ask is none.
        """
        asked = (item for item in claim.requests if request in (None, item.name))
        views = (self.driver_of(leaf) for item in asked for leaf in item.leaves() if not leaf.admin_access)
        return tuple(view.device if view else None for view in views)

    def serves_pods(self, pod: PodView, entry: PodClaim) -> bool:
        """Say whether the drivers of a claim give its devices to the pod as a whole, so that no container names it."""
        claim = self.claim_of(pod, entry)
        leaves = claim.spec.leaves if claim else ()
        views = [self.driver_of(leaf) for leaf in leaves]
        return bool(views) and all(view and view.profile and view.profile.serves_pods for view in views)

    def claims_cpus(self, pod: PodView) -> bool:
        """Say whether a claim of the pod takes CPUs, so that a driver pins them and not the kubelet."""
        return any("cpu" in self.devices_of(claim) for claim in self.claims_of(pod))

    def class_behind(self, resource: str) -> str | None:
        """Return the DeviceClass that serves an extended resource by DRA, as far as the bundle says; None if none."""
        if resource.startswith(IMPLICIT_RESOURCE):
            return resource.removeprefix(IMPLICIT_RESOURCE)
        served = self.extended_resources.get(resource)
        return served.name if served else None

    def legacy_resources(self, container: Container) -> tuple[str, ...]:
        """Return the extended resources of a container that ask for accelerators, partitions or NICs; none of them 0."""
        known = self._resources.get(container)
        if known is None:
            asked = (name for name in container.resources if self._is_device(name) and not _is_zero(container, name))
            known = self._resources[container] = tuple(asked)
        return known

    def _is_device(self, resource: str) -> bool:
        return self.catalogue.legacy(resource) is not None or self.class_behind(resource) is not None

    def holds_devices(self, pod: PodView) -> bool:
        """Say whether any container of the pod holds a device, by claim or by extended resource."""
        held = self._holding.get(id(pod))
        if held is None:
            held = any(self.container_holds_devices(pod, container) for container in pod.containers)
            self._holding[id(pod)] = held
        return held

    @lazy
    def _holding(self) -> dict[int, bool]:
        """Keep the answer for the pods of the bundle, by identity: they live as long as this does."""
        return {}

    def container_holds_devices(self, pod: PodView, container: Container) -> bool:
        """Say whether one container holds a device whose place matters, by claim or by extended resource."""
        return any(self._brings_devices(pod, entry) for entry in container.claims) or bool(
            self.legacy_resources(container)
        )

    def _brings_devices(self, pod: PodView, entry: ContainerClaim) -> bool:
        """Say whether a container's claim brings devices; admin access and devices without topology are none.

        What a claim outside of the bundle brings is not known, and counts; an entry that is not declared brings nothing.
        """
        declared = pod.claim_named(entry.name)
        claim = self.claim_of(pod, declared) if declared else None
        if claim is None:
            return declared is not None and not self.is_made(pod, declared)
        asked = (request for request in claim.requests if entry.request in (None, request.name))
        leaves = [leaf for request in asked for leaf in request.leaves()]
        return not leaves or not all(leaf.admin_access or self._has_no_topology(leaf) for leaf in leaves)

    def _has_no_topology(self, leaf: Request) -> bool:
        view = self.driver_of(leaf)
        return view is not None and view.profile is not None and view.profile.skip

    def is_bystander(self, pod: PodView, container: Container) -> bool:
        """Say whether a container of the pod holds no device while another one does; the pod as a whole is none."""
        if all(container is not other for other in pod.containers):
            return False
        others = (other for other in pod.containers if other is not container)
        held = (self.container_holds_devices(pod, other) for other in others)
        return not self.container_holds_devices(pod, container) and any(held)


def _facts(expressions: tuple[str, ...]) -> Facts:
    from dralign.cel.analysis import facts  # noqa: PLC0415 -- most bundles hold no claim, and so no expression

    return facts(expressions)


def _is_zero(container: Container, resource: str) -> bool:
    amount = quantity(container.limits.get(resource, container.requests.get(resource)))
    return amount is not None and not amount
