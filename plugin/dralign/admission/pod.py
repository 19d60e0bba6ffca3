"""The spec of a pod, in a Pod or in a template.

Source: ``ValidatePodSpec``, ``validatePodMetadataAndSpec`` and ``ValidatePodTemplateSpec`` in
k8s.io/kubernetes/pkg/apis/core/validation; probes, security contexts, DNS settings and the sources of volumes are not
looked at beyond their types.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.container import PodFacts, validate_containers, validate_containers_of_pod
from dralign.admission.environment import validate_volumes
from dralign.admission.location import Unnamed
from dralign.admission.metadata import validate_annotations, validate_labels
from dralign.admission.node_selector import validate_node_name
from dralign.admission.pod_claims import validate_pod_claims
from dralign.admission.pod_level import validate_pod_level
from dralign.admission.resources import validate_requirements
from dralign.admission.scheduling import validate_scheduling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

_RESTART_POLICIES = ("Always", "OnFailure", "Never")
_DNS_POLICIES = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_PREEMPTION_POLICIES = ("PreemptLowerPriority", "Never")
_SYSTEMS = ("linux", "windows")
_MAX_INT32 = (1 << 31) - 1
_HOSTNAME_LENGTH = 64


def validate_pod_template(
    check: Check, template: dict[str, Any], at: Location, extra_volumes: Collection[str] = ()
) -> None:
    """Validate a pod template; ``extra_volumes`` are those that its owner adds (StatefulSet)."""
    metadata = template.get("metadata", {})
    # The server leaves "metadata" out of the path here.
    hidden = (*at, Unnamed("metadata"))
    validate_labels(check, metadata.get("labels", {}), (*hidden, "labels"))
    validate_annotations(check, metadata.get("annotations", {}), (*hidden, "annotations"))
    spec = template.get("spec", {})
    validate_pod_spec(check, spec, (*at, "spec"), extra_volumes)
    if spec.get("ephemeralContainers"):
        check.forbidden((*at, "spec", "ephemeralContainers"), "ephemeral containers not allowed in pod template")


def validate_pod(check: Check, spec: dict[str, Any]) -> None:
    """Validate the spec of a Pod."""
    at: Location = ("spec",)
    validate_pod_spec(check, spec, at)
    grace = spec.get("terminationGracePeriodSeconds", 0)
    if grace < 0:
        check.invalid((*at, "terminationGracePeriodSeconds"), grace, "must be greater than or equal to 0")
    validate_containers_of_pod(check, spec, at)


def validate_new_pod(check: Check, spec: dict[str, Any]) -> None:
    """Validate what only the spec of a Pod that is created is asked."""
    at: Location = ("spec",)
    if spec.get("ephemeralContainers"):
        check.forbidden((*at, "ephemeralContainers"), "cannot be set on create")
    if spec.get("nodeName") and spec.get("schedulingGates"):
        check.forbidden((*at, "nodeName"), "cannot be set until all schedulingGates have been cleared")


def validate_pod_spec(check: Check, spec: dict[str, Any], at: Location, extra_volumes: Collection[str] = ()) -> None:
    """Validate the spec of a pod."""
    volumes = validate_volumes(check, spec.get("volumes", ()), (*at, "volumes"))
    claims = spec.get("resourceClaims", ())
    if claims:
        validate_pod_claims(check, claims, (*at, "resourceClaims"))
    known = {claim["name"] for claim in claims if claim.get("name")}
    restart_policy = spec.get("restartPolicy", "Always")
    facts = PodFacts(known, volumes | set(extra_volumes), restart_policy)
    validate_containers(check, spec, at, facts)
    validate_pod_level(check, spec, at)
    validate_scheduling(check, spec, at)
    if "overhead" in spec:
        validate_requirements(check, {"limits": spec["overhead"]}, (*at, "overhead"), ())
    _validate_enumerations(check, spec, at)
    _validate_names(check, spec, at)
    _validate_host_name(check, spec, at)
    _validate_scheduling_gates(check, spec, at)
    deadline = spec.get("activeDeadlineSeconds")
    if deadline is not None and not 1 <= deadline <= _MAX_INT32:
        check.invalid((*at, "activeDeadlineSeconds"), deadline, f"must be between 1 and {_MAX_INT32}, inclusive")


def _validate_enumerations(check: Check, spec: dict[str, Any], at: Location) -> None:
    for field, allowed in (
        ("restartPolicy", _RESTART_POLICIES),
        ("dnsPolicy", _DNS_POLICIES),
        ("preemptionPolicy", _PREEMPTION_POLICIES),
    ):
        if spec.get(field) and spec[field] not in allowed:
            check.unsupported((*at, field), spec[field], allowed)
    system = spec.get("os")
    if system is not None and not system.get("name"):
        check.required((*at, "os", "name"))
    elif system is not None and system["name"] not in _SYSTEMS:
        check.unsupported((*at, "os"), system["name"], _SYSTEMS)


def _validate_names(check: Check, spec: dict[str, Any], at: Location) -> None:
    for field in ("serviceAccountName", "priorityClassName", "runtimeClassName"):
        if field in spec:
            check.each_invalid((*at, field), spec[field], names.object_name(spec[field]))
    if spec.get("nodeName"):
        validate_node_name(check, spec["nodeName"], (*at, "nodeName"))
    for field in ("hostname", "subdomain"):
        if field in spec:
            check.each_invalid((*at, field), spec[field], names.dns_label(spec[field]))


def _validate_host_name(check: Check, spec: dict[str, Any], at: Location) -> None:
    name = spec.get("hostnameOverride")
    if name is None:
        return
    place = (*at, "hostnameOverride")
    for field in ("setHostnameAsFQDN", "hostNetwork"):
        if spec.get(field):
            check.forbidden(place, f"may not be specified when {field} is true")
    if len(name.encode(errors="surrogatepass")) > _HOSTNAME_LENGTH:
        check.too_long(place, _HOSTNAME_LENGTH)
    check.each_invalid(place, name, names.dns_subdomain(name))


def _validate_scheduling_gates(check: Check, spec: dict[str, Any], at: Location) -> None:
    seen = set()
    for index, gate in enumerate(spec.get("schedulingGates", ())):
        name = gate.get("name", "")
        check.each_invalid((*at, "schedulingGates", index), name, names.label_key(name, check.minor))
        if name in seen:
            check.duplicate((*at, "schedulingGates", index), name)
        seen.add(name)
