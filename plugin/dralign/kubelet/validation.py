"""Validation of a complete configuration, with the kubelet's words. Source: ``ValidateKubeletConfiguration`` (1.37).

It looks at neither the CPU manager's policy and options nor the memory manager's policy nor the Topology Manager's
options: what is wrong there shows when the kubelet starts (see ``starting``). A node is taken to have cgroup v2.
"""

from __future__ import annotations

from dralign.kubelet import cpulists, field_checks, gated_fields, limits
from dralign.values.gotext import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.kubelet.gates import Gates

_NONE = "none"
_PODS = "pods"
_RESERVED_CGROUPS = {
    "system-reserved": "systemReservedCgroup (--system-reserved-cgroup)",
    "kube-reserved": "kubeReservedCgroup (--kube-reserved-cgroup)",
}
_ENFORCE = "enforceNodeAllocatable (--enforce-node-allocatable)"
_COMPRESSIBLE = "-compressible"
_KNOWN_ENFORCEMENTS = (
    '"pods", "system-reserved", "system-reserved-compressible", "kube-reserved", "kube-reserved-compressible" or "none"'
)


def problems(values: Mapping[str, Any], gates: Gates, version: str) -> tuple[str, ...]:
    """Return everything that is wrong, without the prefix ``invalid configuration:``.

    Args:
        values: the configuration with its defaults (``defaults.complete``).
        gates: the gates of the kubelet.
        version: ``1.37``, the version the kubelet says it has; only the previous one's hidden metrics can be shown.
    """
    return (
        *limits.out_of_range(values),
        *limits.not_a_choice(values, gates.is_on),
        *gated_fields.misused(values, gates),
        *field_checks.mismatches(values, gates),
        *_enforcement(values),
        *_reserved_cpus(values),
        *_reserved_memory(values),
        *field_checks.hidden_metrics(values, version),
        *field_checks.observability(values, gates),
    )


def _enforcement(values: Mapping[str, Any]) -> Iterator[str]:
    """Check which reservations are enforced by cgroups."""
    wanted = values["enforceNodeAllocatable"]
    for key in _RESERVED_CGROUPS:
        if key in wanted and key + _COMPRESSIBLE in wanted:
            yield f'both "{key}" and "{key}{_COMPRESSIBLE}" cannot be specified together in {_ENFORCE}'
    for i, value in enumerate(wanted):
        if value in wanted[:i]:
            yield f"duplicated enforcements {quote(value)} in {_ENFORCE}"
        else:
            yield from _enforced(value, values)


def _enforced(value: str, values: Mapping[str, Any]) -> Iterator[str]:
    key = value.removesuffix(_COMPRESSIBLE)
    if value == _NONE:
        if len(values["enforceNodeAllocatable"]) > 1:
            yield f'{_ENFORCE} may not contain additional enforcements when "none" is specified'
        return
    if key in _RESERVED_CGROUPS:
        field = _RESERVED_CGROUPS[key]
        if not values.get(field.partition(" ")[0]):
            yield f'{field} must be specified when "{key}" or "{key}{_COMPRESSIBLE}" included in {_ENFORCE}'
    elif value != _PODS:
        yield f"option {quote(value)} specified for {_ENFORCE}. Valid options are {_KNOWN_ENFORCEMENTS}"
        return
    if not values["cgroupsPerQOS"]:
        yield f"cgroupsPerQOS (--cgroups-per-qos) must be set to true when {quote(value)} contained in {_ENFORCE}"


def _reserved_cpus(values: Mapping[str, Any]) -> Iterator[str]:
    text = values.get("reservedSystemCPUs")
    if not text:
        return
    if values.get("systemReservedCgroup") or values.get("kubeReservedCgroup"):
        yield (
            "can't use reservedSystemCPUs (--reserved-cpus) with systemReservedCgroup (--system-reserved-cgroup) or "
            "kubeReservedCgroup (--kube-reserved-cgroup)"
        )
    try:
        cpulists.parse(text)
    except ValueError as error:
        yield f"unable to parse reservedSystemCPUs (--reserved-cpus) {text}, error: {error}"


def _reserved_memory(values: Mapping[str, Any]) -> Iterator[str]:
    """Check reservedMemory for itself; whether its sums are right shows at start."""
    seen = set()
    for entry in values.get("reservedMemory", ()):
        node = entry.get("numaNode", 0)
        for resource, amount in entry.get("limits", {}).items():
            if resource != "memory" and not resource.startswith("hugepages-"):
                accepted = "[memory hugepages-<HugePageSize>]"
                yield f"the limit type {quote(resource)} for NUMA node {node} is not supported, only {accepted} is accepted"
            if not amount:
                yield f"reserved memory may not be zero for NUMA node {node} and resource {quote(resource)}"
            if (node, resource) in seen:
                yield f"the reserved memory has a duplicate value for NUMA node {node} and resource {quote(resource)}"
            seen.add((node, resource))
