"""What calls cost at run time: the models that the rows of ``cel.library`` name in their column ``cost``.

Sources: cel-go interpreter/runtimecost.go, ext/lists.go, ext/sets.go; k8s.io/apiserver/pkg/cel/library/cost.go (CallCost).
"""

from __future__ import annotations

from math import ceil

from dralign.cel.values import LISTS, MISSING, Map, Optional, Stop, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dralign.cel.values import Value

    Charge = Callable[[Sequence[Value], Value], int]

_TRAVERSAL = 0.1
_REGEX = 0.25
_LIST_COST = 10
_REQUIREMENT = 50
_SIZED = frozenset({str, bytes, Map, *LISTS})


def size(value: Value) -> int:
    """Return the number of characters, bytes, elements or entries; 1 for what has none."""
    if type(value) in _SIZED:
        return len(value)
    return getattr(value, "cel_size", 1)


def unwrapped_size(value: Value) -> int:
    """Return the size, looking into optionals: what the language's own operations go by."""
    while type(value) is Optional and value.value is not MISSING:
        value = value.value
    return size(value)


def equality(args: Sequence[Value], result: Value) -> int:
    """``==``: by the smaller side; 1 for Kubernetes' own types."""
    if type_name_of_kubernetes(args[0]):
        return 1
    return inequality(args, result)


def inequality(args: Sequence[Value], _: Value) -> int:
    """``!=`` and comparisons of texts: by the smaller side."""
    return ceil(min(unwrapped_size(args[0]), unwrapped_size(args[1])) * _TRAVERSAL)


def type_name_of_kubernetes(value: Value) -> bool:
    """Tell whether a value is a quantity, version, address, URL or format."""
    return hasattr(value, "cel_equal") or type_name(value).startswith("kubernetes.")


def one(_: Sequence[Value], __: Value) -> int:
    """Charge what most calls cost."""
    return 1


def _first(args: Sequence[Value], _: Value) -> int:
    return ceil(size(args[0]) * _TRAVERSAL)


def _first_unwrapped(args: Sequence[Value], _: Value) -> int:
    return ceil(unwrapped_size(args[0]) * _TRAVERSAL)


def _second_unwrapped(args: Sequence[Value], _: Value) -> int:
    return ceil(unwrapped_size(args[1]) * _TRAVERSAL)


def _first_twice(args: Sequence[Value], _: Value) -> int:
    return ceil(size(args[0]) * 2 * _TRAVERSAL)


def _result_twice(_: Sequence[Value], result: Value) -> int:
    return ceil(size(result) * 2 * _TRAVERSAL)


def _check(_: Sequence[Value], __: Value) -> int:
    """Charge for asking the authorizer: two such calls may stand in an expression of the API server."""
    return 350_000


def _selector(args: Sequence[Value], _: Value) -> int:
    """Charge for reading a label selector: a requirement per two characters."""
    length = size(args[1])
    return _LIST_COST + ceil(length * _TRAVERSAL) + ceil(length * 0.5) * _REQUIREMENT


def _concat(args: Sequence[Value], _: Value) -> int:
    return ceil((unwrapped_size(args[0]) + unwrapped_size(args[1])) * _TRAVERSAL)


def _contains(args: Sequence[Value], _: Value) -> int:
    return ceil(unwrapped_size(args[0]) * _TRAVERSAL) * ceil(unwrapped_size(args[1]) * _TRAVERSAL)


def _in_list(args: Sequence[Value], _: Value) -> int:
    return unwrapped_size(args[1])


def _matches(args: Sequence[Value], _: Value) -> int:
    return _pattern_cost(unwrapped_size(args[0]), unwrapped_size(args[1]))


def _find(args: Sequence[Value], _: Value) -> int:
    return _pattern_cost(size(args[0]), size(args[1]))


def _validate(args: Sequence[Value], _: Value) -> int:
    pattern_size = getattr(args[0], "pattern_size", None)
    return 1 if pattern_size is None else _pattern_cost(size(args[1]), pattern_size)


def _pattern_cost(text: int, pattern: int) -> int:
    return ceil((1.0 + text) * _TRAVERSAL) * ceil(pattern * _REGEX)


def _traversal(args: Sequence[Value], _: Value) -> int:
    return _walk(args[0])


def _walk(value: Value) -> int:
    if type(value) is str:
        return int(len(value.encode("utf-8", "surrogatepass")) * _TRAVERSAL)
    if type(value) is bytes:
        return int(len(value) * _TRAVERSAL)
    if type(value) in LISTS:
        return sum(_walk(element) for element in value)
    if type(value) is Map:
        return sum(_walk(key) + _walk(value.get(key)) for key in value)
    return 1


