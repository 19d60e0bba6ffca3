"""Which configurations of kubelets are known, of which nodes, and what they do to a pod."""

from __future__ import annotations

from dralign.context.machines import Machines, nodes_in
from dralign.lazy import lazy
from dralign.manifest import as_map
from dralign.model.kubelet_source import sources
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dralign.kubelet.configuration import Configuration, Reading
    from dralign.kubelet.machine import Machine
    from dralign.model.kubelet_source import KubeletSource
    from dralign.model.workload import PodView
    from dralign.values.quantity import Quantity

    Wishes = tuple[str, frozenset[str]]


_DECIDING = ("nodeName", "nodeSelector", "affinity", "tolerations")
"""Fields of a pod's spec that decide on its nodes."""


class Kubelet(Record):
    """A known configuration, what a kubelet makes of it, and whose it is.

    ``nodes`` are its nodes among those that are known, None for every node of the run.
    """

    source: KubeletSource
    reading: Reading
    nodes: frozenset[str] | None

    @property
    def configuration(self) -> Configuration | None:
        """What it says; None where no kubelet would start with it."""
        return self.reading.configuration


class Host(Record):
    """A node that a pod may land on, with the configurations one of which its kubelet has; none where nobody knows.

    ``node`` is None where no node is known by name: then it stands for all of them.
    """

    node: str | None
    kubelets: tuple[Kubelet, ...]


class Case(Record):
    """One kubelet that may get a pod, on one machine (None: nobody knows it); ``node`` is the first that is like this."""

    kubelet: Kubelet
    node: str | None
    machine: Machine | None


