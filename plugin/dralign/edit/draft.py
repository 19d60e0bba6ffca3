"""A document being edited: its nodes as they stand in the text, with drafts laid over those that change.

Only the containers on the way to an edit become drafts; everything else stays a node of the text and is never looked at
again. What has no text yet, or no longer, is plain data (:class:`New`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.edit.reading import Reader
    from dralign.yamlio import Node


class New:
    """A value to be written.

    Attributes:
        data: the plain value.
        anchor: name of the anchor it gets, if any.
        like: node whose manner of writing it keeps, if it can.
    """

    __slots__ = ("anchor", "data", "like")

    def __init__(self, data: Any, anchor: str | None = None, like: Node | None = None) -> None:
        self.data = data
        self.anchor = anchor
        self.like = like


class Slot:
    """One entry or item of a draft.

    Attributes:
        origin: its number in the node that the draft lies over, -1 for one that is added.
        key: the key as it stands in the text, or None.
        name: the key as data, None in sequences, for merges (``<<``) and for keys that the reader drops.
        is_merge: whether the key is a merge.
        value: a node of the text, a draft, or new data.
        new_key: the key as data if it is to be written anew, with the anchor it gets.
    """

    __slots__ = ("is_merge", "key", "name", "new_key", "origin", "value")

    def __init__(self, origin: int, key: Node | None, name: str | None, value: Node | Draft | New) -> None:
        self.origin = origin
        self.key = key
        self.name = name
        self.value = value
        self.is_merge = False
        self.new_key: New | None = None


class Draft:
    """A filled mapping or sequence of the text of which something changes.

    Attributes:
        node: what stands in the text.
        slots: what is to stand there, in order; those that stay keep their order.
        changed: whether its data changes; not so where only an anchor finds a new place in it.
    """

    __slots__ = ("_names", "changed", "node", "slots")

    def __init__(self, node: Node, reader: Reader) -> None:
        self.node = node
        self.changed = False
        self._names: dict[str, Slot] = {}
        if node.kind == "seq":
            self.slots = [Slot(index, None, None, value) for index, value in enumerate(node.items)]
            return
        self.slots = []
        for index, (key, value) in enumerate(node.entries):
            slot = Slot(index, key, None, value)
            self.slots.append(slot)
            slot.is_merge = reader.is_merge(key)
            slot.name = None if slot.is_merge else reader.key(key)
            if slot.name is not None:
                self._names[slot.name] = slot

    def child(self, step: str | int) -> Slot | None:
        """Return the slot of a key (of a key written twice the last: readers take that) or index."""
        return self._names.get(step) if isinstance(step, str) else self.slots[step]

    def add(self, step: str | int | None, value: New, at: int | None = None) -> None:
        """Add an entry (``step`` is its key) or an item, at the end unless ``at`` says where."""
        name = step if isinstance(step, str) else None
        slot = Slot(-1, None, name, value)
        self.slots.insert(len(self.slots) if at is None else at, slot)
        if name is not None:
            self._names[name] = slot

    def remove(self, step: str | int) -> None:
        """Take out an item, or all entries of a key."""
        if isinstance(step, int):
            del self.slots[step]
        elif self._names.pop(step, None) is not None:
            self.slots = [slot for slot in self.slots if slot.name != step]

    def rename(self, name: str, new: str) -> None:
        """Give the entry of a key a new one."""
        slot = self._names.pop(name, None)
        if slot is None:
            return
        self.slots = [other for other in self.slots if other is slot or other.name != name]
        slot.name = new
        slot.new_key = New(new)
        self._names[new] = slot

    def merges(self) -> list[Slot]:
        """Return the slots of its merge keys."""
        return [slot for slot in self.slots if slot.is_merge]

    def drop_merges(self) -> int:
        """Take out the merge keys; where the first of them stood."""
        at = self.slots.index(self.merges()[0])
        self.slots = [slot for slot in self.slots if not slot.is_merge]
        return at

    def precedes_merge(self, slot: Slot) -> bool:
        """Whether a merge key stands behind an entry."""
        merges = self.merges()
        return bool(merges) and self.slots.index(slot) < self.slots.index(merges[-1])
