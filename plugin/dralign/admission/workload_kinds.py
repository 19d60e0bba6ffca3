"""Pods and the built-in kinds that hold pod templates: how each is prepared (defaults, drops) and validated."""

from __future__ import annotations

from dralign.admission import drops, names, workload, workload_defaults
from dralign.admission.kinds import Kind, spec_of
from dralign.admission.metadata import validate_metadata
from dralign.admission.plugins import refuse_pod
from dralign.admission.pod import validate_new_pod, validate_pod
from dralign.admission.pod_defaults import fill_pod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from dralign.admission.server import Check

    Object = dict[str, Any]


def _prepare_pod(check: Check, pod: Object, old: Object | None) -> None:
    pod.pop("status", None)
    spec = pod.setdefault("spec", {})
    drops.drop_pod_fields(spec, spec_of(old), check.features, check.minor)
    fill_pod(spec, check.features, spec_of(old))


def _validate_pod(check: Check, pod: Object, old: Object | None) -> None:
    validate_metadata(check, pod.get("metadata", {}), names.object_name)
    validate_pod(check, pod["spec"])
    if old is None:
        validate_new_pod(check, pod["spec"])


def _owner(fill: Callable[[Object], None], validate_object: Callable[[Check, Object], None], *path: str) -> Kind:
    """Return the row of a kind with a pod template under a path."""

    def prepare(check: Check, obj: Object, old: Object | None) -> None:
        obj.pop("status", None)
        fill(obj)
        spec = _pod_spec_at(obj, path)
        before = None if old is None else _pod_spec_at(old, path)
        if spec is not None:
            drops.drop_pod_fields(spec, before, check.features, check.minor)

    def validate(check: Check, obj: Object, old: Object | None) -> None:
        del old
        validate_object(check, obj)

    return Kind(True, prepare, validate)


def _pod_spec_at(obj: Object, path: tuple[str, ...]) -> Object | None:
    found: Any = obj
    for step in (*path, "template", "spec"):
        found = found.get(step, {})
    return found or None


def _validate_stateful_set(check: Check, obj: Object, old: Object | None) -> None:
    workload.validate_controller(check, obj)
    if old is None:
        workload.validate_service_name(check, obj["spec"])


_CONTROLLER = _owner(workload_defaults.fill_controller, workload.validate_controller, "spec")
KINDS = {
    "Pod": Kind(True, _prepare_pod, _validate_pod, refuse=refuse_pod),
    "PodTemplate": _owner(workload_defaults.fill_pod_template_object, workload.validate_pod_template_object),
    "Deployment": _CONTROLLER,
    "ReplicaSet": _CONTROLLER,
    "StatefulSet": _CONTROLLER.replace(validate=_validate_stateful_set),
    "DaemonSet": _CONTROLLER,
    "ReplicationController": _owner(
        workload_defaults.fill_replication_controller, workload.validate_replication_controller, "spec"
    ),
    "Job": _owner(workload_defaults.fill_job, workload.validate_job, "spec"),
    "CronJob": _owner(workload_defaults.fill_cron_job, workload.validate_cron_job, "spec", "jobTemplate", "spec"),
}
