"""Containers of a pod: regular ones, init containers, sidecars.

Source: ``validateContainerCommon``, ``validateContainers`` and ``validateInitContainers`` in
k8s.io/kubernetes/pkg/apis/core/validation.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.environment import validate_environment, validate_host_ports, validate_mounts, validate_ports
from dralign.admission.resources import validate_requirements
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

_MESSAGE_POLICIES = ("File", "FallbackToLogsOnError")
_PULL_POLICIES = ("Always", "IfNotPresent", "Never")
_RESTART_POLICIES = ("Always", "Never", "OnFailure")
_RESIZED = ("cpu", "memory")
_RESIZE_POLICIES = ("NotRequired", "RestartContainer")
_FOR_SIDECARS = ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")
# What an ephemeral container may have; the rest belongs to containers that are planned.
_EPHEMERAL_FIELDS = frozenset(
    {
        "name",
        "image",
        "command",
        "args",
        "workingDir",
        "envFrom",
        "env",
        "volumeMounts",
        "volumeDevices",
        "terminationMessagePath",
        "terminationMessagePolicy",
        "imagePullPolicy",
        "securityContext",
        "stdin",
        "stdinOnce",
        "tty",
        "targetContainerName",
    }
)


class PodFacts(Record):
    """What containers refer to in their pod: claims, volumes, and its restart policy."""

    claims: Collection[str]
    volumes: Collection[str]
    restart_policy: str


def validate_containers(check: Check, spec: dict[str, Any], at: Location, facts: PodFacts) -> None:
    """Validate all containers of a pod."""
    containers, inits = spec.get("containers", ()), spec.get("initContainers", ())
    if not containers:
        check.required((*at, "containers"))
    for index, container in enumerate(containers):
        _validate_container(check, container, (*at, "containers", index), facts)
        _validate_restart_policy(check, container, (*at, "containers", index))
    for index, container in enumerate(inits):
        _validate_init_container(check, container, (*at, "initContainers", index), facts)
    validate_host_ports(check, containers, (*at, "containers"))
    for container in inits:
        # Each for itself, and under the first index: so says the server.
        validate_host_ports(check, [container], (*at, "initContainers"))
    taken: set[str] = set()
    _validate_names(check, containers, (*at, "containers"), taken)
    _validate_names(check, inits, (*at, "initContainers"), taken)
    for index, container in enumerate(spec.get("ephemeralContainers", ())):
        _validate_ephemeral_container(check, container, (*at, "ephemeralContainers", index), facts)
    _validate_names(check, spec.get("ephemeralContainers", ()), (*at, "ephemeralContainers"), taken)


def validate_containers_of_pod(check: Check, spec: dict[str, Any], at: Location) -> None:
    """Validate what only Pods, not templates, have to keep: images without white space around them."""
    for field in ("containers", "initContainers", "ephemeralContainers"):
        for index, container in enumerate(spec.get(field, ())):
            image = container.get("image", "")
            if image != image.strip():
                check.invalid((*at, field, index, "image"), image, "must not have leading or trailing whitespace")


def _validate_names(check: Check, containers: Sequence[dict[str, Any]], at: Location, taken: set[str]) -> None:
    for index, container in enumerate(containers):
        name = container.get("name", "")
        if name in taken:
            check.duplicate((*at, index, "name"), name)
        elif name or "containers" in at:  # two regular containers without a name count as duplicates
            taken.add(name)


def _validate_container(check: Check, container: dict[str, Any], at: Location, facts: PodFacts) -> None:
    name = container.get("name", "")
    if not name:
        check.required((*at, "name"))
    else:
        check.each_invalid((*at, "name"), name, names.dns_label(name))
    if not container.get("image"):
        check.required((*at, "image"))
    policy = container.get("terminationMessagePolicy", "File")
    if policy not in _MESSAGE_POLICIES:
        check.unsupported((*at, "terminationMessagePolicy"), policy, _MESSAGE_POLICIES)
    if container.get("imagePullPolicy", "Always") not in _PULL_POLICIES:
        check.unsupported((*at, "imagePullPolicy"), container["imagePullPolicy"], _PULL_POLICIES)
    validate_ports(check, container.get("ports", ()), (*at, "ports"))
    validate_environment(check, container.get("env", ()), (*at, "env"))
    validate_mounts(check, container.get("volumeMounts", ()), (*at, "volumeMounts"), facts.volumes)
    if "resources" in container:
        validate_requirements(check, container["resources"], (*at, "resources"), facts.claims)
    _validate_resize_policies(check, container.get("resizePolicy", ()), (*at, "resizePolicy"), facts.restart_policy)


def _validate_init_container(check: Check, container: dict[str, Any], at: Location, facts: PodFacts) -> None:
    _validate_container(check, container, at, facts)
    _validate_restart_policy(check, container, at)
    if container.get("restartPolicy") == "Always":
        return
    for field in _FOR_SIDECARS:
        if field in container:
            check.forbidden((*at, field), "may not be set for init containers without restartPolicy=Always")
    for index, policy in enumerate(container.get("resizePolicy", ())):
        if policy.get("restartPolicy") == "RestartContainer" and check.minor >= 35:
            detail = "must not be set to 'RestartContainer' for non-sidecar initContainers"
            check.invalid((*at, "resizePolicy", index, "restartPolicy"), "RestartContainer", detail)


def _validate_ephemeral_container(check: Check, container: dict[str, Any], at: Location, facts: PodFacts) -> None:
    _validate_container(check, container, at, facts)
    for field, value in container.items():
        if field not in _EPHEMERAL_FIELDS and value:
            check.forbidden((*at, field), "cannot be set for an Ephemeral Container")


def _validate_restart_policy(check: Check, container: dict[str, Any], at: Location) -> None:
    """Validate the policy of a single container (KEP-5307)."""
    policy = container.get("restartPolicy")
    if policy is not None and policy not in _RESTART_POLICIES:
        check.unsupported((*at, "restartPolicy"), policy, _RESTART_POLICIES)
    if policy is None and container.get("restartPolicyRules"):
        check.required((*at, "restartPolicy"), "must specify restartPolicy when restart rules are used")


def _validate_resize_policies(
    check: Check, policies: Sequence[dict[str, Any]], at: Location, restart_policy: str
) -> None:
    """Validate what happens on a resize in place; everything but duplicates is reported at the list."""
    seen = set()
    for index, policy in enumerate(policies):
        resource, restart = policy.get("resourceName", ""), policy.get("restartPolicy", "")
        if resource in seen:
            check.duplicate((*at, index), resource)
        seen.add(resource)
        for value, allowed in ((resource, _RESIZED), (restart, _RESIZE_POLICIES)):
            if not value:
                check.required(at)
            elif value not in allowed:
                check.unsupported(at, value, allowed)
        if restart_policy == "Never" and restart != "NotRequired":
            pod = "pod " if check.minor >= 36 else ""
            check.invalid(at, restart, f"must be 'NotRequired' when {pod}`restartPolicy` is 'Never'")
