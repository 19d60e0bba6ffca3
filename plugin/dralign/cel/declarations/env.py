"""What an expression may name: variables, types, fields and the functions of the chosen libraries."""

from __future__ import annotations

from dralign.cel.declarations.messages import (
    ENUM_VALUES,
    MESSAGES,
    OPEN_TYPE_NAMES,
    TYPE_NAMES,
    UNPLANNABLE,
    message_field,
)
from dralign.cel.declarations.types import INT, type_of
from dralign.cel.library.row import Row
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from dralign.cel.declarations.shapes import Shape
    from dralign.cel.declarations.types import Type
    from dralign.cel.library.row import Columns

    CelGo = Literal["0.26", "0.29"]


class Name(Record):
    """What a global name stands for.

    Args:
        type: type of the variable, or ``type(T)`` for the name of a type.
        value: number of an enumeration's value, None for all else.
    """

    type: Type
    value: int | None = None


class Environment:
    """The declarations an expression is checked against; made once, read by checker, cost estimate and compiler.

    Args:
        libraries: names of modules in ``cel.library``, in the order in which cel-go would load them.
        variables: global variables and their types.
        objects: types with fields that are no protobuf messages: name -> field -> type.
        type_names: further names that stand for a type.
        shapes: variable -> what is known of the sizes of its values, for the cost estimate.
        cel_go: the version whose habits are followed.
    """

    __slots__ = (
        "_by_id",
        "_columns",
        "_declared_types",
        "_names",
        "_rows",
        "cel_go",
        "libraries",
        "objects",
        "shapes",
        "variables",
    )

    def __init__(
        self,
        libraries: tuple[str, ...],
        variables: Mapping[str, Type],
        objects: Mapping[str, Mapping[str, Type]],
        type_names: Mapping[str, Type],
        shapes: Mapping[str, Shape],
        cel_go: CelGo,
    ) -> None:
        self.libraries = libraries
        self.variables = variables
        self.objects = objects
        self._declared_types = frozenset(type_names)
        self.shapes = shapes
        self.cel_go: CelGo = cel_go
        self._names = {name: Name(of) for name, of in (TYPE_NAMES | OPEN_TYPE_NAMES[cel_go]).items()}
        self._names |= {name: Name(type_of(of)) for name, of in type_names.items()}
        self._names |= {name: Name(INT, value) for name, value in ENUM_VALUES.items()}
        self._names |= {name: Name(of) for name, of in variables.items()}
        self._columns: dict[str, list[Columns]] | None = None
        self._rows: dict[str, tuple[Row, ...]] = {}
        self._by_id: dict[str, Row] = {}

    def global_name(self, name: str) -> Name | None:
        """Return what a global name stands for, or None."""
        return self._names.get(name)

    def is_type_name(self, name: str) -> bool:
        """Say whether a global name stands for a type."""
        found = self._names.get(name)
        return found is not None and name not in self.variables and found.value is None

    def is_plannable(self, name: str) -> bool:
        """Say whether a name stands for a type that the run time knows, too."""
        return self.is_type_name(name) and name not in UNPLANNABLE and name not in self._declared_types

    def has_struct(self, name: str) -> bool:
        """Say whether the fields of a type are known."""
        return name in self.objects or name in MESSAGES

    def field(self, struct: str, field: str) -> Type | None:
        """Return the type of a field of a type that ``has_struct`` knows, or None."""
        fields = self.objects.get(struct)
        return message_field(struct, field) if fields is None else fields.get(field)

    def rows(self, function: str) -> tuple[Row, ...]:
        """Return the overloads of a function in the order of their declaration; none if it is not declared."""
        rows = self._rows.get(function)
        if rows is None:
            rows = tuple(map(Row, self._index().get(function, ())))
            self._rows[function] = rows
            self._by_id |= {row.id: row for row in rows}
        return rows

    def overload(self, overload: str) -> Row:
        """Return the overload of an id that ``rows`` has given out before."""
        return self._by_id[overload]

    def functions(self) -> tuple[str, ...]:
        """Return the names of all functions."""
        return tuple(self._index())

    def _index(self) -> dict[str, list[Columns]]:
        if self._columns is None:
            self._columns = {}
            for library in self.libraries:
                for columns in load_rows(library):
                    overloads = self._columns.setdefault(columns[1], [])
                    if columns not in overloads:
                        overloads.append(columns)
        return self._columns


def load_rows(library: str) -> tuple[Columns, ...]:
    """Return the table of a library."""
    module = __import__(f"dralign.cel.library.{library}", fromlist=("ROWS",))
    rows: tuple[Columns, ...] = module.ROWS
    return rows
