"""The kinds whose objects are judged, and what is done with an object of each.

The rows are in ``resource_kinds`` and ``workload_kinds``, which are read when an object of such a kind turns up. What may
not change at all on an update is in ``updates``.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from dralign.admission.server import Check

    Object = dict[str, Any]

RESOURCES = ("ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice", "DeviceTaintRule")
WORKLOADS = (
    "Pod",
    "PodTemplate",
    "Deployment",
    "ReplicaSet",
    "StatefulSet",
    "DaemonSet",
    "ReplicationController",
    "Job",
    "CronJob",
)


class Kind(Record):
    """What the server does with an object of a kind, and whether it lives in a namespace.

    ``prepare`` fills in and drops, in place; ``prepare`` and ``validate`` get the stored object on an update, None on a
    create. ``refuse`` asks the admission plugins that come before validation of a new object, ``refuse_valid`` those
    after it.
    """

    namespaced: bool
    prepare: Callable[[Check, Object, Object | None], None]
    validate: Callable[[Check, Object, Object | None], None]
    refuse: Callable[[Check, Object], str | None] | None = None
    refuse_valid: Callable[[Check, Object], str | None] | None = None


def find(name: str) -> Kind | None:
    """Return the row of a kind, None for kinds that are not judged."""
    if name in RESOURCES:
        from dralign.admission import resource_kinds  # noqa: PLC0415  many runs have only one of the two

        return resource_kinds.KINDS[name]
    if name in WORKLOADS:
        from dralign.admission import workload_kinds  # noqa: PLC0415  as above

        return workload_kinds.KINDS[name]
    return None


def spec_of(obj: Object | None) -> Object | None:
    """Return the spec of a stored object, None where there is no object."""
    return None if obj is None else obj.get("spec", {})
