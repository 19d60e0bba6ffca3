"""Findings, their fixes, and the outcome of a run: plain data that rules make, the engine completes and formats read."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from dralign.edit.operations import Operation
    from dralign.manifest import Location, Manifest, Path, Ref

    Severity = Literal["error", "warning", "info"]
    Audience = Literal["app", "platform"]
    Safety = Literal["safe", "unsafe"]

ERROR: Severity = "error"
WARNING: Severity = "warning"
INFO: Severity = "info"

RANK: dict[str, int] = {ERROR: 2, WARNING: 1, INFO: 0}
"""Order of severities; ``never`` ranks above them all where it is a threshold."""


class Severities(Record):
    """Severity per profile; None is silent. ``pedantic`` is ``strict`` with info raised to warning.

    ``explicit`` counts in every profile but minimal where the user marked the workload serving or training.
    """

    minimal: Severity | None = None
    default: Severity | None = None
    strict: Severity | None = None
    explicit: Severity | None = None

    def under(self, profile: str, *, marked: bool = False) -> Severity | None:
        """Return the severity in ``profile``; ``marked``: the workload carries an explicit class."""
        if profile == "minimal":
            return self.minimal
        severity = self.default if profile == "default" else self.strict
        if marked and self.explicit is not None and (severity is None or RANK[self.explicit] > RANK[severity]):
            severity = self.explicit
        return WARNING if profile == "pedantic" and severity == INFO else severity

    def at_most(self, limit: Severity) -> Severities:
        """Return the same with everything above ``limit`` lowered to it."""
        return Severities(*(_lower(value, limit) for value in (self.minimal, self.default, self.strict, self.explicit)))


def _lower(severity: Severity | None, limit: Severity) -> Severity | None:
    return severity if severity is None or RANK[severity] <= RANK[limit] else limit


class Patch(Record):
    """One edit of one manifest; the operation's path is a field path inside the object."""

    manifest: Manifest
    operation: Operation


class NewManifest(Record):
    """An object to add, placed right before the one that needs it."""

    before: Manifest
    data: dict[str, Any]


class Fix(Record):
    """A titled repair. ``reason`` says why an unsafe one is held back, in words that follow 'held back:'.

    A fix is itself only, whatever it holds: findings that share one are repaired together.
    """

    title: str
    patches: tuple[Patch | NewManifest, ...]
    safety: Safety = "safe"
    reason: str | None = None

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Related(Record):
    """Another place that belongs to a finding, with what it has to do with it."""

    manifest: Manifest
    path: Path
    message: str


class Finding(Record):
    """One problem on one object, as a rule yields it.

    ``label`` annotates the place in a few words, ``detail`` are lines to show below it, such as an expression with a mark.
    """

    rule: str
    manifest: Manifest
    path: Path
    message: str
    severities: Severities
    tip: str | None = None
    label: str | None = None
    detail: tuple[str, ...] = ()
    audience: Audience = "app"
    related: tuple[Related, ...] = ()
    marked: bool = False
    fix: Fix | None = None


class FixReport(Record):
    """What became of a fix: ``proposed`` (nothing was to be repaired), ``applied`` or ``held``."""

    title: str
    safety: Safety
    state: Literal["proposed", "applied", "held"]
    reason: str | None


class RelatedReport(Record):
    """A related place, located."""

    ref: Ref
    path: str
    message: str
    location: Location


class Report(Record):
    """A finding as it leaves the engine: located, with its severity in this run's profile."""

    rule: str
    severity: Severity
    audience: Audience
    message: str
    tip: str | None
    label: str | None
    ref: Ref
    path: str
    location: Location
    origin: str | None
    index: int
    excerpt: tuple[tuple[int, str], ...]
    detail: tuple[str, ...]
    related: tuple[RelatedReport, ...]
    fix: FixReport | None

    @property
    def order(self) -> tuple[object, ...]:
        """Sort key of everything that leaves the program: place, then rule, then text."""
        place = self.location
        return (place.file, place.line, place.column, self.rule, self.path, self.message)


class Suppressed(Record):
    """A finding that annotation, configuration or baseline silenced, and the reason given there."""

    report: Report
    by: Literal["annotation", "config", "baseline"]
    reason: str


class Outcome(Record):
    """All that one run produced. ``findings`` are those that remain, in order; ``applied`` those that were repaired.

    ``stamps`` are the annotations to write on judged objects of the resulting bundle.
    """

    findings: tuple[Report, ...]
    applied: tuple[Report, ...]
    suppressed: tuple[Suppressed, ...]
    objects: int
    judged: int
    fail_on: str
    profile: str
    kube_version: str
    stamps: tuple[Patch, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether a finding that remains is at or above ``failOn``."""
        return any(self.breaks(report) for report in self.findings)

    def breaks(self, report: Report) -> bool:
        """Say whether this finding alone makes the run fail."""
        return self.fail_on != "never" and RANK[report.severity] >= RANK[self.fail_on]
