"""What the API server objects to: one cause per field, and the collector that words them as it does.

Source of kinds and wording: k8s.io/apimachinery/pkg/util/validation/field/errors.go.
"""

from __future__ import annotations

from dralign.admission.location import render
from dralign.record import Record
from dralign.values import gotext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from dralign.admission.location import Location

INVALID = "FieldValueInvalid"
REQUIRED = "FieldValueRequired"
DUPLICATE = "FieldValueDuplicate"
UNSUPPORTED = "FieldValueNotSupported"
FORBIDDEN = "FieldValueForbidden"
NOT_FOUND = "FieldValueNotFound"
TOO_LONG = "FieldValueTooLong"
TOO_MANY = "FieldValueTooMany"
INTERNAL = "InternalError"
_WORDS = {
    INVALID: "Invalid value",
    REQUIRED: "Required value",
    DUPLICATE: "Duplicate value",
    UNSUPPORTED: "Unsupported value",
    FORBIDDEN: "Forbidden",
    NOT_FOUND: "Not found",
    TOO_LONG: "Too long",
    TOO_MANY: "Too many",
    INTERNAL: "Internal error",
}


class Cause(Record):
    """One objection.

    ``field`` is the path in the server's words, ``location`` where it stands in the object as given (for most causes
    the same place), ``reason`` and ``message`` are the server's, ``hint`` is ours: what was probably meant, or None.
    """

    field: str
    reason: str
    message: str
    location: Location = ()
    hint: str | None = None


class Objections:
    """Collects causes in the order in which they are found."""

    __slots__ = ("causes",)

    def __init__(self) -> None:
        self.causes: list[Cause] = []

    def add(self, at: Location, reason: str, detail: str = "", field: str | None = None) -> None:
        """Add a cause without a value: its words are the reason and the detail."""
        message = f"{_WORDS[reason]}: {detail}" if detail else _WORDS[reason]
        self.causes.append(Cause(render(at) if field is None else field, reason, message, at))

    def invalid(self, at: Location, value: Any, detail: str) -> None:
        """Object to a malformed value."""
        self.add(at, INVALID, f"{show(value)}: {detail}")

    def each_invalid(self, at: Location, value: Any, details: Iterable[str]) -> None:
        """Object to a value once per detail."""
        for detail in details:
            self.invalid(at, value, detail)

    def required(self, at: Location, detail: str = "") -> None:
        """Object to a missing value."""
        self.add(at, REQUIRED, detail)

    def forbidden(self, at: Location, detail: str) -> None:
        """Object to a value that is not allowed here."""
        self.add(at, FORBIDDEN, detail)

    def duplicate(self, at: Location, value: Any) -> None:
        """Object to a second entry of the same key."""
        self.add(at, DUPLICATE, show(value))

    def not_found(self, at: Location, value: Any, detail: str = "") -> None:
        """Object to a reference that leads nowhere."""
        self.add(at, NOT_FOUND, f"{show(value)}: {detail}" if detail else show(value))

    def unsupported(self, at: Location, value: Any, supported: Sequence[str]) -> None:
        """Object to a value outside an enumeration; ``supported`` in the server's order."""
        from dralign.admission.near_miss import hint_for_word  # noqa: PLC0415  needed for mistakes only

        names = ", ".join(gotext.quote(name) for name in supported)
        message = f"{_WORDS[UNSUPPORTED]}: {show(value)}: supported values: {names}"
        hint = hint_for_word(value, supported) if isinstance(value, str) else None
        self.causes.append(Cause(render(at), UNSUPPORTED, message, at, hint))

    def too_long(self, at: Location, limit: int, unit: str = "bytes") -> None:
        """Object to a text of more than ``limit`` bytes or characters."""
        self.add(at, TOO_LONG, f"may not be more than {limit} {unit}")

    def too_many(self, at: Location, count: int, limit: int) -> None:
        """Object to a list of more than ``limit`` items."""
        self.add(at, TOO_MANY, f"{count}: must have at most {limit} items")


def show(value: Any) -> str:
    """Return a value as Go writes it into an error: strings quoted, the rest as JSON."""
    if isinstance(value, str):
        return gotext.quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return to_go_json(value)


def to_go_json(value: Any) -> str:
    """Return compact JSON as Go writes it: what HTML would take for its own is escaped."""
    return to_json(value).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def to_json(value: Any) -> str:
    """Return compact JSON; quantities become their canonical text."""
    import json  # noqa: PLC0415  only where a whole structure is quoted

    try:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=str)
    except RecursionError:
        from dralign.admission.nested import compact_json  # noqa: PLC0415  nobody writes such values in earnest

        return compact_json(value)
