"""Who pins CPUs and memory: the kubelets, a driver, or nobody."""

from __future__ import annotations

from dralign.context.kubelets import Kubelets
from dralign.finding import Related
from dralign.lazy import lazy
from dralign.manifest import Path, as_map
from dralign.model.topology import ACCELERATORS
from dralign.model.workload import quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from dralign.context.kubelets import Kubelet
    from dralign.context.legacy import LegacyUse
    from dralign.kubelet import pods
    from dralign.kubelet.configuration import Configuration
    from dralign.kubelet.machine import Machine
    from dralign.model.workload import Container, PodView

    T = TypeVar("T")

PLATFORM_RESERVE: Mapping[str, str] = {"cpu": "500m"}
"""Platforms always keep something for the system, where their object does not say how much."""


class Pinning(Kubelets):
    """The bundle with what pins its CPUs and memory."""

    def pins_nothing(self, pod: PodView) -> bool:
        """Say whether every kubelet that may get a pod is known to leave CPUs and memory to the system."""
        known = self.configurations_of(pod) if self.kubelets else None
        if not known:
            return False
        from dralign.kubelet.configuration import CPU_NONE, MEMORY_NONE  # noqa: PLC0415 -- most runs know no kubelet

        return all(config.cpu_policy == CPU_NONE and config.memory_policy == MEMORY_NONE for config in known)

    def kubelet_aligns(self, pod: PodView) -> bool:
        """Say whether the kubelet keeps a pod's accelerators from device plugins with its CPUs on one NUMA node.

        That is so where it could (:meth:`kubelet_could_align`), and the pod is Guaranteed with whole CPUs.
        """
        if not self.kubelet_could_align(pod):
            return False
        from dralign.kubelet.pinning import keeps_together  # noqa: PLC0415

        holders = {container.name for container in pod.containers if self._accelerators(container)}
        seen = self.seen_by_kubelet(pod)
        return all(keeps_together(config, seen, holders) for config in self.configurations_of(pod) or ())

    def kubelet_could_align(self, pod: PodView) -> bool:
        """Say whether kubelets can keep a pod's accelerators with its CPUs, were it Guaranteed with whole CPUs.

        The plugins must publish topology, and every kubelet that may get the pod be static with single-numa-node, by pod or
        for one container. Devices of claims are never kept together with anything.
        """
        known = self.configurations_of(pod) if self.kubelets and not pod.claims else None
        if not known:
            return False
        asked = [self._accelerators(container) for container in pod.containers]
        holders = sum(map(bool, asked))
        if not holders or not all(map(self._tells_topology, sum(asked, ()))):
            return False
        from dralign.kubelet.configuration import CPU_STATIC  # noqa: PLC0415 -- most runs know no kubelet
        from dralign.kubelet.topology_manager import SINGLE_NUMA_NODE  # noqa: PLC0415

        return all(
            config.cpu_policy == CPU_STATIC
            and config.topology_policy == SINGLE_NUMA_NODE
            and (config.by_pod or holders == 1)
            for config in known
        )

    def aligned_by_kubelet(self, use: LegacyUse) -> bool:
        """Say whether the kubelet keeps an extended resource with the CPUs of its container on one NUMA node."""
        return use.pod is not None and not use.beside_claim and self.kubelet_aligns(use.pod)

    def _accelerators(self, container: Container) -> tuple[str, ...]:
        """Return the extended resources of a container that stand for accelerators, or for what nobody knows."""
        asked = ((name, self.catalogue.legacy(name)) for name in self.legacy_resources(container))
        return tuple(name for name, known in asked if not known or known.resource.device not in self.left_to_plugins)

    def _tells_topology(self, resource: str) -> bool:
        known = self.catalogue.legacy(resource)
        return known is not None and known.resource.topology and self.class_behind(resource) is None

    def seen_by_kubelet(self, pod: PodView) -> pods.Pod:
        """Return a pod as the managers of a kubelet see it."""
        from dralign.kubelet import pods  # noqa: PLC0415 -- most runs know no kubelet

        level = None
        if pod.pod_level:
            level = _resources(as_map(pod.pod_level.get("requests")), as_map(pod.pod_level.get("limits")))
        containers = tuple(pods.Container(c.name, c.kind, _resources(c.requests, c.limits)) for c in pod.containers)
        return pods.Pod(pod.manifest.ref.name or "", containers, level)

    def remembered(self, key: tuple[object, ...], ask: Callable[[], T]) -> T:
        """Return what was answered under ``key``, asking first: many pods are alike to a kubelet, and it is slow to ask."""
        if key not in self._answers:
            self._answers[key] = ask()
        answer: T = self._answers[key]
        return answer

    @lazy
    def _answers(self) -> dict[tuple[object, ...], Any]:
        return {}

    def failed_start(self, kubelet: Kubelet) -> tuple[str, str, str | None] | None:
        """Return step, error and node of a start that fails, on a machine large enough for anything or on a known one.

        None where no kubelet is known to fail. Sums of memory count only where nobody else has a say in them.
        """
        config = kubelet.configuration
        if config is None:
            return None
        from dralign.kubelet.room import hangs_on_memory, roomy_machine  # noqa: PLC0415 -- most runs know no kubelet
        from dralign.kubelet.starting import start  # noqa: PLC0415

        sums_count = kubelet.source.whole and not hangs_on_memory(config)
        machines: list[tuple[str | None, Machine]] = [(None, roomy_machine(config)), *self.machines_of(kubelet.nodes)]
        for node, machine in machines:
            tried = start(_filled_in(kubelet, config), machine)
            if tried.step is not None and tried.error is not None and (sums_count or not _is_sum(tried.error)):
                return tried.step, tried.error, node
        return None

    def wants_pinned_cpus(self, pod: PodView) -> bool:
        """Say whether a pod is known to hold an accelerator whose CPUs the kubelet alone can pin."""
        return id(pod) in self._accelerated and not self.claims_cpus(pod)

    @lazy
    def accelerated_pods(self) -> tuple[PodView, ...]:
        """Pods with an accelerator by claim or from an extended resource."""
        return tuple(pod for pod in self.pods if id(pod) in self._accelerated)

    @lazy
    def _accelerated(self) -> frozenset[int]:
        plugged = {id(use.pod) for use in self.legacy_uses() if self._device_of(use) in ACCELERATORS}
        return frozenset(plugged | {id(pod) for pod in self.pods if self._claims_accelerator(pod)})

    def _device_of(self, use: LegacyUse) -> str | None:
        view = self.view_of_class(use.served_by) if use.served_by and not use.known else None
        return use.known.device if use.known else view.device if view else None

    def _claims_accelerator(self, pod: PodView) -> bool:
        return any(device in ACCELERATORS for claim in self.claims_of(pod) for device in self.devices_of(claim))

    def pinned_by_driver(self, kubelet: Kubelet) -> Related | None:
        """Return what tells that dra.cpu pins CPUs on nodes of a kubelet: its slice, else a pod that claims CPUs there."""
        for piece in self._cpu_slices:
            if piece.manifest is not None and (kubelet.nodes is None or piece.scope.node_name in kubelet.nodes):
                return Related(piece.manifest, Path(("spec", "driver")), "CPUs are devices of a driver here")
        if self._cpu_slices:
            return None
        pods = (pod for pod in self.pods if pod.claims and self.claims_cpus(pod) and kubelet in self.kubelets_of(pod))
        pod = next(pods, None)
        return Related(pod.manifest, pod.claims[0].path, "claims CPUs") if pod else None

    @lazy
    def offered_twice(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Accelerators that device plugins and drivers offer on the same nodes: extended resource, driver, nodes.

        Only those that pods of the bundle hold: an inventory is not judged for itself.
        """
        wanted = self._drivers_in_use
        found: dict[tuple[str, str], list[str]] = {}
        published = {(device.driver, device.slice.scope.node_name) for device in self.devices} if wanted else set()
        for node in self.node_objects if wanted else ():
            for resource, amount in self._offered(node).items():
                known = self.catalogue.legacy(resource) if amount else None
                if known and known.profile.name in wanted and (known.profile.name, node) in published:
                    found.setdefault((resource, known.profile.name), []).append(node)
        return tuple((resource, driver, tuple(nodes)) for (resource, driver), nodes in found.items())

    @lazy
    def _drivers_in_use(self) -> frozenset[str]:
        """Drivers of the accelerators that pods of the bundle hold, whichever way."""
        plugged = {
            known.profile.name
            for use in self.legacy_uses()
            for known in (self.catalogue.legacy(use.resource),)
            if known
        }
        views = (self.driver_of(leaf) for claim in self.claims for leaf in claim.spec.leaves)
        return frozenset({view.driver for view in views if view and view.device in ACCELERATORS} | plugged)


def _filled_in(kubelet: Kubelet, config: Configuration) -> Configuration:
    """Return a configuration with what platforms reserve where their object says nothing of it."""
    reserved = config.kube_reserved or config.system_reserved or config.reserved_cpus
    return config if kubelet.source.whole or reserved else config.replace(system_reserved=PLATFORM_RESERVE)


def _is_sum(error: str) -> bool:
    return "is not equal to the value" in error or "you should specify the system reserved memory" in error


def _resources(requests: Mapping[str, Any], limits: Mapping[str, Any]) -> pods.Resources:
    from dralign.kubelet.pods import Resources, stored  # noqa: PLC0415

    amounts = [
        stored({name: amount for name, text in found.items() for amount in (quantity(text),) if amount is not None})
        for found in (requests, limits)
    ]
    return Resources(*amounts)
