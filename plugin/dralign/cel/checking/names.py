"""Literals, identifiers and field selections."""

from __future__ import annotations

from dralign.cel.ast import Ident, Literal, Select
from dralign.cel.checking.scopes import Reference
from dralign.cel.declarations.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    ERROR,
    INT,
    NULL,
    STRING,
    UINT,
    Type,
    is_dyn,
    is_optional,
    optional_of,
)
from dralign.cel.values import Uint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.ast import Call, Expr, StructField
    from dralign.cel.checking.checker import Checker

_LITERAL_TYPES: dict[type, Type] = {
    bool: BOOL,
    int: INT,
    Uint: UINT,
    float: DOUBLE,
    str: STRING,
    bytes: BYTES,
    type(None): NULL,
}


def check_literal(_: Checker, node: Literal) -> Type:
    """Return the type of a constant."""
    return _LITERAL_TYPES[type(node.value)]


def check_ident(checker: Checker, node: Ident) -> Type:
    """Resolve a name; the node gets the resolved name."""
    found = checker.scopes.find(node.name)
    if found is None:
        return checker.undeclared(node, node.name)
    of, reference = found
    node.name = reference.name
    checker.references[node.id] = reference
    return of


def check_select(checker: Checker, node: Select) -> Type:
    """Take a chain of selections for a qualified name if there is one, else for a field of its operand."""
    name = qualified_name(node)
    found = checker.scopes.find(name) if name else None
    if found is not None:
        checker.references[node.id] = found[1]
        return found[0]
    of = _field(checker, node, node.operand, node.field, optional=False)
    return BOOL if node.test_only else checker.bindings.substitute(of)


def check_optional_select(checker: Checker, node: Call) -> Type:
    """Check ``operand.?field``, which the parser leaves as a call with the field's name as text."""
    operand, field = node.args
    if not isinstance(field, Literal) or not isinstance(field.value, str):
        checker.problem(field, f"unsupported optional field selection: {field}", "other")
        return ERROR
    checker.types[field.id] = STRING
    of = _field(checker, node, operand, field.value, optional=True)
    checker.references[node.id] = Reference(overloads=(checker.env.rows("_?._")[0].id,))
    return checker.bindings.substitute(of)


def struct_field(checker: Checker, node: Expr | StructField, struct: str, field: str) -> Type:
    """Return the declared type of a field of a type with fields."""
    if not checker.env.has_struct(struct):
        checker.problem(node, f"unexpected failed resolution of '{struct}'", "syntax")
        return ERROR
    found = checker.env.field(struct, field)
    if found is None:
        checker.problem(node, f"undefined field '{field}'", "undefined_field")
        return ERROR
    return found


def qualified_name(node: Expr) -> str:
    """Return the dotted name that a chain of selections spells, or an empty text if it is none."""
    parts: list[str] = []
    while isinstance(node, Select):
        if node.test_only:
            return ""
        parts.append(node.field)
        node = node.operand
    if not isinstance(node, Ident):
        return ""
    parts.append(node.name)
    return ".".join(reversed(parts))


def _field(checker: Checker, node: Expr, operand: Expr, field: str, *, optional: bool) -> Type:
    """Return the type of a field; fields of optional values are optional."""
    of = checker.bindings.substitute(checker.check(operand))
    if is_optional(of):
        of, optional = of.params[0], True
    result = _plain_field(checker, node, of, field)
    return optional_of(result) if optional else result


def _plain_field(checker: Checker, node: Expr, of: Type, field: str) -> Type:
    if of.kind == "map":
        return of.params[1]
    if of.kind == "struct":
        return struct_field(checker, node, of.name, field)
    if of.kind == "param":
        checker.bindings.assign(DYN, of)
    elif of.kind != "error" and not is_dyn(of):
        checker.problem(node, f"type '{of}' does not support field selection", "undefined_field")
    return DYN
