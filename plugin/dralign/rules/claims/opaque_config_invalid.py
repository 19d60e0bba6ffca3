"""A driver refuses vendor parameters, or nobody reads them

What it does
  Decodes config[].opaque.parameters of claims, templates and classes as the driver will: its fields, types, words and
  ranges, and which settings exclude each other. Reports parameters for another sort of device than the request gets, and
  such as go to a driver none of whose devices is asked for. Parameters of drivers that dralign does not know are left
  alone.

Why it matters
  The API server takes any object there. The driver reads it on the node, after scheduling: the pod stays in
  ContainerCreating with FailedPrepareDynamicResources, or runs without the setting.

What it needs to know
  Fields of newer drivers than the catalogue knows look like mistakes. Sharing of NVIDIA GPUs needs feature gates of the
  driver that are off by default: say under drivers.gpu.nvidia.com.options which are on, else this is told as info.

What the fix does
  Writes a word as the driver spells it.
"""

from __future__ import annotations

from dralign.context.opaque import opaque_entries
from dralign.edit import Set
from dralign.finding import ERROR, INFO, WARNING, Fix, Patch, Severities
from dralign.rule import Example, Rule
from dralign.spelling import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.context import Context
    from dralign.context.opaque import OpaqueEntry
    from dralign.finding import Finding
    from dralign.manifest import Path
    from dralign.model.driver import DriverProfile
    from dralign.model.parameters import OpaqueConfig
    from dralign.model.refusals import Fault, Need

RULE = Rule(
    id="opaque-config-invalid",
    severities=Severities(ERROR, ERROR, ERROR),
    summary="a driver refuses vendor parameters, or nobody reads them",
    tip="write the parameters as the driver's documentation spells them",
    since="0.1",
    standards=("B3", "B5"),
)

TOLD = Severities(None, INFO, INFO)
"""What only the driver's own gates decide is told, not judged."""


def check(ctx: Context) -> Iterator[Finding]:
    """Yield one finding per mistake in the parameters of claims, templates and classes of the input."""
    for entry in opaque_entries(ctx):
        profile = ctx.catalogue.driver(entry.driver)
        unread = _unread(entry, profile)
        if unread is not None:
            yield unread
        elif profile is not None and profile.configs and entry.parameters:
            yield from _decoded(ctx, entry, profile)


def _unread(entry: OpaqueEntry, profile: DriverProfile | None) -> Finding | None:
    """Return the finding that nobody reads the parameters: no device of that driver, or a driver that reads none."""
    drivers = [view.driver for view in entry.views if view is not None]
    warning = RULE.severities.at_most(WARNING)
    if profile is not None and profile.ignores_parameters and entry.driver in drivers:
        message = f"{entry.driver} reads no parameters: these have no effect"
        tip = "take the entry out"
        return RULE.finding(entry.manifest, entry.at / "parameters", message, severities=warning, tip=tip)
    if not drivers or None in (*entry.views, *entry.beside) or entry.driver in drivers:
        return None
    told = " and ".join(f"'{name}'" for name in dict.fromkeys(drivers))
    message = f"nobody reads parameters for driver '{entry.driver}': the devices here are of {told}"
    close = suggestion(entry.driver, drivers)
    tip = f"write driver: {drivers[0]}" if close else "take the entry out"
    return RULE.finding(entry.manifest, entry.at / "driver", message + close, severities=warning, tip=tip)


def _decoded(ctx: Context, entry: OpaqueEntry, profile: DriverProfile) -> Iterator[Finding]:
    config = next((item for item in profile.configs if item.is_of(entry.parameters)), None)
    if config is None:
        yield _unknown_kind(entry, profile)
        return
    yield from _for_another_sort(entry, config, profile)
    if config.fields is None:
        return
    from dralign.model import refusals  # noqa: PLC0415 -- few claims carry parameters

    given = {name: value for name, value in entry.parameters.items() if name not in {"apiVersion", "kind"}}
    found = tuple(refusals.faults(config.fields, given, strict=config.strict))
    for fault in found:
        yield RULE.finding(
            entry.manifest,
            (entry.at / "parameters").join(fault.path),
            f"{entry.driver} refuses {_called(config)}: {fault.message}",
            tip=fault.tip,
            fix=_respelled(entry, fault),
        )
    for need in () if found else refusals.needs(config.fields, given):
        yield from _gated(ctx, entry, need)


def _unknown_kind(entry: OpaqueEntry, profile: DriverProfile) -> Finding:
    key, known = "apiVersion", [config.api_version for config in profile.configs]
    if entry.parameters.get(key) in known:
        key, known = "kind", [config.kind for config in profile.configs]
    got = entry.parameters.get(key)
    words = list(dict.fromkeys(word for word in known if word))
    close = suggestion(str(got), words)
    found = f"'{got}'" if isinstance(got, str) else "none"
    return RULE.finding(
        entry.manifest,
        entry.at / "parameters" / key,
        f"{entry.driver} takes parameters of {key} {' or '.join(words)}, got {found}{close if len(words) > 1 else ''}",
        tip=f"write {key}: {words[0]}" if len(words) == 1 else f"write a {key} that the driver knows",
    )


