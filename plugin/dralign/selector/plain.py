"""Plain selectors as Python functions that answer for a device what the exact evaluation would, a hundred times faster.

Plain means: comparisons, tests and calls on single attributes, capacities and literals. The functions count no costs,
so only expressions and texts are taken whose cost cannot reach the limit; where a value is missing or of another type
than the expression needs, they raise, and the exact evaluation decides.
"""

from __future__ import annotations

from dralign.cel.ast import Call, Comprehension, ListExpr, Literal, Select
from dralign.cel.functions import strings, versions
from dralign.cel.regex import compile_pattern
from dralign.selector.writing import MAX_TEXT, SCALARS, Code, Doubt, NotPlain, Writer, text_of
from dralign.values.quantity import Quantity
from dralign.values.semver import Semver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from dralign.cel.ast import Expr
    from dralign.model.device import Attribute, Device
    from dralign.selector.writing import Path, Rule

    CallRule = Callable[[Writer, Call], Code]

_MAX_CHARGE = 500_000  # half of what an evaluation may cost
_MAX_ELEMENTS_136 = 48  # 1.36 refuses to look for a value in longer lists


def plain_answer(root: Expr, constants: Mapping[int, Any], driver: str) -> Callable[[Device], bool]:
    """Make the function that answers for the devices of one driver. Raises NotPlain.

    Args:
        root: the checked expression.
        constants: values of its nodes that are known already, by node id.
        driver: name of the driver.

    Returns:
        A function that raises Doubt or KeyError for devices that have to be evaluated exactly. It may only be asked
        about devices without ``conversion_problem``.
    """
    writer = Writer(constants, driver, _RULES)
    source = writer.truth(root)
    if writer.charge > _MAX_CHARGE:
        raise NotPlain
    names = {**writer.names, **_FUNCTIONS}
    text = f"def answer(device):\n A = device.attributes\n C = device.capacity\n return {source}\n"
    exec(text, names)  # noqa: S102  written from checked nodes; every text of the user in it went through repr
    answer: Callable[[Device], bool] = names["answer"]
    return answer


def _includes(value: Attribute, wanted: bool | int | str) -> bool:
    parts = value if isinstance(value, tuple) else (value,)
    if len(parts) > _MAX_ELEMENTS_136:
        raise Doubt
    return any(type(part) is type(wanted) and part == wanted for part in parts)


def _logic(operator: str) -> CallRule:
    return lambda writer, node: Code("bool", "(" + operator.join(map(writer.truth, node.args)) + ")")


def _negation(writer: Writer, node: Call) -> Code:
    return Code("bool", f"(not {writer.truth(node.args[0])})")


def _condition(writer: Writer, node: Call) -> Code:
    condition = writer.truth(node.args[0])
    yes, no = writer.code(node.args[1]), writer.code(node.args[2])
    if yes.kind != no.kind:
        raise NotPlain
    return Code(yes.kind, f"({yes.source} if {condition} else {no.source})")


def _equality(writer: Writer, node: Call) -> Code:
    left, right = map(writer.code, node.args)
    if left.kind == "attribute":
        left, right = right, left
    writer.charge += len(left.source)
    negation = "not " if node.function == "_!=_" else ""
    if left.kind == right.kind and left.kind != "attribute":
        return Code("bool", f"({negation}{left.source} == {right.source})")
    return _guarded(writer, right, left.kind, f"== {left.source}", negation, left.source)


def _guarded(writer: Writer, attribute: Code, kind: str, test: str, negation: str = "", other: str = "") -> Code:
    """Write a test of an attribute that only those of one kind can pass.

    ``other`` is what it is compared with: worked out for the others too, since it may fail.
    """
    if attribute.kind != "attribute" or kind not in SCALARS.values():
        raise NotPlain
    name = writer.new_name()
    same = f"type({name} := {attribute.source}) is {kind}"
    return Code("bool", f"({negation}({name} {test} if {same} else unlike({name}, {other})))")


def _ordering(operator: str) -> CallRule:
    def write(writer: Writer, node: Call) -> Code:
        left, right = map(writer.code, node.args)
        kind = right.kind if left.kind == "attribute" else left.kind
        if kind not in ("int", "str"):
            raise NotPlain
        sources = writer.typed(left, kind), writer.typed(right, kind)
        writer.charge += sum(map(len, sources))
        return Code("bool", f"({sources[0]} {operator} {sources[1]})")

    return write


def _membership(writer: Writer, node: Call) -> Code:
    key, container = node.args
    path = writer.path(container)
    if path is not None:
        return Code("bool", writer.entry((*path, text_of(key))).presence())
    values = _elements(writer, container)
    kinds = {type(value) for value in values}
    if len(kinds) != 1 or not kinds < SCALARS.keys():
        raise NotPlain
    writer.charge += sum(len(repr(value)) for value in values)
    code, kind, test = writer.code(key), SCALARS[kinds.pop()], f"in {writer.bind(frozenset(values))}"
    if code.kind == kind:
        return Code("bool", f"({code.source} {test})")
    return _guarded(writer, code, kind, test)


def _elements(writer: Writer, node: Expr) -> Sequence[Any]:
    known = writer.constants.get(node.id)
    if isinstance(known, list):
        return known
    if not isinstance(node, ListExpr) or node.optional_indices:
        raise NotPlain
    return [element.value if isinstance(element, Literal) else None for element in node.elements]


