"""A control plane in small: objects go in, and out comes what becomes of every pod.

The API server refuses what it refuses (``dralign.admission``), controllers make pods and claims, the scheduler places
one pod after the other. There is no kubelet: nothing ends, and nothing becomes ready.
"""

from __future__ import annotations

from copy import deepcopy

from dralign.admission.encode import encode
from dralign.admission.qos import qos_class
from dralign.admission.review import UNKNOWN_FIELD, review
from dralign.manifest import as_map, as_text
from dralign.model.inventory import inventory_from
from dralign.record import Record
from dralign.sim.claim_book import ANY, ClaimBook
from dralign.sim.placement import Placed
from dralign.sim.podspec import podspec_from
from dralign.sim.scheduler import Options, first
from dralign.sim.simulation import Simulation
from dralign.sim.volumes import Volumes
from dralign.sim.waiting import Waiting
from dralign.sim.workloads import KINDS, pods_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.review import Review
    from dralign.admission.server import Server
    from dralign.sim.claims import ClaimState
    from dralign.sim.placement import Placement
    from dralign.sim.podspec import PodSpec
    from dralign.sim.scheduler import Choose
    from dralign.sim.workloads import MadePod

    Object = Mapping[str, Any]


class Refusal(Record):
    """An object that the API server does not take, with its answer."""

    api_version: str
    kind: str
    namespace: str
    name: str
    answer: Review


class PodOutcome(Record):
    """What became of a pod. ``claims`` are by the pod's own name for them: the claim's name, and the claim if it exists."""

    namespace: str
    name: str
    owner: str | None
    qos: str
    placement: Placement
    claims: Mapping[str, tuple[str, ClaimState | None]]


class ControlPlane:
    """One cluster. ``server`` is its API server; objects other than workloads come first, as in a cluster that is there.

    ``strict``: objects with unknown fields are refused, rather than taken without them, as clients may ask for.
    ``ready``: pods are taken to become ready. ``volumes``: pods wait for claims for volumes that are not there or not
    bound, as nobody binds them.
    """

    def __init__(
        self,
        server: Server,
        *,
        choose: Choose = first,
        strict: bool = True,
        ready: bool = False,
        volumes: bool = False,
    ) -> None:
        self._server = server
        self._choose = choose
        self._strict = strict
        self._ready = ready
        self._volumes: Volumes | None = Volumes(()) if volumes else None
        self.refused: list[Refusal] = []
        self.pods: list[PodOutcome] = []
        self._waiting = Waiting()

    def run(self, objects: Iterable[Object]) -> None:
        """Create all objects, those that make pods one after another behind all others."""
        workloads: list[Object] = []
        stored = []
        for obj in objects:
            if obj.get("kind") in KINDS:
                workloads.append(obj)
            else:
                written = self._create(obj)
                if written is not None:
                    stored.append(written)
        if self._volumes is not None:
            self._volumes = Volumes(stored)
        simulation = Simulation(
            inventory_from(stored),
            self._server.release,
            self._server.features,
            ClaimBook(stored),
            Options(choose=self._choose, namespaces=self._server.namespaces, volumes=self._volumes),
        )
        for workload in workloads:
            written = self._create(workload)
            if written is not None:
                self._work(written, simulation)
        self._try_again(simulation, errors=True)

    def _create(self, obj: Object) -> Object | None:
        """Return an object as the server stores it; None if it is refused, which is noted."""
        answer = review(dict(obj), self._server)
        if answer is not None and not self._strict and _only_unknown_fields(answer):
            obj = _without(obj, [cause.location for cause in answer.causes])
            answer = review(dict(obj), self._server)
        if answer is None:
            return obj
        if not answer.accepted:
            name = as_text(as_map(obj.get("metadata")).get("name")) or ""
            api_version, kind = (as_text(obj.get(key)) or "" for key in ("apiVersion", "kind"))
            self.refused.append(Refusal(api_version, kind, _namespace(obj), name, answer))
            return None
        return _stored(obj, answer, self._server.minor)

    def _work(self, workload: Object, simulation: Simulation) -> None:
        namespace = _namespace(workload)
        for made in pods_of(workload, simulation.scheduler.nodes, ready=self._ready):
            if self._volumes is not None:
                for name, spec in made.volume_claims:
                    self._volumes.add(namespace, name, spec)
            accepted = self._accept(made, namespace)
            if accepted is None:
                continue
            pod, qos = accepted
            for _ in range(made.count):
                decision = simulation.place(pod)
                claims = decision.claims.by_entry
                self.pods.append(PodOutcome(pod.namespace, pod.name, made.owner, qos, decision.placement, claims))
                self._waiting.add(len(self.pods) - 1, pod, decision)
                if isinstance(decision.placement, Placed):
                    self._try_again(simulation)

    def _try_again(self, simulation: Simulation, *, errors: bool = False) -> None:
        """Try waiting pods for which something has changed, until nothing changes any more; once those with errors."""
        placed = True
        while placed:
            placed = False
            for item in self._waiting:
                if item.is_due or (errors and item.failed):
                    decision = simulation.again(item.pod, item.decision)
                    self._waiting.add(item.number, item.pod, decision)
                    self.pods[item.number] = self.pods[item.number].replace(placement=decision.placement)
                    placed = placed or isinstance(decision.placement, Placed)

    def _accept(self, made: MadePod, namespace: str) -> tuple[PodSpec, str] | None:
        """Return a pod as the server stores it, and its QoS class; None if it is refused, as controllers do not say."""
        name = made.name.partition(ANY)
        naming = {"generateName": name[0]} if name[1] else {"name": made.name}
        metadata = {**as_map(made.body.get("metadata")), "namespace": namespace}
        metadata = {key: value for key, value in metadata.items() if key not in ("name", "generateName")} | naming
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": made.body.get("spec")}
        answer = review(pod, self._server)
        if answer is None or answer.decoded is None or not answer.accepted:
            return None
        qos = qos_class(answer.decoded["spec"], self._server.features, self._server.minor)
        return podspec_from(_stored(pod, answer, self._server.minor), namespace, made.name), qos


def _only_unknown_fields(answer: Review) -> bool:
    return bool(answer.causes) and all(cause.reason == UNKNOWN_FIELD for cause in answer.causes)


def _without(obj: Object, places: Sequence[Location]) -> Object:
    """Return a copy of an object without some of its fields."""
    made = deepcopy(dict(obj))
    for place in places:
        owner: Any = made
        for step in place[:-1]:
            owner = owner[step]
        owner.pop(place[-1], None)
    return made


def _stored(obj: Object, answer: Review, minor: int) -> dict[str, Any]:
    if answer.type is None or answer.decoded is None:
        return dict(obj)
    head = {key: obj[key] for key in ("apiVersion", "kind") if key in obj}
    return encode(answer.type, answer.decoded, minor) | head


def _namespace(obj: Object) -> str:
    return as_text(as_map(obj.get("metadata")).get("namespace")) or "default"
