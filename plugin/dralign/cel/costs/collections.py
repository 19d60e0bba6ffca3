"""What calls of the sets and lists extensions of cel-go cost at most."""

from __future__ import annotations

from dralign.cel.costs.language import TRAVERSAL
from dralign.cel.costs.sizes import MOST, ONE, add, multiply, scale

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.costs.call import Estimate, Model, Operand, PricedCall
    from dralign.cel.costs.sizes import Range

_NEW_LIST: Range = (10, 10)


def _sets(call: PricedCall) -> Estimate:
    return add(multiply(call.args[0].size, call.args[1].size), ONE), None


def _sets_twice(call: PricedCall) -> Estimate:
    return add(scale(multiply(call.args[0].size, call.args[1].size), 2), ONE), None


def _new_list(size: Range, factor: float = 1) -> Estimate:
    return add(add(scale(size, factor), ONE), _NEW_LIST), size


def _list_slice(call: PricedCall) -> Estimate:
    start = _natural(call.args[0], 0)
    end = _natural(call.args[1], call.receiver.size[1])
    length = end - start & MOST
    return _new_list((length, length))


def _list_range(call: PricedCall) -> Estimate:
    length = _natural(call.args[0], MOST)
    return _new_list((length, length))


def _list_reverse(call: PricedCall) -> Estimate:
    return _new_list(call.receiver.size)


def _list_flatten(call: PricedCall) -> Estimate:
    depth = _natural(call.args[0], MOST) if call.args else 1
    return _new_list(call.receiver.size, float(depth))


def _list_distinct(call: PricedCall) -> Estimate:
    return _new_list(multiply(call.receiver.size, call.receiver.size), 2)


def _sort(call: PricedCall) -> Estimate:
    return _list_distinct(call)


def _sort_text(call: PricedCall) -> Estimate:
    return _new_list(multiply(call.receiver.size, call.receiver.size), 2 + TRAVERSAL)


def _sort_by(call: PricedCall) -> Estimate:
    return _new_list(multiply(call.args[0].size, call.args[0].size), 2)


def _sort_by_text(call: PricedCall) -> Estimate:
    return _new_list(multiply(call.args[0].size, call.args[0].size), 2 + TRAVERSAL)


def _natural(operand: Operand, otherwise: int) -> int:
    """Return the value of a literal int, negative ones as 0."""
    value = operand.literal
    return max(value, 0) if type(value) is int else otherwise


MODELS: dict[str, Model] = {
    "sets": _sets,
    "sets_twice": _sets_twice,
    "list_slice": _list_slice,
    "list_range": _list_range,
    "list_reverse": _list_reverse,
    "list_flatten": _list_flatten,
    "list_flatten_026": _list_flatten,
    "list_distinct": _list_distinct,
    "sort": _sort,
    "sort_text": _sort_text,
    "sort_by": _sort_by,
    "sort_by_text": _sort_by_text,
}
"""Cost model -> estimate of the call alone."""
