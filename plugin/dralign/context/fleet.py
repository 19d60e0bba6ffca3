"""The cluster as the allocator sees it: what inventory and bundle say of nodes, classes, slices and allocated claims."""

from __future__ import annotations

from dralign.context.pinning import Pinning
from dralign.lazy import lazy
from dralign.model.claim import claim_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.context.selectors import Ask
    from dralign.manifest import Manifest
    from dralign.model.claim import Claim
    from dralign.model.device import Device
    from dralign.model.inventory import ClassSpec, Inventory
    from dralign.model.workload import PodClaim, PodView
    from dralign.proof.known import Known, Machines


class Fleet(Pinning):
    """The bundle with the cluster it goes to, as far as that is known."""

    @lazy
    def has_slices(self) -> bool:
        """Whether any devices are described at all: without, only the text can prove something."""
        return bool(self.slices)

    @lazy
    def _objects(self) -> tuple[Manifest, ...]:
        """Objects of inventory and bundle; slices that the API server would refuse are not there."""
        others = (
            manifest for manifest in (*self.inventory, *self.bundle.manifests) if manifest.ref.kind != "ResourceSlice"
        )
        return (*others, *self.slices)

    @lazy
    def cluster(self) -> Inventory:
        """Nodes, classes, slices, what is taken, taint rules; classes as drivers ship them where nobody lists any."""
        from dralign.model.inventory import Inventory, inventory_from  # noqa: PLC0415 -- few runs place anything

        read = inventory_from(manifest.data for manifest in self._objects)
        classes = {spec.name: spec for spec in (*self._shipped_classes(), *read.classes.values())}
        return Inventory(
            read.slices, nodes=read.nodes.values(), classes=classes.values(), taken=read.taken, rules=read.rules
        )

    @lazy
    def devices(self) -> tuple[Device, ...]:
        """All devices of the slices of inventory and bundle: those of the cluster, so that each is read once."""
        return tuple(device for piece in self.cluster.slices for device in piece.devices) if self.slices else ()

    def _shipped_classes(self) -> Iterator[ClassSpec]:
        from dralign.model.inventory import ClassSpec  # noqa: PLC0415

        listed = any(manifest.ref.kind == "DeviceClass" for manifest in self.inventory)
        for name in () if listed else self.catalogue.classes:
            shipped = self.catalogue.shipped(name)
            if shipped is not None:
                yield ClassSpec(name, (shipped.selector,), extended_resource=shipped.extended_resource or None)

    @lazy
    def known(self) -> Known:
        """All that proofs rest on."""
        from dralign.proof.known import Aim, Drivers, Known  # noqa: PLC0415
        from dralign.sim.behaviour import behaviour  # noqa: PLC0415
        from dralign.sim.selectors import ReleaseSelectors  # noqa: PLC0415

        release, alignment = self.settings.kube_version, self.settings.alignment
        return Known(
            self.cluster,
            behaviour(release, self.gates),
            ReleaseSelectors(release, self.gates),
            Drivers(self.catalogue, self.driver_of, self.facts_of),
            self._machine_facts(),
            Aim(alignment.attribute, alignment.level),
        )

    def _machine_facts(self) -> Machines:
        """Return NUMA nodes and kubelets; where several configurations may be a kubelet's, nobody knows which."""
        from dralign.proof.known import Machines  # noqa: PLC0415

        layouts = {name: layout for name in self.node_names for layout in (self.layout_at(name),) if layout}
        if not self.kubelets:
            return Machines(layouts)
        at_nodes = {name: self.kubelets_at(name) for name in self.node_names}
        sure = {name: kubelets[0].configuration for name, kubelets in at_nodes.items() if len(kubelets) == 1}
        general = [kubelet.configuration for kubelet in self.kubelets if kubelet.nodes is None]
        known = {name: configuration for name, configuration in sure.items() if configuration is not None}
        return Machines(layouts, known, general[0] if len(general) == 1 == len(self.kubelets) else None)

    def candidates(self, ask: Ask) -> tuple[Device, ...]:
        """Return the known devices that class and request selectors of an ask take, errors aside, whatever is taken."""
        key = ask.request.device_class, ask.class_expressions, tuple(one.expression for one in ask.request.selectors)
        if key not in self._candidates:
            chain = self.chain(ask)
            self._candidates[key] = tuple(device for device in self.devices if chain.evaluate(device).value is True)
        return self._candidates[key]

    @lazy
    def _candidates(self) -> dict[Any, tuple[Device, ...]]:
        return {}

    def asks_of(self, claim: Claim) -> tuple[Ask, ...]:
        """Return the asks of one claim whose classes are known."""
        return tuple(self._asks_by_claim.get(id(claim), ()))

    @lazy
    def _asks_by_claim(self) -> dict[int, list[Ask]]:
        found: dict[int, list[Ask]] = {}
        for ask in self.asks:
            found.setdefault(id(ask.claim), []).append(ask)
        return found

    @lazy
    def _inventory_claims(self) -> Mapping[tuple[bool, str, str], Claim]:
        found = (claim_from(manifest, self._specs) for manifest in self.inventory)
        return {
            (claim.from_template, claim.manifest.ref.home, claim.manifest.ref.name or ""): claim
            for claim in found
            if claim is not None
        }

    def any_claim_of(self, pod: PodView, entry: PodClaim) -> Claim | None:
        """Return the claim or template that an entry of a pod names, of the bundle, else of the inventory."""
        own = self.claim_of(pod, entry)
        if own is not None or not self.inventory:
            return own
        name, template = entry.template_name or entry.claim_name or "", entry.template_name is not None
        return self._inventory_claims.get((template, pod.manifest.ref.home, name))
