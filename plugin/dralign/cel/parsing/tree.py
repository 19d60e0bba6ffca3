"""The syntax tree between parser and AST: what was written, with gaps where a broken expression left something out.

A finished tree is a tuple: its name, its first token, and the fields that ``FIELDS`` names, in that order. Fields whose
name ends in ``*`` are lists; all others may be None. Rules that only hand on another tree leave no trace.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.cel.parsing.tokens import Token

    Node = tuple[Any, ...]

FIELDS: dict[str, tuple[str, ...]] = {
    "expr": ("condition", "operator", "then", "otherwise"),
    "conditionalOr": ("first", "operators*", "rest*"),
    "conditionalAnd": ("first", "operators*", "rest*"),
    "binary": ("left", "operator", "right"),
    "not": ("operators*", "operand"),
    "negate": ("operators*", "operand"),
    "select": ("left", "operator", "optional", "name"),
    "member_call": ("left", "name", "open", "arguments"),
    "index": ("left", "operator", "optional", "key"),
    "ident": ("dot", "name"),
    "call": ("dot", "name", "open", "arguments"),
    "list": ("open", "elements"),
    "map": ("open", "entries"),
    "message": ("dot", "names*", "open", "fields"),
    "exprList": ("items*",),
    "listInit": ("items*",),
    "optExpr": ("optional", "value"),
    "mapInitializerList": ("keys*", "colons*", "values*"),
    "fieldInitializerList": ("keys*", "colons*", "values*"),
    "optField": ("optional", "name"),
    "name": ("token",),
    "escaped": ("token",),
    "int": ("sign", "token"),
    "uint": ("token",),
    "double": ("sign", "token"),
    "string": ("token",),
    "bytes": ("token",),
    "true": ("token",),
    "false": ("token",),
    "null": ("token",),
}

_HANDED_ON = {"expr": ("operator", "condition"), "conditionalOr": ("operators*", "first")}
_HANDED_ON["conditionalAnd"] = _HANDED_ON["conditionalOr"]
"""Trees that are only their first operand unless they have an operator."""

_PASSED = frozenset(("start", "only", "relation", "calc", "member"))
_BROKEN = frozenset(("unary", "primary", "literal", "escapeIdent"))


class Tree:
    """A syntax tree that is being made; it is named after its rule until the alternative is known."""

    __slots__ = ("fields", "name", "start")

    def __init__(self, name: str, start: Token) -> None:
        self.name = name
        self.start = start
        self.fields: dict[str, Any] = {}

    def put(self, label: str, value: object) -> None:
        """Fill a field, or add to one that is a list."""
        if label.endswith("*"):
            self.fields.setdefault(label, []).append(value)
        else:
            self.fields[label] = value


def finish(tree: Tree) -> Node | None:
    """Make the tuple of a tree that is complete, or as complete as it will be; None where nothing was there."""
    fields = tree.fields
    if tree.name in _PASSED:
        return fields.get("only")
    if tree.name in _BROKEN:
        return (tree.name, tree.start)
    if tree.name in _HANDED_ON:
        operator, operand = _HANDED_ON[tree.name]
        if not fields.get(operator):
            return fields.get(operand)
    return (
        tree.name,
        tree.start,
        *(fields.get(field, [] if field.endswith("*") else None) for field in FIELDS[tree.name]),
    )