def _text_test(template: str) -> CallRule:
    def write(writer: Writer, node: Call) -> Code:
        target, part = _operands(node)
        text = text_of(part)
        writer.charge += MAX_TEXT * len(text)
        return Code("bool", template.format(writer.short_text(target), repr(text)))

    return write


def _pattern_test(writer: Writer, node: Call) -> Code:
    target, part = _operands(node)
    text = text_of(part)
    writer.charge += MAX_TEXT * len(text)
    pattern = compile_pattern(text)
    if pattern.safe_length < MAX_TEXT:
        raise NotPlain
    return Code("bool", f"({writer.bind(pattern.python.search)}({writer.short_text(target)}) is not None)")


def _change(name: str) -> CallRule:
    return lambda writer, node: Code("str", f"{name}({writer.short_text(_operands(node)[0])})")


def _comparison(template: str, kind: str) -> CallRule:
    """Write a comparison of quantities or versions."""

    def write(writer: Writer, node: Call) -> Code:
        left, right = map(writer.code, _operands(node))
        of = right.kind if left.kind == "attribute" else left.kind
        if of not in ("quantity", "semver"):
            raise NotPlain
        return Code(kind, template.format(writer.typed(left, of), writer.typed(right, of)))

    return write


def _part(name: str) -> CallRule:
    return lambda writer, node: Code("int", f"{name}({writer.typed(writer.code(_operands(node)[0]), 'semver')})")


def _made(parse: Callable[[str], object], kind: str) -> CallRule:
    """Write a quantity or version that is read from a literal."""

    def write(writer: Writer, node: Call) -> Code:
        text = text_of(node.args[0])
        writer.charge += len(text)
        try:
            value = parse(text)
        except ValueError:
            raise NotPlain from None
        if len(node.args) > 1:
            raise NotPlain
        return Code(kind, writer.bind(value))

    return write


def _inclusion(writer: Writer, node: Call) -> Code:
    target, wanted = map(writer.code, _operands(node))
    if target.kind != "attribute" or wanted.kind not in SCALARS.values():
        raise NotPlain
    writer.charge += MAX_TEXT * _MAX_ELEMENTS_136
    return Code("bool", f"includes({target.source}, {wanted.source})")


def _or_value(writer: Writer, node: Call) -> Code:
    optional, otherwise = _operands(node)
    entry, other = writer.entry(_optional_path(writer, optional)), writer.code(otherwise)
    if other.kind not in (SCALARS.values() if entry.where == "A" else ("quantity",)):
        raise NotPlain
    return entry.code(other.source)


def _has_value(writer: Writer, node: Call) -> Code:
    return Code("bool", writer.entry(_optional_path(writer, _operands(node)[0])).presence())


def _optional_path(writer: Writer, node: Expr) -> Path:
    """Return the steps to an entry whose last step is optional."""
    if not isinstance(node, Call) or node.function not in ("_?._", "_[?_]"):
        raise NotPlain
    return (*_path(writer, node.args[0]), text_of(node.args[1]))


def _presence(writer: Writer, node: Select) -> Code:
    return Code("bool", writer.entry((*_path(writer, node.operand), node.field)).presence())


def _path(writer: Writer, node: Expr) -> Path:
    path = writer.path(node)
    if path is None:
        raise NotPlain
    return path


def _binding(writer: Writer, node: Comprehension) -> Code:
    """Write ``cel.bind``, a comprehension whose loop never runs, of a name for a part of the device."""
    path = _path(writer, node.accu_init)
    if not isinstance(node.iter_range, ListExpr) or node.iter_range.elements:
        raise NotPlain
    before = writer.variables
    writer.variables = {**before, node.accu_var: path}
    code = writer.code(node.result)
    writer.variables = before
    return code


def _operands(node: Call) -> list[Expr]:
    return node.args if node.target is None else [node.target, *node.args]


_FUNCTIONS = {
    "includes": _includes,
    "lower": strings.lower_ascii,
    "major": versions.major,
    "minor": versions.minor,
    "patch": versions.patch,
    "upper": strings.upper_ascii,
}

_RULES: dict[str | type, Rule] = {
    "_&&_": _logic(" and "),
    "_||_": _logic(" or "),
    "!_": _negation,
    "_?_:_": _condition,
    "_==_": _equality,
    "_!=_": _equality,
    "_<_": _ordering("<"),
    "_<=_": _ordering("<="),
    "_>_": _ordering(">"),
    "_>=_": _ordering(">="),
    "@in": _membership,
    "contains": _text_test("({1} in {0})"),
    "startsWith": _text_test("{0}.startswith({1})"),
    "endsWith": _text_test("{0}.endswith({1})"),
    "matches": _pattern_test,
    "lowerAscii": _change("lower"),
    "upperAscii": _change("upper"),
    "compareTo": _comparison("{0}.compare({1})", "int"),
    "isGreaterThan": _comparison("({0}.compare({1}) > 0)", "bool"),
    "isLessThan": _comparison("({0}.compare({1}) < 0)", "bool"),
    "major": _part("major"),
    "minor": _part("minor"),
    "patch": _part("patch"),
    "quantity": _made(Quantity.parse, "quantity"),
    "semver": _made(Semver.parse, "semver"),
    "includes": _inclusion,
    "orValue": _or_value,
    "hasValue": _has_value,
    Select: _presence,
    Comprehension: _binding,
}
