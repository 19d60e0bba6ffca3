"""Reads a KubeletConfiguration as a kubelet of a given release does: decode, settle gates, fill in defaults, validate."""

from __future__ import annotations

from dralign.kubelet import decoding, defaults, gates, validation
from dralign.kubelet.topology_manager import NONE, POD_SCOPE
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from dralign.kubelet.gates import Gates
    from dralign.values.quantity import Quantity

    Stage = Literal["decode", "gates", "validation"]

CPU_NONE = "none"
CPU_STATIC = "static"
MEMORY_NONE = "None"
MEMORY_STATIC = "Static"
"""Policies of the CPU manager and of the memory manager, capitals as they must be written."""

_MERGE_FAILED = "failed to merge global and in-flight KubeletConfiguration while setting defaults, error: "


class Configuration(Record):
    """A valid configuration with its defaults: what decides on the kubelet's managers.

    ``reserved_memory`` holds (NUMA node, amount by resource); ``eviction_hard`` thresholds by signal, as written.
    """

    gates: Gates
    cpu_policy: str
    cpu_options: Mapping[str, str]
    memory_policy: str
    reserved_memory: tuple[tuple[int, Mapping[str, Quantity]], ...]
    topology_policy: str
    topology_scope: str
    topology_options: Mapping[str, str]
    reserved_cpus: str
    kube_reserved: Mapping[str, str]
    system_reserved: Mapping[str, str]
    eviction_hard: Mapping[str, str]

    @property
    def by_pod(self) -> bool:
        """Whether pods are placed as a whole: topology policy none knows no scope."""
        return self.topology_scope == POD_SCOPE and self.topology_policy != NONE


class Reading(Record):
    """What a kubelet makes of a configuration file.

    ``configuration`` is None where it would not start; then ``stage`` says what refused it and ``errors`` why, ``at`` which
    field did not decode. ``ignored`` lists fields it does not know: they are logged, nothing else.
    """

    configuration: Configuration | None
    ignored: tuple[str, ...] = ()
    stage: Stage | None = None
    errors: tuple[str, ...] = ()
    at: str = ""


def read(
    document: Any, release: str = "1.37", *, flags: Mapping[str, bool] | None = None, version: str | None = None
) -> Reading:
    """Read the plain data of a configuration file.

    Args:
        document: the data as a YAML or JSON reader for Kubernetes gives them; never raises for what is in it.
        release: of the kubelet, ``"1.32"`` to ``"1.37"``; others raise KeyError. Beyond feature gates and the stages of
            policy options, the rules are those of 1.37.
        flags: feature gates set on the command line; the file's win.
        version: what the kubelet calls itself, if not by its release (a build without a version is ``"0.0"``).
    """
    decoded = decoding.decode(document)
    if decoded.fault is not None:
        return Reading(None, stage="decode", errors=(decoded.fault,), at=decoded.at)
    settled = gates.settle(release, {**(flags or {}), **decoded.values.get("featureGates", {})})
    if settled.problems:
        return Reading(None, decoded.unknown, "gates", (_MERGE_FAILED + settled.text(),))
    values = defaults.complete(decoded.values, settled)
    errors = validation.problems(values, settled, version or release)
    if errors:
        return Reading(None, decoded.unknown, "validation", errors)
    return Reading(_configuration(values, settled), decoded.unknown)


def _configuration(values: Mapping[str, Any], settled: Gates) -> Configuration:
    return Configuration(
        gates=settled,
        cpu_policy=values["cpuManagerPolicy"],
        cpu_options=values.get("cpuManagerPolicyOptions", {}),
        memory_policy=values["memoryManagerPolicy"],
        reserved_memory=tuple(
            (entry.get("numaNode", 0), entry.get("limits", {})) for entry in values.get("reservedMemory", ())
        ),
        topology_policy=values["topologyManagerPolicy"],
        topology_scope=values["topologyManagerScope"],
        topology_options=values.get("topologyManagerPolicyOptions", {}),
        reserved_cpus=values.get("reservedSystemCPUs", ""),
        kube_reserved=values.get("kubeReserved", {}),
        system_reserved=values.get("systemReserved", {}),
        eviction_hard=values["evictionHard"],
    )
