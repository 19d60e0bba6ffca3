"""Walks a checked expression and adds up the least and the most it can cost: cel-go's ``checker/cost.go``.

Sizes come from literals, from what is known of the variables (``Environment.shapes``), from results of calls; where
nothing is known, a size is anything up to 2**64-1, and so is what depends on it.
"""

from __future__ import annotations

from dralign.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, MapExpr, Select, StructExpr
from dralign.cel.costs.call import PricedCall
from dralign.cel.costs.known import Known
from dralign.cel.costs.models import ESTIMATES, WHOLE
from dralign.cel.costs.sizes import MOST, ONE, add, multiply, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.ast import Expr
    from dralign.cel.checking.checker import Checked
    from dralign.cel.costs.sizes import Range
    from dralign.cel.library.row import Row

_NOTHING: Range = (0, 0)
_CREATE_LIST: Range = (10, 10)
_CREATE_MAP: Range = (30, 30)
_CREATE_STRUCT: Range = (40, 40)
_STEP_OF_INDEX = {"index_list": "@items", "index_map": "@values"}
_JOINING = ("add_string", "add_bytes", "add_list", "conditional")


def estimate(checked: Checked) -> Range:
    """Return the least and the most that one evaluation of an expression costs, in CEL's units."""
    return _Estimator(checked).cost(checked.ast.root)


class _Estimator:
    """One walk over one expression."""

    __slots__ = ("env", "known", "references", "types")

    def __init__(self, checked: Checked) -> None:
        self.types = checked.types
        self.references = checked.references
        self.env = checked.env
        self.known = Known(checked)

    def cost(self, node: Expr) -> Range:
        """Return the cost of a node and all below it."""
        return _RULES[type(node)](self, node)


def _literal(_: _Estimator, __: Literal) -> Range:
    return _NOTHING


def _ident(estimator: _Estimator, node: Ident) -> Range:
    estimator.known.keep_name(node, node.name)
    return ONE


def _select(estimator: _Estimator, node: Select) -> Range:
    reference = estimator.references.get(node.id)
    if reference is not None:
        estimator.known.keep_name(node, reference.name)
        return ONE
    total = estimator.cost(node.operand)
    if node.test_only:
        return total  # Kubernetes has has() cost nothing beside its operand
    if estimator.types[node.operand.id].kind in ("map", "struct", "param"):
        total = add(total, ONE)
    estimator.known.keep_step(node, node.operand, node.field)
    return total


def _call(estimator: _Estimator, node: Call) -> Range:
    if node.function == "dyn":
        total = add(ONE, estimator.cost(node.args[0]))
        estimator.known.copy_sizes(node, node.args[0])
        return total
    arg_costs = []
    args = []
    for arg in node.args:
        arg_costs.append(estimator.cost(arg))
        args.append(estimator.known.operand(arg))
    total, target = _NOTHING, None
    if node.target is not None:
        total = estimator.cost(node.target)
        target = estimator.known.operand(node.target)
    call = PricedCall(target, args, arg_costs, estimator.env.shapes)
    return add(total, _overloads(estimator, node, call))


def _overloads(estimator: _Estimator, node: Call, call: PricedCall) -> Range:
    """Return a range that holds the costs of all overloads; keep path and size of the result."""
    known = estimator.known
    total: Range = (MOST, 0)
    size: Range | None = None
    for overload in estimator.references[node.id].overloads:
        cost, result = _overload(estimator, node, call, estimator.env.overload(overload))
        total = union(total, cost)
        if result is not None:
            size = result if size is None else union(size, result)
        step = _STEP_OF_INDEX.get(overload)
        if step is not None:
            entry = known.entry(node.args[0])
            size = None if entry is None else entry[2]
            known.keep_step(node, node.args[0], step)
        if size is None:
            size = known.size(node)
    known.keep_size(node, size)
    return total


def _overload(estimator: _Estimator, node: Call, call: PricedCall, row: Row) -> tuple[Range, Range | None]:
    if row.id in _JOINING:
        estimator.known.join_entries(node, node.args[-2], node.args[-1])
    whole = WHOLE.get(row.cost)
    if whole is not None:
        return whole(call)
    cost, size = ESTIMATES[row.cost](call)
    for arg in call.arg_costs:
        cost = add(cost, arg)
    return cost, size


def _list(estimator: _Estimator, node: ListExpr) -> Range:
    total = _CREATE_LIST
    values: Range = (MOST if node.elements else 0, 0)
    for element in node.elements:
        total = add(total, estimator.cost(element))
        values = union(values, estimator.known.size_or_unknown(element))
    estimator.known.keep_entry(node, ("list", ONE, values))
    return total


def _map(estimator: _Estimator, node: MapExpr) -> Range:
    total = _CREATE_MAP
    keys = values = (MOST if node.entries else 0, 0)
    for entry in node.entries:
        total = add(add(total, estimator.cost(entry.key)), estimator.cost(entry.value))
        keys = union(keys, estimator.known.size_or_unknown(entry.key))
        values = union(values, estimator.known.size_or_unknown(entry.value))
    estimator.known.keep_entry(node, ("map", keys, values))
    return total


def _struct(estimator: _Estimator, node: StructExpr) -> Range:
    total = _CREATE_STRUCT
    for field in node.fields:
        total = add(total, estimator.cost(field.value))
    return total


def _comprehension(estimator: _Estimator, node: Comprehension) -> Range:
    if _is_bind(node):
        return _bind(estimator, node)
    known = estimator.known
    total = add(estimator.cost(node.iter_range), estimator.cost(node.accu_init))
    known.bind(node.accu_var, node.accu_init)
    known.enter_loop(node)
    turn = add(estimator.cost(node.loop_condition), estimator.cost(node.loop_step))
    known.leave_loop(node)
    total = add(total, estimator.cost(node.result))
    known.drop(node.accu_var)
    turns = known.size_or_unknown(node.iter_range)
    if isinstance(node.accu_init, Literal):
        known.keep_size(node, known.size(node.accu_init))
    elif isinstance(node.accu_init, (ListExpr, MapExpr)):
        known.keep_size(node, turns)
        known.keep_entry(node, known.entry(node.loop_step))
    return add(total, multiply(turns, turn))


def _bind(estimator: _Estimator, node: Comprehension) -> Range:
    total = add(estimator.cost(node.iter_range), estimator.cost(node.accu_init))
    estimator.known.bind(node.accu_var, node.accu_init)
    total = add(total, estimator.cost(node.result))
    estimator.known.drop(node.accu_var)
    estimator.known.copy_sizes(node, node.result)
    return total


def _is_bind(node: Comprehension) -> bool:
    """Say whether a comprehension only gives a name to a value, as ``cel.bind`` does."""
    return (
        isinstance(node.iter_range, ListExpr)
        and not node.iter_range.elements
        and isinstance(node.loop_condition, Literal)
        and node.loop_condition.value is False
        and node.accu_var != "__result__"
    )


_RULES: dict[type, Callable[..., Range]] = {
    Literal: _literal,
    Ident: _ident,
    Select: _select,
    Call: _call,
    ListExpr: _list,
    MapExpr: _map,
    StructExpr: _struct,
    Comprehension: _comprehension,
}
