"""The places of a container at which entries are added or taken out, from the slots of its draft."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dralign.edit.draft import Slot


class Run(Record):
    """What changes between two entries that stay.

    Attributes:
        before: number, in the text, of the entry before that stays; -1 if there is none.
        after: number of the entry behind that stays; the number of entries if there is none.
        added: slots of new entries, in order; not empty unless ``removed`` is not.
        kept: slot of the entry before, None if there is none.
    """

    before: int
    after: int
    added: Sequence[Slot]
    kept: Slot | None

    @property
    def removed(self) -> range:
        """Numbers of the entries taken out."""
        return range(self.before + 1, self.after)


def runs(slots: Sequence[Slot], count: int) -> Iterator[Run]:
    """Yield the runs of a container that has ``count`` entries in the text."""
    before = -1
    kept: Slot | None = None
    added: list[Slot] = []
    for slot in slots:
        if slot.origin < 0:
            added.append(slot)
            continue
        if added or slot.origin > before + 1:
            yield Run(before, slot.origin, added, kept)
            added = []
        before, kept = slot.origin, slot
    if added or before + 1 < count:
        yield Run(before, count, added, kept)
