"""What a container gets from outside: ports, environment variables, volumes.

Source: ``validateContainerPorts``, ``ValidateEnv``, ``ValidateVolumes`` and ``ValidateVolumeMounts`` in
k8s.io/kubernetes/pkg/apis/core/validation; of volumes only names and the number of sources are looked at.
"""

from __future__ import annotations

from dralign.admission import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

_PROTOCOLS = ("SCTP", "TCP", "UDP")
_RESOURCES = tuple(
    f"{kind}.{name}" for kind in ("limits", "requests") for name in ("cpu", "ephemeral-storage", "memory")
)
_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_SIZES = ("1", *(f"1{unit}{suffix}" for suffix in ("", "i") for unit in ("k" if not suffix else "K", *"MGTPE")))
# The divisors that a resource may be shown in, and what the message calls it.
_DIVISORS = {
    "cpu": (("1m", "1"), "cpu"),
    "memory": (_SIZES, "memory"),
    "ephemeral-storage": (_SIZES, "local ephemeral storage"),
}


def validate_ports(check: Check, ports: Sequence[dict[str, Any]], at: Location) -> None:
    """Validate the ports of a container."""
    taken = set()
    for index, port in enumerate(ports):
        place = (*at, index)
        name = port.get("name", "")
        if name:
            wrong = names.port_name(name)
            check.each_invalid((*place, "name"), name, wrong)
            if name in taken and not wrong:
                check.duplicate((*place, "name"), name)
            taken.add(name)
        if not port.get("containerPort"):
            check.required((*place, "containerPort"))
        for field in ("containerPort", "hostPort"):
            if port.get(field) and not 1 <= port[field] <= 65535:
                check.invalid((*place, field), port[field], "must be between 1 and 65535, inclusive")
        if port.get("protocol", "TCP") not in _PROTOCOLS:
            check.unsupported((*place, "protocol"), port["protocol"], _PROTOCOLS)


def validate_host_ports(check: Check, containers: Sequence[dict[str, Any]], at: Location) -> None:
    """Object to ports of the node that containers ask for twice."""
    taken = set()
    for index, container in enumerate(containers):
        for port_index, port in enumerate(container.get("ports", ())):
            if not port.get("hostPort"):
                continue
            key = f"{port.get('protocol', '')}/{port.get('hostIP', '')}/{port['hostPort']}"
            if key in taken:
                check.duplicate((*at, index, "ports", port_index, "hostPort"), key)
            taken.add(key)


def validate_environment(check: Check, variables: Sequence[dict[str, Any]], at: Location) -> None:
    """Validate the environment variables of a container."""
    for index, variable in enumerate(variables):
        name = variable.get("name", "")
        if not name:
            check.required((*at, index, "name"))
        elif "=" in name or not (name.isascii() and name.isprintable()):
            detail = "a valid environment variable name must consist only of printable ASCII characters other than '='"
            check.invalid((*at, index, "name"), name, detail)
        source = variable.get("valueFrom")
        if source is not None:
            _validate_source(check, source, variable.get("value", ""), (*at, index, "valueFrom"))


def validate_volumes(check: Check, volumes: Sequence[dict[str, Any]], at: Location) -> set[str]:
    """Validate the volumes of a pod, and return the names of the sound ones."""
    sound: set[str] = set()
    for index, volume in enumerate(volumes):
        before = len(check.causes)
        name = volume.get("name", "")
        if not name:
            check.required((*at, index, "name"))
        else:
            check.each_invalid((*at, index, "name"), name, names.dns_label(name))
        if name in sound:
            check.duplicate((*at, index, "name"), name)
        sources = [field for field in volume if field != "name"]
        for source in sources[1:]:
            check.forbidden((*at, index, source), "may not specify more than 1 volume type")
        if len(check.causes) == before:
            sound.add(name)
    return sound


def validate_mounts(check: Check, mounts: Sequence[dict[str, Any]], at: Location, volumes: Collection[str]) -> None:
    """Validate which volumes a container mounts where."""
    taken = set()
    for index, mount in enumerate(mounts):
        place = (*at, index)
        name, path = mount.get("name", ""), mount.get("mountPath", "")
        if not name:
            check.required((*place, "name"))
        if name not in volumes:
            check.not_found((*place, "name"), name)
        if not path:
            check.required((*place, "mountPath"))
        if path in taken:
            check.invalid((*place, "mountPath"), path, "must be unique")
        taken.add(path)


def _validate_source(check: Check, source: dict[str, Any], value: str, at: Location) -> None:
    if "resourceFieldRef" in source:
        _validate_resource_field(check, source["resourceFieldRef"], (*at, "resourceFieldRef"))
    given = [field for field in _SOURCES if field in source]
    if not given:
        choice = ", ".join(f"`{field}`" for field in _SOURCES[:-2]) + " or `secretKeyRef`"
        if "EnvFiles" in check.features:
            choice = ", ".join(f"`{field}`" for field in _SOURCES[:-1]) + " or `fileKeyRef`"
        check.invalid(at, "", f"must specify one of: {choice}")
    elif value:
        check.invalid(at, "", "may not be specified when `value` is not empty")
    elif len(given) > 1:
        check.invalid(at, "", "may not have more than one field specified at a time")


def _validate_resource_field(check: Check, reference: dict[str, Any], at: Location) -> None:
    resource = reference.get("resource", "")
    kind, _, name = resource.partition(".")
    huge = kind in ("limits", "requests") and name.startswith("hugepages-")
    if not resource:
        check.required((*at, "resource"))
    elif resource not in _RESOURCES and not huge:
        check.unsupported((*at, "resource"), resource, _RESOURCES)
    divisor = reference.get("divisor")
    if not divisor or not (huge or resource in _RESOURCES):
        return
    allowed, noun = (_SIZES, "hugepages") if huge else _DIVISORS[name]
    if str(divisor) not in allowed:
        listed = " and ".join(allowed) if len(allowed) == 2 else ", ".join(allowed)
        detail = f"only divisor's values {listed} are supported with the {noun} resource"
        check.invalid((*at, "divisor"), resource, detail)
