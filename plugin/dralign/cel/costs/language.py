"""What calls of cel-go's own functions cost at most: the figures of its checker."""

from __future__ import annotations

from dralign.cel.costs.sizes import MOST, ONE, add, multiply, scale, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.costs.call import Estimate, Model, PricedCall
    from dralign.cel.costs.sizes import Range

TRAVERSAL = 0.1
"""Cost per character of a text that is walked through."""

_PER_REGEX_CHARACTER = 0.25  # an expression is taken to be four characters long
_LONGEST_FORMAT = 64


def _one(_: PricedCall) -> Estimate:
    return ONE, None


def _format(call: PricedCall) -> Estimate:
    return scale(call.receiver.size, TRAVERSAL), None


def _string_to_bytes(call: PricedCall) -> Estimate:
    low, high = call.args[0].size
    return scale((low, high), TRAVERSAL), (low, high * 4 & MOST)


def _bytes_to_string(call: PricedCall) -> Estimate:
    low, high = call.args[0].size
    return scale((low, high), TRAVERSAL), (low // 4, high)


def _quote(call: PricedCall) -> Estimate:
    low, high = call.args[0].size
    return scale((low, high), TRAVERSAL), (low + 2 & MOST, high * 2 + 2 & MOST)


def _prefix(call: PricedCall) -> Estimate:
    return scale(call.args[0].size, TRAVERSAL), None


def _in_list(call: PricedCall) -> Estimate:
    return scale(call.args[1].size, 1), None


def _matches(call: PricedCall) -> Estimate:
    return regex_cost(call.receiver.size, call.args[0].size), None


def _matches_function(call: PricedCall) -> Estimate:
    return regex_cost(call.args[0].size, call.args[1].size), None


def regex_cost(text: Range, pattern: Range) -> Range:
    """Return the cost of a match from the sizes of text and pattern; one is added so that an empty text costs, too."""
    return multiply(scale(add(text, ONE), TRAVERSAL), scale(pattern, _PER_REGEX_CHARACTER))


def _contains(call: PricedCall) -> Estimate:
    return multiply(scale(call.receiver.size, TRAVERSAL), scale(call.args[0].size, TRAVERSAL)), None


def _concat(call: PricedCall) -> Estimate:
    size = add(call.args[0].size, call.args[1].size)
    return scale(size, TRAVERSAL), size


def _concat_list(call: PricedCall) -> Estimate:
    return ONE, add(call.args[0].size, call.args[1].size)


def _compare(call: PricedCall) -> Estimate:
    smallest = min(call.args[0].size[1], call.args[1].size[1])
    return scale((1 if smallest > 0 else 0, smallest), TRAVERSAL), None


_CONSTANT_TIME_EQUALITY = ("kubernetes.Quantity", "kubernetes.Semver", "net.IP", "net.CIDR")


def _equals(call: PricedCall) -> Estimate:
    one, other = call.args[0].type, call.args[1].type
    if one.name != other.name or one.kind not in ("opaque", "struct"):
        return _compare(call)
    if one.name in _CONSTANT_TIME_EQUALITY or one.name.startswith("kubernetes.authorization."):
        return ONE, None
    if one.name == "kubernetes.NamedFormat":
        return scale((1, _LONGEST_FORMAT), TRAVERSAL), None
    if one.name == "kubernetes.URL":
        size = call.args[1].computed or ONE
        return scale((1, size[1]), TRAVERSAL), None
    return _compare(call)


def _logical(call: PricedCall) -> Estimate:
    left, right = call.arg_costs
    return (left[0], add(left, right)[1]), None


def _conditional(call: PricedCall) -> Estimate:
    condition, when_true, when_false = call.arg_costs
    size = union(call.args[1].size, call.args[2].size)
    return add(condition, union(when_true, when_false)), size


MODELS: dict[str, Model] = {
    "one": _one,
    "format": _format,
    "string_to_bytes": _string_to_bytes,
    "bytes_to_string": _bytes_to_string,
    "quote": _quote,
    "prefix": _prefix,
    "prefix_by_text": _prefix,
    "in_list": _in_list,
    "matches": _matches,
    "matches_function": _matches_function,
    "contains": _contains,
    "concat": _concat,
    "concat_list": _concat_list,
    "compare": _compare,
    "equals": _equals,
}
"""Cost model -> estimate of the call alone."""

WHOLE: dict[str, Model] = {"conditional": _conditional, "logical": _logical}
"""Cost model -> estimate with what counts of the operands: not all of them may be evaluated."""
