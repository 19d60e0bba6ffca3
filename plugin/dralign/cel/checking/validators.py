"""What the API server asks of an expression beyond its types: literals of one type, literal arguments that can be read.

These are cel-go's validators of duration, timestamp and regex literals and of mixed lists and maps, and the one that
its strings extension brings for ``format``.
"""

from __future__ import annotations

from dralign.cel.ast import Call, ListExpr, Literal, MapExpr
from dralign.cel.children import children
from dralign.cel.errors import Issues, Source
from dralign.cel.values import CelError, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.ast import Expr
    from dralign.cel.checking.checker import Checked
    from dralign.cel.declarations.types import Type

_READ_LITERALS = ("duration", "timestamp")


def validate(checked: Checked) -> None:
    """Raise CompileError if a literal of a checked expression is refused, ProgramPanic if the real code crashes on it."""
    issues = Issues(Source(checked.ast.source))
    waiting: list[tuple[Expr, bool]] = [(checked.ast.root, False)]
    while waiting:
        node, in_format = waiting.pop()
        if isinstance(node, Call):
            _validate_call(checked, node, issues)
            in_format = in_format or node.function == "format"
        elif not in_format:
            _validate_elements(checked, node, issues)
        waiting.extend([(child, in_format) for child in children(node)])
    if issues:
        raise issues.error()


def _validate_call(checked: Checked, node: Call, issues: Issues) -> None:
    """Check the first argument of some functions; of the global ``matches`` that is the text, as in cel-go."""
    if node.function == "format":
        from dralign.cel.checking.format_calls import check_format  # noqa: PLC0415  few expressions format text

        check_format(checked, node, issues)
    first = node.args[0] if node.args else None
    if isinstance(first, Literal) and not _is_readable(checked, node.function, first.value):
        issues.add(first.offset, f"invalid {node.function} argument", "literal_value")


def _is_readable(checked: Checked, function: str, value: object) -> bool:
    try:
        if function == "matches" and isinstance(value, str):
            _check_pattern(value)
        elif function in _READ_LITERALS:
            return _is_convertible(checked, function, value)
    except CelError:
        return False
    return True


def _is_convertible(checked: Checked, function: str, value: object) -> bool:
    name = type_name(value)
    for row in checked.env.rows(function):
        if row.params[0].name == name:
            row.implementation()(value)
            return True
    return False


def _check_pattern(pattern: str) -> None:
    from dralign.cel.functions.regex import check_pattern  # noqa: PLC0415  few expressions hold a pattern

    check_pattern(pattern)


def _validate_elements(checked: Checked, node: Expr, issues: Issues) -> None:
    """Check that the elements of a list, or keys and values of a map, are all of one type: dyn is a type of its own."""
    if isinstance(node, ListExpr):
        wanted: Type | None = None
        for index, element in enumerate(node.elements):
            of = _element_type(checked, element, index in node.optional_indices)
            if wanted is not None and not wanted.is_equivalent(of):
                _mismatch(issues, element, wanted, of)
                return
            wanted = wanted or of
    elif isinstance(node, MapExpr) and node.entries:
        keys = checked.types[node.entries[0].key.id]
        values = _element_type(checked, node.entries[0].value, node.entries[0].optional)
        for entry in node.entries:
            _compare(issues, entry.key, keys, checked.types[entry.key.id])
            _compare(issues, entry.value, values, _element_type(checked, entry.value, entry.optional))


def _element_type(checked: Checked, element: Expr, optional: bool) -> Type:
    """Return the type of an element, or what is inside an optional one; the real code crashes where that is dyn."""
    of = checked.types[element.id]
    if optional and not of.params:
        from dralign.cel.checking.folding import ProgramPanic  # noqa: PLC0415  hardly any expression needs it

        raise ProgramPanic("runtime error: index out of range [0] with length 0")
    return of.params[0] if optional else of


def _compare(issues: Issues, node: Expr, wanted: Type, of: Type) -> None:
    if not wanted.is_equivalent(of):
        _mismatch(issues, node, wanted, of)


def _mismatch(issues: Issues, node: Expr, wanted: Type, of: Type) -> None:
    issues.add(node.offset, f"expected type '{wanted}' but found '{of}'", "mixed_literal")
