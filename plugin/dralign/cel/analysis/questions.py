"""Reads simple questions about one attribute: comparisons with constants, presence, membership."""

from __future__ import annotations

from dralign.cel.analysis.domains import ABSENT, PRESENT, Bound, Domain, Values
from dralign.cel.analysis.paths import key_of, optional_value_of, path_of, value_of, values_of
from dralign.cel.ast import Call, Literal, Select
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.analysis.domains import Value
    from dralign.cel.analysis.paths import Key, Path, Variables
    from dralign.cel.ast import Expr

_MIRRORED = {"_<_": "_>_", "_<=_": "_>=_", "_>_": "_<_", "_>=_": "_<=_", "_==_": "_==_", "_!=_": "_!=_"}
_ORDERS: dict[str, Callable[[int], bool]] = {
    "_<_": lambda order: order < 0,
    "_<=_": lambda order: order <= 0,
    "_>_": lambda order: order > 0,
    "_>=_": lambda order: order >= 0,
    "_==_": lambda order: order == 0,
    "_!=_": lambda order: order != 0,
}
_ALL_ORDERS = (-1, 0, 1)


class Question(Record):
    """A simple question about one attribute: what its answers say, and whether a missing attribute is an error."""

    key: Key
    if_true: Domain
    if_false: Domain
    strict: bool

    def negated(self) -> Question:
        """Return the opposite question."""
        return Question(self.key, self.if_false, self.if_true, self.strict)


def question_of(expr: Expr, variables: Variables) -> Question | None:
    """Read a simple question about one attribute, or None."""
    if isinstance(expr, Select) and expr.test_only:
        return _presence(path_of(Select(expr.id, expr.offset, expr.operand, expr.field), variables))
    path = path_of(expr, variables)
    if path is not None:
        return _among(path, frozenset((("bool", True),)), frozenset((("bool", False),)))
    if not isinstance(expr, Call):
        return None
    if expr.target is not None:
        return _about_member(expr, expr.target, variables)
    return _about_operands(expr, variables) if len(expr.args) == 2 else None


def _about_operands(expr: Call, variables: Variables) -> Question | None:
    left, right = expr.args
    if expr.function == "@in":
        return _in(left, right, variables)
    if expr.function not in _ORDERS:
        return None
    return _compared(expr.function, left, right, variables) or _compared(
        _MIRRORED[expr.function], right, left, variables
    )


def _presence(path: Path | None) -> Question | None:
    key = key_of(path)
    return Question(key, PRESENT, ABSENT, strict=False) if path is not None and key is not None else None


def _in(left: Expr, right: Expr, variables: Variables) -> Question | None:
    """Read ``"name" in device.attributes["domain"]``, ``attribute in [literals]`` and ``literal in attribute``."""
    path = path_of(left, variables)
    values = values_of(right)
    if path is not None and values is not None:
        return _among(path, values)
    path, value = path_of(right, variables), value_of(left)
    if path is None or value is None or path.optional:
        return None
    if isinstance(left, Literal) and isinstance(left.value, str) and len(path.steps) == 2:
        return _presence(path.replace(steps=(*path.steps, left.value)))
    key = key_of(path)
    if key is None or not path.strict:
        return None
    is_list = frozenset(("list",))
    held = Values(kinds=is_list, holds=(frozenset((value,)),))
    return Question(key, Domain(False, held), Domain(False, Values(kinds=is_list)), strict=True)


def _among(path: Path, values: frozenset[Value], others: frozenset[Value] | None = None) -> Question | None:
    """Read "the attribute is one of these"; ``others`` are all values it can have otherwise, where that is known."""
    key = key_of(path)
    if key is None or path.optional:
        return None
    stands_in = path.default is not None
    inside, outside = Values(among=values).pruned(), Values(without=values)
    if others is not None:
        outside = Values(among=others)
    return Question(
        key,
        Domain(stands_in and path.default in values, inside),
        Domain(stands_in and path.default not in values, outside),
        strict=path.strict,
    )


