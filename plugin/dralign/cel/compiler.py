"""Turns a checked expression into a program: a tree of steps that computes what cel-go's planner would make of it.

Source: cel-go interpreter/planner.go and decorators.go.
"""

from __future__ import annotations

from dralign.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, MapExpr, Select, StructExpr
from dralign.cel.depth import room_for_depth
from dralign.cel.runtime.attributes import (
    AttributeStep,
    Computed,
    Conditional,
    Variable,
    open_optional,
    open_optional_026,
)
from dralign.cel.runtime.calls import Call as CallStep
from dralign.cel.runtime.calls import GoOn
from dralign.cel.runtime.charges import charge_of
from dralign.cel.runtime.dispatch import bind, unchecked
from dralign.cel.runtime.folds import Fold
from dralign.cel.runtime.messages import NewMessage
from dralign.cel.runtime.program import Program
from dralign.cel.runtime.qualifiers import Field, Index, Presence
from dralign.cel.runtime.steps import Constant, Equality, Logic, Membership, NewList, NewMap, OptionalOr
from dralign.cel.values import MAX_UINT, MIN_INT, Uint, map_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from dralign.cel.ast import Expr
    from dralign.cel.checking.checker import Checked
    from dralign.cel.runtime.attributes import Attribute, Qualifier
    from dralign.cel.runtime.steps import Step
    from dralign.cel.values import Value

_PLAIN_TYPES = (bool, int, Uint, float, str)
_PATTERN_FUNCTIONS = ("matches", "find", "findAll")


class Planner:
    """Makes the steps of one expression.

    Args:
        checked: the expression with its types and references.
        folded: values of nodes that are known already, by node id.
    """

    __slots__ = ("checked", "folded", "is_026", "unwrap")

    def __init__(self, checked: Checked, folded: Mapping[int, Value]) -> None:
        self.checked = checked
        self.folded = folded
        self.is_026 = checked.env.cel_go == "0.26"
        self.unwrap = open_optional_026 if self.is_026 else open_optional

    def plan(self, node: Expr) -> Step:
        """Make the step of a node and all below it."""
        if node.id in self.folded:
            return Constant(node.id, self.folded[node.id])
        return _RULES[type(node)](self, node)

    def as_attribute(self, step: Step) -> Attribute:
        """Return what qualifiers can be added to: the attribute of a step, or one that starts at the step's value."""
        if isinstance(step, AttributeStep):
            return step.attribute
        return Computed(step.id, step, self.unwrap)


def _literal(_: Planner, node: Literal) -> Step:
    return Constant(node.id, node.value)


def _variable(planner: Planner, node: Ident | Select) -> Step:
    name = planner.checked.references[node.id].name
    return AttributeStep(Variable(node.id, name, planner.unwrap))


def _select(planner: Planner, node: Select) -> Step:
    if node.id in planner.checked.references:
        return _variable(planner, node)
    step = planner.plan(node.operand)
    attribute = planner.as_attribute(step)
    if node.test_only:
        attribute.add(Presence(node.id, node.field))
        return AttributeStep(attribute, node.id)
    attribute.add(Field(node.id, node.field, optional=False))
    return step if isinstance(step, AttributeStep) else AttributeStep(attribute)


def _call(planner: Planner, node: Call) -> Step:
    arguments = [planner.plan(arg) for arg in (node.args if node.target is None else [node.target, *node.args])]
    special = _SPECIAL.get(node.function)
    if special is not None:
        return special(planner, node, arguments)
    env = planner.checked.env
    overloads = planner.checked.references[node.id].overloads
    candidates = [env.overload(overload) for overload in overloads]
    if node.function in _PATTERN_FUNCTIONS and _has_constant_pattern(arguments):
        binding = unchecked(candidates[0])
    else:
        binding = bind(node.function, candidates, env.rows(node.function))
    if overloads == ("in_list",) and (keys := _membership_keys(arguments[1])) is not None:
        return Membership(node.id, arguments[0], keys)
    return CallStep(node.id, arguments, binding, charge_of([row.cost for row in candidates]))


def _has_constant_pattern(arguments: Sequence[Step]) -> bool:
    pattern = arguments[1]
    return isinstance(pattern, Constant) and type(pattern.value) is str


