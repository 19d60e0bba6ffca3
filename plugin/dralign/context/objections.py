"""What the API server objects to in a manifest, one objection for each mistake."""

from __future__ import annotations

from dralign.manifest import Path
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dralign.admission.causes import Cause
    from dralign.admission.server import Server
    from dralign.manifest import Manifest

_WRONG_TYPE, _UNKNOWN_FIELD = "WrongType", "UnknownField"


class Objection(Record):
    """One cause of a refusal, and the path in the manifest at which it stands; ``others`` more are like it elsewhere."""

    path: Path
    cause: Cause
    others: int = 0


def objections_to(manifest: Manifest, server: Server) -> tuple[Objection, ...]:
    """Return all that the API server objects to in an object by itself; worked out once for each release and its gates."""
    key = "objections", server.release, server.features
    if key not in manifest.kept:
        from dralign.admission.answers import objections  # noqa: PLC0415 -- brings the tables of the API server

        causes = objections(manifest.data, server)
        manifest.kept[key] = tuple(Objection(Path(cause.location), cause) for cause in causes)
    found: tuple[Objection, ...] = manifest.kept[key]
    return found


def distinct(objections: Iterable[Objection]) -> Iterator[Objection]:
    """Yield objections with those joined that come from one mistake.

    Several at one place become one; of those that say the same of the same field of several items, or of several values
    written alike, the first stands for all.
    """
    by_place: dict[Path, list[Objection]] = {}
    for objection in objections:
        by_place.setdefault(objection.path, []).append(objection)
    groups: dict[tuple[str, str], list[Objection]] = {}
    for path, found in by_place.items():
        joined = found[0] if len(found) == 1 else found[0].replace(cause=_joined([o.cause for o in found]))
        cause = joined.cause
        shape = "" if cause.reason == _WRONG_TYPE else ".".join("*" if isinstance(s, int) else s for s in path)
        words = "" if cause.reason == _UNKNOWN_FIELD else cause.message  # which has the whole path in it
        groups.setdefault((shape, words), []).append(joined)
    for group in groups.values():
        yield group[0].replace(others=len(group) - 1)


def _joined(causes: list[Cause]) -> Cause:
    """Return one cause with the words of several, and what they begin with alike only once."""
    first = causes[0]
    head = first.message.split(": ")
    words = [first.message]
    for cause in causes[1:]:
        parts = cause.message.split(": ")
        alike = next((i for i, pair in enumerate(zip(head, parts, strict=False)) if pair[0] != pair[1]), len(parts))
        rest = ": ".join(parts[alike:])
        if rest:
            words.append(rest)
    return first.replace(message="; ".join(dict.fromkeys(words)))
