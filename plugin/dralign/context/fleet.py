"""The cluster as the allocator sees it: what inventory and bundle say of nodes, classes, slices and allocated claims."""

from __future__ import annotations

from dralign.context.pinning import Pinning
from dralign.context.stock import is_slice
from dralign.lazy import lazy
from dralign.model.claim import claim_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.context.selectors import Ask
    from dralign.model.claim import Claim
    from dralign.model.device import Device
    from dralign.model.inventory import ClassSpec, Inventory
    from dralign.model.slice import Slice
    from dralign.model.workload import PodClaim, PodView
    from dralign.proof.known import Known, Machines


class Fleet(Pinning):
    """The bundle with the cluster it goes to, as far as that is known."""

    @lazy
    def has_slices(self) -> bool:
        """Whether any devices are described at all: without, only the text can prove something."""
        return bool(self.stock.slices or self.own_slices)

    @lazy
    def slices(self) -> tuple[Slice, ...]:
        """All ResourceSlices of inventory and bundle that the API server takes: the devices of others are not there."""
        return self.cluster.slices if self.has_slices else ()

    @lazy
    def cluster(self) -> Inventory:
        """Nodes, classes, slices, what is taken, taint rules; classes as drivers ship them where nobody lists any."""
        from dralign.model.inventory import inventory_from  # noqa: PLC0415 -- few runs place anything

        known = self.stock.inventory
        own = inventory_from((m.data for m in self.bundle.manifests if not is_slice(m)), self.own_slices)
        classes = (*self._shipped_classes(), *known.classes.values(), *own.classes.values())
        return known.replaced(
            slices=(*known.slices, *own.slices) if own.slices else known.slices,
            nodes=(*known.nodes.values(), *own.nodes.values()),
            classes=classes,
            taken=(*known.taken, *own.taken),
            rules=(*known.rules, *own.rules),
        )

    def _shipped_classes(self) -> Iterator[ClassSpec]:
        from dralign.model.inventory import ClassSpec  # noqa: PLC0415

        listed = any(manifest.ref.kind == "DeviceClass" for manifest in self.inventory)
        for name in () if listed else self.catalogue.classes:
            shipped = self.catalogue.shipped(name)
            if shipped is not None:
                yield ClassSpec(name, (shipped.selector,), extended_resource=shipped.extended_resource or None)

    @lazy
    def known(self) -> Known:
        """All that proofs rest on; the same for all states of a bundle that say the same of the cluster."""
        from dralign.proof.known import Aim, Drivers, Known  # noqa: PLC0415
        from dralign.sim.behaviour import behaviour  # noqa: PLC0415
        from dralign.sim.selectors import ReleaseSelectors  # noqa: PLC0415

        machines, aim = self._machine_facts(), Aim(self.settings.alignment.attribute, self.settings.alignment.level)
        before = self.stock.known
        if before is not None and before.rests_on(self.cluster, machines, aim):
            return before
        release = self.settings.kube_version
        self.stock.known = Known(
            self.cluster,
            behaviour(release, self.gates),
            ReleaseSelectors(release, self.gates),
            Drivers(self.catalogue, self.driver_of, self.facts_of),
            machines,
            aim,
        )
        return self.stock.known

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
