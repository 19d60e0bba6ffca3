"""What the API server silently drops because a feature gate is off, unless the stored object has it already.

Paths start below ``spec`` (below the claim's spec for templates); ``[]`` stands for every item, ``{}`` for every value.
``@`` is the body of a request or device, wherever the version keeps it. A gate drops all of its paths or, when any of
them is in use in the stored object, none.
Source: the strategies in k8s.io/kubernetes/pkg/registry/resource and pkg/api/pod.
"""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_ALWAYS = range(100)
_SINCE_35 = range(35, 100)
_UNTIL_34 = range(35)
_REQUEST = "devices.requests[].@."
_ALTERNATIVE = "devices.requests[].firstAvailable[]."
_DEVICE = "devices[].@."


class Guard(Record):
    """The paths that a gate guards, in which releases, and what else in the stored object keeps them."""

    gate: str
    paths: tuple[str, ...]
    releases: range = _ALWAYS
    kept_by: tuple[str, ...] = ()


_CAPACITY = (f"{_REQUEST}capacity", f"{_ALTERNATIVE}capacity")
_DISTINCT = ("devices.constraints[].distinctAttribute",)
CLAIM = (
    Guard("DRAPrioritizedList", ("devices.requests[].firstAvailable",)),
    # 1.34 has the gate but keeps the field.
    Guard("DRADeviceTaints", (f"{_REQUEST}tolerations", f"{_ALTERNATIVE}tolerations"), _SINCE_35),
    Guard("DRAAdminAccess", (f"{_REQUEST}adminAccess",)),
    # 1.34 keeps the constraint, too.
    Guard("DRAConsumableCapacity", _CAPACITY, _UNTIL_34, _DISTINCT),
    Guard("DRAConsumableCapacity", (*_CAPACITY, *_DISTINCT), _SINCE_35),
    Guard("DRADerivedAttributes", (f"{_REQUEST}derivedAttributes", f"{_ALTERNATIVE}derivedAttributes")),
)
_SPEC_CAPACITY = tuple(f"spec.{path}" for path in (*_CAPACITY, *_DISTINCT))
_RESULT = "status.allocation.devices.results[]."
CLAIM_STATUS = (
    Guard("DRAResourceClaimDeviceStatus", ("status.devices",)),
    Guard("DRAAdminAccess", (f"{_RESULT}adminAccess",), kept_by=(f"spec.{_REQUEST}adminAccess",)),
    Guard(
        "DRAConsumableCapacity",
        (f"{_RESULT}shareID", f"{_RESULT}consumedCapacity", "status.devices[].shareID"),
        kept_by=_SPEC_CAPACITY,
    ),
    Guard("DRADeviceBindingConditions", (f"{_RESULT}bindingConditions", f"{_RESULT}bindingFailureConditions")),
    Guard("DRAOptionalNodeOperations", (f"{_RESULT}skipNodeOperations",)),
)
CLASS = (Guard("DRAExtendedResource", ("extendedResourceName",)),)
SLICE = (
    Guard("DRADeviceTaints", (f"{_DEVICE}taints",)),
    Guard(
        "DRAPartitionableDevices",
        (
            "sharedCounters",
            "perDeviceNodeSelection",
            f"{_DEVICE}consumesCounters",
            f"{_DEVICE}nodeName",
            f"{_DEVICE}nodeSelector",
            f"{_DEVICE}allNodes",
        ),
    ),
    Guard(
        "DRADeviceBindingConditions",
        (f"{_DEVICE}bindingConditions", f"{_DEVICE}bindingFailureConditions", f"{_DEVICE}bindsToNode"),
    ),
    Guard(
        "DRAConsumableCapacity",
        (f"{_DEVICE}allowMultipleAllocations", f"{_DEVICE}capacity{{}}.requestPolicy"),
    ),
    Guard("DRADeviceCompatibilityGroups", (f"{_DEVICE}consumesCounters[].compatibilityGroups",)),
    Guard(
        "DRANodeAllocatableResources",
        (f"{_DEVICE}nodeAllocatableResources", f"{_DEVICE}nodeAllocatableResourceMappings"),
    ),
    Guard(
        "DRAListTypeAttributes",
        tuple(f"{_DEVICE}attributes{{}}.{field}" for field in ("bools", "ints", "strings", "versions")),
    ),
    Guard("DRAPartitionableDevicesType", ("partitionTypeAttribute",)),
    Guard("DRAOptionalNodeOperations", ("skipNodeOperations",)),
)
POD = (
    Guard("PodLevelResources", ("resources",)),
    Guard("HostnameOverride", ("hostnameOverride",)),
    Guard("EvictionRequestAPI", ("evictionResponders",)),
    Guard("GenericWorkload", ("workloadRef", "schedulingGroup")),
    Guard("UserNamespacesSupport", ("hostUsers",)),
    Guard("SupplementalGroupsPolicy", ("securityContext.supplementalGroupsPolicy",)),
    Guard(
        "ContainerRestartRules",
        (
            "containers[].restartPolicy",
            "containers[].restartPolicyRules",
            "initContainers[].restartPolicyRules",
        ),
    ),
    Guard("VolumeBindMountOptions", ("containers[].volumeMounts[].bindMountOptions",)),
    Guard("ContainerStopSignals", ("containers[].lifecycle.stopSignal", "initContainers[].lifecycle.stopSignal")),
    Guard("ImageVolume", ("volumes[].image",)),
    Guard("EmptyDirVolumeMode", ("volumes[].emptyDir.mode",)),
    Guard("SELinuxChangePolicy", ("securityContext.seLinuxChangePolicy",)),
    Guard("ClusterTrustBundleProjection", ("volumes[].projected.sources[].clusterTrustBundle",)),
    Guard("PodCertificateRequest", ("volumes[].projected.sources[].podCertificate",)),
)


