"""``in``, ``size`` and the building of maps in macros. Source: cel-go common/stdlib/standard.go, types/map.go."""

from __future__ import annotations

from dralign.cel.functions.equality import contains
from dralign.cel.printing import go_text
from dralign.cel.values import LISTS, MISSING, CelError, Map, map_key, no_such_overload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value


def contained(value: Value, container: Value) -> bool:
    """``value in container``: an element of a list, a key of a map (its default does not count)."""
    if type(container) in LISTS:
        return contains(container, value)
    if type(container) is Map:
        return container.get(value) is not MISSING
    raise no_such_overload(container)


def size(value: Value) -> int:
    """Count characters, bytes, elements or entries."""
    return len(value)


def map_insert(target: Map, key: Value, value: Value = MISSING) -> Map:
    """Add an entry, or all entries of a map, to the map that a macro builds (in place: nobody else holds it)."""
    entries = [(each, key.get(each)) for each in key] if value is MISSING else [(key, value)]
    for each, item in entries:
        if target.get(each) is not MISSING:
            raise CelError(f"insert failed: key {go_text(each)} already exists")
        target.entries[map_key(each)] = item
    return target
