"""What macros become: calls that the parser replaces by folds, tests and conditionals.

One macro is one row: name, number of arguments, whether it has a target, and the function that expands it. The ids of
new nodes come in the order in which cel-go's macros ask for them, and all stand where the call stood.
Sources: cel-go's parser (standard macros), cel.OptionalTypes, ext.Bindings, ext.TwoVarComprehensions, ext.Lists.
"""

from __future__ import annotations

from dralign.cel.ast import Call, Comprehension, Ident, ListExpr, Select
from dralign.cel.parsing.making import ACCUMULATOR, UNUSED, Maker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from dralign.cel.ast import Expr

    Expansion = Callable[[Maker, Any, list[Expr]], Expr | None]
    """Maker, target (None for has(), which is no member function), arguments -> expansion, or None: stays a call."""
    Key = tuple[str, int, bool]

_OLD_ACCUMULATOR = "__result__"
_SORT_INPUT = "@__sortBy_input__"


class WrongUse(Exception):  # noqa: N818  reported as an issue, never seen outside
    """The arguments do not fit the macro."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


def _name_of(expr: Expr, message: str) -> str:
    if not isinstance(expr, Ident):
        raise WrongUse(expr.offset, message)
    return expr.name


def _variable(expr: Expr, message: str) -> str:
    name = _name_of(expr, message)
    _check_free(expr, name)
    return name


def _check_free(expr: Expr, name: str) -> None:
    if name in (ACCUMULATOR, _OLD_ACCUMULATOR):
        raise WrongUse(expr.offset, "iteration variable overwrites accumulator variable")


def _two_variables(first: Expr, second: Expr) -> tuple[str, str | None]:
    message = "argument must be a simple name"
    one, two = _name_of(first, message), _name_of(second, message)
    if one == two:
        raise WrongUse(second.offset, f"duplicate variable name: {one}")
    _check_free(first, one)
    _check_free(second, two)
    return one, two


def _variables(args: list[Expr]) -> tuple[str, str | None]:
    """Read the variables of a quantifier: all arguments but the last."""
    if len(args) == 3:
        return _two_variables(args[0], args[1])
    return _variable(args[0], "argument must be a simple name"), None


def _has(make: Maker, _target: Expr, args: list[Expr]) -> Expr:
    if not isinstance(args[0], Select):
        raise WrongUse(args[0].offset, "invalid argument to has() macro")
    return make.test(args[0])


def _all(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    variables = _variables(args)
    start = make.literal(True)
    condition = make.call("@not_strictly_false", make.result())
    step = make.call("_&&_", make.result(), args[-1])
    return make.fold(target, variables, (start, condition, step, make.result()))


def _exists(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    variables = _variables(args)
    start = make.literal(False)
    condition = make.call("@not_strictly_false", make.call("!_", make.result()))
    step = make.call("_||_", make.result(), args[-1])
    return make.fold(target, variables, (start, condition, step, make.result()))


def _exists_one(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    variables = _variables(args)
    start = make.literal(0)
    condition = make.literal(True)
    counted = make.call("_+_", make.result(), make.literal(1))
    step = make.call("_?_:_", args[-1], counted, make.result())
    result = make.call("_==_", make.result(), make.literal(1))
    return make.fold(target, variables, (start, condition, step, result))


def _step(make: Maker, condition: Expr | None, step: Expr) -> Expr:
    """Make a step that leaves the result as it is where the condition is false."""
    return step if condition is None else make.call("_?_:_", condition, step, make.result())


def _map(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    variable = _variable(args[0], "argument is not an identifier")
    start = make.list_()
    condition = make.literal(True)
    added = make.call("_+_", make.result(), make.list_(args[-1]))
    step = _step(make, args[1] if len(args) == 3 else None, added)
    return make.fold(target, (variable, None), (start, condition, step, make.result()))


def _filter(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    variable = _variable(args[0], "argument is not an identifier")
    start = make.list_()
    condition = make.literal(True)
    added = make.call("_+_", make.result(), make.list_(args[0]))
    step = _step(make, args[1], added)
    return make.fold(target, (variable, None), (start, condition, step, make.result()))


def _transform(
    make: Maker, target: Expr, args: list[Expr], add: Callable[[str], Expr], start: Callable[[], Expr]
) -> Expr:
    variables = _two_variables(args[0], args[1])
    step = _step(make, args[2] if len(args) == 4 else None, add(variables[0]))
    first = start()
    condition = make.literal(True)
    return make.fold(target, variables, (first, condition, step, make.result()))


def _transform_list(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    def add(_: str) -> Expr:
        return make.call("_+_", make.result(), make.list_(args[-1]))

    return _transform(make, target, args, add, make.list_)


def _transform_map(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    def add(key: str) -> Expr:
        return make.call("cel.@mapInsert", make.result(), make.ident(key), args[-1])

    return _transform(make, target, args, add, make.map_)


def _transform_map_entry(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    def add(_: str) -> Expr:
        return make.call("cel.@mapInsert", make.result(), args[-1])

    return _transform(make, target, args, add, make.map_)


def _bind(make: Maker, target: Expr, args: list[Expr]) -> Expr | None:
    if not (isinstance(target, Ident) and target.name == "cel"):
        return None
    name = _name_of(args[0], "cel.bind() variable names must be simple identifiers")
    return make.bind(name, lambda: args[1], args[2])


def _opt_map(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    name = _name_of(args[0], "optMap() variable name must be a simple identifier")
    asked = make.member_call("hasValue", target)
    mapped = make.call("optional.of", _with_value(make, name, target, args[1]))
    return make.call("_?_:_", asked, mapped, make.call("optional.none"))


def _opt_flat_map(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    name = _name_of(args[0], "optFlatMap() variable name must be a simple identifier")
    asked = make.member_call("hasValue", target)
    mapped = _with_value(make, name, target, args[1])
    return make.call("_?_:_", asked, mapped, make.call("optional.none"))


def _with_value(make: Maker, name: str, target: Expr, use: Expr) -> Expr:
    return make.bind(name, lambda: make.member_call("value", make.copy(target)), use)


def _sort_by(make: Maker, target: Expr, args: list[Expr]) -> Expr:
    variable = make.ident(_SORT_INPUT)
    if not isinstance(target, ListExpr | Select | Ident | Comprehension | Call):
        message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression"
        raise WrongUse(target.offset, message)
    keys = _map(make, make.copy(variable), args)
    result = make.member_call("@sortByAssociatedKeys", make.copy(variable), keys)
    nothing = make.list_()
    return make.fold(nothing, (UNUSED, None), (target, make.literal(False), variable, result), _SORT_INPUT)


_GROUPS: dict[str, dict[Key, Expansion]] = {
    "standard": {
        ("has", 1, False): _has,
        ("all", 2, True): _all,
        ("exists", 2, True): _exists,
        ("exists_one", 2, True): _exists_one,
        ("map", 2, True): _map,
        ("map", 3, True): _map,
        ("filter", 2, True): _filter,
    },
    "optionals": {("optMap", 2, True): _opt_map, ("optFlatMap", 2, True): _opt_flat_map},
    "bindings": {("bind", 3, True): _bind},
    "two-variable": {
        ("all", 3, True): _all,
        ("exists", 3, True): _exists,
        ("exists_one", 3, True): _exists_one,
        ("existsOne", 3, True): _exists_one,
        ("transformList", 3, True): _transform_list,
        ("transformList", 4, True): _transform_list,
        ("transformMap", 3, True): _transform_map,
        ("transformMap", 4, True): _transform_map,
        ("transformMapEntry", 3, True): _transform_map_entry,
        ("transformMapEntry", 4, True): _transform_map_entry,
    },
    "lists": {("sortBy", 2, True): _sort_by},
}


def table(*groups: str) -> dict[Key, Expansion]:
    """Return the macros of some groups: ``standard``, ``optionals``, ``bindings``, ``two-variable``, ``lists``.

    Raises:
        KeyError: there is no such group.
    """
    return {key: expand for group in groups for key, expand in _GROUPS[group].items()}
