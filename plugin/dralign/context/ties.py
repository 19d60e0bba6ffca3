"""Which devices of a claim should share a NUMA node and are not made to."""

from __future__ import annotations

from dralign.context.cpus import Cpus
from dralign.lazy import lazy
from dralign.model import topology
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from dralign.model.claim import Claim, Request
    from dralign.model.topology import Group

    T = TypeVar("T")


class Untied(Record):
    """Requests of a claim that one attribute could put on one NUMA node, and those among them that nothing ties."""

    group: Group
    loose: tuple[Request, ...]


class Fallback(Record):
    """An alternative of ``firstAvailable`` whose devices nothing ties, while those of the first one are."""

    request: Request
    alternative: Request
    open_ends: Untied


class Ties(Cpus):
    """The bundle with what ties its devices."""

    def untied(self, claim: Claim) -> tuple[Untied, ...]:
        """Return what of a claim should share a NUMA node and is not made to; empty if all is tied, or a single device.

        Where the first alternatives are tied, the others are fallbacks, and no matter of these.
        """
        return self.told_of(claim, "untied", self._all_untied)

    def told_of(self, claim: Claim, what: str, tell: Callable[[Claim], T]) -> T:
        """Return what ``tell`` says of a claim, asking it once of claims that are alike.

        Those are alike that ask for the same, and whose requests the same containers hold together: nothing else may count.
        """
        key = what, id(claim.spec), self.held_together(claim)
        known = self._told.get(key)
        if known is None:
            known = self._told[key] = claim, tell(claim)
        told: T = known[1]
        return told

    @lazy
    def _told(self) -> dict[tuple[object, ...], tuple[Claim, Any]]:
        """Keep what was told, and one of the claims with it, so that the identity of their spec stays its own."""
        return {}

    def _all_untied(self, claim: Claim) -> tuple[Untied, ...]:
        found = self._untied(claim, claim)
        if found and any(request.alternatives for request in claim.requests):
            return found if self._untied(claim, _narrowed(claim)) else ()
        return found

    def fallbacks(self, claim: Claim) -> tuple[Fallback, ...]:
        """Return the alternatives that let devices lie apart, where that is not true of the claim as a whole."""
        if self.untied(claim):
            return ()
        return tuple(
            Fallback(request, alternative, found[0])
            for request in claim.requests
            for alternative in request.alternatives
            if request.name and alternative.name  # else the API server takes none of it
            for found in (self._untied(claim, _narrowed(claim, request, alternative)),)
            if found
        )

    def _untied(self, claim: Claim, seen: Claim) -> tuple[Untied, ...]:
        """Return what is untied in ``seen``, which is the claim or a part of its alternatives."""
        found = []
        for together in self.held_together(claim):
            group = topology.group_of(seen, together, self.driver_of, self.settings.alignment.attribute)
            if group is not None and group.devices > 1:
                loose = topology.untied(seen, group, self.driver_of, self.facts_of)
                found += [Untied(group, loose)] if loose else []
        return tuple(found)

    def held_together(self, claim: Claim) -> tuple[frozenset[str], ...]:
        """Return the sets of requests that one container gets; all of them where no container of the bundle says so."""
        known = self._held.get(id(claim))
        if known is None:
            known = self._held[id(claim)] = claim, self._all_held(claim)  # kept, so that its identity stays its own
        return known[1]

    @lazy
    def _held(self) -> dict[int, tuple[Claim, tuple[frozenset[str], ...]]]:
        return {}

    def _all_held(self, claim: Claim) -> tuple[frozenset[str], ...]:
        everything = frozenset(request.name for request in claim.requests)
        sets = [
            frozenset(entry.request or "" for entry in entries)
            if all(entry.request for entry in entries)
            else everything
            for use in self.uses_of(claim)
            for container in use.pod.containers
            for entries in ([entry for entry in container.claims if entry.name == use.entry.name],)
            if entries
        ]
        return tuple(dict.fromkeys(item for item in sets if not any(item < other for other in sets))) or (everything,)


def _narrowed(claim: Claim, request: Request | None = None, alternative: Request | None = None) -> Claim:
    """Return a claim that asks for one alternative only: ``alternative`` of ``request``, the first one of all others."""
    requests = tuple(
        one.replace(alternatives=(alternative if one is request and alternative else one.alternatives[0],))
        if one.alternatives
        else one
        for one in claim.requests
    )
    return claim.replace(spec=claim.spec.replace(requests=requests))
