"""Silence: what annotations, configuration and baseline say need not be heard.

Silenced findings are counted, never hidden, and so is a silence that is of no use.
"""

from __future__ import annotations

from dralign.finding import fingerprint
from dralign.manifest import Path, as_map, as_text
from dralign.record import Record
from dralign.spelling import fits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Literal

    from dralign.finding import Finding
    from dralign.manifest import Manifest, Ref
    from dralign.model.workload import PodView
    from dralign.settings import Ignore, Known, Settings

    By = Literal["annotation", "config", "baseline"]

PREFIX = "ignore.dralign.dev/"
"""Annotation key before the rule id; the value is the reason. Comments would not survive kustomize or Helm."""


class Note(Record):
    """One annotation that silences a rule on its object. ``reason`` None: it is empty or no text, so it does nothing."""

    manifest: Manifest
    path: Path
    rule: str
    reason: str | None


class Silences:
    """All that silences findings in one state of a bundle, and which of it did."""

    def __init__(self, manifests: Iterable[Manifest], pods: Iterable[PodView], settings: Settings) -> None:
        self._settings = settings
        self._notes: dict[tuple[int, str], list[Note]] = {}
        self._baseline = {known.fingerprint: known for known in settings.baseline}
        self._used: set[int] = set()
        self._near: dict[tuple[int, str], Ref] = {}
        self.asked: set[str] = set()
        for note in _notes(manifests, pods):
            self._notes.setdefault((id(note.manifest), note.rule), []).append(note)

    def of(self, finding: Finding) -> tuple[By, str] | None:
        """Return who silences a finding and the reason given there, or None; all that do so are of use from now on."""
        found = [(by, item) for by, item in self._fitting(finding) if item.reason is not None]
        self._used |= {id(item) for _, item in found}
        if not found:
            self._near |= {(id(place.manifest), finding.rule): finding.manifest.ref for place in finding.related}
        return (found[0][0], found[0][1].reason or "") if found else None

    def _fitting(self, finding: Finding) -> Iterator[tuple[By, Note | Ignore | Known]]:
        for note in self._notes.get((id(finding.manifest), finding.rule), ()):
            yield "annotation", note
        for entry in self._settings.ignore:
            if entry.rule == finding.rule and covers(entry, finding.manifest) and not self.is_expired(entry):
                yield "config", entry
        if self._baseline:
            known = self._baseline.get(fingerprint(finding.identity))
            if known is not None:
                yield "baseline", known

    def is_expired(self, entry: Ignore) -> bool:
        """Say whether an exception is over. Dates are ``YYYY-MM-DD``: text order is time order; no clock, no end."""
        return entry.expires is not None and self._settings.today is not None and entry.expires < self._settings.today

    def unused_notes(self) -> tuple[Note, ...]:
        """Return annotations that silenced nothing, in order of their objects."""
        return tuple(note for notes in self._notes.values() for note in notes if self._is_unused(note))

    def meant_by(self, note: Note) -> Ref | None:
        """Return the object that an unused annotation was meant for: its finding names the object of the note as related."""
        return self._near.get((id(note.manifest), note.rule))

    def unused_exceptions(self) -> tuple[Ignore, ...]:
        """Return exceptions of the configuration that silenced nothing, in order."""
        return tuple(entry for entry in self._settings.ignore if self._is_unused(entry))

    def unused_known(self) -> tuple[Known, ...]:
        """Return entries of the baseline that silenced nothing, in order."""
        return tuple(known for known in self._settings.baseline if self._is_unused(known))

    def _is_unused(self, item: Note | Ignore | Known) -> bool:
        """Say whether something silenced nothing; of a rule that is switched off, nobody can tell."""
        return id(item) not in self._used and self._settings.rules.get(item.rule, {}).get("severity") != "off"


def covers(entry: Ignore, manifest: Manifest) -> bool:
    """Say whether an exception of the configuration is meant for an object."""
    ref = manifest.ref
    pairs = ((entry.kind, ref.kind), (entry.namespace, ref.namespace), (entry.name, ref.name))
    return all(want is None or fits(have or "", want) for want, have in pairs)


def _notes(manifests: Iterable[Manifest], pods: Iterable[PodView]) -> Iterator[Note]:
    """Yield the annotations of objects and of their pod templates, which count as the object's do."""
    for manifest in manifests:
        yield from _notes_in(manifest, as_map(manifest.data.get("metadata")), ("metadata",))
    for pod in pods:
        if pod.metadata_path != ("metadata",):
            yield from _notes_in(pod.manifest, pod.metadata, pod.metadata_path)


def _notes_in(manifest: Manifest, metadata: dict[str, Any], at: tuple[str | int, ...]) -> Iterator[Note]:
    for key, value in as_map(metadata.get("annotations")).items():
        if isinstance(key, str) and key.startswith(PREFIX):
            path = Path((*at, "annotations", key))
            yield Note(manifest, path, key.removeprefix(PREFIX), as_text(value))
