"""Feature gates per Kubernetes release: stage, default, and the set that is on in a cluster.

A release is a string such as ``"1.37"``; ``RELEASES`` names those that are known.
"""

from __future__ import annotations

from dralign.admission.gate_table import FIRST_MINOR, TABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

RELEASES = ("1.32", "1.33", "1.34", "1.35", "1.36", "1.37")
_STAGES = {"a": "alpha", "b": "beta", "G": "ga", ".": "unknown", "?": "not recorded"}
_BULK = {"AllAlpha": "alpha", "AllBeta": "beta"}
_defaults: dict[str, frozenset[str]] = {}
_rows: dict[str, str] = {}


def gate_names() -> tuple[str, ...]:
    """Return the names of all gates of all releases, sorted."""
    return tuple(_table())


def stage(gate: str, release: str) -> str:
    """Return ``alpha``, ``beta``, ``ga`` (always on), ``unknown`` to that release, or ``not recorded``.

    Gates that were fixed before 1.34 are ``unknown`` too, ``DynamicResourceAllocation`` excepted.
    """
    letter = _letter(gate, release)
    return _STAGES.get(letter) or _STAGES[letter.lower()]


def default_features(release: str) -> frozenset[str]:
    """Return the gates that are on in a release when nothing is configured. Unknown releases raise KeyError."""
    found = _defaults.get(release)
    if found is None:
        column = _column(release)
        found = frozenset(gate for gate, letters in _table().items() if letters[column].isupper())
        _defaults[release] = found
    return found


def features(release: str, overrides: Mapping[str, bool]) -> frozenset[str]:
    """Return the gates that are on in a release with a ``--feature-gates`` setting.

    ``AllAlpha`` and ``AllBeta`` set every gate of that stage that has no setting of its own. Settings that
    :func:`gate_problem` objects to have no effect.
    """
    if not overrides:
        return default_features(release)
    wanted = dict(overrides)
    for bulk, bulk_stage in _BULK.items():
        if bulk in wanted:
            on = wanted.pop(bulk)
            wanted = {gate: on for gate in _table() if stage(gate, release) == bulk_stage} | wanted
    heeded = {gate: on for gate, on in wanted.items() if gate_problem(gate, on, release) is None}
    turned_on = {gate for gate, on in heeded.items() if on}
    return (default_features(release) | turned_on) - (heeded.keys() - turned_on)


def gate_problem(gate: str, on: bool, release: str) -> str | None:
    """Say what is wrong with a setting in a release, in lower case without the gate's name; None when nothing is."""
    if gate in _BULK:
        return None
    known = stage(gate, release)
    if known == "unknown":
        return f"not a feature gate that can be set in {release}"
    if known == "ga" and not on:
        return f"always on in {release}"
    return None


def _letter(gate: str, release: str) -> str:
    letters = _table().get(gate)
    return letters[_column(release)] if letters else "."


def _column(release: str) -> int:
    if release not in RELEASES:
        raise KeyError(release)
    return int(release.partition(".")[2]) - FIRST_MINOR


def _table() -> dict[str, str]:
    if not _rows:
        for row in TABLE.splitlines():
            gate, _, letters = row.partition(" ")
            _rows[gate] = letters
    return _rows
