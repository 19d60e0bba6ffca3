"""Asking the API server about an update: what may change in a stored object, and what is not looked at again.

Source: the update strategies in k8s.io/kubernetes/pkg/registry and ``BeforeUpdate`` in
k8s.io/apiserver/pkg/registry/rest/update.go.
"""

from __future__ import annotations

from dralign.admission import schema, workload_kinds, workload_update
from dralign.admission.causes import INVALID
from dralign.admission.claim_status import prepare_status, validate_status
from dralign.admission.comparable import IMMUTABLE, same, validate_immutable
from dralign.admission.metadata import validate_kept_metadata
from dralign.admission.pod_resize import prepare_resize, validate_resize
from dralign.admission.pod_update import validate_pod_update
from dralign.admission.review import BAD_REQUEST, CONFLICT, OK, OTHER_NAMESPACE, UNPROCESSABLE, Request, Review, read
from dralign.admission.server import Check
from dralign.admission.versions import converted
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Server

    Object = dict[str, Any]
    Step = Callable[[Check, Object, Object], None]

_FLAT = "resource.v1beta1"


class Update(Record):
    """What the server does with an update: it prepares the new object, and validates it and then what has changed."""

    prepare: Step
    validate: Step
    compare: Step


def review_update(
    stored: Review, obj: Object, server: Server, subresource: str = "", duplicates: Sequence[Location] = ()
) -> Review | None:
    """Say what the server answers to an update request.

    ``stored`` is the accepted review of the object that is stored (by a create or an earlier update request; perhaps by
    another release or with other gates), ``subresource`` is ``status``, ``resize`` or nothing. Returns None for kinds
    that are not judged, ValueError if the stored object was refused or is of another kind.
    """
    if stored.type is None or stored.decoded is None:
        raise ValueError("the stored object was refused")
    request = read(obj, server, duplicates)
    if not isinstance(request, Request):
        return request
    if request.type.name != stored.type.name:
        raise ValueError(f"a {request.type.name} is no update of a {stored.type.name}")
    new = request.decoded
    old = converted(
        request.type.name, stored.decoded, flat_from=stored.type.package == _FLAT, flat_to=request.type.package == _FLAT
    )
    refusal = _mismatch(new.get("metadata", {}), old.get("metadata", {}))
    if refusal is not None:
        return refusal
    check = Check(server, request.type.package)
    update = _update_of(request, subresource)
    if update is None:
        return None
    update.prepare(check, new, old)
    validate_kept_metadata(check, new.get("metadata", {}), old.get("metadata", {}))
    update.validate(check, new, old)
    update.compare(check, new, old)
    if check.causes:
        return Review(UNPROCESSABLE, tuple(check.causes))
    return Review(OK, (), None, request.type, new)


def _update_of(request: Request, subresource: str) -> Update | None:
    kind = request.type.name
    if subresource:
        return _SUBRESOURCES.get((kind, subresource))
    return Update(_keeping_status(request.kind.prepare), request.kind.validate, _COMPARED.get(kind, _ignore))


def _keeping_status(prepare: Step) -> Step:
    """Return a step that prepares an object and leaves its status as it is stored."""

    def prepare_and_keep(check: Check, new: Object, old: Object) -> None:
        prepare(check, new, old)
        if "status" in old:
            new["status"] = old["status"]

    return prepare_and_keep


def _mismatch(new: Object, old: Object) -> Review | None:
    """Return the refusal of metadata that are not those of the stored object."""
    if new.get("name", "") != old.get("name", ""):
        detail = (
            f"the name of the object ({new.get('name', '')}) does not match the name on the URL ({old.get('name', '')})"
        )
        return Review(BAD_REQUEST, (), detail)
    if new.get("namespace", old.get("namespace", "")) != old.get("namespace", ""):
        return Review(BAD_REQUEST, (), OTHER_NAMESPACE)
    if new.get("uid", old.get("uid", "")) != old.get("uid", ""):
        return Review(CONFLICT, (), "Precondition failed: UID in precondition differs from UID in object meta")
    return None


def _ignore(check: Check, new: Object, old: Object) -> None:
    """Look at nothing: every field may change, or none was validated before."""


def _compare_claim(check: Check, claim: Object, old: Object) -> None:
    """Object to any change of the spec; from 1.37 on what it would be is not quoted."""
    type_ = schema.struct(check.package, "ResourceClaim", check.minor)
    if not check.declarative:
        validate_immutable(check, type_, ("spec",), claim, old, ())
    elif not same(type_, claim, old, check.minor, ("spec",)):
        check.add(("spec",), INVALID, f"null: {IMMUTABLE}")


def _compare_template(check: Check, template: Object, old: Object) -> None:
    type_ = schema.struct(check.package, "ResourceClaimTemplate", check.minor)
    validate_immutable(check, type_, ("spec",), template, old, ())


def _compare_slice(check: Check, resource_slice: Object, old: Object) -> None:
    # The server compares in its own version, which is v1; what changed has the same fields in all.
    type_ = schema.struct("resource.v1", "ResourceSliceSpec", check.minor)
    pool_type = schema.struct("resource.v1", "ResourcePool", check.minor)
    spec, before = resource_slice["spec"], old["spec"]
    validate_immutable(check, type_, ("driver", "nodeName"), spec, before, ("spec",))
    validate_immutable(check, pool_type, ("name",), spec.get("pool", {}), before.get("pool", {}), ("spec", "pool"))


_COMPARED: dict[str, Step] = {
    "ResourceClaim": _compare_claim,
    "ResourceClaimTemplate": _compare_template,
    "ResourceSlice": _compare_slice,
    "Pod": validate_pod_update,
    "Deployment": workload_update.validate_selector_kept,
    "ReplicaSet": workload_update.validate_selector_kept,
    "DaemonSet": workload_update.validate_selector_kept,
    "StatefulSet": workload_update.validate_stateful_set_update,
    "Job": workload_update.validate_job_update,
}
_SUBRESOURCES = {
    ("ResourceClaim", "status"): Update(prepare_status, validate_status, _ignore),
    ("Pod", "resize"): Update(prepare_resize, workload_kinds.KINDS["Pod"].validate, validate_resize),
}