def _contains_ip(args: Sequence[Value], _: Value) -> int:
    return ceil(2 * size(args[0]) * _TRAVERSAL)


def _contains_cidr(args: Sequence[Value], _: Value) -> int:
    return ceil(2 * size(args[0]) * _TRAVERSAL) + ceil(size(args[0]) * _TRAVERSAL) + 1


def _and_text(charge: Charge) -> Charge:
    """Add the reading of the second argument."""
    return lambda args, result: charge(args, result) + ceil(size(args[1]) * _TRAVERSAL)


def _sets(factor: float) -> Charge:
    return lambda args, _: 1 + int(size(args[0]) * size(args[1]) * factor)


def _new_list(_: Sequence[Value], result: Value) -> int:
    return size(result) + 1 + _LIST_COST


def _flatten(args: Sequence[Value], _: Value) -> int:
    depth = _depth(args)
    return _go_uint64(size(args[0]) * (1.0 if depth < 0 else depth)) + 1 + _LIST_COST


def _flatten_026(args: Sequence[Value], _: Value) -> int:
    """Charge less than nothing for a negative depth, which mostly ends at the limit, since Go's cost is unsigned."""
    return _go_uint64(size(args[0]) * _depth(args)) + 1 + _LIST_COST


def _go_uint64(number: float) -> int:
    """Convert as Go does on amd64, which makes 2**63 of all that is too large or too small."""
    return int(number) if -(1 << 63) <= number < 1 << 64 else 1 << 63


def _depth(args: Sequence[Value]) -> float:
    if len(args) < 2:
        return 1.0
    if type(args[1]) is not int:
        raise _interface_panic()
    return float(args[1])


def _compare_all(args: Sequence[Value], _: Value) -> int:
    return _self_compare(args[0])


def _compare_keys(args: Sequence[Value], _: Value) -> int:
    return _self_compare(args[1])


def _self_compare(elements: Value) -> int:
    """Charge for comparing all elements of a list with each other, texts a tenth more."""
    if type(elements) not in LISTS:
        raise _interface_panic()
    factor = 2.0
    if elements and type(elements[0]) in (str, bytes):
        factor += _TRAVERSAL
    return int(len(elements) ** 2 * factor) + 1 + _LIST_COST


def _interface_panic() -> Stop:
    """Make what becomes of an argument that is an error: the real code panics while it counts."""
    return Stop("internal error: interface conversion: the argument is no list")


BY_OVERLOAD: dict[str, Charge] = {
    "bytes_to_string": _first_unwrapped,
    "compare": inequality,
    "concat": _concat,
    "contains": _contains,
    "format": _first_unwrapped,
    "in_list": _in_list,
    "list_distinct": _compare_all,
    "list_flatten": _flatten,
    "list_flatten_026": _flatten_026,
    "list_range": _new_list,
    "list_reverse": _new_list,
    "list_slice": _new_list,
    "matches": _matches,
    "matches_function": _matches,
    "prefix": _second_unwrapped,
    "prefix_by_text": _first_unwrapped,
    "quote": _first_unwrapped,
    "sets": _sets(1),
    "sets_twice": _sets(2),
    "sort": _compare_all,
    "sort_by": _compare_keys,
    "sort_by_text": _compare_keys,
    "sort_text": _compare_all,
    "string_to_bytes": _first_unwrapped,
}
"""Models that count only where the checker has left a single overload; else a call costs 1."""

BY_FUNCTION: dict[str, Charge] = {
    "aggregate": _traversal,
    "check": _check,
    "contains_cidr": _contains_cidr,
    "contains_cidr_text": _and_text(_contains_cidr),
    "contains_ip": _contains_ip,
    "contains_ip_text": _and_text(_contains_ip),
    "find": _find,
    "includes": _traversal,
    "join": _result_twice,
    "parse": _first,
    "parse_twice": _first_twice,
    "replace": _first_twice,
    "selector": _selector,
    "split": _first_twice,
    "transform": _first,
    "url": _first,
    "validate": _validate,
}
"""Models that go by the function's name, whatever overloads are left."""

_WITHOUT_TEXT = {"contains_ip_text": "contains_ip", "contains_cidr_text": "contains_cidr"}


def charge_of(models: Sequence[str]) -> Charge:
    """Return what a call costs whose candidate overloads have these models."""
    model = models[0]
    if len(models) > 1:
        return BY_FUNCTION.get(_WITHOUT_TEXT.get(model, model), one)
    return BY_OVERLOAD.get(model) or BY_FUNCTION.get(model, one)
