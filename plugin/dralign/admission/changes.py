"""How the server's answer differs from what was sent: fields filled in, dropped, or written differently."""

from __future__ import annotations

from dralign.admission.location import MapKey
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location

MISSING = object()


class Change(Record):
    """One difference: ``before`` is MISSING for what was filled in, ``after`` is MISSING for what was dropped."""

    location: Location
    before: Any
    after: Any


def changes(before: Any, after: Any, at: Location = ()) -> list[Change]:
    """Return the differences, outermost first; lists of different length are one difference."""
    if isinstance(before, dict) and isinstance(after, dict):
        found = []
        for key in [*before, *(key for key in after if key not in before)]:
            found += _of_entry(before.get(key, MISSING), after.get(key, MISSING), (*at, MapKey(key)))
        return found
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [change for index, (old, new) in pairs for change in changes(old, new, (*at, index))]
    return [] if _same(before, after) else [Change(at, before, after)]


def _of_entry(before: Any, after: Any, at: Location) -> list[Change]:
    if before is MISSING or after is MISSING:
        # A null that is gone was never there.
        return [] if before is None and after is MISSING else [Change(at, before, after)]
    return changes(before, after, at)


def _same(before: Any, after: Any) -> bool:
    return type(before) is type(after) and bool(before == after)
