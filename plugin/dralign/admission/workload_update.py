"""What may not change in the built-in kinds that hold pod templates.

Source: ``Validate…Update`` in k8s.io/kubernetes/pkg/apis/apps/validation and pkg/apis/batch/validation.
"""

from __future__ import annotations

from dralign.admission import schema
from dralign.admission.comparable import same, validate_immutable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.schema import Struct
    from dralign.admission.server import Check

    Object = dict[str, Any]

_SPEC: Location = ("spec",)
_SET_FIELDS = ("selector", "volumeClaimTemplates", "serviceName", "podManagementPolicy")
_SET_MUTABLE = (
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
)
_JOB_FIELDS = (
    "selector",
    "completionMode",
    "podFailurePolicy",
    "backoffLimitPerIndex",
    "managedBy",
    "successPolicy",
)
_DIRECTIVES = ("nodeSelector", "tolerations", "schedulingGates")


def validate_selector_kept(check: Check, obj: Object, old: Object) -> None:
    """Validate an update of a Deployment, ReplicaSet or DaemonSet: all but the selector may change."""
    type_ = schema.struct("apps", f"{obj['kind']}Spec", check.minor)
    validate_immutable(check, type_, ("selector",), obj["spec"], old["spec"], _SPEC)


def validate_stateful_set_update(check: Check, obj: Object, old: Object) -> None:
    """Validate an update of a StatefulSet; up to 1.36 the whole spec is reported."""
    type_ = schema.struct("apps", "StatefulSetSpec", check.minor)
    spec, before = obj["spec"], old["spec"]
    if check.declarative:
        validate_immutable(check, type_, _SET_FIELDS, spec, before, _SPEC)
        return
    fixed = [field for field in type_.fields if field not in _SET_MUTABLE]
    if not same(type_, spec, before, check.minor, fixed):
        listed = ", ".join(f"'{field}'" for field in _SET_MUTABLE[:-1])
        detail = f"updates to statefulset spec for fields other than {listed} and '{_SET_MUTABLE[-1]}' are forbidden"
        check.forbidden(_SPEC, detail)


def validate_job_update(check: Check, obj: Object, old: Object) -> None:
    """Validate an update of a Job: while it is suspended, resources and scheduling directives may change."""
    type_ = schema.struct("batch", "JobSpec", check.minor)
    spec, before = obj["spec"], old["spec"]
    fields = [field for field in _JOB_FIELDS if field in type_.fields]
    validate_immutable(check, type_, fields, spec, before, _SPEC)
    if spec.get("completionMode") != "Indexed":
        validate_immutable(check, type_, ("completions",), spec, before, _SPEC)
    elif spec.get("completions") != before.get("completions") and spec.get("completions") != spec.get("parallelism"):
        detail = "can only be modified in tandem with spec.parallelism"
        check.invalid((*_SPEC, "completions"), spec.get("completions"), detail)
    _validate_template(check, type_, spec, before)


def _validate_template(check: Check, type_: Struct, spec: Object, before: Object) -> None:
    template, stored = spec["template"], before["template"]
    if not before.get("suspend"):
        validate_immutable(check, type_, ("template",), spec, before, _SPEC)
        return
    pod = _with_directives_of(stored["spec"], template["spec"])
    if "MutablePodResourcesForSuspendedJobs" in check.features:
        for field in ("containers", "initContainers"):
            pod[field] = _with_resources_of(pod.get(field, []), template["spec"].get(field, []))
        template_type = schema.struct("core", "PodTemplateSpec", check.minor)
        validate_immutable(check, template_type, ("spec",), template, {"spec": pod}, (*_SPEC, "template"))
        return
    metadata = dict(stored.get("metadata", {}))
    for field in ("labels", "annotations"):
        _take(metadata, template.get("metadata", {}), field)
    allowed = {**before, "template": {"metadata": metadata, "spec": pod}}
    validate_immutable(check, type_, ("template",), spec, allowed, _SPEC)


def _with_directives_of(pod: Object, new: Object) -> Object:
    """Return a pod's spec with what says where it may run taken from another one."""
    changed = dict(pod)
    for field in _DIRECTIVES:
        _take(changed, new, field)
    affinity = dict(pod.get("affinity", {}))
    _take(affinity, new.get("affinity", {}), "nodeAffinity")
    changed.pop("affinity", None)
    if affinity or "affinity" in new:
        changed["affinity"] = affinity
    return changed


def _with_resources_of(containers: list[Object], new: list[Object]) -> list[Object]:
    if len(containers) != len(new):
        return containers
    changed = [dict(container) for container in containers]
    for container, other in zip(changed, new, strict=True):
        _take(container, other, "resources")
    return changed


def _take(obj: Object, source: Object, field: str) -> None:
    obj.pop(field, None)
    if field in source:
        obj[field] = source[field]
