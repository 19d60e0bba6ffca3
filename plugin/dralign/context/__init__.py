"""What a rule sees: the bundle as claims, classes and workloads, the driver catalogue, and what the user asked for."""

from __future__ import annotations

from dralign.context.kubelets import Case, Host, Kubelet
from dralign.context.legacy import LegacyUse
from dralign.context.loss import KEEPS, NOWHERE, estate_of, loss
from dralign.context.objections import Objection
from dralign.context.selectors import Ask, WrittenSelector
from dralign.context.ties import Untied
from dralign.context.whatif import Cost, WhatIf
from dralign.context.wiring import ClaimUse, Surroundings
from dralign.finding import Fix, Related
from dralign.lazy import lazy
from dralign.manifest import as_map
from dralign.settings import CLASS_LABEL, WORKLOAD_CLASSES
from dralign.spelling import fits
from dralign.suppress import Silences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from dralign.bundle import Bundle
    from dralign.finding import NewManifest, Patch, Patches
    from dralign.manifest import Manifest
    from dralign.model.claim import Claim
    from dralign.model.workload import PodView
    from dralign.settings import Settings
    from dralign.sim.eligible import Estate

__all__ = [
    "Ask",
    "Case",
    "ClaimUse",
    "Context",
    "Cost",
    "Host",
    "Kubelet",
    "LegacyUse",
    "Objection",
    "Surroundings",
    "Untied",
    "WrittenSelector",
]


class Context(WhatIf):
    """One state of the bundle, read once and shared by all rules; see the base classes for what it answers."""

    def __init__(self, bundle: Bundle, settings: Settings, surroundings: Surroundings) -> None:
        super().__init__(bundle, settings, surroundings)
        self._fixes: dict[tuple[object, ...], Fix | None] = {}

    @lazy
    def judged(self) -> tuple[Manifest, ...]:
        """Return the objects that the rules have something to say about: those of DRA, and pods that hold devices.

        Where kubelets are known, what configures them and all pods.
        """
        ours = {id(manifest) for manifest in self.reviewed}
        ours |= {id(pod.manifest) for pod in self.pods if pod.claims or self.kubelets or self.holds_devices(pod)}
        ours |= {id(kubelet.source.manifest) for kubelet in self.kubelets}
        return tuple(manifest for manifest in self.bundle.manifests if id(manifest) in ours)

    @lazy
    def silences(self) -> Silences:
        """Return what silences findings in this state of the bundle; once all other rules were asked, it knows what did."""
        return Silences(self.bundle.manifests, self.pods, self.settings)

    def users_of(self, claim: Claim) -> tuple[Related, ...]:
        """Return the pods that use a claim as related places of a finding on it."""
        return tuple(Related(use.pod.manifest, use.entry.reference, "uses it") for use in self.uses_of(claim))

    def of(self, bundle: Bundle) -> Context:
        """Return the same for another state of the bundle."""
        return Context(bundle, self.settings, self.surroundings)

    def option(self, rule: str, name: str, default: Any) -> Any:
        """Return an option of a rule from the configuration."""
        return self.settings.rules.get(rule, {}).get(name, default)

    def explicit_class(self, pod: PodView) -> str | None:
        """Return serving, training or batch where the user says so by label or configuration; never by guess."""
        for labels in (as_map(pod.metadata.get("labels")), pod.manifest.labels):
            label = labels.get(CLASS_LABEL)
            if label in WORKLOAD_CLASSES:
                return str(label)
        ref = pod.manifest.ref
        for pattern in self.settings.classes:
            meant = (
                pattern.kind in (None, ref.kind)
                and (pattern.name is None or fits(ref.name or "", pattern.name))
                and (pattern.label is None or _labelled(pod, pattern.label))
            )
            if meant:
                return pattern.workload_class
        return None

    def is_marked(self, pod: PodView) -> bool:
        """Say whether the workload is explicitly serving or training, which raises the severity of some rules."""
        return self.explicit_class(pod) in {"serving", "training"}

    @property
    def rounds_cpus(self) -> bool:
        """Whether repairs may round CPUs up (``qos.roundCpu``)."""
        return self.settings.round_cpu == "up"

    def shared_fix(self, key: tuple[object, ...], make: Callable[[], Fix | None]) -> Fix | None:
        """Return the fix that was made under ``key``, making it first: findings that share a repair share the object."""
        if key not in self._fixes:
            self._fixes[key] = make()
        return self._fixes[key]

    def alignment_fix(
        self, title: str, patches: Iterable[Patch | NewManifest] | Callable[[], Patches], *, judged: bool = True
    ) -> Fix:
        """Return a fix that alignment needs: safe where alignment was asked for, or no node is lost by it, else held back.

        By itself such a repair can make a claim fit on fewer nodes, so that nobody gets it unasked; ``judged`` False: nor
        where the inventory shows that it does not. One that leaves no node of the inventory is held back even if asked for.
        """
        made = patches if callable(patches) else tuple(patches)
        found = self.loss(made)
        if found == NOWHERE:
            return Fix(title, made, "unsafe", "then no node of the inventory could run it, only with --unsafe")
        if self.settings.asks_for_alignment or (judged and found == KEEPS):
            return Fix(title, made)
        return Fix(title, made, "unsafe", "only with --align constraint or --unsafe")

    @lazy
    def _estate(self) -> Estate | None:
        return estate_of(self)

    def loss(self, patches: Iterable[Patch | NewManifest] | Callable[[], Patches]) -> str | None:
        """Say which nodes the pods that patches touch lose by them; None where no devices are known."""
        if self._estate is None:
            return None
        return loss(self, self._estate, tuple(patches() if callable(patches) else patches))


def _labelled(pod: PodView, pattern: str) -> bool:
    key, equals, value = pattern.partition("=")
    found = pod.manifest.labels.get(key, as_map(pod.metadata.get("labels")).get(key))
    return found == value if equals else found is not None
