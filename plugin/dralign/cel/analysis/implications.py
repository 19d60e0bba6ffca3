"""What must hold of a device for which an expression is true, or false.

An expression that gives true did so without an error, hence an attribute that it reads plainly is there. ``&&`` lets
both sides hold, ``||`` only what both sides imply.
"""

from __future__ import annotations

from dralign.cel.analysis.domains import PRESENT, UNKNOWN, Domain, Values, join, meet
from dralign.cel.analysis.paths import (
    OPTIONAL_NONE,
    inner_variables,
    is_binding,
    key_of,
    optional_function,
    optional_value_of,
    path_of,
)
from dralign.cel.analysis.questions import question_of
from dralign.cel.ast import Call, Comprehension, ListExpr, Literal, MapExpr, Select
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.cel.analysis.paths import Key, Path, Variables
    from dralign.cel.ast import Expr

    Domains = Mapping[Key, Domain]
    """What is known of each attribute."""

_NOTHING: Domains = {}

_STRING_FUNCTIONS = frozenset(
    ("contains", "startsWith", "endsWith", "matches", "lowerAscii", "upperAscii", "split", "replace", "find", "findAll")
)


class Never(Record):
    """Nothing can meet the expression: two parts of it want different things of an attribute (None: it is false)."""

    key: Key | None = None


def both(a: Domains | Never, b: Domains | Never) -> Domains | Never:
    """Return what holds where ``a`` and ``b`` hold."""
    if isinstance(a, Never) or isinstance(b, Never):
        return a if isinstance(a, Never) else b
    merged = dict(a)
    for key, domain in b.items():
        merged[key] = meet(merged[key], domain) if key in merged else domain
        if merged[key].impossible:
            return Never(key)
    return merged


def either(a: Domains | Never, b: Domains | Never) -> Domains | Never:
    """Return what holds where ``a`` or ``b`` holds."""
    if isinstance(a, Never) or isinstance(b, Never):
        return b if isinstance(a, Never) else a
    return {key: join(domain, b[key]) for key, domain in a.items() if key in b}


class Implications:
    """Works out what the nodes of one expression imply; every node once for each answer."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bool], Domains | Never] = {}

    def of(self, expr: Expr, answer: bool, variables: Variables) -> Domains | Never:
        """Return what holds where ``expr`` gives ``answer``."""
        key = (id(expr), answer)
        if key not in self._known:
            self._known[key] = self._work_out(expr, answer, variables)
        return self._known[key]

    def _work_out(self, expr: Expr, answer: bool, variables: Variables) -> Domains | Never:
        if isinstance(expr, Literal) and isinstance(expr.value, bool):
            return _NOTHING if expr.value == answer else Never()
        if isinstance(expr, Comprehension) and is_binding(expr):
            return self.of(expr.result, answer, inner_variables(expr, variables))
        if isinstance(expr, Call) and expr.target is None:
            if expr.function in ("_&&_", "_||_"):
                combine = both if (expr.function == "_&&_") == answer else either
                return combine(*(self.of(arg, answer, variables) for arg in expr.args))
            if expr.function == "!_":
                return self.of(expr.args[0], not answer, variables)
            if expr.function == "_?_:_":
                return self._conditional(expr, answer, variables)
        return self._simple(expr, answer, variables)

    def _conditional(self, expr: Call, answer: bool, variables: Variables) -> Domains | Never:
        asked, then, otherwise = expr.args
        return either(
            both(self.of(asked, True, variables), self.of(then, answer, variables)),
            both(self.of(asked, False, variables), self.of(otherwise, answer, variables)),
        )

    def _simple(self, expr: Expr, answer: bool, variables: Variables) -> Domains | Never:
        mapped = mapped_or_value(expr)
        if mapped is not None:
            asked, given, default = mapped
            present = both(self.of(asked, True, variables), self._optional_holds(given, answer, variables))
            absent = self.of(asked, False, variables) if default == answer else Never()
            return either(present, absent)
        found: Domains | Never = strictly_read(expr, variables)
        question = question_of(expr, variables)
        if question is not None:
            found = both(found, {question.key: question.if_true if answer else question.if_false})
        return found

    def _optional_holds(self, given: Expr, answer: bool, variables: Variables) -> Domains | Never:
        """Return what holds where an optional value, made by optMap or optFlatMap, holds ``answer``."""
        if isinstance(given, Call) and optional_function(given) == "of":
            return self.of(given.args[0], answer, variables)
        return _NOTHING


def mapped_or_value(expr: Expr) -> tuple[Expr, Expr, bool] | None:
    """Read ``x.optMap(v, …).orValue(true or false)``: what was asked, the optional if so, and the default."""
    if not (isinstance(expr, Call) and expr.function == "orValue" and len(expr.args) == 1):
        return None
    inner, default = expr.target, expr.args[0]
    if not (isinstance(inner, Call) and inner.function == "_?_:_" and isinstance(default, Literal)):
        return None
    asked, given, otherwise = inner.args
    if not isinstance(default.value, bool) or optional_value_of(otherwise) != OPTIONAL_NONE:
        return None
    return asked, given, default.value


def strictly_read(expr: Expr, variables: Variables) -> Domains:
    """Return the attributes that must be there for an expression to give any answer."""
    found: dict[Key, Domain] = {}
    work = [expr]
    while work:
        node = work.pop()
        path = path_of(node, variables)
        key = key_of(path)
        if path is not None and key is not None:
            if path.strict:
                found[key] = meet(found.get(key, UNKNOWN), PRESENT)
            continue
        if isinstance(node, Call):
            if node.function in _STRING_FUNCTIONS and node.target is not None:
                _note_string(path_of(node.target, variables), found)
            work.extend(_operands(node))
        elif isinstance(node, Select):
            work.append(node.operand)
        elif isinstance(node, ListExpr):
            work.extend(node.elements)
        elif isinstance(node, MapExpr):
            work.extend(part for entry in node.entries for part in (entry.key, entry.value))
        elif isinstance(node, Comprehension):
            work.append(node.iter_range)
    return found


def _operands(call: Call) -> list[Expr]:
    """Return the operands that a call cannot do without."""
    if call.function in ("_&&_", "_||_"):
        return []
    if call.function == "_?_:_":
        return call.args[:1]
    return call.args if call.target is None else [call.target, *call.args]


def _note_string(path: Path | None, found: dict[Key, Domain]) -> None:
    key = key_of(path)
    if path is not None and key is not None and path.strict:
        of_strings = Domain(missing=False, values=Values(kinds=frozenset(("string",))))
        found[key] = meet(found.get(key, UNKNOWN), of_strings)