def _membership_keys(step: Step) -> frozenset[Hashable] | None:
    """Return the keys of a constant list of plain values, each number also as the other number types."""
    if not isinstance(step, Constant) or any(type(value) not in _PLAIN_TYPES for value in step.value):
        return None
    return frozenset(map_key(each) for value in step.value for each in _equal_values(value))


def _equal_values(value: Value) -> list[Value]:
    values = [value]
    if type(value) in (int, Uint):
        values.append(float(value))
    if type(value) in (Uint, float) and _is_whole(value) and MIN_INT <= value < -MIN_INT:
        values.append(int(value))
    if type(value) in (int, float) and _is_whole(value) and 0 <= value <= MAX_UINT:
        values.append(Uint(value))
    return values


def _is_whole(number: float) -> bool:
    return number - number == 0 and int(number) == number


def _logic(_: Planner, node: Call, arguments: Sequence[Step]) -> Step:
    return Logic(node.id, arguments, deciding=node.function == "_||_")


def _equality(_: Planner, node: Call, arguments: Sequence[Step]) -> Step:
    return Equality(node.id, arguments[0], arguments[1], negated=node.function == "_!=_")


def _conditional(planner: Planner, node: Call, arguments: Sequence[Step]) -> Step:
    condition, yes, no = arguments
    return AttributeStep(Conditional(node.id, condition, planner.as_attribute(yes), planner.as_attribute(no)))


def _index(planner: Planner, node: Call, arguments: Sequence[Step]) -> Step:
    step, key = arguments
    attribute = planner.as_attribute(step)
    attribute.add(_qualifier(planner, node, key))
    return step if isinstance(step, AttributeStep) else AttributeStep(attribute)


def _qualifier(planner: Planner, node: Call, key: Step) -> Qualifier:
    optional = node.function != "_[_]"
    if isinstance(key, Constant):
        return Field(node.id, key.value, optional)
    if isinstance(key, AttributeStep):
        return Index(node.id, key.attribute, optional, drops_key=False)
    return Index(node.id, Computed(node.id, key, planner.unwrap), optional, drops_key=True)


def _optional_or(planner: Planner, node: Call, arguments: Sequence[Step]) -> Step:
    optional, other = arguments
    return OptionalOr(node.id, optional, other, unwrap=node.function == "orValue", lenient=planner.is_026)


def _go_on(_: Planner, node: Call, arguments: Sequence[Step]) -> Step:
    return GoOn(node.id, arguments[0])


def _list(planner: Planner, node: ListExpr) -> Step:
    return NewList(node.id, [planner.plan(element) for element in node.elements], node.optional_indices)


def _map(planner: Planner, node: MapExpr) -> Step:
    entries = [(planner.plan(entry.key), planner.plan(entry.value), entry.optional) for entry in node.entries]
    return NewMap(node.id, entries)


def _struct(planner: Planner, node: StructExpr) -> Step:
    fields = [(field.name, planner.plan(field.value), field.optional) for field in node.fields]
    return NewMessage(node.id, node.type_name, fields)


def _comprehension(planner: Planner, node: Comprehension) -> Step:
    return Fold(
        node.id,
        (node.iter_var, node.iter_var2, node.accu_var),
        planner.plan(node.iter_range),
        planner.plan(node.accu_init),
        planner.plan(node.loop_condition),
        planner.plan(node.loop_step),
        planner.plan(node.result),
    )


_RULES: dict[type, Callable[..., Step]] = {
    Literal: _literal,
    Ident: _variable,
    Select: _select,
    Call: _call,
    ListExpr: _list,
    MapExpr: _map,
    StructExpr: _struct,
    Comprehension: _comprehension,
}

_SPECIAL: dict[str, Callable[[Planner, Call, Sequence[Step]], Step]] = {
    "_&&_": _logic,
    "_||_": _logic,
    "_==_": _equality,
    "_!=_": _equality,
    "_?_:_": _conditional,
    "_[_]": _index,
    "_[?_]": _index,
    "_?._": _index,
    "or": _optional_or,
    "orValue": _optional_or,
    "@not_strictly_false": _go_on,
}


def compile_program(checked: Checked, folded: Mapping[int, Value]) -> Program:
    """Make the program of a checked expression.

    Args:
        checked: what the checker gives.
        folded: what ``folding.fold`` gives.
    """
    with room_for_depth():
        return Program(Planner(checked, folded).plan(checked.ast.root))
