"""Two versions of one object: what the API server does not let the second one change in the first.

An object that was read from a cluster holds what the cluster added: it is compared as if it had been sent without that, and
pods of a cluster, into which admission plugins write at will, are not compared at all.
"""

from __future__ import annotations

from dralign.admission.changes import changes
from dralign.admission.encode import encode
from dralign.admission.review import review
from dralign.admission.updates import review_update
from dralign.admission.versions import converted
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.causes import Cause
    from dralign.admission.changes import Change
    from dralign.admission.server import Server

    Object = dict[str, Any]

_FLAT = "resource.v1beta1"
_GENERATED = (
    "controller-uid",
    "job-name",
    "batch.kubernetes.io/controller-uid",
    "batch.kubernetes.io/job-name",
)
"""Labels that the server gives the pods of a Job."""


class Refused(Record):
    """One objection to an update, and the first change below its place; None where nothing else than that is known."""

    cause: Cause
    change: Change | None


def refused_changes(before: Object, obj: Object, server: Server) -> list[Refused]:
    """Return the objections to an update, in order; none where one of the versions is refused by itself."""
    sent = _as_sent(before)
    stored = review(sent, server) if sent is not None else None
    new = review(obj, server)
    if stored is None or new is None or stored.type is None or new.type is None:
        return []
    answer = review_update(stored, obj, server)
    if answer is None or not answer.causes:
        return []
    flat_from, flat_to = (kind.package == _FLAT for kind in (stored.type, new.type))
    old = converted(new.type.name, stored.decoded or {}, flat_from=flat_from, flat_to=flat_to)
    try:
        differences = changes(encode(new.type, old, server.minor), encode(new.type, new.decoded or {}, server.minor))
    except RecursionError:
        differences = []  # parameters of a driver, nested as nobody reads them: the place that is refused must do
    return [Refused(cause, _below(cause, differences)) for cause in answer.causes]


def _below(cause: Cause, differences: list[Change]) -> Change | None:
    at = cause.location
    return next((change for change in differences if change.location[: len(at)] == at), None)


def _as_sent(obj: Object) -> Object | None:
    """Return an object as its author sent it, None where nobody can tell."""
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict) or "uid" not in metadata:
        return obj
    if obj.get("kind") == "Pod":
        return None
    return _without_generated(obj) if obj.get("kind") == "Job" else obj


def _without_generated(job: Object) -> Object:
    """Return a Job without the selector and the labels that the server generates."""
    spec = job.get("spec")
    if not isinstance(spec, dict) or spec.get("manualSelector") or not isinstance(spec.get("template"), dict):
        return job
    template = spec["template"]
    metadata = template.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    if isinstance(metadata, dict) and isinstance(labels, dict):
        kept = {name: value for name, value in labels.items() if name not in _GENERATED}
        template = {**template, "metadata": {**metadata, "labels": kept}}
    return {**job, "spec": {name: value for name, value in spec.items() if name != "selector"} | {"template": template}}