def drop_pod_fields(spec: dict[str, Any], old: dict[str, Any] | None, features: frozenset[str], minor: int) -> None:
    """Drop what gates that are off guard from the spec of a pod, in place."""
    drop_disabled(spec, old, POD, features, minor)
    if "ContainerRestartRules" not in features:
        # Init containers keep the policy that makes them sidecars.
        for container in spec.get("initContainers", ()):
            if container.get("restartPolicy") != "Always":
                container.pop("restartPolicy", None)


def drop_disabled(
    spec: dict[str, Any],
    old: dict[str, Any] | None,
    guards: Iterable[Guard],
    features: frozenset[str],
    minor: int,
) -> None:
    """Drop what gates that are off guard from a decoded object, in place; ``old`` is the stored one."""
    for guard, heads in _closed(guards, features, minor):
        if heads.isdisjoint(spec):
            continue
        if old is not None and any(_is_used(old, path) for path in (*guard.paths, *guard.kept_by)):
            continue
        for path in guard.paths:
            for holder, field in list(_holders(spec, path)):
                holder.pop(field, None)


_closed_guards: dict[tuple[int, frozenset[str], int], tuple[tuple[Guard, frozenset[str]], ...]] = {}


def _closed(guards: Iterable[Guard], features: frozenset[str], minor: int) -> tuple[tuple[Guard, frozenset[str]], ...]:
    """Return the guards of one of the tables above whose gate is off, with the fields in which their paths begin."""
    key = id(guards), features, minor
    found = _closed_guards.get(key)
    if found is None:
        closed = (guard for guard in guards if guard.gate not in features and minor in guard.releases)
        found = _closed_guards[key] = tuple((guard, _heads(guard)) for guard in closed)
    return found


def _heads(guard: Guard) -> frozenset[str]:
    return frozenset(path.partition(".")[0].rstrip("[]{}") for path in guard.paths)


def _is_used(obj: dict[str, Any], path: str) -> bool:
    return any(holder.get(field) not in (None, [], {}) for holder, field in _holders(obj, path))


def _holders(spec: dict[str, Any], path: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the objects that may hold the last field of a path, and its name."""
    steps = path.split(".")
    holders = [spec]
    for step in steps[:-1]:
        holders = [inner for holder in holders for inner in _inner(holder, step)]
        if not holders:
            return
    for holder in holders:
        yield holder, steps[-1]


def _inner(holder: dict[str, Any], step: str) -> list[dict[str, Any]]:
    if step == "@":
        body: dict[str, Any] = holder.get("exactly") or holder.get("basic") or holder
        return [body]
    if step.endswith("[]"):
        return list(holder.get(step[:-2], ()))
    if step.endswith("{}"):
        return list(holder.get(step[:-2], {}).values())
    found = holder.get(step)
    return [found] if isinstance(found, dict) else []
