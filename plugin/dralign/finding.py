"""Findings, their fixes, and the outcome of a run: plain data that rules make, the engine completes and formats read."""

from __future__ import annotations

from dralign.manifest import as_text, dig
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from dralign.edit.operations import Operation
    from dralign.manifest import Location, Manifest, Path, Ref
    from dralign.model.verdict import Verdict

    Severity = Literal["error", "warning", "info"]
    Audience = Literal["app", "platform"]
    Safety = Literal["safe", "unsafe"]
    Patches = tuple["Patch | NewManifest", ...]

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


class Fix:
    """A titled repair. ``reason`` says why an unsafe one is held back, in words that follow 'held back:'.

    A fix is itself only, whatever it holds: findings that share one are repaired together. Most are shown and never made,
    so that its patches may be given as what makes them.
    """

    __slots__ = ("_patches", "reason", "safety", "title")

    def __init__(
        self, title: str, patches: Patches | Callable[[], Patches], safety: Safety = "safe", reason: str | None = None
    ) -> None:
        self.title = title
        self._patches = patches
        self.safety: Safety = safety
        self.reason = reason

    @property
    def patches(self) -> Patches:
        """What is to be done, worked out when first asked for."""
        if not isinstance(self._patches, tuple):
            self._patches = self._patches()
        return self._patches


class Related(Record):
    """Another place that belongs to a finding, with what it has to do with it."""

    manifest: Manifest
    path: Path
    message: str


class Finding(Record):
    """One problem on one object, as a rule yields it.

    ``label`` annotates the place in a few words, ``detail`` are lines to show below it, such as an expression with a mark.
    ``proof`` is the case that shows the problem, ``reach`` how much of the fleet has it. The engine sets ``ordinal``: how
    many findings just like it there are in the run up to this one.
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
    proof: str | None = None
    reach: str | None = None
    ordinal: int = 1

    @property
    def objects(self) -> frozenset[int]:
        """Identities of the objects that the finding stands on or points to."""
        return frozenset((id(self.manifest), *(id(place.manifest) for place in self.related)))

    @property
    def identity(self) -> tuple[str, ...]:
        """What makes it the same finding after an edit: rule, object, field, and the names and values in its message.

        Lines, API versions, the wording of the message, and places in lists whose items have names don't count.
        """
        ref = self.manifest.ref
        named = (self.rule, self.manifest.group, ref.kind, ref.namespace or "", ref.name or "")
        quoted = self.message.split("'")[1::2]
        number = (str(self.ordinal),) if self.ordinal > 1 else ()
        return (*named, named_path(self.manifest.data, self.path), *quoted, *number)


def named_path(data: Any, path: Path) -> str:
    """Return a field path in which list items that have a name go by it: ``spec.containers[name=main].image``."""
    text = ""
    for key in path:
        data = dig(data, (key,))
        if isinstance(key, int):
            name = as_text(data.get("name")) if isinstance(data, dict) else None
            text += f"[name={name}]" if name else f"[{key}]"
        else:
            text += f".{key}"
    return text.removeprefix(".")


class FixReport(Record):
    """What became of a fix: ``proposed`` (nothing was to be repaired), ``applied`` or ``held``."""

    title: str
    safety: Safety
    state: Literal["proposed", "applied", "held"]
    reason: str | None


class RelatedReport(Record):
    """A related place, located. ``origin`` and ``replicas`` as for :class:`Report`."""

    ref: Ref
    path: str
    message: str
    location: Location
    origin: str | None
    replicas: int


class Report(Record):
    """A finding as it leaves the engine: located, with its severity in this run's profile.

    ``origin`` is the file that the object came from, where its annotations say so: better known to the user than a place in
    a stream. ``replicas`` is how many pods the object says it wants: at least 1 for a workload, 0 for anything else.
    """

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
    proof: str | None
    reach: str | None
    replicas: int
    identity: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        """What names the finding across edits of the text, as 16 hexadecimal digits; see :attr:`Finding.identity`."""
        return fingerprint(self.identity)

    @property
    def order(self) -> tuple[object, ...]:
        """Sort key of everything that leaves the program: place, then rule, then text."""
        place = self.location
        return (place.file, place.line, place.column, self.rule, self.path, self.message)


def fingerprint(identity: tuple[str, ...]) -> str:
    """Return the identity of a finding as 16 hexadecimal digits."""
    from hashlib import sha256  # noqa: PLC0415 -- the text that most runs print has no use for it

    return sha256("\0".join(identity).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class VerdictReport(Record):
    """What was proved of one pod template; ``path`` is its own inside the object, ``replicas`` is 1 where none are said."""

    ref: Ref
    path: str
    replicas: int
    verdict: Verdict


class Suppressed(Record):
    """A finding that annotation, configuration or baseline silenced, and the reason given there."""

    report: Report
    by: Literal["annotation", "config", "baseline"]
    reason: str


class Outcome(Record):
    """All that one run produced. ``findings`` are those that remain, in order; ``applied`` those that were repaired.

    ``stamps`` are the annotations to write on judged objects of the resulting bundle; ``verdicts`` one for every pod
    template that holds devices.
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
    verdicts: tuple[VerdictReport, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether a finding that remains is at or above ``failOn``."""
        return any(self.breaks(report) for report in self.findings)

    def breaks(self, report: Report) -> bool:
        """Say whether this finding alone makes the run fail."""
        return self.fail_on != "never" and RANK[report.severity] >= RANK[self.fail_on]
