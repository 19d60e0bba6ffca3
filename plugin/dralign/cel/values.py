"""The values of CEL as Python objects.

null is None; bool, int, float (double), str, bytes and list stand for themselves, but uint is :class:`Uint`. Python's
bool is an int, and ``True == 1 == 1.0``: code that looks at values must look at their type first.

Kubernetes' own types (addresses, URLs …) are objects that say their name in ``cel_type`` and compare in ``cel_equal``.
They may have a ``cel_size`` for cost, and ``cel_hashable`` says whether Go takes them as keys by value (True), not at
all (False), or by address (without it).
"""

from __future__ import annotations

from dralign.values.quantity import Quantity
from dralign.values.semver import Semver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from typing import Any, Final

    Value = Any

MIN_INT: Final = -(1 << 63)
MAX_INT: Final = (1 << 63) - 1
MAX_UINT: Final = (1 << 64) - 1

MISSING: Final = object()
"""What :meth:`Map.find` returns where there is no entry."""


class CelError(Exception):
    """An error inside an expression: ``&&`` and ``||`` may absorb it, so it is passed on as a value, too."""

    cel_type = "error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Stop(Exception):  # noqa: N818  no error of the expression: nothing absorbs it
    """Evaluation ends at once: the cost limit is reached, or the real code would have panicked."""


def no_such_overload(value: Value = None) -> CelError:
    """Make cel-go's answer to a value of the wrong type; an error that came as an argument is passed on."""
    return value if isinstance(value, CelError) else CelError("no such overload")


class Uint(int):
    """An unsigned 64-bit integer."""

    __slots__ = ()


class Concat(list["Any"]):
    """A list made by ``+``. It compares more strictly than others: errors between its elements are passed on."""

    __slots__ = ()


class Accumulator(list["Any"]):
    """The list that a macro builds: ``+`` appends in place, and equality works as for plain lists."""

    __slots__ = ()


class Map:
    """A map. Keys of different types are different keys, but numbers are found by a number of any type.

    Args:
        entries: keyed by :func:`map_key`, which leaves strings as they are.
        default: answers look-ups of keys that are not there; ``in`` and iteration know nothing of it.
        native: a Go map with strings as keys: it asks nothing of keys of other types, and what stands in it is
            :func:`renewed` at each look.
    """

    __slots__ = ("default", "entries", "native")

    def __init__(self, entries: dict[Hashable, Value], default: Value = MISSING, *, native: bool = False) -> None:
        self.entries = entries
        self.default = default
        self.native = native

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Value]:
        """Iterate over the keys, as CEL values."""
        return map(key_value, self.entries)

    def get(self, key: Value) -> Value:
        """Return the value of a key, or MISSING; the default does not count."""
        if type(key) is str:
            found = self.entries.get(key, MISSING)
            return renewed(found) if self.native else found
        if self.native or not self.entries:
            return MISSING
        value = self.entries.get(map_key(key), MISSING)
        if value is MISSING and type(key) in _NUMBER_TYPES:
            for other in _equal_numbers(key):
                value = self.entries.get(other, MISSING)
                if value is not MISSING:
                    break
        return value

    def find(self, key: Value) -> Value:
        """Return the value of a key, else the default, else MISSING."""
        value = self.get(key)
        return self.default if value is MISSING else value


def renewed(value: Value) -> Value:
    """Return what cel-go makes of Go's own value when an expression reads it: of lists and maps a new one each time.

    As keys of a map these are told apart, since Go compares them by address. A map with a default is CEL's own already.
    """
    if type(value) is list:
        return list(value)
    if type(value) is Map and value.default is MISSING:
        return Map(value.entries, native=value.native)
    return value


_NUMBER_TYPES = (int, Uint, float)


def _equal_numbers(key: Value) -> Iterator[Hashable]:
    """Yield the keys of other number types under which an equal number may stand (doubles are never tried)."""
    kind = type(key)
    if kind is float:
        if not key.is_integer():
            return
        if MIN_INT < key < MAX_INT + 1:
            yield int(key)
        if 0 <= key <= MAX_UINT:
            yield (Uint, int(key))
    elif kind is int and key >= 0:
        yield (Uint, int(key))
    elif kind is Uint and key <= MAX_INT:
        yield int(key)


def map_key(value: Value) -> Hashable:
    """Return what a value is called as a key of :attr:`Map.entries`.

    Raises Stop where Go cannot hash the value (bytes, versions, formats), which makes the real code panic.
    """
    kind = type(value)
    if kind is str or kind is int:
        plain: Hashable = value
        return plain
    if kind is Uint:
        return (kind, int(value))
    if kind in _HASHED_BY_VALUE:
        return (kind, value)
    if kind is Timestamp:
        return (kind, value, value.zone)
    is_hashable = False if kind in (bytes, Semver) else getattr(value, "cel_hashable", None)
    if is_hashable is False:
        go_name = "types.Bytes" if kind is bytes else type_name(value)
        raise Stop(f"internal error: runtime error: hash of unhashable type {go_name}")
    return _SameObject(value) if is_hashable is None else (kind, value)


class _SameObject:
    """A key that Go compares by address."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameObject) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def key_value(key: Hashable) -> Value:
    """Undo :func:`map_key`."""
    if isinstance(key, tuple):
        return Uint(key[1]) if key[0] is Uint else key[1]
    return key.value if isinstance(key, _SameObject) else key


class Optional:
    """``optional.of(value)``; the one without a value is NONE."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


NONE: Final = Optional(MISSING)


class Duration:
    """A span of time in nanoseconds, signed 64-bit."""

    __slots__ = ("nanos",)

    def __init__(self, nanos: int) -> None:
        self.nanos = nanos

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Duration) and self.nanos == other.nanos

    def __hash__(self) -> int:
        return hash(self.nanos)


class Timestamp:
    """A moment.

    Args:
        seconds: since 1970 UTC.
        nanos: nanoseconds, 0 to 999,999,999.
        offset: of the zone, in seconds.
        zone: what Go compares besides the moment where this is the key of a map; UTC has None.
    """

    __slots__ = ("nanos", "offset", "seconds", "zone")

    def __init__(self, seconds: int, nanos: int = 0, offset: int = 0, zone: Hashable = None) -> None:
        self.seconds = seconds
        self.nanos = nanos
        self.offset = offset
        self.zone = zone

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timestamp) and (self.seconds, self.nanos) == (other.seconds, other.nanos)

    def __hash__(self) -> int:
        return hash((self.seconds, self.nanos))


class TypeValue:
    """A type as a value: ``int``, ``type(x)``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeValue) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class Sum(Quantity):
    """A quantity made by ``add`` or ``sub``: on the right of ``==`` the real code takes it for another type."""

    __slots__ = ()


_HASHED_BY_VALUE: Final = frozenset({bool, float, type(None), Duration, TypeValue})

TYPE_NAMES: Final[dict[type, str]] = {
    type(None): "null_type",
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    Concat: "list",
    Accumulator: "list",
    range: "list",
    Map: "map",
    Duration: "google.protobuf.Duration",
    Timestamp: "google.protobuf.Timestamp",
    TypeValue: "type",
    Optional: "optional_type",
    Quantity: "kubernetes.Quantity",
    Sum: "kubernetes.Quantity",
    Semver: "kubernetes.Semver",
}

LISTS: Final = (list, Concat, Accumulator, range)


def type_name(value: Value) -> str:
    """Return the run-time type of a value as CEL names it."""
    name = TYPE_NAMES.get(type(value))
    return name if name is not None else str(value.cel_type)


def is_list(value: Value) -> bool:
    """Say whether a value is a list."""
    return type(value) in LISTS
