"""Computes what cel-go computes when it plans a program: constant lists and maps, conversions of constants.

Such nodes cost nothing at run time. What fails here refuses the expression, even if it would never be evaluated:
``int('abc') == 1 || true``. Nodes are visited in the order of cel-go's planner, so that the first failure is its own.
"""

from __future__ import annotations

from dralign.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, MapExpr, Select, StructExpr
from dralign.cel.values import CelError, Map, Stop, TypeValue, map_key, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dralign.cel.ast import Expr
    from dralign.cel.checking.checker import Checked
    from dralign.cel.library.row import Row
    from dralign.cel.values import Value

_CONVERSIONS = frozenset(
    ("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"),
)
_REGEX_FUNCTIONS = ("matches", "find", "findAll")
_INDEX_OPERATORS = ("_[_]", "_[?_]")
_KEY_TYPES = ("bool", "double", "int", "string", "uint")

_NOT_CONSTANT = object()


class ProgramError(Exception):
    """The planner refuses an expression; ``str()`` gives its words."""


class ProgramPanic(Exception):  # noqa: N818  not an error of the expression but the real code's crash
    """The real planner would panic; ``str()`` gives Go's words."""


def fold(checked: Checked) -> dict[int, Value]:
    """Return the constant values of nodes by their ids, literals aside.

    Raises:
        ProgramError: a constant conversion fails, an index or a type name is of no use at run time.
        ProgramPanic: a constant map has a key that Go cannot hash.
    """
    folder = _Folder(checked)
    folder.fold(checked.ast.root)
    return folder.values


class _Folder:
    """One walk over one expression."""

    __slots__ = ("checked", "values")

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.values: dict[int, Value] = {}

    def fold(self, node: Expr) -> Value:
        """Fold a node and all below it; return its constant value, or ``_NOT_CONSTANT``."""
        rule = _RULES.get(type(node))
        if rule is None:
            return node.value if isinstance(node, Literal) else _NOT_CONSTANT
        value = rule(self, node)
        if value is not _NOT_CONSTANT:
            self.values[node.id] = value
        return value


def _select(folder: _Folder, node: Select) -> Value:
    if node.id in folder.checked.references:
        return _name(folder, node)
    folder.fold(node.operand)
    return _NOT_CONSTANT


def _name(folder: _Folder, node: Ident | Select) -> Value:
    """Return the value of the name of a type or of an enumeration's value."""
    reference = folder.checked.references[node.id]
    if reference.value is not None:
        return reference.value
    of = folder.checked.types[node.id]
    if of.kind != "type":
        return _NOT_CONSTANT
    if not folder.checked.env.is_plannable(reference.name):  # a variable that holds a type is none, either
        raise ProgramError(f"reference to undefined type: {reference.name}")
    return TypeValue(of.params[0].name if of.params else of.name)


def _call(folder: _Folder, node: Call) -> Value:
    args = [folder.fold(arg) for arg in (node.args if node.target is None else [node.target, *node.args])]
    if node.function in _CONVERSIONS and len(args) == 1 and args[0] is not _NOT_CONSTANT:
        return _convert(folder, node, args[0])
    if node.function in _INDEX_OPERATORS and args[1] is not _NOT_CONSTANT:
        _check_key(args[1])
    if node.function in _REGEX_FUNCTIONS and len(args) > 1 and isinstance(args[1], str):
        _check_pattern(args[1])
    if _is_in_empty_list(folder, node, args):
        return False
    return _NOT_CONSTANT


def _convert(folder: _Folder, node: Call, value: Value) -> Value:
    overloads = folder.checked.references[node.id].overloads
    env = folder.checked.env
    rows = [env.overload(overloads[0])] if len(overloads) == 1 else env.rows(node.function)
    for row in rows:
        if _takes(row, value):
            try:
                return row.implementation()(value)
            except CelError as error:
                raise ProgramError(error.message) from error
    raise ProgramError(f"no such overload: {node.function}({type_name(value)})")


def _takes(row: Row, value: Value) -> bool:
    of = row.params[0]
    return not row.member and (of.kind == "param" or of.name == type_name(value))


def _check_key(key: Value) -> None:
    if type_name(key) not in _KEY_TYPES:
        raise ProgramError(f"invalid qualifier type: {_go_type(key)}")


_GO_TYPES = {
    "bytes": "types.Bytes",
    "google.protobuf.Duration": "types.Duration",
    "google.protobuf.Timestamp": "types.Timestamp",
    "list": "*types.baseList",
    "map": "*types.baseMap",
    "null_type": "types.Null",
    "type": "*types.Type",
}


def _go_type(value: Value) -> str:
    return _GO_TYPES.get(type_name(value), type_name(value))


def _check_pattern(pattern: str) -> None:
    from dralign.cel.functions.regex import check_pattern  # noqa: PLC0415  few expressions hold a pattern

    try:
        check_pattern(pattern)
    except CelError as error:
        raise ProgramError(error.message) from error


def _is_in_empty_list(folder: _Folder, node: Call, args: Sequence[Value]) -> bool:
    """Say whether a call is ``x in []``, which the planner takes for false whatever x is."""
    if node.function != "@in" or args[1] is _NOT_CONSTANT or args[1] != []:
        return False
    return folder.checked.references[node.id].overloads == ("in_list",)


def _list(folder: _Folder, node: ListExpr) -> Value:
    elements = [folder.fold(element) for element in node.elements]
    constant = all(element is not _NOT_CONSTANT for element in elements) and not node.optional_indices
    return elements if constant else _NOT_CONSTANT


def _map(folder: _Folder, node: MapExpr) -> Value:
    parts = [(folder.fold(entry.key), folder.fold(entry.value), entry.optional) for entry in node.entries]
    if any(key is _NOT_CONSTANT or value is _NOT_CONSTANT or optional for key, value, optional in parts):
        return _NOT_CONSTANT
    try:
        return Map({map_key(key): value for key, value, _ in parts})
    except Stop as stop:
        raise ProgramPanic(str(stop)) from stop


def _struct(folder: _Folder, node: StructExpr) -> Value:
    for field in node.fields:
        folder.fold(field.value)
    return _NOT_CONSTANT


def _comprehension(folder: _Folder, node: Comprehension) -> Value:
    for part in (node.accu_init, node.iter_range, node.loop_condition, node.loop_step, node.result):
        folder.fold(part)
    return _NOT_CONSTANT


_RULES: dict[type, Callable[..., Value]] = {
    Ident: _name,
    Select: _select,
    Call: _call,
    ListExpr: _list,
    MapExpr: _map,
    StructExpr: _struct,
    Comprehension: _comprehension,
}
