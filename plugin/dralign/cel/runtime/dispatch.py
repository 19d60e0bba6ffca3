"""Which function a call runs, and what happens to arguments of the wrong type.

cel-go binds functions in two ways. An operator or method with one implementation for all overloads only asks whether
its first argument can do that at all; a function with an implementation per overload checks all arguments against the
declared types, looking only at the first element of a list or map. Source: cel-go common/decls/decls.go.
"""

from __future__ import annotations

from dralign.cel.functions.ordering import COMPARABLE
from dralign.cel.values import LISTS, CelError, Duration, Map, Timestamp, Uint, no_such_overload, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dralign.cel.declarations.types import Type
    from dralign.cel.library.row import Row
    from dralign.cel.values import Value

    Function = Callable[[Sequence[Value]], Value]

_NUMBERS = (int, Uint, float)
_ANYTHING = frozenset[type]()

_ABILITIES: dict[str, frozenset[type]] = {
    "!_": _ANYTHING,
    "-_": frozenset({bool, int, float, Duration}),
    "_+_": frozenset({bytes, str, Duration, Timestamp, *_NUMBERS, *LISTS}),
    "_-_": frozenset({Duration, Timestamp, *_NUMBERS}),
    "_*_": frozenset(_NUMBERS),
    "_/_": frozenset(_NUMBERS),
    "_%_": frozenset({int, Uint}),
    "_<_": COMPARABLE,
    "_<=_": COMPARABLE,
    "_>_": COMPARABLE,
    "_>=_": COMPARABLE,
    "@in": _ANYTHING,
    "dyn": _ANYTHING,
    "matches": frozenset({str}),
    "size": frozenset({bytes, str, Map, *LISTS}),
    "sort": frozenset(LISTS),
    "@sortByAssociatedKeys": frozenset(LISTS),
    "type": _ANYTHING,
}
"""Functions with one implementation for all overloads, and the types their first argument may have (none: any)."""

_OF_ONE_TYPE = frozenset({"matches"})
"""Those of them whose second argument must be of the type of the first."""

_UNCHECKED = frozenset({"contains", "endsWith", "startsWith", "flatten"})
"""Functions that look at the types of their arguments themselves."""

_RECEIVERS = (str, Duration, Timestamp)
"""Types that answer for themselves to operations they cannot do, without naming the operation."""

_LIKE_LONGER = frozenset({"string_format"})
"""Overloads of two arguments that cel-go binds like those of three: the second is not computed after an error."""


class Binding:
    """How a call is run.

    Args:
        invoke: computes the result from the arguments; raises CelError.
        eager: all arguments are computed even if the first is an error.
    """

    __slots__ = ("eager", "invoke")

    def __init__(self, invoke: Function, eager: bool) -> None:
        self.invoke = invoke
        self.eager = eager


def bind(function: str, candidates: Sequence[Row], overloads: Sequence[Row]) -> Binding:
    """Bind a call.

    Args:
        function: name as the checker resolved it.
        candidates: the overloads that the checker has left.
        overloads: all overloads of the function; at run time these are tried if several candidates are left.
    """
    few = len(candidates[0].params) in (1, 2)
    if function in _ABILITIES:
        return Binding(_shared(function, candidates[0].implementation()), few)
    if len(candidates) > 1:
        return Binding(_dispatcher(function, overloads), eager=False)
    row = candidates[0]
    return Binding(_guarded(function, row), few and row.id not in _LIKE_LONGER)


def unchecked(row: Row) -> Binding:
    """Bind a call with a constant pattern, which cel-go compiles beforehand; only the function checks its arguments."""
    implementation = row.implementation()
    return Binding(lambda args: implementation(*args), eager=False)


def accepts(declared: Type, value: Value) -> bool:
    """Tell whether a value may be passed as an argument of the declared type."""
    if declared.kind not in ("dyn", "any", "param") and declared.name != type_name(value):
        return False
    if declared.kind == "list":
        return not value or accepts(declared.params[0], value[0])
    if declared.kind == "map" and value:
        key = next(iter(value))
        return accepts(declared.params[0], key) and accepts(declared.params[1], value.get(key))
    return True


def _accepts_all(row: Row, args: Sequence[Value]) -> bool:
    return len(row.params) == len(args) and all(map(accepts, row.params, args))


def _mismatch(function: str, args: Sequence[Value]) -> CelError:
    return CelError(f"no such overload: {function}({', '.join(map(type_name, args))})")


def _shared(function: str, implementation: Callable[..., Value]) -> Function:
    able, one_type = _ABILITIES[function], function in _OF_ONE_TYPE

    def invoke(args: Sequence[Value]) -> Value:
        if able and type(args[0]) not in able:
            raise CelError("no such overload" if type(args[0]) in _RECEIVERS else f"no such overload: {function}")
        if one_type and type(args[1]) is not type(args[0]):
            raise no_such_overload(args[1])
        return implementation(*args)

    return invoke


def _guarded(function: str, row: Row) -> Function:
    implementation = row.implementation()
    if function in _UNCHECKED:
        return lambda args: implementation(*args)

    def invoke(args: Sequence[Value]) -> Value:
        if not _accepts_all(row, args):
            raise _mismatch(function, args)
        return implementation(*args)

    return invoke


def _dispatcher(function: str, overloads: Sequence[Row]) -> Function:
    bound = [(row, row.implementation()) for row in overloads]
    is_unchecked = function in _UNCHECKED

    def invoke(args: Sequence[Value]) -> Value:
        for row, implementation in bound:
            if (is_unchecked and len(row.params) == len(args)) or _accepts_all(row, args):
                return implementation(*args)
        raise _mismatch(function, args)

    return invoke
