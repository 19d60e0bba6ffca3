"""Compatibility groups (KEP-5963): devices on one counter set need a group in common, all of them.

Follows ``compatibility_groups.go``. Declaring none is a group of its own: such devices go with each other only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from dralign.model.device import Consumption, Device
    from dralign.sim.pools import Pool
    from dralign.sim.taken import Taken

_UNGROUPED = frozenset({""})


class Groups:
    """The groups still in common, for each counter set of one pool."""

    __slots__ = ("_common",)

    def __init__(self, pool: Pool, taken: Taken) -> None:
        self._common: dict[str, list[frozenset[str]]] = {}
        for device in taken.held(pool):
            for part in device.consumes:
                self._put(part)

    def add(self, device: Device) -> bool:
        """Take the device in if it goes with all others on each of its counter sets."""
        for number, part in enumerate(device.consumes):
            common = self._common.get(part.counter_set)
            if common and common[-1].isdisjoint(_groups(part)):
                self._take_back(device.consumes[:number])
                return False
            self._put(part)
        return True

    def remove(self, device: Device) -> None:
        """Take back the last device."""
        self._take_back(device.consumes)

    def state(self) -> Hashable:
        """Return all that later answers depend on."""
        return frozenset((name, common[-1]) for name, common in self._common.items() if common)

    def _put(self, part: Consumption) -> None:
        common = self._common.setdefault(part.counter_set, [])
        common.append(_narrowed(common[-1], _groups(part)) if common else _groups(part))

    def _take_back(self, parts: tuple[Consumption, ...]) -> None:
        for part in reversed(parts):
            self._common[part.counter_set].pop()


def _groups(part: Consumption) -> frozenset[str]:
    return frozenset(part.groups) or _UNGROUPED


def _narrowed(common: frozenset[str], groups: frozenset[str]) -> frozenset[str]:
    """Narrow; devices that should not stand together (the slice was changed under them) leave things as they are."""
    return common if _UNGROUPED in (common, groups) else common & groups
