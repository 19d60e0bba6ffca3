"""What calls of the API server's functions cost at most: the figures of its ``library/cost.go``."""

from __future__ import annotations

import math

from dralign.cel.costs.language import TRAVERSAL, regex_cost
from dralign.cel.costs.sizes import MOST, ONE, add, multiply, scale

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.costs.call import Estimate, Model, Operand, PricedCall
    from dralign.cel.costs.sizes import Range

_NEW_LIST: Range = (10, 10)
_IP_BYTES: Range = (4, 16)
_REGEX_OF_A_FORMAT = 128 * 0.25
_AUTHORIZATION_CHECK: Range = (350_000, 350_000)  # two of them per expression
_REQUIREMENT = 50.0  # a list and a struct per requirement of a label or field selector, two characters at least
_INCLUDES_LIMIT_136 = 48


def _check(_: PricedCall) -> Estimate:
    return _AUTHORIZATION_CHECK, None


def _selector(call: PricedCall) -> Estimate:
    size = call.args[0].size
    requirements = scale(scale(size, 0.5), _REQUIREMENT)
    return add(add(_NEW_LIST, scale(size, TRAVERSAL)), requirements), None


def _aggregate(call: PricedCall) -> Estimate:
    """Return the cost of one walk through a list, or through the text that ``indexOf`` searches."""
    element = call.element(call.receiver)
    if element is None:
        return scale(call.receiver.size, TRAVERSAL), None
    return multiply(call.receiver.size, _per_element(element)), None


def _includes(call: PricedCall) -> Estimate:
    element = call.element(call.receiver)
    return multiply(call.receiver.size, ONE if element is None else _per_element(element)), None


def _per_element(element: Operand) -> Range:
    return add(ONE, scale(element.size, TRAVERSAL)) if element.type.kind in ("string", "bytes") else ONE


def _includes_48(_: PricedCall) -> Estimate:
    return (0, _INCLUDES_LIMIT_136), None


def _parse(call: PricedCall) -> Estimate:
    return scale(call.args[0].size, TRAVERSAL), None


def _parse_twice(call: PricedCall) -> Estimate:
    return scale(call.args[0].size, 2 * TRAVERSAL), None


def _url(call: PricedCall) -> Estimate:
    return scale(call.args[0].size, TRAVERSAL), call.args[0].size


def _transform(call: PricedCall) -> Estimate:
    return scale(call.receiver.size, TRAVERSAL), call.receiver.size


def _replace(call: PricedCall) -> Estimate:
    text, old, new = call.receiver.size, call.args[0].size, call.args[1].size
    if old[0] == 0:
        # An empty text to replace puts the replacement around every character.
        most, most_kept = min(text[1] + 1, MOST), text[1]
    elif new[1] <= old[0]:
        most, most_kept = 0, text[1]
    else:
        most, most_kept = math.ceil(text[1] / old[0]), 0
    if old[1] == 0:
        least, least_kept = min(text[0] + 1, MOST), text[0]
    elif old[1] <= new[0]:
        least, least_kept = 0, text[0]
    else:
        least, least_kept = math.ceil(text[0] / old[1]), 0
    size = add(multiply((least, most), new), (least_kept, most_kept))
    return scale(text, 2 * TRAVERSAL), size


def _split(call: PricedCall) -> Estimate:
    size = call.receiver.size
    most = size[1]
    if len(call.args) > 1:
        limit = call.args[1].literal
        if type(limit) is int:
            most = limit & MOST
    return scale(size, 2 * TRAVERSAL), (0, most)


def _join(call: PricedCall) -> Estimate:
    count = call.receiver.size
    element = call.element(call.receiver)
    size = (0, 0) if element is None else multiply(count, element.size)
    if call.args:
        gaps = (max(count[0] - 1, 0), max(count[1] - 1, 0))
        size = add(size, multiply(call.args[0].size, gaps))
    return scale(size, TRAVERSAL), size


def _find(call: PricedCall) -> Estimate:
    return regex_cost(call.receiver.size, call.args[0].size), (0, call.receiver.size[1])


def _contains_ip(_: PricedCall) -> Estimate:
    return scale(add(_IP_BYTES, _IP_BYTES), TRAVERSAL), None


def _contains_ip_text(call: PricedCall) -> Estimate:
    return add(_contains_ip(call)[0], scale(call.args[0].size, TRAVERSAL)), None


def _contains_cidr(call: PricedCall) -> Estimate:
    return add(add(_contains_ip(call)[0], scale(_IP_BYTES, TRAVERSAL)), ONE), None


def _contains_cidr_text(call: PricedCall) -> Estimate:
    return add(_contains_cidr(call)[0], scale(call.args[0].size, TRAVERSAL)), None


def _validate(call: PricedCall) -> Estimate:
    return scale(scale(call.args[0].size, TRAVERSAL), _REGEX_OF_A_FORMAT), None


MODELS: dict[str, Model] = {
    "check": _check,
    "selector": _selector,
    "aggregate": _aggregate,
    "includes": _includes,
    "includes_48": _includes_48,
    "parse": _parse,
    "parse_twice": _parse_twice,
    "url": _url,
    "transform": _transform,
    "replace": _replace,
    "split": _split,
    "join": _join,
    "find": _find,
    "contains_ip": _contains_ip,
    "contains_ip_text": _contains_ip_text,
    "contains_cidr": _contains_cidr,
    "contains_cidr_text": _contains_cidr_text,
    "validate": _validate,
}
"""Cost model -> estimate of the call alone."""
