"""Operations on drafts, in step with the same operations on plain data."""

from __future__ import annotations

from dralign.edit.draft import Draft, New, Slot
from dralign.edit.merges import is_merged, is_overruled, write_out
from dralign.edit.operations import Append, Insert, Remove, Rename, Set
from dralign.edit.parts import ITEMS, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from dralign.edit.data import Data
    from dralign.edit.operations import Operation, Path
    from dralign.edit.reading import Reader
    from dralign.yamlio import Node


class Drafting:
    """One document being edited.

    Attributes:
        root: slot of the document's own value.
        data: what the document reads as by now.
        original: what it read as before all edits.
        reader: how its nodes are understood.
    """

    def __init__(self, root: Node, data: Data, reader: Reader, *, has_parts: bool = False) -> None:
        self.root = Slot(0, None, None, root)
        self.data = data
        self.original = data.value
        self.reader = reader
        self._has_parts = has_parts

    def perform(self, operations: Iterable[Operation]) -> bool:
        """Do operations on the data and the drafts; whether anything changed.

        Raises:
            EditRefused: an operation leads nowhere.
        """
        changed = False
        for operation in operations:
            if self.data.perform(operation):
                changed = True
                if not self._leave_to_part(operation):
                    _PERFORM[type(operation)](self, operation)
        return changed

    def _leave_to_part(self, operation: Operation) -> bool:
        """Note an operation inside a filled item of a long list with that item, if there is one."""
        path = operation.path
        if not self._has_parts or len(path) < 2 + (not isinstance(operation, Append)) or path[0] != ITEMS:
            return False
        slot: Slot | None = self.root
        for step in path[:2]:
            draft = self._draft(slot) if slot is not None else None
            slot = draft.child(step) if draft is not None else None
        part = slot.value if slot is not None else None
        if not isinstance(part, Part) or not part.data:
            return False
        part.operations.append(operation.replace(path=path[2:]))
        return True

    def _draft(self, slot: Slot) -> Draft | None:
        """Return the draft of a slot's value, made if need be; None where the value can only be written anew."""
        value = slot.value
        if isinstance(value, (Draft, New)):
            return value if isinstance(value, Draft) else None
        if not (value.entries or value.items) or self.reader.is_bare_pair(value):
            return None
        slot.value = draft = Draft(value, self.reader)
        return draft

    def _reach(self, path: Path) -> Draft | None:
        """Return the draft of the container at ``path``; None where all of it has been written anew."""
        slot = self.root
        for depth in range(len(path) + 1):
            draft = self._draft(slot)
            if draft is None:
                slot.value = New(self.data.at(path[:depth]), like=_model(slot.value))
                return None
            draft.changed = True
            if depth == len(path):
                break
            child = self._own_child(draft, path[: depth + 1])
            if child is None:
                draft.add(path[depth], New(self.data.at(path[: depth + 1])))
                return None
            slot = child
        return draft

    def _own_child(self, draft: Draft, path: Path) -> Slot | None:
        """Return the slot at ``path`` in the container above it, and see to it that no merge overrules it."""
        if is_overruled(draft, path[-1], self.reader):
            write_out(draft, self.data.at(path[:-1]), self.reader)
        return draft.child(path[-1])

    def _set(self, operation: Set) -> None:
        path, new = operation.path, New(operation.value)
        if not path:
            self.root.value = new
            return
        draft = self._reach(path[:-1])
        if draft is None:
            return
        child = self._own_child(draft, path)
        if child is None:
            draft.add(path[-1], new)
        else:
            child.value = new

    def _append(self, operation: Append) -> None:
        draft = self._reach(operation.path)
        if draft is not None:
            draft.add(None, New(operation.value))

    def _insert(self, operation: Insert) -> None:
        draft, index = self._reach(operation.path[:-1]), operation.path[-1]
        if draft is not None and isinstance(index, int):
            draft.add(None, New(operation.value), index)

    def _remove(self, operation: Remove) -> None:
        path, step = operation.path, operation.path[-1]
        draft = self._reach(path[:-1])
        if draft is None:
            return
        draft.remove(step)
        if is_merged(draft, step, self.reader):
            write_out(draft, self.data.at(path[:-1]), self.reader)

    def _rename(self, operation: Rename) -> None:
        above, step, key = operation.path[:-1], operation.path[-1], operation.key
        draft = self._reach(above)
        if draft is None or not isinstance(step, str):
            return
        overruled = is_overruled(draft, step, self.reader)
        draft.rename(step, key)
        own = draft.child(key)
        if own is not None and overruled:
            own.value = New(self.data.at((*above, key)))
        if is_merged(draft, step, self.reader):
            write_out(draft, self.data.at(above), self.reader)


def _model(value: Node | Draft | New) -> Node | None:
    """Return what an alias refers to, or what new data was copied from."""
    if isinstance(value, New):
        return value.like
    return None if isinstance(value, Draft) else value.target


_PERFORM: dict[type, Callable[[Drafting, Any], None]] = {
    Set: Drafting._set,  # noqa: SLF001  the class's own table
    Append: Drafting._append,  # noqa: SLF001
    Insert: Drafting._insert,  # noqa: SLF001
    Remove: Drafting._remove,  # noqa: SLF001
    Rename: Drafting._rename,  # noqa: SLF001
}
