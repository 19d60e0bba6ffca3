"""The claims and claim templates of a cluster: which claims a pod has, those made for it included.

Source: k8s.io/kubernetes/pkg/controller/resourceclaim.
"""

from __future__ import annotations

from dralign.manifest import as_map, as_text
from dralign.model.claim import GROUP, claim_spec
from dralign.record import Record
from dralign.sim.claims import ClaimState, claim_state_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from dralign.model.claim import ClaimSpec
    from dralign.sim.podspec import PodSpec

POD_GROUP_VERSIONS = ("scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha3")
ANY = "*"
"""Stands for the random part of a generated name."""


class PodClaims(Record):
    """A pod's claims by its own names for them: the claim's name, and the claim if it exists.

    ``states`` are all of them in the pod's order, None where one is missing: then the scheduler waits.
    """

    by_entry: Mapping[str, tuple[str, ClaimState | None]]
    states: tuple[ClaimState, ...] | None


class ClaimBook:
    """ResourceClaims and ResourceClaimTemplates by namespace and name."""

    def __init__(self, objects: Iterable[Mapping[str, Any]] = ()) -> None:
        self.claims: dict[tuple[str, str], ClaimState] = {}
        self.templates: dict[tuple[str, str], ClaimSpec] = {}
        self.groups: set[tuple[str, str]] = set()
        for obj in objects:
            self.add(obj)

    def add(self, obj: Mapping[str, Any]) -> None:
        """Keep an object if it is a claim, a template or a PodGroup."""
        metadata = as_map(obj.get("metadata"))
        namespace = as_text(metadata.get("namespace")) or "default"
        key = namespace, as_text(metadata.get("name")) or ""
        if obj.get("kind") == "PodGroup" and obj.get("apiVersion") in POD_GROUP_VERSIONS:
            self.groups.add(key)
        if (as_text(obj.get("apiVersion")) or "").rpartition("/")[0] != GROUP:
            return
        if obj.get("kind") == "ResourceClaim":
            self.claims[key] = claim_state_from(obj, namespace)
        elif obj.get("kind") == "ResourceClaimTemplate":
            self.templates[key] = claim_spec(as_map(as_map(obj.get("spec")).get("spec")))

    def of(self, pod: PodSpec, *, makes: bool = True) -> PodClaims:
        """Return the claims of a new pod. Where one template is missing, the pod is told of no claim made for it.

        ``makes`` False: none is made at all.
        """
        named: dict[str, tuple[str, ClaimState | None]] = {}
        made: dict[str, tuple[str, ClaimState]] = {}
        complete = True
        for entry in pod.claims:
            if entry.claim_name is not None:
                named[entry.name] = entry.claim_name, self.claims.get((pod.namespace, entry.claim_name))
                complete = complete and named[entry.name][1] is not None
                continue
            spec = self.templates.get((pod.namespace, entry.template_name or "")) if makes else None
            if spec is None:
                complete = False
            else:
                name = f"{pod.name}-{entry.name}-{ANY}"
                made[entry.name] = name, ClaimState(pod.namespace, name, spec)
        all_made = len(named) + len(made) == len(pod.claims)
        told = {**named, **made} if all_made else named
        if not complete:
            return PodClaims(told, None)
        return PodClaims(told, tuple(state for entry in pod.claims if (state := told[entry.name][1]) is not None))
