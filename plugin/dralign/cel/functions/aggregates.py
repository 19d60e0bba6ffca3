"""Kubernetes' functions on lists: ``sum``, ``min``, ``max``, ``isSorted``, ``indexOf``, ``lastIndexOf``.

Source: k8s.io/apiserver/pkg/cel/library/lists.go.
"""

from __future__ import annotations

from dralign.cel.functions.arithmetic import add
from dralign.cel.functions.equality import same
from dralign.cel.functions.ordering import COMPARABLE, compare
from dralign.cel.values import CelError, Duration, Uint, no_such_overload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value

_ADDABLE = (int, Uint, float, Duration)


def is_sorted(elements: Value) -> bool:
    """``isSorted()``; elements that cannot be compared with each other count as sorted."""
    for index, element in enumerate(elements):
        if type(element) not in COMPARABLE:
            raise no_such_overload(element)
        if index and _order(elements[index - 1], element) == 1:
            return False
    return True


def sum_int(elements: Value) -> Value:
    """``sum()`` that starts at 0."""
    return _sum(elements, 0)


def sum_uint(elements: Value) -> Value:
    """``sum()`` that starts at 0u."""
    return _sum(elements, Uint(0))


def sum_double(elements: Value) -> Value:
    """``sum()`` that starts at 0.0."""
    return _sum(elements, 0.0)


def sum_duration(elements: Value) -> Value:
    """``sum()`` that starts at 0s."""
    return _sum(elements, Duration(0))


def minimum(elements: Value) -> Value:
    """``min()``."""
    return _best(elements, "min", 1)


def maximum(elements: Value) -> Value:
    """``max()``."""
    return _best(elements, "max", -1)


def index_of(elements: Value, wanted: Value) -> int:
    """``indexOf(x)``, -1 if it is not there."""
    return next((i for i, element in enumerate(elements) if same(element, wanted) is True), -1)


def last_index_of(elements: Value, wanted: Value) -> int:
    """``lastIndexOf(x)``, -1 if it is not there."""
    return next((i for i in range(len(elements) - 1, -1, -1) if same(elements[i], wanted) is True), -1)


def _sum(elements: Value, start: Value) -> Value:
    total = start
    for element in elements:
        total = add(total, element)
    return total


def _best(elements: Value, name: str, worse: int) -> Value:
    best: Value = None
    for index, element in enumerate(elements):
        if type(element) not in COMPARABLE:
            raise no_such_overload(element)
        if index == 0 or _order(best, element) == worse:
            best = element
    if not elements:
        raise CelError(f"{name} called on empty list")
    return best


def _order(left: Value, right: Value) -> int | None:
    try:
        return compare(left, right)
    except CelError:
        return None
