"""Written lists, maps and messages, and the comprehensions that macros expand to."""

from __future__ import annotations

from dralign.cel.checking.names import struct_field
from dralign.cel.checking.scopes import Reference
from dralign.cel.checking.unify import most_general
from dralign.cel.declarations.messages import well_known_message
from dralign.cel.declarations.types import BOOL, DYN, ERROR, INT, is_dyn, is_optional, list_of, map_of, optional_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.ast import Comprehension, Expr, ListExpr, MapExpr, StructExpr, StructField
    from dralign.cel.checking.checker import Checker
    from dralign.cel.declarations.types import Type


def check_list(checker: Checker, node: ListExpr) -> Type:
    """Join the types of the elements; an empty list may become a list of anything."""
    element: Type | None = None
    for index, item in enumerate(node.elements):
        of = checker.check(item)
        if index in node.optional_indices:
            of = _unwrap(checker, item, of)
        element = _join(checker, element, of)
    return list_of(checker.fresh.take() if element is None else element)


def check_map(checker: Checker, node: MapExpr) -> Type:
    """Join the types of keys and values apart."""
    keys: Type | None = None
    values: Type | None = None
    for entry in node.entries:
        keys = _join(checker, keys, checker.check(entry.key))
        of = checker.check(entry.value)
        if entry.optional:
            of = _unwrap(checker, entry.value, of)
        values = _join(checker, values, of)
    if keys is None or values is None:
        return map_of(checker.fresh.take(), checker.fresh.take())
    return map_of(keys, values)


def check_struct(checker: Checker, node: StructExpr) -> Type:
    """Check the name of a message and the values of its fields."""
    found = checker.scopes.find_type(node.type_name)
    if found is None:
        return checker.undeclared(node, node.type_name)
    of, reference = found
    node.type_name = reference.name
    checker.references[node.id] = Reference(reference.name)
    result, message = _built_type(checker, node, of)
    for field in node.fields:
        _check_field(checker, field, message)
    return result


def check_comprehension(checker: Checker, node: Comprehension) -> Type:
    """Check range, start value, condition, step and result, each with the variables it sees."""
    checker.check(node.iter_range)
    accu = checker.check(node.accu_init)
    first, second = _iteration_types(checker, node)
    checker.scopes.enter({node.accu_var: accu})
    checker.scopes.enter({node.iter_var: first} | ({node.iter_var2: second} if node.iter_var2 else {}))
    _expect(checker, node.loop_condition, BOOL)
    _expect(checker, node.loop_step, accu)
    checker.scopes.leave()
    result = checker.check(node.result)
    checker.scopes.leave()
    return checker.bindings.substitute(result)


def _unwrap(checker: Checker, node: Expr, of: Type) -> Type:
    """Return the type inside an optional one; anything else but dyn is a problem."""
    if is_optional(of):
        return of.params[0]
    if not is_dyn(of):
        checker.mismatch(node, optional_of(of), of)
    return of


def _join(checker: Checker, before: Type | None, of: Type) -> Type:
    """Return the common type of the elements of a literal so far. Mixed ones are left to the validators."""
    if before is None:
        return of
    return most_general(before, of) if checker.bindings.assign(before, of) else DYN


def _built_type(checker: Checker, node: StructExpr, of: Type) -> tuple[Type, str]:
    """Return the type of a message expression, and the name under which its fields are known."""
    if of.kind != "type":
        checker.problem(node, f"'{of.declared_name}' is not a type", "not_a_type")
        return ERROR, node.type_name
    built = of.params[0] if of.params else of
    well_known = well_known_message(built)
    if well_known is not None:
        return built, well_known
    if built.kind == "struct":
        return built, built.name
    checker.problem(node, f"'{built.declared_name}' is not a message type", "not_a_type")
    return ERROR, node.type_name


def _check_field(checker: Checker, field: StructField, message: str) -> None:
    of = checker.check(field.value)
    wanted = struct_field(checker, field, message, field.name)
    if field.optional:
        of = _unwrap(checker, field.value, of)
    if not checker.bindings.assign(wanted, of):
        text = f"expected type of field '{field.name}' is '{wanted}' but provided type is '{of}'"
        checker.problem(field, text, "unexpected_type")


def _iteration_types(checker: Checker, node: Comprehension) -> tuple[Type, Type]:
    """Return the types of both loop variables; with a single one only the first counts."""
    of = checker.bindings.substitute(checker.types[node.iter_range.id])
    if of.kind == "list":
        return (INT, of.params[0]) if node.iter_var2 else (of.params[0], ERROR)
    if of.kind == "map":
        return of.params[0], of.params[1]
    if of.kind in ("dyn", "error", "param"):
        checker.bindings.assign(DYN, of)
        return DYN, DYN
    text = f"expression of type '{of}' cannot be range of a comprehension (must be list, map, or dynamic)"
    checker.problem(node.iter_range, text, "comprehension_range")
    return ERROR, ERROR


def _expect(checker: Checker, node: Expr, wanted: Type) -> None:
    of = checker.check(node)
    if not checker.bindings.assign(wanted, of):
        checker.mismatch(node, wanted, of)