def _compared(function: str, left: Expr, right: Expr, variables: Variables) -> Question | None:
    """Read a comparison of an attribute on the left with a constant on the right."""
    path = path_of(left, variables)
    if path is not None and path.optional:
        return _for_operator(function, _optional_equals(path, optional_value_of(right)))
    value = value_of(right)
    if value is None:
        return None
    if path is None:
        return _compare_to(function, left, value, variables)
    if function in ("_==_", "_!=_"):
        return _for_operator(function, _among(path, frozenset((value,))))
    return _ordered(path, value, tuple(order for order in _ALL_ORDERS if _ORDERS[function](order)), "number")


def _for_operator(function: str, equals: Question | None) -> Question | None:
    """Make of "is it equal" what ``==`` or ``!=`` asks; other operators ask nothing that is understood."""
    if equals is None or function == "_==_":
        return equals
    return equals.negated() if function == "_!=_" else None


def _optional_equals(path: Path, value: Value | None) -> Question | None:
    key = key_of(path)
    if key is None or value is None:
        return None
    if value[0] == "optional":
        return Question(key, ABSENT, PRESENT, strict=False)
    inside, outside = Values(among=frozenset((value,))), Values(without=frozenset((value,)))
    return Question(key, Domain(False, inside), Domain(True, outside), strict=False)


def _compare_to(function: str, left: Expr, number: Value, variables: Variables) -> Question | None:
    """Read ``attribute.compareTo(constant) >= 0`` and ``constant.compareTo(attribute) <= 0``."""
    if not (
        isinstance(left, Call) and left.function == "compareTo" and left.target is not None and len(left.args) == 1
    ):
        return None
    if number[0] != "number":
        return None
    orders = tuple(order for order in _ALL_ORDERS if _ORDERS[function]((order > number[1]) - (order < number[1])))
    path, value = path_of(left.target, variables), value_of(left.args[0])
    if path is None:
        path, value = path_of(left.args[0], variables), value_of(left.target)
        orders = tuple(-order for order in orders)
    return _ordered(path, value, orders) if path is not None and value is not None else None


def _about_member(expr: Call, target: Expr, variables: Variables) -> Question | None:
    path = path_of(target, variables)
    if path is None:
        return None
    if expr.function == "hasValue" and not expr.args:
        return _presence(path) if path.optional else None
    value = value_of(expr.args[0]) if len(expr.args) == 1 else None
    if value is None or path.optional:
        return None
    if expr.function in ("isGreaterThan", "isLessThan"):
        return _ordered(path, value, (1,) if expr.function == "isGreaterThan" else (-1,))
    key = key_of(path)
    if expr.function == "includes" and key is not None and path.strict:
        held = Values(holds=(frozenset((value,)),))
        return Question(key, Domain(False, held), Domain(False, Values(without=frozenset((value,)))), strict=True)
    return None


def _ordered(path: Path, value: Value, orders: tuple[int, ...], kind: str | None = None) -> Question | None:
    """Read a question whose answer is yes where the attribute compares with ``value`` as one of ``orders``."""
    key = key_of(path)
    if key is None or path.optional or (kind is not None and value[0] != kind):
        return None
    others = tuple(order for order in _ALL_ORDERS if order not in orders)
    default = path.default
    stands_in = None
    if default is not None:
        if default[0] != value[0]:
            return None
        stands_in = (default[1] > value[1]) - (default[1] < value[1])
    return Question(
        key,
        Domain(stands_in in orders, _range(value, orders)),
        Domain(stands_in in others, _range(value, others)),
        strict=path.strict,
    )


def _range(value: Value, orders: tuple[int, ...]) -> Values | None:
    """Return the values that compare with ``value`` in one of some ways."""
    kinds = frozenset((value[0],))
    if not orders:
        return None
    if orders == (0,):
        return Values(among=frozenset((value,)))
    if 0 not in orders and len(orders) == 2:
        return Values(kinds=kinds, without=frozenset((value,)))
    bound = Bound(value, 0 in orders)
    return Values(kinds=kinds, low=bound if -1 not in orders else None, high=bound if 1 not in orders else None)
