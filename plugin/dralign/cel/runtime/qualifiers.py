"""The steps of a path: fields and indexes. Each costs 1. Source: cel-go interpreter/attributes.go."""

from __future__ import annotations

from dralign.cel.printing import go_text
from dralign.cel.values import LISTS, MAX_INT, MISSING, CelError, Map, Uint, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.runtime.attributes import Attribute
    from dralign.cel.runtime.scopes import Scope
    from dralign.cel.values import Value

_KEY_TYPES = (str, int, bool, Uint, float)


class Field:
    """A constant key, field name or index.

    Args:
        node_id: id of the node.
        key: the key.
        optional: written with ``?``.
    """

    __slots__ = ("id", "key", "optional")

    def __init__(self, node_id: int, key: Value, optional: bool) -> None:
        self.id = node_id
        self.key = key
        self.optional = optional

    def find(self, scope: Scope, value: Value) -> Value:
        """Return what stands under the key."""
        try:
            found = look_up(value, self.key)
        except CelError as error:
            _pay(scope, self.id, error)
            raise
        _pay(scope, self.id, found)
        return found

    def find_if_present(self, scope: Scope, value: Value) -> Value:
        """Return what stands under the key, or MISSING, which costs nothing."""
        found = look_for(value, self.key)
        if found is not MISSING:
            _pay(scope, self.id, found)
        return found


class Presence(Field):
    """The last field of ``has(…)``. Behind an optional it is found like any field."""

    __slots__ = ()

    def __init__(self, node_id: int, key: Value) -> None:
        super().__init__(node_id, key, optional=False)

    def find(self, scope: Scope, value: Value) -> Value:
        """Return whether the field is there; looking costs even if it is not."""
        try:
            found = look_for(value, self.key) is not MISSING
        except CelError as error:
            _pay(scope, self.id, error)
            raise
        _pay(scope, self.id, found)
        return found


class Index:
    """A computed index.

    Args:
        node_id: id of the node.
        key: the attribute that gives the key.
        optional: written with ``?``.
        drops_key: the key is no attribute of its own, so that its value is dropped under the id of the index.
    """

    __slots__ = ("drops_key", "id", "key", "optional")

    def __init__(self, node_id: int, key: Attribute, optional: bool, drops_key: bool) -> None:
        self.id = node_id
        self.key = key
        self.optional = optional
        self.drops_key = drops_key

    def find(self, scope: Scope, value: Value) -> Value:
        """Compute the key and return what stands under it."""
        try:
            found = look_up(value, self._key(scope))
        except CelError as error:
            self._end(scope, error)
            raise
        self._end(scope, found)
        return found

    def find_if_present(self, scope: Scope, value: Value) -> Value:
        """Compute the key and return what stands under it, or MISSING, which costs nothing."""
        found = look_for(value, self._key(scope))
        if found is not MISSING:
            self._end(scope, found)
        return found

    def _key(self, scope: Scope) -> Value:
        key = self.key.resolve(scope)
        if type(key) not in _KEY_TYPES:
            raise CelError(f"invalid qualifier type: {type_name(key)}")
        return key

    def _end(self, scope: Scope, found: Value) -> None:
        if self.drops_key:
            scope.tracker.drop(self.key.id)
        _pay(scope, self.id, found)


def _pay(scope: Scope, node_id: int, value: Value) -> None:
    scope.tracker.charge(1)
    scope.tracker.push(node_id, value)


def look_up(value: Value, key: Value) -> Value:
    """Return what stands under a key of a map or at an index of a list. Raises CelError if nothing does."""
    found = look_for(value, key)
    if found is MISSING:
        if type(value) in LISTS:
            raise CelError(f"index out of bounds: {go_text(key)}")
        raise CelError(f"no such key: {go_text(key)}")
    return found


def look_for(value: Value, key: Value) -> Value:
    """Return what stands under a key, or MISSING. Raises CelError for a key that cannot be an index of a list."""
    if type(value) is Map:
        return value.find(key)
    if isinstance(value, CelError):
        raise value
    if type(value) in LISTS:
        index = _list_index(key)
        return value[index] if 0 <= index < len(value) else MISSING
    return MISSING


def _list_index(key: Value) -> int:
    kind = type(key)
    if kind is int:
        return int(key)
    if kind not in (float, Uint):
        raise CelError(f"unsupported index type '{type_name(key)}' in list")
    if key != key or abs(key) > MAX_INT or int(key) != key:  # noqa: PLR0124  NaN
        raise CelError(f"unsupported index value {go_text(key)} in list")
    return int(key)
