"""What is proved of each pod template: whether its devices, CPUs and memory share a NUMA node."""

from __future__ import annotations

from dralign.context.fleet import Fleet
from dralign.lazy import lazy
from dralign.manifest import as_list, as_map, as_text
from dralign.model.claim import claim_spec
from dralign.model.node import node_selector_from
from dralign.model.verdict import UNDECIDED, Verdict
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.bundle import Bundle
    from dralign.context.wiring import Surroundings
    from dralign.model.claim import Claim
    from dralign.model.workload import Container, PodView
    from dralign.proof import ContainerUse, HeldResult, Question
    from dralign.settings import Settings
    from dralign.sim.pod_claim import PodClaim

SERVED = "extended-resources"
"""Name of the claim that the scheduler makes for extended resources that a DeviceClass serves (KEP-5004)."""

BY_PLUGIN = "its devices come from a device plugin, and no kubelet configuration of its nodes is known"


class Judged(Record):
    """A pod template that holds devices, and what is proved of it."""

    pod: PodView
    verdict: Verdict


class Verdicts(Fleet):
    """The bundle with its proofs, each made when it is first asked for."""

    def __init__(self, bundle: Bundle, settings: Settings, surroundings: Surroundings) -> None:
        super().__init__(bundle, settings, surroundings)
        self._verdicts: dict[int, Verdict | None] = {}
        self._refused: dict[int, Verdict | None] = {}

    @lazy
    def verdicts(self) -> tuple[Judged, ...]:
        """One for every pod template that holds devices, in order."""
        found = ((pod, self.verdict_of(pod)) for pod in self.pods)
        return tuple(Judged(pod, verdict) for pod, verdict in found if verdict is not None)

    def verdict_of(self, pod: PodView) -> Verdict | None:
        """Return what is proved of a pod template; None of one that holds no device."""
        if id(pod) not in self._verdicts:
            self._verdicts[id(pod)] = self._proved(pod) if self.holds_devices(pod) else None
        return self._verdicts[id(pod)]

    def lasting_verdict_of(self, pod: PodView) -> Verdict | None:
        """Return the same, but of a pod that has to wait what holds once enough is free: the text is no fault of others."""
        verdict = self.verdict_of(pod)
        return (verdict.once_free or verdict) if verdict is not None else None

    def never_fits(self, claim: Claim) -> Verdict | None:
        """Return why a claim alone can be allocated on no node, however much is free; None if it can, or nobody knows."""
        if id(claim) not in self._refused:
            from dralign.proof import ContainerUse, Question, never_fits  # noqa: PLC0415 -- few bundles get this far
            from dralign.sim.pod_claim import PodClaim  # noqa: PLC0415

            name = claim.manifest.ref.name or ""
            everything = ContainerUse("", frozenset({(name, None)}))
            question = Question((PodClaim(name, claim.spec),), (everything,))
            self._refused[id(claim)] = never_fits(question, self.known) if self.has_slices else None
        return self._refused[id(claim)]

    def _proved(self, pod: PodView) -> Verdict:
        if not pod.claims and not self.kubelets and not any(self._served(pod)):
            return Verdict(UNDECIDED, reasons=(BY_PLUGIN,))
        from dralign.proof import prove  # noqa: PLC0415 -- most bundles hold no claim

        question = self.question(pod)
        return Verdict(UNDECIDED, reasons=(question,)) if isinstance(question, str) else prove(question, self.known)

    def question(self, pod: PodView) -> Question | str:
        """Return a pod template as the proof sees it, or why it cannot: a claim that is not known, or is never allocated."""
        from dralign.proof import Question  # noqa: PLC0415

        unallocated = self.unallocated(pod)
        if unallocated is not None:
            return f"nodeName '{unallocated[0]}' passes by the scheduler, and nobody else allocates devices"
        claims: list[PodClaim] = []
        held: dict[str, tuple[HeldResult, ...]] = {}
        for entry in pod.claims:
            if self.is_made(pod, entry):
                continue  # channels of a fabric, which have no place
            claim = self.any_claim_of(pod, entry)
            if claim is None:
                kind = "ResourceClaimTemplate" if entry.template_name else "ResourceClaim"
                name = entry.template_name or entry.claim_name
                if name is None:
                    return f"claim '{entry.name}' names neither a ResourceClaim nor a ResourceClaimTemplate"
                return f"{kind}/{name} of claim '{entry.name}' is in neither bundle nor inventory"
            claims.append(_pod_claim(entry.name, claim))
            held |= _held(entry.name, claim)
        served = list(self._served(pod))
        claims += [self._claim_for(tuple(served))] if served else []
        holders = [container for container in pod.containers if self.container_holds_devices(pod, container)]
        names = frozenset(self.nodes_for(pod))
        return Question(
            tuple(claims),
            tuple(self._use(container, served) for container in holders),
            held,
            frozenset(entry.name for entry in pod.claims if not entry.template_name),
            lambda node: node.name in names,
            self.seen_by_kubelet(pod) if self.kubelets else None,
        )

    def _served(self, pod: PodView) -> Iterator[tuple[str, str, str, int]]:
        """Yield container, request name, DeviceClass and count of each extended resource that DRA serves."""
        for number, container in enumerate(pod.containers):
            for place, resource in enumerate(container.resources):
                known = self.class_behind(resource)
                amount = container.request(resource)
                if known is not None and amount:
                    yield container.name, f"container-{number}-request-{place}", known, amount.scaled_value()

    def _claim_for(self, served: tuple[tuple[str, str, str, int], ...]) -> PodClaim:
        """Return the claim that the scheduler makes for extended resources; one object for equal ones."""
        if served not in self._special:
            from dralign.sim.pod_claim import PodClaim  # noqa: PLC0415

            requests = [
                {"name": request, "exactly": {"deviceClassName": name, "count": count}}
                for _, request, name, count in served
            ]
            self._special[served] = PodClaim(SERVED, claim_spec({"devices": {"requests": requests}}))
        return self._special[served]

    @lazy
    def _special(self) -> dict[tuple[tuple[str, str, str, int], ...], PodClaim]:
        return {}

    def _use(self, container: Container, served: list[tuple[str, str, str, int]]) -> ContainerUse:
        from dralign.proof import ContainerUse  # noqa: PLC0415

        own = {(entry.name, entry.request) for entry in container.claims}
        own |= {(SERVED, request) for name, request, _, _ in served if name == container.name}
        cpus = container.request("cpu")
        by_plugin = [name for name in self.legacy_resources(container) if self.class_behind(name) is None]
        return ContainerUse(
            container.name,
            frozenset(own),
            cpus.scaled_value() if cpus else 0,
            all(map(self._tells_topology, by_plugin)) if by_plugin else None,
        )


def _pod_claim(name: str, claim: Claim) -> PodClaim:
    from dralign.sim.pod_claim import PodClaim  # noqa: PLC0415

    allocation = _allocation(claim)
    reach = node_selector_from(allocation.get("nodeSelector"))
    return PodClaim(name, claim.spec, allocated=bool(allocation), reach=reach)


def _allocation(claim: Claim) -> dict[str, Any]:
    return as_map(as_map(claim.manifest.data.get("status")).get("allocation"))


def _held(name: str, claim: Claim) -> dict[str, tuple[HeldResult, ...]]:
    """Return the devices that a claim has already, by name; nothing where it is not allocated."""
    results = map(as_map, as_list(as_map(_allocation(claim).get("devices")).get("results")))
    from dralign.proof import HeldResult  # noqa: PLC0415

    found = tuple(
        HeldResult(as_text(item.get("request")) or "", "/".join(str(item.get(k)) for k in ("driver", "pool", "device")))
        for item in results
    )
    return {name: found} if found else {}
