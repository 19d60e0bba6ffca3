"""One overload of a function: the row that checker, cost estimate and evaluator read.

A library module is a table of plain tuples of text, so that loading it costs nothing; a row is made of a tuple when an
expression first names the function. The columns, in order:

id         the overload id of cel-go, such as ``string_char_at_int``
function   the name as the checker sees it: ``charAt``, ``_+_``, ``sets.contains``
signature  ``(int, int) -> int``; a method names its receiver first: ``string.(int) -> string``. A single capital
           letter is a type parameter
call       where the implementation stands: ``module.name`` below ``dralign.cel.functions``; empty for special forms,
           which need not evaluate all their operands: the compiler knows them
cost       the cost model: a key of the table of estimates (static) and of the table of charges (run time)
"""

from __future__ import annotations

from dralign.cel.declarations.signature import parse_signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from dralign.cel.declarations.types import Type

    Columns = tuple[str, str, str, str, str]


class Row:
    """An overload with its types.

    ``params`` begin with the receiver where ``member`` is true; ``type_params`` are the names of the type parameters.
    """

    __slots__ = ("call", "cost", "function", "id", "member", "params", "result", "type_params")

    id: str
    function: str
    member: bool
    params: tuple[Type, ...]
    result: Type
    type_params: tuple[str, ...]
    call: str
    cost: str

    def __init__(self, columns: Columns) -> None:
        self.id, self.function, signature, self.call, self.cost = columns
        self.member, self.params, self.result = parse_signature(signature)
        names: dict[str, None] = {}
        for of in (*self.params, self.result):
            _collect(of, names)
        self.type_params = tuple(names)

    def __repr__(self) -> str:
        return f"Row({self.id})"

    def implementation(self) -> Callable[..., Any]:
        """Import and return the function that computes this overload."""
        module, _, name = self.call.partition(".")
        found: Callable[..., Any] = getattr(__import__(f"dralign.cel.functions.{module}", fromlist=(name,)), name)
        return found


def _collect(of: Type, names: dict[str, None]) -> None:
    """Add the names of the type parameters that occur in a type."""
    if of.kind == "param":
        names[of.name] = None
    for param in of.params if of.free else ():
        _collect(param, names)
