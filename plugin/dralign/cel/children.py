"""What stands directly below each node of an expression."""

from __future__ import annotations

from dralign.cel.ast import Call, Comprehension, ListExpr, MapExpr, Select, StructExpr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dralign.cel.ast import Expr


def children(node: Expr) -> Sequence[Expr]:
    """Return the nodes directly below a node; those of a comprehension in the order in which cel-go keeps them."""
    read = _CHILDREN.get(type(node))
    return () if read is None else read(node)


def _of_call(node: Call) -> Sequence[Expr]:
    return node.args if node.target is None else [node.target, *node.args]


def _of_map(node: MapExpr) -> Sequence[Expr]:
    return [part for entry in node.entries for part in (entry.key, entry.value)]


def _of_comprehension(node: Comprehension) -> Sequence[Expr]:
    return (node.iter_range, node.accu_init, node.loop_condition, node.loop_step, node.result)


_CHILDREN: dict[type, Callable[..., Sequence[Expr]]] = {
    Call: _of_call,
    Select: lambda node: (node.operand,),
    ListExpr: lambda node: node.elements,
    MapExpr: _of_map,
    StructExpr: lambda node: [field.value for field in node.fields],
    Comprehension: _of_comprehension,
}
