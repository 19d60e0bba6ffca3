"""Gives every node of an expression its type, every name and call what it refers to; speaks cel-go's words.

The order in which nodes are checked, and the places at which problems stand, are cel-go's.
"""

from __future__ import annotations

from dralign.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, MapExpr, Select, StructExpr
from dralign.cel.checking.aggregates import check_comprehension, check_list, check_map, check_struct
from dralign.cel.checking.calls import check_call
from dralign.cel.checking.names import check_ident, check_literal, check_select
from dralign.cel.checking.overloads import FreshParameters
from dralign.cel.checking.scopes import Scopes
from dralign.cel.checking.unify import Bindings
from dralign.cel.declarations.types import ERROR
from dralign.cel.errors import Issues, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.ast import Ast, Expr, StructField
    from dralign.cel.checking.scopes import Reference
    from dralign.cel.declarations.env import Environment
    from dralign.cel.declarations.types import Type

_RULES: dict[type, Callable[..., Type]] = {
    Literal: check_literal,
    Ident: check_ident,
    Select: check_select,
    Call: check_call,
    ListExpr: check_list,
    MapExpr: check_map,
    StructExpr: check_struct,
    Comprehension: check_comprehension,
}


class Checked:
    """An expression whose types are known.

    ``types`` and ``references`` go by the ids of nodes; a selection that is a qualified name, such as ``net.IP``,
    keeps its shape and has a reference with that name.
    """

    __slots__ = ("ast", "env", "references", "result_type", "types")

    def __init__(self, ast: Ast, env: Environment, types: dict[int, Type], references: dict[int, Reference]) -> None:
        self.ast = ast
        self.env = env
        self.types = types
        self.references = references
        self.result_type = types[ast.root.id]


class Checker:
    """One walk over one expression: what the rules read and write."""

    __slots__ = ("bindings", "env", "fresh", "issues", "references", "scopes", "types")

    def __init__(self, env: Environment, issues: Issues) -> None:
        self.env = env
        self.issues = issues
        self.types: dict[int, Type] = {}
        self.references: dict[int, Reference] = {}
        self.bindings = Bindings()
        self.scopes = Scopes(env)
        self.fresh = FreshParameters()

    def check(self, node: Expr) -> Type:
        """Check a node and all below it; return its type, which may still have unbound parameters."""
        of = _RULES[type(node)](self, node)
        before = self.types.setdefault(node.id, of)
        if before is not of and not before.is_exact(of):
            text = f"incompatible type already exists for expression: ({node.id}) old:{before}, new:{of}"
            self.problem(node, text, "other")
        return before

    def problem(self, node: Expr | StructField, message: str, kind: str) -> None:
        """Record a problem at the place of a node."""
        self.issues.add(node.offset, message, kind)

    def mismatch(self, node: Expr, wanted: Type, found: Type) -> None:
        """Record that a node should have another type."""
        self.problem(node, f"expected type '{wanted}' but found '{found}'", "mixed_literal")

    def undeclared(self, node: Expr, name: str) -> Type:
        """Record that nothing is declared under a name; return the type of what is wrong already."""
        self.problem(node, f"undeclared reference to '{name}' (in container '')", "undeclared")
        return ERROR


def check(ast: Ast, env: Environment) -> Checked:
    """Return the types of an expression, or raise CompileError with everything that is wrong with them.

    Resolved names are written into the tree: ``sets.contains(a, b)`` loses its target.
    """
    checker = Checker(env, Issues(Source(ast.source)))
    checker.check(ast.root)
    if checker.issues:
        raise checker.issues.error()
    substitute = checker.bindings.substitute
    types = {node: substitute(of, to_dyn=True) if of.free else of for node, of in checker.types.items()}
    return Checked(ast, env, types, checker.references)
