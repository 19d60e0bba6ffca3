"""What one run was asked to do: the typed form of a ``Dralign`` configuration, with every default filled in."""

from __future__ import annotations

from dralign.manifest import ROOT
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from dralign.manifest import Manifest, Path

STANDARD_NUMA_ATTRIBUTE = "resource.kubernetes.io/numaNode"
"""KEP-6072: the NUMA node of a device, an int, or a list of ints behind DRAListTypeAttributes."""

KUBE_VERSIONS = ("1.32", "1.33", "1.34", "1.35", "1.36", "1.37")
PROFILES = ("minimal", "default", "strict", "pedantic")
MODES = ("check", "fix", "validate")
THRESHOLDS = ("error", "warning", "info", "never")
STRATEGIES = ("constraint", "cpu-claim", "pin")
WORKLOAD_CLASSES = ("serving", "training", "batch")
CLASS_LABEL = "dralign.dev/workload-class"


class Alignment(Record):
    """``spec.alignment``. ``strategy`` None: alignment was not asked for. ``zone`` is the NUMA node that ``pin`` pins to."""

    attribute: str = STANDARD_NUMA_ATTRIBUTE
    level: Literal["physical", "intersect", "socket"] = "physical"
    strategy: str | None = None
    zone: int | None = None


class Ignore(Record):
    """One entry of ``spec.ignore``; None matches anything, names may hold ``*``. ``expires`` is ``YYYY-MM-DD``.

    ``manifest`` and ``path`` are where it stands, if that was a document.
    """

    rule: str
    reason: str
    kind: str | None = None
    namespace: str | None = None
    name: str | None = None
    expires: str | None = None
    manifest: Manifest | None = None
    path: Path = ROOT


class Known(Record):
    """One finding of a baseline: ``kind``, ``namespace`` and ``name`` of its object, and where the entry stands."""

    fingerprint: str
    rule: str
    reason: str
    kind: str
    namespace: str | None
    name: str | None
    manifest: Manifest
    path: Path


class ClassPattern(Record):
    """One entry of ``spec.workloadClass``: all that is given must fit. ``label`` is ``key`` or ``key=value``."""

    workload_class: str
    kind: str | None = None
    label: str | None = None
    name: str | None = None


class DriverSettings(Record):
    """``spec.drivers.<name>``: what the fleet runs."""

    options: Mapping[str, Any]
    version: str | None = None


class InventorySettings(Record):
    """``spec.inventory``: where devices are described."""

    files: tuple[str, ...] = ()
    presets: tuple[str, ...] = ()
    inline: tuple[Any, ...] = ()


class Settings(Record):
    """``spec`` of a ``Dralign`` configuration, and what only a command line can ask for."""

    drivers: Mapping[str, DriverSettings]
    feature_gates: Mapping[str, bool]
    rules: Mapping[str, Mapping[str, Any]]
    mode: str = "check"
    profile: str = "default"
    fail_on: str = "error"
    kube_version: str = "1.37"
    inventory: InventorySettings = InventorySettings()
    alignment: Alignment = Alignment()
    round_cpu: str = "up"
    classes: tuple[ClassPattern, ...] = ()
    rules_version: str | None = None
    ignore: tuple[Ignore, ...] = ()
    annotate: str | None = None
    only: frozenset[str] = frozenset()
    unsafe: bool = False
    today: str | None = None
    previous: tuple[str, ...] = ()
    baseline: tuple[Known, ...] = ()

    @property
    def asks_for_alignment(self) -> bool:
        """Whether the user asked for alignment, which makes the repairs that it needs safe."""
        return self.alignment.strategy is not None
