"""The feature gates of one kubelet: which are on, and which settings it would not start with.

A setting of the configuration file is merged with the flags first; both come here as one mapping. Source:
``component-base/featuregate`` (SetFromMap, Validate); defaulting of the configuration panics on what is found here.
"""

from __future__ import annotations

from dralign.kubelet.gate_table import FIRST_MINOR, GATES, NEEDS
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_BULK = {"AllAlpha": "a", "AllBeta": "b"}
_LOCKED = frozenset("lxLX")
_COMPLETE_FROM = 34  # of older releases the table misses gates that were removed before 1.34
_NEEDS_FROM = 35  # dependencies between gates are checked since 1.35


class Gates(Record):
    """Gates of a kubelet of release 1.``minor``.

    ``settings`` holds what was set and counts, ``problems`` why the kubelet does not start, in its own words.
    """

    minor: int
    settings: Mapping[str, bool]
    problems: tuple[str, ...] = ()

    def is_on(self, name: str) -> bool:
        """Say whether a gate is on; one that the release does not know is off."""
        found = self.settings.get(name)
        if found is not None:
            return found
        letter = _letter(name, self.minor)
        bulk = [
            self.settings[gate] for gate, stage in _BULK.items() if stage == letter.lower() and gate in self.settings
        ]
        return bulk[0] if bulk else letter.isupper()

    def text(self) -> str:
        """Return the problems as one text, as Go joins several errors."""
        return self.problems[0] if len(self.problems) == 1 else f"[{', '.join(self.problems)}]"


def settle(release: str, settings: Mapping[str, bool]) -> Gates:
    """Return the gates of a kubelet of ``release`` (``"1.37"``) that was given these settings.

    Releases outside 1.32 to 1.37 raise KeyError.
    """
    minor = _minor(release)
    unknown = [name for name in sorted(settings) if not _is_known(name, minor)]
    if unknown:
        return Gates(minor, {}, (f"unrecognized feature gate: {unknown[0]}",))
    locked = tuple(_lock_problems(settings, minor))
    gates = Gates(minor, dict(settings))
    return gates.replace(problems=locked or tuple(_unmet_needs(gates)))


def _lock_problems(settings: Mapping[str, bool], minor: int) -> Iterator[str]:
    for name, wanted in sorted(settings.items()):
        letter = _letter(name, minor)
        if letter in _LOCKED and letter.isupper() != wanted:
            yield f"cannot set feature gate {name} to {_go(wanted)}, feature is locked to {_go(not wanted)}"


def _unmet_needs(gates: Gates) -> Iterator[str]:
    if gates.minor < _NEEDS_FROM:
        return
    for row in NEEDS.split():
        name, _, needs = row.partition(">")
        if gates.is_on(name):
            off = " ".join(need for need in _needs(needs, gates.minor) if not gates.is_on(need))
            if off:
                yield f"{name} is enabled, but depends on features that are disabled: [{off}]"


def _needs(text: str, minor: int) -> Iterator[str]:
    """Yield the gates of a row of the table that exist in a release and are asked for by it."""
    for entry in text.split(","):
        need, _, since = entry.partition("@")
        if minor >= int(since or 0) and _letter(need, minor) != ".":
            yield need


def _is_known(name: str, minor: int) -> bool:
    letter = _letter(name, minor)
    if name in _BULK or letter not in ("", "."):
        return True
    return letter == "" and minor < _COMPLETE_FROM


def _letter(name: str, minor: int) -> str:
    """Look up what a release does with a gate; empty for a name that no release of the table knows."""
    at = GATES.find(f"{name}:") if name.isalnum() else -1
    while at > 0 and not GATES[at - 1].isspace():
        at = GATES.find(f"{name}:", at + 1)
    return GATES[at + len(name) + 1 :][minor - FIRST_MINOR] if at > 0 else ""


def _minor(release: str) -> int:
    major, _, minor = release.partition(".")
    if major != "1" or not minor.isdigit() or not 0 <= int(minor) - FIRST_MINOR <= 5:
        raise KeyError(release)
    return int(minor)


def _go(value: bool) -> str:
    return "true" if value else "false"
