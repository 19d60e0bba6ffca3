"""What may change in a Pod.

Source: ``ValidatePodUpdate`` in k8s.io/kubernetes/pkg/apis/core/validation.
"""

from __future__ import annotations

from dralign.admission import schema
from dralign.admission.comparable import same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

    Object = dict[str, Any]

_SPEC: Location = ("spec",)
_MAX_INT32 = (1 << 31) - 1
_CONTAINERS = ("containers", "initContainers")
_MUTABLE = ("activeDeadlineSeconds", "schedulingGates", "tolerations")
_ONLY = (
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)


def validate_pod_update(check: Check, pod: Object, old: Object) -> None:
    """Validate what changed in a Pod; the new one is valid for itself."""
    spec, before = pod["spec"], old["spec"]
    for field in _CONTAINERS:
        if len(spec.get(field, ())) != len(before.get(field, ())):
            check.forbidden((*_SPEC, field), "pod updates may not add or remove containers")
            return
        _validate_images(check, spec.get(field, ()), (*_SPEC, field))
    _validate_deadline(check, spec.get("activeDeadlineSeconds"), before.get("activeDeadlineSeconds"))
    _validate_tolerations(check, spec.get("tolerations", ()), before.get("tolerations", ()))
    _validate_gates(check, spec.get("schedulingGates", ()), before.get("schedulingGates", ()))
    changed = _with_mutable_fields_of(spec, before)
    if before.get("schedulingGates"):
        _validate_gated(check, spec, before)
        changed = _with_node_choice_of(changed, before)
    if not same(schema.struct("core", "PodSpec", check.minor), changed, before, check.minor):
        check.forbidden(_SPEC, _ONLY)


def _with_mutable_fields_of(spec: Object, before: Object) -> Object:
    """Return a spec whose fields that may change are those of another one."""
    changed = {field: value for field, value in spec.items() if field not in _MUTABLE}
    changed.update({field: before[field] for field in _MUTABLE if field in before})
    for field in _CONTAINERS:
        pairs = zip(spec.get(field, ()), before.get(field, ()), strict=True)
        changed[field] = [{**container, "image": stored.get("image", "")} for container, stored in pairs]
    if before.get("terminationGracePeriodSeconds", 0) < 0 and changed.get("terminationGracePeriodSeconds") == 1:
        changed["terminationGracePeriodSeconds"] = before["terminationGracePeriodSeconds"]
    return changed


def _with_node_choice_of(spec: Object, before: Object) -> Object:
    """Return a spec whose node selector and node affinity, mutable while a pod waits, are those of another one."""
    changed = {field: value for field, value in spec.items() if field not in ("nodeSelector", "affinity")}
    if "nodeSelector" in before:
        changed["nodeSelector"] = before["nodeSelector"]
    affinity = {field: value for field, value in spec.get("affinity", {}).items() if field != "nodeAffinity"}
    stored = before.get("affinity", {})
    if "nodeAffinity" in stored:
        affinity["nodeAffinity"] = stored["nodeAffinity"]
    if affinity or "affinity" in before:
        changed["affinity"] = affinity
    return changed


def _validate_images(check: Check, containers: Sequence[Object], at: Location) -> None:
    for index, container in enumerate(containers):
        image = container.get("image", "")
        if not image:
            check.required((*at, index, "image"))
        elif image.strip() != image:
            check.invalid((*at, index, "image"), image, "must not have leading or trailing whitespace")


def _validate_deadline(check: Check, deadline: int | None, before: int | None) -> None:
    at = (*_SPEC, "activeDeadlineSeconds")
    if deadline is None:
        if before is not None:
            check.invalid(at, None, "must not update from a positive integer to nil value")
    elif not 0 <= deadline <= _MAX_INT32:
        check.invalid(at, deadline, f"must be between 0 and {_MAX_INT32}, inclusive")
    elif before is not None and before < deadline:
        check.invalid(at, deadline, "must be less than or equal to previous value")


def _validate_tolerations(check: Check, tolerations: Sequence[Object], before: Sequence[Object]) -> None:
    kept = [_without_seconds(toleration) for toleration in tolerations]
    if any(_without_seconds(toleration) not in kept for toleration in before):
        detail = "existing toleration can not be modified except its tolerationSeconds"
        check.forbidden((*_SPEC, "tolerations"), detail)


def _without_seconds(toleration: Object) -> Object:
    return {field: value for field, value in toleration.items() if field != "tolerationSeconds"}


def _validate_gates(check: Check, gates: Sequence[Object], before: Sequence[Object]) -> None:
    known = {gate.get("name", "") for gate in before}
    for index, gate in enumerate(gates):
        name = gate.get("name", "")
        if name not in known:
            detail = f"only deletion is allowed, but found new scheduling gate '{name}'"
            check.forbidden((*_SPEC, "schedulingGates", index, "name"), detail)


def _validate_gated(check: Check, spec: Object, before: Object) -> None:
    """Validate what may only become narrower while a pod waits at its gates: labels and affinity of nodes."""
    labels, old_labels = spec.get("nodeSelector", {}), before.get("nodeSelector", {})
    if any(labels.get(key) != value for key, value in old_labels.items()):
        detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
        check.invalid((*_SPEC, "nodeSelector"), labels, detail)
    at = (*_SPEC, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
    terms, old_terms = _required_terms(spec), _required_terms(before)
    if old_terms and len(terms) != len(old_terms):
        check.invalid(at, terms, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")
        return
    for index, (term, old_term) in enumerate(zip(terms, old_terms, strict=False)):
        if not _only_adds(term, old_term):
            check.invalid((*at, index), term, "only additions are allowed (no mutations or deletions)")


def _required_terms(spec: Object) -> Sequence[Object]:
    required = (
        spec.get("affinity", {}).get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution", {})
    )
    terms: Sequence[Object] = required.get("nodeSelectorTerms", ())
    return terms


def _only_adds(term: Object, old: Object) -> bool:
    fields = ("matchExpressions", "matchFields")
    if not any(old.get(field) for field in fields):
        return not any(term.get(field) for field in fields)
    return all(term.get(field, [])[: len(old.get(field, []))] == old.get(field, []) for field in fields)
