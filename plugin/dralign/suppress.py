"""Silence: what annotations and configuration say need not be heard. Silenced findings are counted, never hidden."""

from __future__ import annotations

from dralign.manifest import as_map, as_text
from dralign.spelling import fits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal

    from dralign.finding import Finding
    from dralign.settings import Ignore, Settings

PREFIX = "ignore.dralign.dev/"
"""Annotation key before the rule id; the value is the reason. Comments would not survive kustomize or Helm."""


def silence(
    finding: Finding, settings: Settings, templates: tuple[Any, ...]
) -> tuple[Literal["annotation", "config"], str] | None:
    """Return who silences a finding and why, or None.

    Args:
        finding: the finding.
        settings: its ``ignore`` entries count until they expire.
        templates: metadata of the pod templates of the finding's object; their annotations count as the object's do.
    """
    for noted in _annotations(finding, templates):
        reason = as_text(noted.get(PREFIX + finding.rule))
        if reason is not None:
            return "annotation", reason
    for entry in settings.ignore:
        if _fits(entry, finding) and not _expired(entry, settings.today):
            return "config", entry.reason
    return None


def _annotations(finding: Finding, templates: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    yield as_map(finding.manifest.annotations)
    for metadata in templates:
        yield as_map(metadata.get("annotations"))


def _fits(entry: Ignore, finding: Finding) -> bool:
    ref = finding.manifest.ref
    pairs = ((entry.kind, ref.kind), (entry.namespace, ref.namespace), (entry.name, ref.name))
    return entry.rule == finding.rule and all(want is None or fits(have or "", want) for want, have in pairs)


def _expired(entry: Ignore, today: str | None) -> bool:
    """Dates are ``YYYY-MM-DD``, so that text order is time order; without a clock nothing expires."""
    return entry.expires is not None and today is not None and entry.expires < today
