"""Calls of functions, methods and operators."""

from __future__ import annotations

from dralign.cel.checking.names import check_optional_select, qualified_name
from dralign.cel.checking.overloads import resolve
from dralign.cel.checking.scopes import Reference
from dralign.cel.declarations.types import BOOL, ERROR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.cel.ast import Call
    from dralign.cel.checking.checker import Checker
    from dralign.cel.declarations.types import Type
    from dralign.cel.library.row import Row


def check_call(checker: Checker, node: Call) -> Type:
    """Check the operands, find the function, pick its overloads.

    ``a.b.c(x)`` is the function ``a.b.c`` if there is one: the call then loses its target, as in cel-go.
    """
    if node.function == "_?._":
        return check_optional_select(checker, node)
    args = [checker.check(arg) for arg in node.args]
    if node.target is None:
        rows = checker.env.rows(node.function.removeprefix("."))
        if not rows:
            return checker.undeclared(node, node.function)
        node.function = rows[0].function
        return _resolve(checker, node, rows, args)
    prefix = qualified_name(node.target)
    rows = checker.env.rows(f"{prefix}.{node.function}".removeprefix(".")) if prefix else ()
    if rows:
        node.target, node.function = None, rows[0].function
        return _resolve(checker, node, rows, args)
    args.insert(0, checker.check(node.target))
    rows = checker.env.rows(node.function)
    return _resolve(checker, node, rows, args) if rows else checker.undeclared(node, node.function)


def _resolve(checker: Checker, node: Call, rows: Sequence[Row], args: list[Type]) -> Type:
    if node.function in ("_&&_", "_||_"):
        return _logical(checker, node, rows[0], args)
    found = resolve(rows, node.target is not None, args, checker.bindings, checker.fresh)
    if found is None:
        return _no_overload(checker, node, args)
    checker.references[node.id] = Reference(overloads=found[1])
    return found[0]


def _logical(checker: Checker, node: Call, row: Row, args: list[Type]) -> Type:
    """Check ``&&`` and ``||``, whose operands are complained about one by one."""
    result = BOOL
    for arg, of in zip(node.args, args, strict=True):
        if not checker.bindings.assign(of, BOOL):
            checker.mismatch(arg, BOOL, of)
            result = ERROR
    if result is BOOL:
        checker.references[node.id] = Reference(overloads=(row.id,))
    return result


def _no_overload(checker: Checker, node: Call, args: list[Type]) -> Type:
    shown = [str(checker.bindings.substitute(arg, to_dyn=True)) for arg in args]
    receiver = "" if node.target is None else f"{shown.pop(0)}."
    signature = f"{receiver}({', '.join(shown)})"
    checker.problem(node, f"found no matching overload for '{node.function}' applied to '{signature}'", "no_overload")
    return ERROR