def _for_another_sort(entry: OpaqueEntry, config: OpaqueConfig, profile: DriverProfile) -> Iterator[Finding]:
    """Yield a finding where the devices are of a sort that these parameters are not for.

    Parameters that name their requests make the driver refuse; others it passes over.
    """
    ours = [view for view in entry.views if view is not None and view.driver == entry.driver]
    others = [view.device_type for view in ours if view.device_type and view.device_type not in config.types]
    if not config.types or not others or (len(others) < len(ours) and not entry.named):
        return
    wanted = "' or '".join(config.types)
    refused = f"{entry.driver} refuses {_called(config)} here"
    fitting = next((item.kind for item in profile.configs if others[0] in item.types), None)
    what = refused if entry.named else f"{_called(config)} has no effect"
    yield RULE.finding(
        entry.manifest,
        entry.at / "parameters",
        f"{what}: it is for devices of type '{wanted}', and these are of type '{others[0]}'",
        severities=RULE.severities if entry.named else RULE.severities.at_most(WARNING),
        tip=f"write kind: {fitting}" if fitting else "take the entry out",
    )


def _called(config: OpaqueConfig) -> str:
    return config.kind or "these parameters"


def _respelled(entry: OpaqueEntry, fault: Fault) -> Fix | None:
    if fault.value is None:
        return None
    place: Path = (entry.at / "parameters").join(fault.path)
    return Fix(f"write {fault.path[-1]}: {fault.value}", (Patch(entry.manifest, Set(place, fault.value)),))


def _gated(ctx: Context, entry: OpaqueEntry, need: Need) -> Iterator[Finding]:
    settings = ctx.settings.drivers.get(entry.driver)
    told = settings.options.get(need.gate) if settings else None
    if told is True:
        return
    place = (entry.at / "parameters").join(need.path)
    message = f"{entry.driver} takes {need.path[-1]} {need.value} only with its feature gate {need.gate}"
    rest = ", which is off" if told is False else ", off by default"
    yield RULE.finding(
        entry.manifest,
        place,
        message + rest,
        severities=RULE.severities if told is False else TOLD,
        tip=f"turn {need.gate} on in the driver, and say so under drivers.{entry.driver}.options",
    )


_CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: shared
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
    config:
    - requests: [gpu]
      opaque:
        driver: {driver}
        parameters:
          apiVersion: resource.nvidia.com/v1beta1
          kind: {kind}
"""
_GPU = _CLAIM.format(driver="gpu.nvidia.com", kind="GpuConfig")
_MPS = """\
          sharing:
            strategy: {strategy}
            mpsConfig:
              defaultActiveThreadPercentage: 50
              defaultPinnedDeviceMemoryLimit: 10Gi
"""
_GATES = {"drivers": {"gpu.nvidia.com": {"options": {"MPSSupport": True, "TimeSlicingSettings": True}}}}

VALID = (
    Example("MPS, where the driver has it", _GPU + _MPS.format(strategy="MPS"), spec=_GATES),
    Example(
        "another driver's parameters are its own matter",
        _CLAIM.format(driver="gpu.example.com", kind="GpuConfig").replace("gpu.nvidia.com", "gpu.example.com"),
    ),
)
INVALID = (
    Example(
        "upper and lower case count",
        _GPU + _MPS.format(strategy="mps"),
        messages=(
            "gpu.nvidia.com refuses GpuConfig: sharing.strategy is 'mps', want TimeSlicing or MPS, did you mean 'MPS'?",
        ),
        fixed=_GPU + _MPS.format(strategy="MPS"),
        spec=_GATES,
    ),
    Example(
        "settings of one strategy under the other",
        _GPU + "          sharing: {strategy: MPS, timeSlicingConfig: {interval: Short}}\n",
        messages=(
            "gpu.nvidia.com refuses GpuConfig: sharing.timeSlicingConfig goes with strategy TimeSlicing, and is refused "
            "beside strategy MPS",
        ),
    ),
    Example(
        "a field that is not there",
        _GPU + "          sharing: {strategy: TimeSlicing}\n          mode: fast\n",
        messages=("gpu.nvidia.com refuses GpuConfig: there is no field mode",),
    ),
    Example(
        "a strategy that needs a gate of the driver",
        _GPU + "          sharing: {strategy: TimeSlicing}\n",
        messages=(
            "gpu.nvidia.com takes strategy TimeSlicing only with its feature gate TimeSlicingSettings, off by default",
        ),
    ),
    Example(
        "parameters of MIG devices for a whole GPU",
        _CLAIM.format(driver="gpu.nvidia.com", kind="MigDeviceConfig"),
        messages=(
            "gpu.nvidia.com refuses MigDeviceConfig here: it is for devices of type 'mig', and these are of type 'gpu'",
        ),
    ),
    Example(
        "a driver that none of the devices has",
        _CLAIM.format(driver="nvidia.com", kind="GpuConfig"),
        messages=(
            "nobody reads parameters for driver 'nvidia.com': the devices here are of 'gpu.nvidia.com', did you mean "
            "'gpu.nvidia.com'?",
        ),
    ),
)
