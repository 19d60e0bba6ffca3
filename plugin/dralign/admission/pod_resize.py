"""Resizing the containers of a running Pod through its ``resize`` subresource (KEP-1287).

Source: ``ValidatePodResize`` in k8s.io/kubernetes/pkg/apis/core/validation and the resize strategy of pods. The volumes
and what a running kubelet supports are not looked at.
"""

from __future__ import annotations

from dralign.admission import schema
from dralign.admission.causes import FORBIDDEN
from dralign.admission.comparable import same
from dralign.admission.drops import drop_pod_fields
from dralign.admission.pod_defaults import fill_pod
from dralign.admission.pod_level import FIXED_GATE, fill_pod_level
from dralign.admission.qos import qos_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

    Object = dict[str, Any]

_SPEC: Location = ("spec",)
_CONTAINERS = ("containers", "initContainers")
_LISTS = ("requests", "limits")
_RESIZABLE = ("cpu", "memory")
_POD_LEVEL_GATE = "InPlacePodLevelResourcesVerticalScaling"
_POD_LEVEL_OFF = (
    f"resize of pods with pod-level resources is forbidden when {_POD_LEVEL_GATE}Enabled feature gate is disabled"
)
_NO_FIELD = "[]"  # how the server writes a path without a field
_INIT_GATE = "InPlacePodVerticalScalingInitContainers"


def prepare_resize(check: Check, pod: Object, old: Object) -> None:
    """Keep all of a pod as it is stored except what can be resized, in place; a pod of other containers is left as it is."""
    spec, before = pod.setdefault("spec", {}), old["spec"]
    fill_pod(spec, check.features, before)
    if _same_numbers(spec, before):
        spec = _stored_with_resources_of(check, spec, before)
        pod.update({"spec": spec, "metadata": old.get("metadata", {})})
    if FIXED_GATE in check.features:
        if "resources" in before:
            spec.setdefault("resources", before["resources"])
        fill_pod_level(spec, check.features)
    drop_pod_fields(spec, before, check.features, check.minor)


def validate_resize(check: Check, pod: Object, old: Object) -> None:
    """Validate the resources that changed; the new pod is valid for itself."""
    spec, before = pod["spec"], old["spec"]
    of_pod = _is_set(spec.get("resources")) or _is_set(before.get("resources"))
    if of_pod and check.minor <= 34:
        _refuse_altogether(check, "pods with pod-level resources cannot be resized")
        return
    if before.get("os", {}).get("name") == "windows":
        _refuse_altogether(check, "windows pods cannot be resized")
        return
    stored_class = qos_class(before, check.features, check.minor)
    if stored_class != qos_class(spec, check.features, check.minor):
        # A pod of other containers is compared without its status.
        check.invalid(
            _SPEC,
            stored_class if _same_numbers(spec, before) else "",
            "Pod QOS Class may not change as a result of resizing",
        )
    if of_pod:
        if _POD_LEVEL_GATE not in check.features:
            check.add((), FORBIDDEN, _POD_LEVEL_OFF, _NO_FIELD)
            return
        _validate_pod_level(check, spec.get("resources"), before.get("resources"))
    if not _validate_order(check, spec, before):
        return
    for index, container, stored in _pairs(spec, before, "containers"):
        _validate_container(check, container, stored, (*_SPEC, "containers", index))
    for index, container, stored in _pairs(spec, before, "initContainers"):
        _validate_init_container(check, container, stored, (*_SPEC, "initContainers", index))


def _refuse_altogether(check: Check, detail: str) -> None:
    """Object to the pod as such; nothing else is said then."""
    check.causes.clear()
    check.add((), FORBIDDEN, detail, _NO_FIELD)


def _validate_container(check: Check, container: Object, stored: Object, at: Location) -> None:
    _validate_kept(check, container.get("resources", {}), stored.get("resources", {}), (*at, "resources"), "resource")
    if not _same_but_compute(check, container, stored):
        check.forbidden(_SPEC, "only cpu and memory resources are mutable")


