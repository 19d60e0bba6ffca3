"""Fields that the API server will drop without a word, because the feature gate that guards them is off.

Works on objects as they are written: what has another shape than expected is passed over, since it is refused anyway.
"""

from __future__ import annotations

from dralign.admission import drops
from dralign.admission.gates import stage
from dralign.admission.location import MapKey
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dralign.admission.drops import Guard
    from dralign.admission.location import Location
    from dralign.admission.server import Server

_GUARDS: dict[str, tuple[Location, tuple[Guard, ...]]] = {
    "ResourceClaim": (("spec",), drops.CLAIM),
    "ResourceClaimTemplate": (("spec", "spec"), drops.CLAIM),
    "DeviceClass": (("spec",), drops.CLASS),
    "ResourceSlice": (("spec",), drops.SLICE),
}
POD_LEVEL = "PodLevelResources"


class Disabled(Record):
    """One field that is dropped: where it stands, and the gate that is off."""

    location: Location
    gate: str


def disabled_fields(obj: dict[str, Any], server: Server) -> Iterator[Disabled]:
    """Yield the fields of a claim, template, class or slice that a server drops; none for other kinds.

    A field whose gate the release does not know is not dropped but refused, and not yielded.
    """
    at, guards = _GUARDS.get(str(obj.get("kind")), ((), ()))
    spec: Any = obj
    for step in at:
        spec = spec.get(step) if isinstance(spec, dict) else None
    for guard in guards:
        if guard.gate in server.features or server.minor not in guard.releases:
            continue
        if stage(guard.gate, server.release) == "unknown":
            continue
        for path in guard.paths:
            yield from (Disabled(place, guard.gate) for place in _written(spec, path.split("."), at))


def pod_level_disabled(spec: dict[str, Any], at: Location, server: Server) -> Iterator[Disabled]:
    """Yield the pod-level resources of a pod spec that stands at ``at``, where a server drops them (KEP-2837)."""
    if spec.get("resources") and POD_LEVEL not in server.features:
        yield Disabled((*at, "resources"), POD_LEVEL)


def _written(value: Any, steps: list[str], at: Location) -> Iterator[Location]:
    """Yield the places that a path of ``drops`` means and at which something is written."""
    if not steps:
        if value not in (None, [], {}, False):
            yield at
        return
    step, rest = steps[0], steps[1:]
    if not isinstance(value, dict):
        return
    if step == "@":
        body = next((name for name in ("exactly", "basic") if value.get(name)), None)
        yield from _written(value[body], rest, (*at, body)) if body else _written(value, rest, at)
    elif step.endswith("[]"):
        items = value.get(step[:-2])
        for index, item in enumerate(items if isinstance(items, list) else ()):
            yield from _written(item, rest, (*at, step[:-2], index))
    elif step.endswith("{}"):
        entries = value.get(step[:-2])
        for key, item in entries.items() if isinstance(entries, dict) else ():
            yield from _written(item, rest, (*at, step[:-2], MapKey(key)))
    else:
        yield from _written(value.get(step), rest, (*at, step))
