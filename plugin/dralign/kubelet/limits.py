"""Numbers of the configuration that must lie in a range, and texts that must be one of a few.

Rows hold the message after ``invalid configuration:``; ``{}`` is the value. Source: ``ValidateKubeletConfiguration`` (1.37).
"""

from __future__ import annotations

from dralign.kubelet.durations import SECOND
from dralign.record import Record
from dralign.values.gotext import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_NO_LIMIT = float("inf")
_LAST_PORT = 65535
_NEGATIVE = "must not be a negative number"
_PORT = "must be between 1 and 65535, inclusive"
_PERCENT = "must be between 0 and 100, inclusive"
_BIT = "must be between 0 and 31, inclusive"


class Range(Record):
    """A number that must be ``low`` to ``high``; absent counts as zero unless ``optional``."""

    field: str
    low: float
    high: float
    message: str
    optional: bool = False


RANGES = (
    Range("nodeLeaseDurationSeconds", 1, _NO_LIMIT, "nodeLeaseDurationSeconds must be greater than 0"),
    Range("eventBurst", 0, _NO_LIMIT, f"eventBurst (--event-burst) {{}} {_NEGATIVE}"),
    Range("eventRecordQPS", 0, _NO_LIMIT, f"eventRecordQPS (--event-qps) {{}} {_NEGATIVE}"),
    Range("healthzPort", 0, _LAST_PORT, f"healthzPort (--healthz-port) {{}} {_PORT}"),
    Range(
        "imageGCHighThresholdPercent",
        0,
        100,
        f"imageGCHighThresholdPercent (--image-gc-high-threshold) {{}} {_PERCENT}",
    ),
    Range(
        "imageGCLowThresholdPercent", 0, 100, f"imageGCLowThresholdPercent (--image-gc-low-threshold) {{}} {_PERCENT}"
    ),
    Range("iptablesDropBit", 0, 31, f"iptablesDropBit (--iptables-drop-bit) {{}} {_BIT}"),
    Range("iptablesMasqueradeBit", 0, 31, f"iptablesMasqueradeBit (--iptables-masquerade-bit) {{}} {_BIT}"),
    Range("kubeAPIBurst", 0, _NO_LIMIT, f"kubeAPIBurst (--kube-api-burst) {{}} {_NEGATIVE}"),
    Range("kubeAPIQPS", 0, _NO_LIMIT, f"kubeAPIQPS (--kube-api-qps) {{}} {_NEGATIVE}"),
    Range(
        "nodeStatusMaxImages", -1, _NO_LIMIT, "nodeStatusMaxImages (--node-status-max-images) {} must be -1 or greater"
    ),
    Range("maxOpenFiles", 0, _NO_LIMIT, f"maxOpenFiles (--max-open-files) {{}} {_NEGATIVE}"),
    Range("maxPods", 0, _NO_LIMIT, f"maxPods (--max-pods) {{}} {_NEGATIVE}"),
    Range("oomScoreAdj", -1000, 1000, "oomScoreAdj (--oom-score-adj) {} must be between -1000 and 1000, inclusive"),
    Range("podsPerCore", 0, _NO_LIMIT, f"podsPerCore (--pods-per-core) {{}} {_NEGATIVE}"),
    Range("port", 1, _LAST_PORT, f"port (--port) {{}} {_PORT}"),
    Range("readOnlyPort", 0, _LAST_PORT, "readOnlyPort (--read-only-port) {} must be between 0 and 65535, inclusive"),
    Range("registryBurst", 0, _NO_LIMIT, f"registryBurst (--registry-burst) {{}} {_NEGATIVE}"),
    Range("registryPullQPS", 0, _NO_LIMIT, f"registryPullQPS (--registry-qps) {{}} {_NEGATIVE}"),
    Range("maxParallelImagePulls", 1, _NO_LIMIT, "maxParallelImagePulls {} must be a positive number", optional=True),
    Range("containerLogMaxWorkers", 1, _NO_LIMIT, "containerLogMaxWorkers must be greater than or equal to 1"),
    Range(
        "containerLogMonitorInterval",
        3 * SECOND,
        _NO_LIMIT,
        "containerLogMonitorInterval must be a positive time duration greater than or equal to 3s",
    ),
    Range("containerLogMaxFiles", 2, _NO_LIMIT, "containerLogMaxFiles must be greater than 1"),
)


class Choice(Record):
    """A text that must be one of ``allowed``, while gate ``gate`` is on where there is one."""

    field: tuple[str, ...]
    allowed: tuple[str, ...]
    message: str
    gate: str | None = None


CHOICES = (
    Choice(
        ("topologyManagerPolicy",),
        ("none", "best-effort", "restricted", "single-numa-node"),
        "topologyManagerPolicy (--topology-manager-policy) {} must be one of: "
        '["none" "best-effort" "restricted" "single-numa-node"]',
    ),
    Choice(
        ("topologyManagerScope",),
        ("container", "pod"),
        'topologyManagerScope (--topology-manager-scope) {} must be one of: "container", or "pod"',
    ),
    Choice(
        ("memorySwap", "swapBehavior"),
        ("", "NoSwap", "LimitedSwap"),
        'memorySwap.swapBehavior {} must be one of: "", "LimitedSwap" or "NoSwap"',
        "NodeSwap",
    ),
    Choice(
        ("hairpinMode",),
        ("none", "hairpin-veth", "promiscuous-bridge"),
        "option {} specified for hairpinMode (--hairpin-mode). Valid options are "
        '"none", "hairpin-veth" or "promiscuous-bridge"',
    ),
    Choice(
        ("imagePullCredentialsVerificationPolicy",),
        ("NeverVerify", "NeverVerifyPreloadedImages", "NeverVerifyAllowlistedImages", "AlwaysVerify"),
        "option {} specified for imagePullCredentialsVerificationPolicy. Valid options are "
        '"NeverVerify", "NeverVerifyPreloadedImages", "NeverVerifyAllowlistedImages" or "AlwaysVerify"',
        "KubeletEnsureSecretPulledImages",
    ),
    Choice(
        ("memoryReservationPolicy",),
        ("None", "TieredReservation"),
        'option {} specified for memoryReservationPolicy. Valid options are "None" or "TieredReservation"',
    ),
)


def out_of_range(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the numbers."""
    for row in RANGES:
        value = values.get(row.field)
        if value is None and row.optional:
            continue
        if not row.low <= (value or 0) <= row.high:
            yield row.message.format(value or 0)


def not_a_choice(values: Mapping[str, Any], is_on: Any) -> Iterator[str]:
    """Yield what is wrong with the texts; ``is_on`` says which gates are on."""
    for row in CHOICES:
        if row.gate is None or is_on(row.gate):
            value: Any = values
            for name in row.field:
                value = value.get(name, {} if name != row.field[-1] else "")
            if value not in row.allowed:
                yield row.message.format(quote(value))
