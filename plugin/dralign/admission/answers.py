"""All that an API server objects to in an object, one answer after another.

The server stops at the first value of the wrong type, and at fields that it does not know, before it looks at anything
else. Here such a field is taken out and the rest is sent again, so that nobody has to apply an object five times to hear of
five mistakes. What is only missing because it was taken out is not said.
"""

from __future__ import annotations

from dralign.admission.causes import FORBIDDEN, Cause
from dralign.admission.gates import RELEASES, default_features
from dralign.admission.review import BAD_REQUEST, review
from dralign.admission.review import FORBIDDEN as FORBIDDEN_CODE
from dralign.admission.served import NOT_YET, REMOVED, served

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Server

_ANSWERS = 20
"""How many requests are made at most; each but the last ends with fields that do not fit their type."""

_OWN_SHAPE = {"resource.k8s.io/v1alpha3": "resource.k8s.io/v1beta1"}
"""Versions whose types are in no table because no release of interest serves them, and a version of the same shape."""

_REFERRING = ("constraints", "config")


def objections(obj: dict[str, Any], server: Server) -> list[Cause]:
    """Return the causes of all answers to create requests with an object, in order.

    A version that the release does not serve is not objected to: the object is held against its own shape, or that of the
    version to use instead, whichever it fits better.
    """
    return min((_all_answers(asked, of) for asked, of in _servable(obj, server)), key=len)


def _all_answers(obj: dict[str, Any], server: Server) -> list[Cause]:
    found: list[Cause] = []
    taken: list[Location] = []
    for _ in range(_ANSWERS):
        answer = review(obj, server)
        if answer is None or answer.accepted:
            break
        if answer.code == FORBIDDEN_CODE and answer.message is not None:
            found.append(Cause("", FORBIDDEN, answer.message))
        found += [cause for cause in answer.causes if not _follows(cause, taken, obj)]
        places = [cause.location for cause in answer.causes if cause.location]
        if answer.code != BAD_REQUEST or not places:
            break
        taken += places
        obj = _without(obj, places)
    return found


def _servable(obj: dict[str, Any], server: Server) -> Iterator[tuple[dict[str, Any], Server]]:
    """Yield the objects to ask about and the servers to ask: more than one where the release does not serve the version."""
    version, kind = obj.get("apiVersion"), obj.get("kind")
    if not isinstance(version, str) or not isinstance(kind, str):
        yield obj, server
        return
    answer = served(version, kind, server.release)
    if answer.state not in (NOT_YET, REMOVED):
        yield obj, server
        return
    if version in _OWN_SHAPE:
        yield {**obj, "apiVersion": _OWN_SHAPE[version]}, server
    serving = (r for r in RELEASES if served(version, kind, r).state not in (NOT_YET, REMOVED))
    for release in serving:
        yield obj, server.replace(release=release, features=default_features(release))
        break
    yield {**obj, "apiVersion": answer.use or version}, server


def _without(obj: dict[str, Any], places: Iterable[Location]) -> dict[str, Any]:
    """Return a copy of an object in which fields are taken out; items of lists become null."""
    for place in places:
        obj = _taken_out(obj, place)
    return obj


def _taken_out(value: Any, place: Location) -> Any:
    """Return a copy without what stands at a place; all that is not on the way there is shared."""
    step = place[0]
    if isinstance(value, dict) and step in value:
        inner = {} if len(place) == 1 else {step: _taken_out(value[step], place[1:])}
        return {key: inner.get(key, other) for key, other in value.items() if key != step or inner}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        inner_item = None if len(place) == 1 else _taken_out(value[step], place[1:])
        return [*value[:step], inner_item, *value[step + 1 :]]
    return value


def _at(value: Any, place: Location) -> Any:
    """Return what stands at a place, None where nothing does."""
    for step in place:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _follows(cause: Cause, taken: Iterable[Location], obj: dict[str, Any]) -> bool:
    """Say whether a cause is there only because a field was taken out."""
    nearest = cause.location
    while nearest and _at(obj, nearest) is None:
        nearest = nearest[:-1]
    return any(nearest == place[:-1] or _refers(cause.location, place) for place in taken)


def _refers(at: Location, place: Location) -> bool:
    """Say whether ``at`` names a request of a claim of which a list or name was taken out."""
    if "devices" not in place or not any(word in at for word in _REFERRING):
        return False
    depth = place.index("devices") + 1
    is_list_or_name = len(place) == depth + 1 or place[-1] == "name"
    return at[:depth] == place[:depth] and at[depth : depth + 1] != place[depth : depth + 1] and is_list_or_name
