"""Lists with a limit and lists with unique keys."""

from __future__ import annotations

from dralign.admission.causes import DUPLICATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

    Validator = Callable[[Check, Any, Location], None]


def validate_list(
    check: Check,
    items: Sequence[Any],
    at: Location,
    limit: int,
    validate: Validator,
    declared: Validator | None = None,
) -> None:
    """Validate each item; when there are more than ``limit``, object to their number, and up to 1.34 to the items too.

    ``declared`` is for lists whose limit 1.37 does not take from the API types: it holds the rules for an item that do come
    from there and are looked at all the same.
    """
    chosen: Validator | None = validate
    if not check.list_of(at, len(items), limit) and check.minor >= 35:
        chosen = declared if check.declarative else None
    if chosen is not None:
        for index, item in enumerate(items):
            chosen(check, item, (*at, index))


def validate_unique(check: Check, keys: Sequence[Any], at: Location) -> None:
    """Object to values that stand twice."""
    seen = set()
    for index, key in enumerate(keys):
        if key in seen:
            check.duplicate((*at, index), key)
        seen.add(key)


def validate_unique_by(check: Check, items: Sequence[dict[str, Any]], at: Location, key: str, type_: str) -> None:
    """Object to objects whose key field stands twice.

    Up to 1.34 the place is the key field, since then the item; from 1.37 on the item is quoted as JSON of its type.
    """
    seen = set()
    for index, item in enumerate(items):
        name = item.get(key, "")
        if name in seen:
            if check.declarative:
                check.add((*at, index), DUPLICATE, check.written(type_, item))
            else:
                check.duplicate((*at, index) if check.minor >= 35 else (*at, index, key), name)
        seen.add(name)