def _validate_init_container(check: Check, container: Object, stored: Object, at: Location) -> None:
    sidecar = stored.get("restartPolicy") == "Always"
    unchanged = same(schema.struct("core", "Container", check.minor), container, stored, check.minor)
    if not sidecar and _INIT_GATE not in check.features:
        if not unchanged:
            check.forbidden(_SPEC, "resources for non-sidecar init containers are immutable")
        return
    _validate_kept(check, container.get("resources", {}), stored.get("resources", {}), (*at, "resources"), "resource")
    if not _same_but_compute(check, container, stored):
        if check.minor <= 35:
            check.forbidden(_SPEC, "only cpu and memory resources for sidecar containers are mutable")
        else:
            check.forbidden(at, "only cpu and memory resources for init or sidecar containers are mutable")
    restarts = any(policy.get("restartPolicy") == "RestartContainer" for policy in container.get("resizePolicy", ()))
    if restarts and not sidecar and not unchanged:
        detail = "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"
        check.forbidden(at, detail)


def _validate_pod_level(check: Check, resources: Object | None, before: Object | None) -> None:
    at = (*_SPEC, "resources")
    if before is not None and resources is None:
        check.forbidden(at, "pod-level resources cannot be removed")
        return
    _validate_kept(check, resources or {}, before or {}, at, "pod-level resource")
    if _without_compute(resources or {}) != _without_compute(before or {}):
        check.forbidden(_SPEC, "only cpu and memory resources are mutable at pod-level")


def _validate_kept(check: Check, resources: Object, before: Object, at: Location, noun: str) -> None:
    """Object to requests or limits that are gone."""
    for field in _LISTS:
        if before.get(field, {}).keys() - resources.get(field, {}).keys():
            check.forbidden((*at, field), f"{noun} {field} cannot be removed")


def _same_but_compute(check: Check, container: Object, stored: Object) -> bool:
    """Say whether two containers differ in cpu and memory only.

    Up to 1.36 the claims of the new container are lost on the way, so that one with claims never passes.
    """
    resources = _without_compute(container.get("resources", {}))
    if check.minor <= 36:
        resources.pop("claims", None)
    changed = {**container, "resources": resources}
    before = {**stored, "resources": _without_compute(stored.get("resources", {}))}
    return same(schema.struct("core", "Container", check.minor), changed, before, check.minor)


def _without_compute(resources: Object) -> Object:
    rest = {field: value for field, value in resources.items() if field not in _LISTS}
    for field in _LISTS:
        rest[field] = {name: amount for name, amount in resources.get(field, {}).items() if name not in _RESIZABLE}
    return rest


def _validate_order(check: Check, spec: Object, before: Object) -> bool:
    """Object to containers that came, went or moved, and say whether all stand where they stood."""
    found = len(check.causes)
    for field in _CONTAINERS:
        names, stored = _names(spec.get(field, ())), _names(before.get(field, ()))
        if len(names) != len(stored):
            check.forbidden((*_SPEC, field), f"{field} may not be added or removed on resize")
            continue
        for index, (name, old_name) in enumerate(zip(names, stored, strict=True)):
            if name != old_name:
                detail = f"{field} may not be renamed or reordered on resize"
                check.forbidden((*_SPEC, field, index, "name"), detail)
    return len(check.causes) == found


def _stored_with_resources_of(check: Check, spec: Object, before: Object) -> Object:
    """Return the stored spec with the new resources; containers under other names replace the stored ones altogether."""
    kept = {**before}
    for field in _CONTAINERS:
        if _names(spec.get(field, ())) != _names(before.get(field, ())):
            kept[field] = spec[field]
        elif field in before:
            kept[field] = [_resized(stored, container) for _, container, stored in _pairs(spec, before, field)]
    if _POD_LEVEL_GATE in check.features:
        kept.pop("resources", None)
        if "resources" in spec:
            kept["resources"] = spec["resources"]
    return kept


def _resized(stored: Object, container: Object) -> Object:
    fields = ("resources", "resizePolicy")
    kept = {field: value for field, value in stored.items() if field not in fields}
    return {**kept, **{field: container[field] for field in fields if field in container}}


def _pairs(spec: Object, before: Object, field: str) -> Iterator[tuple[int, Object, Object]]:
    pairs = zip(spec.get(field, ()), before.get(field, ()), strict=True)
    for index, (container, stored) in enumerate(pairs):
        yield index, container, stored


def _same_numbers(spec: Object, before: Object) -> bool:
    return all(len(spec.get(field, ())) == len(before.get(field, ())) for field in _CONTAINERS)


def _names(containers: Sequence[Object]) -> list[str]:
    return [container.get("name", "") for container in containers]


def _is_set(resources: Object | None) -> bool:
    return resources is not None and any(resources.get(field) for field in _LISTS)
