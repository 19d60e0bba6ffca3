"""Fields of the configuration that need a feature gate, and fields that are checked only under one.

Source: ``ValidateKubeletConfiguration`` (1.37); older releases differ only where a row says so.
"""

from __future__ import annotations

from dralign.kubelet import durations
from dralign.kubelet.durations import SECOND
from dralign.values.gotext import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.kubelet.gates import Gates

_MILLISECOND = SECOND // 1000
_USUAL_QUOTA_PERIOD = 100 * _MILLISECOND
_USUAL_THROTTLING = 0.9  # written into files by older releases, so it passes
_THROTTLING_NEEDS_GATE_FROM = 37
_LONGEST_RESTART_PERIOD = 300 * SECOND


def misused(values: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    """Yield what is wrong with fields that depend on gates."""
    for check in (_quota_period, _plain_fields, _shutdown, _restart_period, _throttling, _image_credentials):
        yield from check(values, gates)


def _quota_period(values: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    period = values["cpuCFSQuotaPeriod"]
    name = f"cpuCFSQuotaPeriod (--cpu-cfs-quota-period) {{{durations.write(period)}}}"
    if gates.is_on("CustomCPUCFSQuotaPeriod"):
        if not _MILLISECOND <= period <= SECOND:
            yield f"{name} must be between 1ms and 1sec, inclusive"
    elif period != _USUAL_QUOTA_PERIOD:
        yield f"{name} requires feature gate CustomCPUCFSQuotaPeriod"


_NEED_GATES = (
    (
        "imageMaximumGCAge",
        "ImageMaximumGCAge",
        "ImageMaximumGCAge feature gate is required for Kubelet configuration option imageMaximumGCAge",
    ),
    (
        "defaultPodSysctls",
        "DefaultPodSysctls",
        "DefaultPodSysctls feature gate is required for Kubelet configuration option defaultPodSysctls",
    ),
    (
        "serverTLSBootstrap",
        "RotateKubeletServerCertificate",
        "serverTLSBootstrap true requires feature gate RotateKubeletServerCertificate",
    ),
    ("enableSystemLogQuery", "NodeLogQuery", "NodeLogQuery feature gate is required for enableSystemLogQuery"),
    ("memorySwap", "NodeSwap", "memorySwap.swapBehavior cannot be set when NodeSwap feature flag is disabled"),
)
"""Fields that may not be set without a gate: field, gate, message."""


def _plain_fields(values: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    for field, gate, message in _NEED_GATES:
        if values.get(field) and not gates.is_on(gate):
            yield message


def _shutdown(values: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    whole, critical = values.get("shutdownGracePeriod", 0), values.get("shutdownGracePeriodCriticalPods", 0)
    by_priority = values.get("shutdownGracePeriodByPodPriority")
    if gates.is_on("GracefulNodeShutdown"):
        if critical > whole:
            yield (
                f"shutdownGracePeriodCriticalPods {{{durations.write(critical)}}} must be <= "
                f"shutdownGracePeriod {{{durations.write(whole)}}}"
            )
        for name, period in (("shutdownGracePeriod", whole), ("shutdownGracePeriodCriticalPods", critical)):
            if period and period < SECOND:
                yield f"{name} {{{durations.write(period)}}} must be either zero or otherwise >= 1 sec"
    elif whole > 0 or critical > 0:
        yield "specifying shutdownGracePeriod or shutdownGracePeriodCriticalPods requires feature gate GracefulNodeShutdown"
    if by_priority and not gates.is_on("GracefulNodeShutdownBasedOnPodPriority"):
        gate = "GracefulNodeShutdownBasedOnPodPriority"
        yield f"Specifying shutdownGracePeriodByPodPriority requires feature gate {gate}"
    elif by_priority and (whole > 0 or critical > 0):
        yield "Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same time"


def _restart_period(values: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    period = values.get("crashLoopBackOff", {}).get("maxContainerRestartPeriod")
    name = "CrashLoopBackOff.MaxContainerRestartPeriod"
    if not gates.is_on("KubeletCrashLoopBackOffMax"):
        if period is not None:
            yield f"FeatureGate KubeletCrashLoopBackOffMax not enabled, {name} must not be set"
    elif not SECOND <= int(period / _MILLISECOND) * _MILLISECOND <= _LONGEST_RESTART_PERIOD:
        yield f"{name} (got: {period / SECOND:g} seconds) must be set between 1s and 300s"


def _throttling(values: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    factor, policy = values.get("memoryThrottlingFactor"), values["memoryReservationPolicy"]
    gated = not gates.is_on("MemoryQoS") and gates.minor >= _THROTTLING_NEEDS_GATE_FROM
    if gated and factor is not None and factor != _USUAL_THROTTLING:
        yield "memoryThrottlingFactor must not be set when MemoryQoS feature gate is disabled"
    if factor is not None and not 0 < factor <= 1:
        yield f"memoryThrottlingFactor {factor:g} must be greater than 0 and less than or equal to 1.0"
    if policy == "TieredReservation" and not gates.is_on("MemoryQoS"):
        yield f"memoryReservationPolicy {quote(policy)} requires MemoryQoS feature gate to be enabled"


def _image_credentials(values: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    policy = values.get("imagePullCredentialsVerificationPolicy")
    patterns = values.get("preloadedImagesVerificationAllowlist", [])
    if not gates.is_on("KubeletEnsureSecretPulledImages"):
        for field, value in (
            ("imagePullCredentialsVerificationPolicy", policy),
            ("preloadedImagesVerificationAllowlist", patterns),
        ):
            if value:
                yield f"`{field}` must not be set if KubeletEnsureSecretPulledImages feature gate is not enabled"
    elif patterns and policy != "NeverVerifyAllowlistedImages":
        yield (
            "can't set `preloadedImagesVerificationAllowlist` if `imagePullCredentialsVertificationPolicy` is not "
            '"NeverVerifyAllowlistedImages"'
        )
    else:
        wrong = next((message for pattern in patterns for message in _pattern_problems(pattern)), None)
        if wrong:
            yield f"invalid image pattern in `preloadedImagesVerificationAllowlist`: {wrong}"


def _pattern_problems(pattern: str) -> Iterator[str]:
    """Yield what is wrong with a pattern for image names; the grammar of image names is not checked."""
    name = pattern.removesuffix("*") if pattern.endswith("/*") else pattern
    if pattern != pattern.strip():
        yield f"leading/trailing spaces are not allowed: {pattern}"
    if not name:
        yield f"the supplied pattern is too short: {pattern}"
    if "*" in name:
        yield f"not a valid wildcard pattern, only patterns ending with '/*' are allowed: {pattern}"
    if name == "/":
        yield "at least registry hostname is required"
    if name == pattern and ("@" in name or ":" in name.rpartition("/")[2]):
        yield f"neither tag nor digest is accepted in an image reference: {pattern}"
