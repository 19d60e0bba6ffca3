"""The operations on plain data: what an edited text must read as.

:class:`Data` is the reference that the text is held against. It decides what is refused and what changes nothing, so
that the code that edits text meets only edits that can be made.
"""

from __future__ import annotations

from dralign.edit.operations import Append, EditRefused, Insert, Lift, Nest, Remove, Rename, Set, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from dralign.edit.operations import Operation, Path

_MISSING = object()


def plain(data: Any, operations: Sequence[Operation]) -> Any:
    """Return ``data`` with the operations done in order; ``data`` itself is left as it is, unchanged parts are shared.

    Raises:
        EditRefused: a path leads nowhere, or an operation does not fit what stands there.
    """
    document = Data(data)
    for operation in operations:
        document.perform(operation)
    return document.value


def same(left: Any, right: Any) -> bool:
    """Whether two plain values are the same to a reader of JSON: ``1`` is ``1.0``, not ``true``; order of keys is free."""
    pairs = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        if type(one) is dict:
            if type(other) is not dict or len(one) != len(other):
                return False
            pairs.extend((value, other.get(key, _MISSING)) for key, value in one.items())
        elif type(one) is list:
            if type(other) is not list or len(one) != len(other):
                return False
            pairs.extend(zip(one, other, strict=True))
        elif not _same_scalars(one, other):
            return False
    return True


def _same_scalars(one: Any, other: Any) -> bool:
    if one == other:
        return (type(one) is bool) == (type(other) is bool)
    return bool(one != one and other != other)  # noqa: PLR0124  not-a-number alone differs from itself


class Data:
    """A document as plain data, changed by operations.

    Containers are copied once, when first changed, so that many edits in one long list cost one copy of it.
    """

    def __init__(self, value: Any) -> None:
        self.value = value
        self._own: dict[int, Any] = {}

    def perform(self, operation: Operation) -> bool:
        """Do one operation; whether it changed anything.

        Raises:
            EditRefused: the path leads nowhere, or the operation does not fit what stands there.
        """
        return _PERFORM[type(operation)](self, operation)

    def at(self, path: Path) -> Any:
        """Return the value at a path that exists."""
        value = self.value
        for step in path:
            value = value[step]
        return value

    def _look(self, path: Path) -> Any:
        """Return the value at a path, ``_MISSING`` where there is none."""
        value = self.value
        for step in path:
            if isinstance(step, str):
                value = value.get(step, _MISSING) if isinstance(value, dict) else _MISSING
            else:
                value = value[step] if isinstance(value, list) and 0 <= step < len(value) else _MISSING
            if value is _MISSING:
                break
        return value

    def _existing(self, path: Path) -> Any:
        value = self._look(path)
        if value is _MISSING:
            raise EditRefused(f"{describe(path)} does not exist")
        return value

    def _owned(self, value: Any) -> Any:
        """Return the container itself if it was made here, else a copy."""
        if id(value) in self._own:
            return value
        copy = value.copy()
        self._own[id(copy)] = copy
        return copy

    def _open(self, path: Path, make: Callable[[], Any]) -> Any:
        """Return the container at ``path``, ours to change; made where it is missing or null, as are mappings above."""
        if not path:
            if self.value is None:
                self.value = make()
            _expect(self.value, make, path)
            self.value = self._owned(self.value)
            return self.value
        parent = self._open(path[:-1], dict if isinstance(path[-1], str) else list)
        step = path[-1]
        if isinstance(step, str):
            value = parent.get(step)
        elif 0 <= step < len(parent):
            value = parent[step]
        else:
            raise EditRefused(f"{describe(path)} does not exist")
        if value is None:
            value = make()
        _expect(value, make, path)
        parent[step] = value = self._owned(value)
        return value

    def _set(self, operation: Set) -> bool:
        path, value = operation.path, operation.value
        if same(self._look(path), value):
            return False
        if not path:
            self.value = value
            return True
        if isinstance(path[-1], int):
            self._existing(path)
        self._open(path[:-1], dict if isinstance(path[-1], str) else list)[path[-1]] = value
        return True

    def _append(self, operation: Append) -> bool:
        self._open(operation.path, list).append(operation.value)
        return True

    def _insert(self, operation: Insert) -> bool:
        *above, index = operation.path or ("",)
        items = self._existing(tuple(above))
        if not isinstance(index, int) or not isinstance(items, list) or not 0 <= index <= len(items):
            raise EditRefused(f"{describe(operation.path)} is no place in a sequence")
        self._open(tuple(above), list).insert(index, operation.value)
        return True

    def _remove(self, operation: Remove) -> bool:
        path = operation.path
        if not path:
            raise EditRefused("the document itself cannot be removed")
        self._existing(path)
        del self._open(path[:-1], dict if isinstance(path[-1], str) else list)[path[-1]]
        return True

    def _rename(self, operation: Rename) -> bool:
        path, key = operation.path, operation.key
        if not path or not isinstance(path[-1], str):
            raise EditRefused(f"{describe(path)} has no key")
        self._existing(path)
        if key == path[-1]:
            return False
        entries = self._open(path[:-1], dict)
        if key in entries:
            raise EditRefused(f"{describe((*path[:-1], key))} exists already")
        renamed = [(key if old == path[-1] else old, value) for old, value in entries.items()]
        entries.clear()
        entries.update(renamed)
        return True

    def _nest(self, operation: Nest) -> bool:
        path, under = operation.path, operation.under
        for key in operation.keys:
            self._existing((*path, key))
        entries = self._open(path, dict)
        if under in entries:
            raise EditRefused(f"{describe((*path, under))} exists already")
        inner = {key: value for key, value in entries.items() if key in operation.keys}
        outer: dict[str, Any] = {}
        for key, value in entries.items():
            if key not in inner:
                outer[key] = value
            elif under not in outer:
                outer[under] = self._own.setdefault(id(inner), inner)
        entries.clear()
        entries.update(outer)
        return bool(inner)

    def _lift(self, operation: Lift) -> bool:
        path = operation.path
        if not path or not isinstance(path[-1], str):
            raise EditRefused(f"{describe(path)} has no key")
        _expect(self._existing(path), dict, path)
        entries = self._open(path[:-1], dict)
        inner = entries.pop(path[-1])
        for key in inner:
            if key in entries:
                raise EditRefused(f"{describe((*path[:-1], key))} exists already")
        entries.update(inner)
        return True


def _expect(value: Any, make: Callable[[], Any], path: Path) -> None:
    if type(value) is not make:
        wanted = "mapping" if make is dict else "sequence"
        raise EditRefused(f"{describe(path)} is no {wanted}")


_PERFORM: dict[type, Callable[[Data, Any], bool]] = {
    Set: Data._set,  # noqa: SLF001  the class's own table
    Append: Data._append,  # noqa: SLF001
    Insert: Data._insert,  # noqa: SLF001
    Remove: Data._remove,  # noqa: SLF001
    Rename: Data._rename,  # noqa: SLF001
    Nest: Data._nest,  # noqa: SLF001
    Lift: Data._lift,  # noqa: SLF001
}
