"""Judges one allocation on one node: which container has parts on several NUMA nodes."""

from __future__ import annotations

from dralign.model.verdict import CPUS, MEMORY
from dralign.proof.placers import Outside
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dralign.model.device import Device
    from dralign.proof.known import Known
    from dralign.proof.placers import Placer, What
    from dralign.proof.places import Place, Places
    from dralign.proof.question import ContainerUse, Question
    from dralign.sim.outcome import Allocated


class Part(Record):
    """One device of a container, and where it is."""

    device: Device
    place: Place


class Crossing(Record):
    """A container whose parts are apart: two keys of ``Witness.numa``, and where CPUs and memory lie, if that matters."""

    container: str
    crossed: tuple[str, str]
    cpus: Outside | None = None
    memory: Outside | None = None


class Together(Record):
    """Where devices gathered so far can be together. ``spots`` None: nobody knows of any; empty: they are apart.

    ``tokens``: places of which nobody knows the number. ``claims_cpus``: CPUs are among the devices.
    """

    spots: frozenset[int] | None = None
    tokens: frozenset[str] = frozenset()
    claims_cpus: bool = False

    def plus(self, place: Place, *, is_cpu: bool) -> Together:
        """Return this with one more device."""
        claims = self.claims_cpus or is_cpu
        if place.spots is None:
            return Together(self.spots, self.tokens | {place.token}, claims)
        spots = place.spots if self.spots is None else self.spots & place.spots
        return Together(spots, self.tokens, claims)

    @property
    def is_apart(self) -> bool:
        """Whether devices are surely apart."""
        return self.spots is not None and not self.spots

    @property
    def doubt(self) -> str | None:
        """Return the token of a device that may be apart from the others, if there is one."""
        if len(self.tokens) + (self.spots is not None) < 2:
            return None
        return min(self.tokens)


class Judge:
    """Judges allocations of one question on one node."""

    def __init__(self, question: Question, known: Known, places: Places, placer: Placer | str) -> None:
        self.question = question
        self.known = known
        self.places = places
        self.placer = placer
        self._answers: dict[tuple[str, Together], Crossing | str | None] = {}
        self._held: dict[str, tuple[Part, ...]] = {use.name: tuple(self._allocated(use)) for use in question.containers}

    def crossing(self, outcome: Allocated) -> Crossing | None:
        """Return the first container whose parts are apart for sure."""
        for use in self.question.containers:
            parts = self.parts(outcome, use)
            found = self.settle(use, self.gather(parts)) if parts else None
            if isinstance(found, Crossing):
                return _named(found, parts)
        return None

    def parts(self, outcome: Allocated, use: ContainerUse) -> tuple[Part, ...]:
        """Return the devices of a container."""
        made = (
            Part(result.device, self.places.of(result.device))
            for claim in outcome.claims
            for result in claim.results
            if use.reaches(claim.name, result.request.partition("/")[0]) and not result.admin_access
        )
        return (*self._held[use.name], *(part for part in made if self.known.has_place(part.device.driver)))

    def held(self, use: ContainerUse) -> tuple[Part, ...]:
        """Return the devices of a container that are allocated already."""
        return self._held[use.name]

    def gather(self, parts: Iterable[Part]) -> Together:
        """Return where devices can be together."""
        found = Together()
        for part in parts:
            found = found.plus(part.place, is_cpu=self.known.kind(part.device) == "cpu")
        return found

    def settle(self, use: ContainerUse, found: Together) -> Crossing | str | None:
        """Say what becomes of a container with these devices: it crosses, nobody knows (why), or None: all is together."""
        key = use.name, found
        if key not in self._answers:
            self._answers[key] = self._settle(use, found)
        return self._answers[key]

    def _settle(self, use: ContainerUse, found: Together) -> Crossing | str | None:
        if found.is_apart:
            return Crossing(use.name, ("", ""))
        what: What = "memory" if found.claims_cpus else "cpus"
        outside = self._outside(use, found, what)
        if isinstance(outside, Outside):
            return Crossing(use.name, ("", ""), **{what: outside})
        if found.doubt is not None:
            return f"{found.doubt} does not say on which NUMA node it is"
        if isinstance(self.placer, str):
            return None if found.claims_cpus else self.placer
        return outside if found.spots is not None else self._at_unknown_place(use, found, self.placer, what)

    def _outside(self, use: ContainerUse, found: Together, what: What) -> Outside | str | None:
        """Return where CPUs or memory can be apart from devices whose place is known; None too where nobody can tell."""
        if isinstance(self.placer, str) or found.spots is None:
            return None
        return self.placer.outside(use, self.places.inside(found.spots), what)

    def _at_unknown_place(self, use: ContainerUse, found: Together, placer: Placer, what: What) -> str | None:
        """Devices are together, nobody knows where: what can lie nowhere but on one NUMA node may be with them."""
        layout = self.places.layout
        nodes = layout.cpus if layout is not None else ()
        lies = any(placer.outside(use, frozenset((node,)), what) is not None for node in nodes)
        return f"{min(found.tokens)} does not say on which NUMA node it is" if lies and found.tokens else None

    def _allocated(self, use: ContainerUse) -> Iterator[Part]:
        for claim, results in self.question.held.items():
            for result in results:
                device = self.known.devices.get(result.device)
                reached = use.reaches(claim, result.request.partition("/")[0])
                if reached and device is not None and self.known.has_place(device.driver):
                    yield Part(device, self.places.of(device))


def _named(crossing: Crossing, parts: Sequence[Part]) -> Crossing:
    """Name the two parts that are apart."""
    known = [part for part in parts if part.place.spots is not None]
    outside = crossing.cpus or crossing.memory
    if outside is not None:
        away = next((part for part in known if not set(outside.nodes) <= set(part.place.numa)), known[0])
        what = CPUS if crossing.cpus is not None else MEMORY
        return crossing.replace(crossed=(away.device.identity, f"{what}{crossing.container}"))
    for number, part in enumerate(known):
        for other in known[:number]:
            if not (part.place.spots or frozenset()) & (other.place.spots or frozenset()):
                return crossing.replace(crossed=(other.device.identity, part.device.identity))
    return crossing.replace(
        crossed=(known[0].device.identity, known[-1].device.identity)
    )  # pairwise together, not all of them
