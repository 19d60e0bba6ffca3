"""What the kubelet fills in where its configuration says nothing. Source: ``apis/config/v1beta1/defaults.go`` (1.37).

Fields that can tell absent from zero keep a zero; in all others zero, empty and absent are the same.
"""

from __future__ import annotations

from dralign.kubelet.durations import SECOND
from dralign.kubelet.fields import ROOT, fields_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from dralign.kubelet.gates import Gates

EVICTION_HARD = {
    "memory.available": "100Mi",
    "nodefs.available": "10%",
    "nodefs.inodesFree": "5%",
    "imagefs.available": "15%",
    "imagefs.inodesFree": "5%",
}
"""Hard eviction thresholds of Linux nodes, where the file has none at all."""

_MINUTE = 60 * SECOND
_SEVERAL = 2  # from so many parallel pulls on, pulling one image after another is off by default

_DEFAULTS: dict[str, Any] = {
    "port": 10250,
    "registryPullQPS": 5,
    "registryBurst": 10,
    "eventRecordQPS": 50,
    "eventBurst": 100,
    "healthzPort": 10248,
    "oomScoreAdj": -999,
    "nodeLeaseDurationSeconds": 40,
    "imageMinimumGCAge": 2 * _MINUTE,
    "imageGCHighThresholdPercent": 85,
    "imageGCLowThresholdPercent": 80,
    "cgroupsPerQOS": True,
    "cpuManagerPolicy": "none",
    "memoryManagerPolicy": "None",
    "topologyManagerPolicy": "none",
    "topologyManagerScope": "container",
    "hairpinMode": "promiscuous-bridge",
    "maxPods": 110,
    "cpuCFSQuotaPeriod": SECOND // 10,
    "nodeStatusMaxImages": 50,
    "maxOpenFiles": 1000000,
    "kubeAPIQPS": 50,
    "kubeAPIBurst": 100,
    "mergeDefaultEvictionSettings": False,
    "iptablesMasqueradeBit": 14,
    "iptablesDropBit": 15,
    "containerLogMaxFiles": 5,
    "containerLogMaxWorkers": 1,
    "containerLogMonitorInterval": 10 * SECOND,
    "enableSystemLogHandler": True,
    "memoryReservationPolicy": "None",
    "podLogsDir": "/var/log/pods",
}
_CRASH_LOOP = {"maxContainerRestartPeriod": 300 * SECOND}
_LOGGING = {"format": "text", "flushFrequency": 5 * SECOND}


def complete(values: Mapping[str, Any], gates: Gates) -> dict[str, Any]:
    """Return decoded values with the defaults of all fields that validation or the managers look at."""
    out = _DEFAULTS | {name: value for name, value in values.items() if value or _tells_zero(name, value)}
    out.setdefault("enforceNodeAllocatable", ["pods"])
    out.setdefault("serializeImagePulls", (out.get("maxParallelImagePulls") or 0) < _SEVERAL)
    if gates.is_on("KubeletCrashLoopBackOffMax"):
        out["crashLoopBackOff"] = _CRASH_LOOP | out.get("crashLoopBackOff", {})
    if gates.is_on("KubeletEnsureSecretPulledImages"):
        out.setdefault("imagePullCredentialsVerificationPolicy", "NeverVerifyPreloadedImages")
    out["logging"] = _LOGGING | {name: value for name, value in out.get("logging", {}).items() if value}
    out["evictionHard"] = _eviction_hard(out)
    return out


def _tells_zero(name: str, value: Any) -> bool:
    """Say whether a zero value in the file is something else than no value."""
    return isinstance(value, dict | list) or fields_of(ROOT)[name].startswith("*")


def _eviction_hard(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the hard thresholds: the defaults count only where the file has no map, or asks to merge them."""
    written = values.get("evictionHard")
    if written is None:
        return dict(EVICTION_HARD)
    return EVICTION_HARD | written if values["mergeDefaultEvictionSettings"] else dict(written)
