"""The types of CEL as cel-go's checker sees them.

Simple types are constants; composed types are made by the functions below. ``google.protobuf.Any``
and ``dyn`` are two types: both switch checking off, but only ``dyn`` can be the range of a comprehension.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal[
        "any",
        "bool",
        "bytes",
        "double",
        "duration",
        "dyn",
        "error",
        "int",
        "list",
        "map",
        "null",
        "opaque",
        "param",
        "string",
        "struct",
        "timestamp",
        "type",
        "uint",
    ]


class Type:
    """A type; ``params`` are its parameters, ``free`` says that a type parameter occurs in it.

    Args:
        kind: the family of the type.
        name: its run-time name; lists are ``list``, durations ``google.protobuf.Duration``.
        params: element type of a list, key and value type of a map, the type that a ``type`` value denotes.
        nullable: one of the wrapper messages of protobuf, such as ``google.protobuf.Int64Value``.
    """

    __slots__ = ("_text", "free", "kind", "name", "nullable", "params")

    def __init__(self, kind: Kind, name: str, params: tuple[Type, ...] = (), nullable: bool = False) -> None:
        self.kind: Kind = kind
        self.name = name
        self.params = params
        self.nullable = nullable
        self.free = kind == "param"
        for param in params:
            if param.free:
                self.free = True
        self._text: str | None = None

    def __str__(self) -> str:
        """Return the text that cel-go's checker puts into its messages."""
        if self._text is None:
            self._text = _message_text(self)
        return self._text

    def __repr__(self) -> str:
        return f"Type({self})"

    def is_exact(self, other: Type) -> bool:
        """Say whether both are the same type, names of type parameters included."""
        return self is other or _same(self, other, with_param_names=True)

    def is_equivalent(self, other: Type) -> bool:
        """Say whether both are the same type, whatever their type parameters are called."""
        return self is other or _same(self, other, with_param_names=False)

    def is_assignable(self, other: Type) -> bool:
        """Say whether a value of ``other`` may stand where this type is wanted, type parameters left aside."""
        if self is other or self.kind in ("dyn", "any", "param"):
            return True
        if self.nullable and other.kind == "null":
            return True
        if self.kind != other.kind or self.name != other.name or len(self.params) != len(other.params):
            return False
        return all(mine.is_assignable(theirs) for mine, theirs in zip(self.params, other.params, strict=True))

    @property
    def declared_name(self) -> str:
        """The name without parameters; wrapper messages are told apart from what they wrap."""
        return f"wrapper({self.name})" if self.nullable else self.name

    @property
    def signature(self) -> str:
        """The text of ``Type.String()`` in cel-go, which the API server uses: parameters as ``<A>``, ``null_type``."""
        if self.kind == "param":
            return f"<{self.name}>"
        if not self.params:
            return self.declared_name
        return f"{self.declared_name}({', '.join(param.signature for param in self.params)})"


_MESSAGE_NAMES = {
    "any": "any",
    "duration": "duration",
    "error": "!error!",
    "null": "null",
    "timestamp": "timestamp",
}


def _message_text(of: Type) -> str:
    name = _MESSAGE_NAMES.get(of.kind)
    if name is not None:
        return name
    if not of.params:
        return of.declared_name
    return f"{of.name}({', '.join(map(str, of.params))})"


def _same(one: Type, other: Type, *, with_param_names: bool) -> bool:
    if one.kind != other.kind or len(one.params) != len(other.params):
        return False
    if (with_param_names or one.kind != "param") and one.name != other.name:
        return False
    for mine, theirs in zip(one.params, other.params, strict=True):
        if mine is not theirs and not _same(mine, theirs, with_param_names=with_param_names):
            return False
    return True


ANY = Type("any", "google.protobuf.Any")
BOOL = Type("bool", "bool")
BYTES = Type("bytes", "bytes")
DOUBLE = Type("double", "double")
DURATION = Type("duration", "google.protobuf.Duration")
DYN = Type("dyn", "dyn")
ERROR = Type("error", "error")
INT = Type("int", "int")
NULL = Type("null", "null_type")
STRING = Type("string", "string")
TIMESTAMP = Type("timestamp", "google.protobuf.Timestamp")
TYPE = Type("type", "type")
UINT = Type("uint", "uint")

OPTIONAL_NAME = "optional_type"


def list_of(element: Type) -> Type:
    """Make ``list(element)``."""
    return Type("list", "list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """Make ``map(key, value)``."""
    return Type("map", "map", (key, value))


def optional_of(value: Type) -> Type:
    """Make ``optional_type(value)``."""
    return Type("opaque", OPTIONAL_NAME, (value,))


def type_of(denoted: Type) -> Type:
    """Make the type of a name that stands for a type."""
    return Type("type", "type", (denoted,))


def parameter(name: str) -> Type:
    """Make a type parameter."""
    return Type("param", name)


def struct(name: str) -> Type:
    """Make a type with fields, known by its name."""
    return Type("struct", name)


def opaque(name: str) -> Type:
    """Make a type without fields, known by its name."""
    return Type("opaque", name)


def nullable(wrapped: Type) -> Type:
    """Make the type of a protobuf wrapper message."""
    return Type(wrapped.kind, wrapped.name, wrapped.params, nullable=True)


def is_dyn(of: Type) -> bool:
    """Say whether a type switches checking off."""
    return of.kind in ("dyn", "any")


def is_optional(of: Type) -> bool:
    """Say whether a type is ``optional_type(…)``."""
    return of.kind == "opaque" and of.name == OPTIONAL_NAME