class Kubelets(Machines):
    """The bundle with the kubelets that run it."""

    @lazy
    def kubelets(self) -> tuple[Kubelet, ...]:
        """All configurations of kubelets in inventory and bundle, in order."""
        found = sources(self.known_objects)
        if not found:
            return ()
        from dralign.kubelet.configuration import read  # noqa: PLC0415 -- most runs know no kubelet

        release = self.settings.kube_version
        return tuple(Kubelet(source, read(source.data, release), self._nodes_of(source)) for source in found)

    def _nodes_of(self, source: KubeletSource) -> frozenset[str] | None:
        """Return the nodes that a configuration names, or those it stands beside; None for all."""
        if source.own:
            return frozenset(name for name in self.node_names if self._is_named(source, name))
        ours = self.is_input(source.manifest)
        beside = nodes_in(self.bundle.manifests) if ours else self.stock.nodes_beside(source.manifest)
        return frozenset(beside) or None

    def _is_named(self, source: KubeletSource, node: str) -> bool:
        if source.node is not None:
            return source.node == node
        manifest = self.node_objects.get(node)
        if manifest is None:
            return False
        if source.provider_id is not None:
            return bool(manifest.get(("spec", "providerID")) == source.provider_id)
        return any(labels and labels.items() <= manifest.labels.items() for labels in source.labels)

    def kubelets_at(self, node: str) -> tuple[Kubelet, ...]:
        """Return the configurations one of which a node's kubelet has: those that say the most about it."""
        here = [kubelet for kubelet in self.kubelets if kubelet.nodes is None or node in kubelet.nodes]
        best = max(map(_precision, here), default=0)
        return tuple(kubelet for kubelet in here if _precision(kubelet) == best)

    def hosts_of(self, pod: PodView) -> tuple[Host, ...]:
        """Return the nodes that a pod may land on with their kubelets; empty where no kubelet is known at all."""
        if not self.kubelets:
            return ()
        key = self._wishes(pod)
        if key not in self._hosts:
            named = tuple(Host(name, self.kubelets_at(name)) for name in self.nodes_for(pod))
            self._hosts[key] = named or self._unnamed(pod)
        return self._hosts[key]

    @lazy
    def _hosts(self) -> dict[Wishes, tuple[Host, ...]]:
        return {}

    def cases_of(self, pod: PodView) -> tuple[Case, ...]:
        """Return each different kubelet that may get a pod, on each different machine."""
        key = self._wishes(pod) if self.kubelets else None
        if key is None:
            return ()
        if key not in self._cases:
            found: dict[tuple[int, int], Case] = {}
            for host in self.hosts_of(pod):
                machine = self.machine_at(host.node) if host.node else None
                for kubelet in host.kubelets:
                    found.setdefault((id(kubelet), id(machine)), Case(kubelet, host.node, machine))
            self._cases[key] = tuple(found.values())
        return self._cases[key]

    @lazy
    def _cases(self) -> dict[Wishes, tuple[Case, ...]]:
        return {}

    def _wishes(self, pod: PodView) -> Wishes:
        """Return what of a pod decides on which nodes it may land; most pods of a bundle have it in common."""
        asked = frozenset(
            name for c in pod.containers for name in self.legacy_resources(c) if self.class_behind(name) is None
        )
        return repr([pod.spec.get(field) for field in _DECIDING]), asked

    def _unnamed(self, pod: PodView) -> tuple[Host, ...]:
        """Return what is known of nodes without names: a pool that the pod asks for, or whatever all of them have."""
        wanted = as_map(pod.spec.get("nodeSelector"))
        owners = [kubelet for kubelet in self.kubelets if kubelet.source.own]
        chosen = tuple(k for k in owners if any(x and x.items() <= wanted.items() for x in k.source.labels))
        if chosen:
            return (Host(None, chosen),)
        general = tuple(kubelet for kubelet in self.kubelets if kubelet.nodes is None)
        return (Host(None, general), *(Host(None, (kubelet,)) for kubelet in owners))

    def nodes_for(self, pod: PodView) -> tuple[str, ...]:
        """Return the known nodes that a pod may land on, as far as its spec says.

        Node objects that offer none of the extended resources it asks for are left out, if any of them offers those.
        """
        if not self.node_names:
            return ()
        key = self._wishes(pod)
        if key not in self._nodes:
            may = tuple(self._reachable(pod))
            serving = tuple(name for name in may if all(self._offered(name).get(resource) for resource in key[1]))
            self._nodes[key] = serving or may
        return self._nodes[key]

    @lazy
    def _nodes(self) -> dict[Wishes, tuple[str, ...]]:
        return {}

    def _reachable(self, pod: PodView) -> Iterator[str]:
        """Yield the nodes that a pod's node name, selectors and tolerations let it on; what is not known is in no way."""
        from dralign.sim.filters import refusal  # noqa: PLC0415 -- most runs know no kubelet
        from dralign.sim.podspec import podspec_from  # noqa: PLC0415

        template = {"metadata": pod.metadata, "spec": pod.spec}
        spec = podspec_from(template, pod.manifest.ref.namespace or "", pod.manifest.ref.name or "")
        for name in self.node_names:
            known = self.nodes.get(name)
            if known is not None and refusal(spec, known.replace(unschedulable=False)) is not None:
                continue
            if known is not None or pod.spec.get("nodeName") in (None, "", name):
                yield name

    def _offered(self, node: str) -> Mapping[str, Quantity]:
        known = self.nodes.get(node)
        return (known.allocatable if known else None) or {}

    def kubelets_of(self, pod: PodView) -> tuple[Kubelet, ...]:
        """Return the configurations that the kubelet of a pod may have, each once, as far as they are known."""
        return tuple({id(case.kubelet): case.kubelet for case in self.cases_of(pod)}.values())

    def configurations_of(self, pod: PodView) -> tuple[Configuration, ...] | None:
        """Return the configurations of all kubelets that may get a pod; None unless each of them is known."""
        hosts = self.hosts_of(pod)
        found = [kubelet.configuration for kubelet in self.kubelets_of(pod)]
        if not all(host.kubelets for host in hosts):
            return None
        known = tuple(config for config in found if config is not None)
        return known if known and len(known) == len(found) else None


def _precision(kubelet: Kubelet) -> int:
    """Return how much a configuration says of whose it is: captured, named, of one file, of all."""
    if kubelet.source.own:
        return 3 if kubelet.source.captured else 2
    return int(kubelet.nodes is not None)
