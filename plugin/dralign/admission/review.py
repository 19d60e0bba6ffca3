"""Asking the API server about a new object: the whole way from JSON to its answer."""

from __future__ import annotations

from dralign.admission import kinds, schema
from dralign.admission.causes import Cause
from dralign.admission.changes import changes
from dralign.admission.decode import Decoder, Misfit, duplicate_field, unknown_field
from dralign.admission.encode import encode
from dralign.admission.location import render
from dralign.admission.served import NOT_YET, REMOVED, served
from dralign.admission.server import Check
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.admission.changes import Change
    from dralign.admission.kinds import Kind
    from dralign.admission.location import Location
    from dralign.admission.schema import Struct
    from dralign.admission.server import Server

OK, CREATED = 200, 201
BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT, UNPROCESSABLE = 400, 403, 404, 409, 422
UNKNOWN_FIELD = "UnknownField"
DUPLICATE_FIELD = "DuplicateField"
WRONG_TYPE = "WrongType"
OTHER_NAMESPACE = "the namespace of the provided object does not match the namespace sent on the request"


class Review(Record):
    """The server's answer.

    ``code`` is the HTTP status, ``causes`` what is objected to (empty when accepted), ``message`` the text of answers
    that name no fields. ``decoded`` is the object with defaults filled in and disabled fields dropped, in decoded form.
    """

    code: int
    causes: tuple[Cause, ...] = ()
    message: str | None = None
    type: Struct | None = None
    decoded: dict[str, Any] | None = None

    @property
    def accepted(self) -> bool:
        """Whether the object would be stored."""
        return self.code < BAD_REQUEST


class Request(Record):
    """An object as the server read it: its type, the row of its kind, and the decoded object."""

    type: Struct
    kind: Kind
    decoded: dict[str, Any]


def review(obj: dict[str, Any], server: Server, duplicates: Sequence[Location] = ()) -> Review | None:
    """Say what the server answers to a create request with an object.

    ``duplicates`` are the places of keys that stand twice in the text that was read. Returns None for kinds that are not
    judged.
    """
    request = read(obj, server, duplicates)
    if not isinstance(request, Request):
        return request
    kind, decoded = request.kind, request.decoded
    check = Check(server, request.type.package)
    kind.prepare(check, decoded, None)
    refusal = kind.refuse(check, decoded) if kind.refuse else None
    if refusal is not None:
        return Review(FORBIDDEN, (), refusal)
    kind.validate(check, decoded, None)
    if check.causes:
        return Review(UNPROCESSABLE, tuple(check.causes))
    refusal = kind.refuse_valid(check, decoded) if kind.refuse_valid else None
    if refusal is not None:
        return Review(FORBIDDEN, (), refusal)
    return Review(CREATED, (), None, request.type, decoded)


def read(obj: dict[str, Any], server: Server, duplicates: Sequence[Location] = ()) -> Request | Review | None:
    """Read the body of a request: the object, or the server's answer when it cannot be read, or None (see ``review``)."""
    group_version, kind_name = obj.get("apiVersion", ""), obj.get("kind", "")
    if not isinstance(group_version, str) or not isinstance(kind_name, str):
        return None
    if served(group_version, kind_name, server.release).state in (NOT_YET, REMOVED):
        return Review(NOT_FOUND, (), "the server could not find the requested resource")
    type_ = schema.kind_of(group_version, kind_name, server.minor)
    kind = kinds.find(kind_name)
    if type_ is None or kind is None:
        return None
    decoded = _decode(type_, obj, duplicates, server.minor)
    if isinstance(decoded, Review):
        return decoded
    metadata = decoded.get("metadata", {})
    if not kind.namespaced:
        metadata.pop("namespace", None)
    elif server.namespace is not None and metadata.get("namespace", server.namespace) != server.namespace:
        at: Location = ("metadata", "namespace")
        return Review(BAD_REQUEST, (Cause(render(at), WRONG_TYPE, OTHER_NAMESPACE, at),))
    return Request(type_, kind, decoded)


def defaulted(obj: dict[str, Any], answer: Review, server: Server) -> list[Change]:
    """Return how the spec of an accepted object differs from what was sent."""
    if answer.type is None or answer.decoded is None:
        return []
    written = encode(answer.type, answer.decoded, server.minor)
    return changes(obj.get("spec", {}) or {}, written.get("spec", {}), ("spec",))


def _decode(type_: Struct, obj: dict[str, Any], duplicates: Sequence[Location], minor: int) -> dict[str, Any] | Review:
    """Return the decoded object, or the refusal of one that does not fit its type."""
    decoder = Decoder(type_, minor)
    try:
        decoded = decoder.decode(obj)
    except Misfit as found:
        misfit = found.at, found.message
    else:
        if decoder.misfit is None:
            return _not_strict(type_, decoder.unknown, duplicates, minor) if decoder.unknown or duplicates else decoded
        misfit = decoder.misfit
    at, message = misfit
    return Review(BAD_REQUEST, (Cause(render(at), WRONG_TYPE, message, at),))


def _not_strict(
    root: Struct, unknown: Sequence[tuple[Location, Struct]], duplicates: Sequence[Location], minor: int
) -> Review:
    from dralign.admission.near_miss import hint_for_field  # noqa: PLC0415  most objects have no unknown fields

    causes = [
        Cause(render(at), UNKNOWN_FIELD, unknown_field(at), at, hint_for_field(root, at, type_, minor))
        for at, type_ in unknown
    ]
    causes += [Cause(render(at), DUPLICATE_FIELD, duplicate_field(at), at) for at in duplicates]
    return Review(BAD_REQUEST, tuple(causes))
