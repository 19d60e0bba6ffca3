"""What the API server takes and then does not heed: no answer says so, and the object means something else than it reads.

Works on objects as they are written, of kinds that carry the spec of a claim.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.admission.location import Location


class Ignored(Record):
    """One field that is not heeded: where it stands, what becomes of it, and what to write instead."""

    location: Location
    words: str
    tip: str


def ignored_fields(spec: Any, at: Location) -> Iterator[Ignored]:
    """Yield what is not heeded in the spec of a claim that stands at ``at``."""
    devices = spec.get("devices") if isinstance(spec, dict) else None
    place = (*at, "devices")
    for request, where in _items(devices, "requests", place):
        body, inner = (request["exactly"], (*where, "exactly")) if _is_map(request.get("exactly")) else (request, where)
        yield from _zero_count(body, inner)
        for alternative, below in _items(request, "firstAvailable", where):
            yield from _zero_count(alternative, below)
    for constraint, where in _items(devices, "constraints", place):
        if constraint.get("matchAttribute") and constraint.get("distinctAttribute"):
            yield Ignored(
                (*where, "distinctAttribute"),
                f"{constraint['distinctAttribute']!r} is not heeded beside matchAttribute "
                f"{constraint['matchAttribute']!r}: the API server takes both, the scheduler looks at matchAttribute only",
                "write a constraint of its own for distinctAttribute",
            )


def _zero_count(body: dict[str, Any], at: Location) -> Iterator[Ignored]:
    # `is`: False and 0.0 equal 0, and are refused.
    if type(body.get("count")) is int and body["count"] == 0 and body.get("allocationMode") in (None, "", "ExactCount"):
        yield Ignored(
            (*at, "count"),
            "0 means 1: the API server fills in the default, and one device is taken",
            "write count: 1, or take out the request if no device is wanted",
        )


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _items(holder: Any, field: str, at: Location) -> Iterator[tuple[dict[str, Any], Location]]:
    items = holder.get(field) if isinstance(holder, dict) else None
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield item, (*at, field, index)
