"""Frozen, slotted records with the syntax of dataclasses and none of their start-up cost.

Importing ``dataclasses`` takes about as long as starting the interpreter, and each decorated class is compiled from
source text at import. The tool is started once per kustomize build or Helm render, so this matters more than anything
it computes there. Only a class of which many records are made gets a constructor compiled for its fields, as every
dataclass has: it is three times as fast. Type checkers see plain dataclasses (PEP 681).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> object:
        """Leave the class as it is: the decorator only speaks to type checkers."""
        return lambda cls: cls


_MISSING = object()
_MANY = 100
"""After so many records of a class a constructor of its own is worth the time to compile it."""


@dataclass_transform(frozen_default=True)
class _RecordType(type):
    """Turns annotated names into slots, their values into defaults."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _RecordType:
        own = [field for field in namespace.get("__annotations__", {}) if not field.startswith("__")]
        fields = tuple(field for base in bases for field in getattr(base, "_fields", ())) + tuple(own)
        defaults = {key: value for base in bases for key, value in getattr(base, "_defaults", {}).items()}
        defaults |= {field: namespace.pop(field) for field in own if field in namespace}
        namespace |= {"__slots__": tuple(own), "_fields": fields, "_defaults": defaults, "_made": 0}
        if bases:
            namespace.setdefault("__init__", Record.__init__)  # not the one that was compiled for the fields of a base
        return super().__new__(mcs, name, bases, namespace)


class Record(metaclass=_RecordType):
    """Base of all records. Fields are the annotated names, in order; a value beside one is its default.

    Defaults must be immutable: they are shared, not copied. Records compare and hash by value.
    """

    if TYPE_CHECKING:
        _fields: ClassVar[tuple[str, ...]]
        _defaults: ClassVar[dict[str, Any]]
    else:

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            own, fields = type(self), self._fields
            own._made = made = own._made + 1  # noqa: SLF001 -- it is the class's own
            if made == _MANY:
                own.__init__ = _compiled(fields, self._defaults)
            if len(args) > len(fields):
                raise TypeError(f"{type(self).__name__} takes {len(fields)} values, got {len(args)}")
            put = object.__setattr__
            for field, value in zip(fields, args, strict=False):
                put(self, field, value)
            for field in fields[len(args) :]:
                value = kwargs.pop(field, _MISSING)
                if value is _MISSING:
                    value = self._defaults.get(field, _MISSING)
                    if value is _MISSING:
                        raise TypeError(f"{type(self).__name__}: missing field '{field}'")
                put(self, field, value)
            if kwargs:
                raise TypeError(f"{type(self).__name__}: unknown or doubled field '{next(iter(kwargs))}'")

        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(f"{type(self).__name__} is frozen")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{type(self).__name__} is frozen")

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, field) for field in self._fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        pairs = zip(self._fields, self._values(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{field}={value!r}' for field, value in pairs)})"

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        values: dict[str, Any] = dict(zip(self._fields, self._values(), strict=True))
        return type(self)(**(values | changes))


def _compiled(fields: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """Return a constructor as one would write it out for these fields."""
    parameters = [f"{field}=defaults[{field!r}]" if field in defaults else field for field in fields]
    lines = [f"    put(self, {field!r}, {field})" for field in fields]
    names: dict[str, Any] = {"defaults": defaults, "put": object.__setattr__}
    exec("\n".join((f"def __init__(self, {', '.join(parameters)}):", *lines)), names)  # noqa: S102 -- names of our fields
    return names["__init__"]
