"""The nodes of a CEL expression, as cel-go's parser leaves them after macros are expanded.

Ids and offsets are those of cel-go: error positions, the checker's maps and the cost of an expression hang on them.
Operators are calls of reserved names: ``_&&_``, ``_==_``, ``_[_]``, ``_?._``, ``-_``, ``@in``, ``_?_:_`` and so on.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Uint

    Constant = bool | int | Uint | float | str | bytes | None


class Expr:
    """Any node: ``id`` is unique in its tree, ``offset`` counts characters from 0 (-1: no place in the source)."""

    __slots__ = ("id", "offset")

    id: int
    offset: int


class Literal(Expr):
    """A constant: None, bool, int, Uint, float, str or bytes."""

    __slots__ = ("value",)

    def __init__(self, id: int, offset: int, value: Constant) -> None:  # noqa: A002  cel-go's word for it
        self.id = id
        self.offset = offset
        self.value = value


class Ident(Expr):
    """A name; a leading dot stays part of it."""

    __slots__ = ("name",)

    def __init__(self, id: int, offset: int, name: str) -> None:  # noqa: A002
        self.id = id
        self.offset = offset
        self.name = name


class Select(Expr):
    """``operand.field``, or ``has(operand.field)`` when ``test_only``."""

    __slots__ = ("field", "operand", "test_only")

    def __init__(self, id: int, offset: int, operand: Expr, field: str, test_only: bool = False) -> None:  # noqa: A002
        self.id = id
        self.offset = offset
        self.operand = operand
        self.field = field
        self.test_only = test_only


class Call(Expr):
    """``function(args)`` or ``target.function(args)``."""

    __slots__ = ("args", "function", "target")

    def __init__(self, id: int, offset: int, function: str, target: Expr | None, args: list[Expr]) -> None:  # noqa: A002
        self.id = id
        self.offset = offset
        self.function = function
        self.target = target
        self.args = args


class ListExpr(Expr):
    """``[a, ?b]``; ``optional_indices`` are the places of the elements marked with ``?``."""

    __slots__ = ("elements", "optional_indices")

    def __init__(self, id: int, offset: int, elements: list[Expr], optional_indices: frozenset[int]) -> None:  # noqa: A002
        self.id = id
        self.offset = offset
        self.elements = elements
        self.optional_indices = optional_indices


class MapEntry:
    """``key: value`` or ``?key: value``; has an id of its own but is no expression."""

    __slots__ = ("id", "key", "offset", "optional", "value")

    def __init__(self, id: int, offset: int, key: Expr, value: Expr, optional: bool) -> None:  # noqa: A002
        self.id = id
        self.offset = offset
        self.key = key
        self.value = value
        self.optional = optional


class MapExpr(Expr):
    """``{key: value}``."""

    __slots__ = ("entries",)

    def __init__(self, id: int, offset: int, entries: list[MapEntry]) -> None:  # noqa: A002
        self.id = id
        self.offset = offset
        self.entries = entries


class StructField:
    """``name: value`` or ``?name: value`` of a message; has an id of its own but is no expression."""

    __slots__ = ("id", "name", "offset", "optional", "value")

    def __init__(self, id: int, offset: int, name: str, value: Expr, optional: bool) -> None:  # noqa: A002
        self.id = id
        self.offset = offset
        self.name = name
        self.value = value
        self.optional = optional


class StructExpr(Expr):
    """``type_name{name: value}``."""

    __slots__ = ("fields", "type_name")

    def __init__(self, id: int, offset: int, type_name: str, fields: list[StructField]) -> None:  # noqa: A002
        self.id = id
        self.offset = offset
        self.type_name = type_name
        self.fields = fields


class Comprehension(Expr):
    """What macros such as ``all`` and ``map`` become: a fold of ``loop_step`` over ``iter_range``."""

    __slots__ = (
        "accu_init",
        "accu_var",
        "iter_range",
        "iter_var",
        "iter_var2",
        "loop_condition",
        "loop_step",
        "result",
    )

    def __init__(  # noqa: PLR0913, PLR0917  the fields of cel-go's node
        self,
        id: int,  # noqa: A002
        offset: int,
        iter_range: Expr,
        iter_var: str,
        iter_var2: str | None,
        accu_var: str,
        accu_init: Expr,
        loop_condition: Expr,
        loop_step: Expr,
        result: Expr,
    ) -> None:
        self.id = id
        self.offset = offset
        self.iter_range = iter_range
        self.iter_var = iter_var
        self.iter_var2 = iter_var2
        self.accu_var = accu_var
        self.accu_init = accu_init
        self.loop_condition = loop_condition
        self.loop_step = loop_step
        self.result = result


class Ast:
    """A parsed expression; a macro leaves nothing but its expansion, since Kubernetes does not track macro calls."""

    __slots__ = ("root", "source")

    def __init__(self, source: str, root: Expr) -> None:
        self.source = source
        self.root = root
