"""Fields of the configuration that must fit each other, or follow a grammar of their own.

Source: ``ValidateKubeletConfiguration`` (1.37), ``component-base`` (logs, tracing, metrics).
"""

from __future__ import annotations

from dralign.kubelet import durations
from dralign.values.gotext import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from dralign.kubelet.gates import Gates

_TAINT_EFFECTS = ("", "NoSchedule", "PreferNoSchedule", "NoExecute")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
_LONGEST_NAME = 63
_IDS_UNIT = 65536
_LAST_ID = (1 << 32) - 1
_MILLION = 1_000_000
_LAST_VERBOSITY = (1 << 31) - 1
_NAMESPACED_SYSCTLS = ("net.", "fs.mqueue.", "kernel.msg", "kernel.sem", "kernel.shm")
_LOG_FORMATS = ("text", "json")
_SCHEMES = ("dns", "unix", "unix-abstract")
_KNOWN_SCHEMES = (
    "Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md"
)


def mismatches(values: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    """Yield what is wrong between fields and within them."""
    for check in (_images, _cgroups_and_modes, _taints, _logs_folder, _user_namespaces):
        yield from check(values)
    if gates.is_on("DefaultPodSysctls"):
        yield from _sysctls(values)


def hidden_metrics(values: Mapping[str, Any], version: str) -> Iterator[str]:
    """Check the version whose hidden metrics are shown: only the one before ``version``."""
    wanted = values.get("showHiddenMetricsForVersion")
    major, _, minor = version.partition(".")
    previous = f"{major}.{(int(minor) - 1) % (1 << 64)}"
    if wanted and wanted != previous:
        yield (
            f"invalid showHiddenMetricsForVersion: showHiddenMetricsForVersion: Invalid value: {quote(wanted)}: must be "
            f"omitted or have the value '{previous}'; only the previous minor version is allowed"
        )


def observability(values: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    """Check logging and tracing."""
    yield from _logging(values["logging"], gates)
    yield from _tracing(values.get("tracing") or {})


def _images(values: Mapping[str, Any]) -> Iterator[str]:
    low, high = values["imageGCLowThresholdPercent"], values["imageGCHighThresholdPercent"]
    youngest, oldest = values["imageMinimumGCAge"], values.get("imageMaximumGCAge", 0)
    if low >= high:
        yield (
            f"imageGCLowThresholdPercent (--image-gc-low-threshold) {low} must be less than "
            f"imageGCHighThresholdPercent (--image-gc-high-threshold) {high}"
        )
    for name, age in (("imageMinimumGCAge", youngest), ("imageMaximumGCAge", oldest)):
        if age < 0:
            yield f"{name} {durations.write(age)} must not be negative"
    if 0 < oldest <= youngest:
        ages = durations.write(oldest), durations.write(youngest)
        yield f"imageMaximumGCAge {ages[0]} must be greater than imageMinimumGCAge {ages[1]}"
    if values["serializeImagePulls"] and (values.get("maxParallelImagePulls") or 0) > 1:
        yield (
            "maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) is set to "
            "false"
        )


def _cgroups_and_modes(values: Mapping[str, Any]) -> Iterator[str]:
    if values.get("systemCgroups") and not values.get("cgroupRoot"):
        yield "systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not specified"
    if values.get("runOnce"):
        yield "runOnce (--runOnce) true, Runonce mode has been deprecated and should not be set"
    if values.get("enableSystemLogQuery") and not values["enableSystemLogHandler"]:
        yield "enableSystemLogHandler is required for enableSystemLogQuery"


def _taints(values: Mapping[str, Any]) -> Iterator[str]:
    for taint in values.get("registerWithTaints", ()):
        key, value, effect = (taint.get(field, "") for field in ("key", "value", "effect"))
        if not (_is_qualified(key) and _is_label_value(value) and effect in _TAINT_EFFECTS):
            yield f"invalid taint: {{{key} {value} {effect} <nil>}}"
        if taint.get("timeAdded"):
            yield "taint.TimeAdded is not nil"


def _is_qualified(name: str) -> bool:
    """Say whether a text is a qualified name: ``example.com/name`` or ``name``."""
    prefix, slash, short = name.rpartition("/")
    labels = prefix.split(".")
    proper = not slash or (len(prefix) <= 253 and all(_is_segment(label) and "_" not in label for label in labels))
    return bool(short) and _is_label_value(short) and proper


def _is_label_value(text: str) -> bool:
    if not text:
        return True
    return len(text) <= _LONGEST_NAME and _NAME.issuperset(text) and text[0].isalnum() and text[-1].isalnum()


def _logs_folder(values: Mapping[str, Any]) -> Iterator[str]:
    folder = values["podLogsDir"]
    if not folder.startswith("/"):
        yield f"pod logs path {quote(folder)} must be absolute path"
    parts = folder.split("/")
    if folder != "/" and any(part in ("", ".", "..") for part in parts[folder.startswith("/") :]):
        yield f"pod logs path {quote(folder)} must be normalized"
    if not folder.isascii():
        yield f"pod logs path {quote(folder)} mut contains ASCII characters only"


def _sysctls(values: Mapping[str, Any]) -> Iterator[str]:
    """Check the names of default sysctls."""
    for name in values.get("defaultPodSysctls", {}):
        dotted = name.replace("/", ".")
        segments = dotted.split(".")
        if len(name) > 253 or not all(_is_segment(segment) for segment in segments):
            yield f"{quote(name)} is not a valid sysctl name for defaultPodSysctls"
        elif not dotted.startswith(_NAMESPACED_SYSCTLS):
            yield f"{quote(name)} is not known to be namespaced for defaultPodSysctls"


def _is_segment(text: str) -> bool:
    return bool(text) and _is_label_value(text) and text == text.lower() and "." not in text


def _user_namespaces(values: Mapping[str, Any]) -> Iterator[str]:
    ids = (values.get("userNamespaces") or {}).get("idsPerPod")
    if ids is None:
        return
    if ids < _IDS_UNIT:
        yield f"userNamespaces.idsPerPod must not be less than {_IDS_UNIT}"
    elif ids % _IDS_UNIT:
        yield f"userNamespaces.idsPerPod must be a multiple of {_IDS_UNIT}"
    elif ids > _LAST_ID:
        yield f"userNamespaces.idsPerPod must not be more than {_LAST_ID}"


def _logging(logging: Mapping[str, Any], gates: Gates) -> Iterator[str]:
    if logging["flushFrequency"] <= 0:
        flush = durations.write(logging["flushFrequency"])
        yield f'logging.flushFrequency: Invalid value: "{flush}": Must be greater than zero'
    if logging["format"] not in _LOG_FORMATS:
        yield f"logging.format: Invalid value: {quote(logging['format'])}: Unsupported log format"
    if logging.get("verbosity", 0) > _LAST_VERBOSITY:
        yield f"logging.verbosity: Invalid value: {logging['verbosity']}: Must be <= {_LAST_VERBOSITY}"
    if logging.get("vmodule") and logging["format"] != "text":
        yield "logging.vmodule: Forbidden: Only supported for text log format"
    for i, item in enumerate(logging.get("vmodule", ())):
        yield from _vmodule(f"logging.vmodule[{i}]", item)
    if not gates.is_on("LoggingAlphaOptions"):
        for name, options in logging.get("options", {}).items():
            for field in ("splitStream", "infoBufferSize"):
                if options.get(field):
                    yield f"logging.options.{name}.{field}: Forbidden: Feature LoggingAlphaOptions is disabled"


def _vmodule(at: str, item: Mapping[str, Any]) -> Iterator[str]:
    pattern = item.get("filePattern", "")
    if not pattern:
        yield f"{at}: Required value: File pattern must not be empty"
    if "=" in pattern or "," in pattern:
        yield f"{at}: Invalid value: {quote(pattern)}: File pattern must not contain equal sign or comma"
    if item.get("verbosity", 0) > _LAST_VERBOSITY:
        yield f"{at}: Invalid value: {item['verbosity']}: Must be <= {_LAST_VERBOSITY}"


def _tracing(tracing: Mapping[str, Any]) -> Iterator[str]:
    rate, endpoint = tracing.get("samplingRatePerMillion"), tracing.get("endpoint")
    at = "tracing.samplingRatePerMillion: Invalid value"
    if rate is not None and rate < 0:
        yield f"{at}: {rate}: sampling rate must be positive"
    if rate is not None and rate > _MILLION:
        yield f"{at}: {rate}: sampling rate per million must be less than or equal to one million"
    if endpoint is not None and "//" in endpoint:
        scheme = endpoint.partition("://")[0].lower() if "://" in endpoint else ""
        if scheme not in _SCHEMES:
            yield f"tracing.endpoint: Invalid value: {quote(endpoint)}: unsupported scheme: {scheme}.  {_KNOWN_SCHEMES}"
