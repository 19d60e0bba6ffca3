"""Puts into words what a request lost: how many devices, to what, with the values."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.model.verdict import Removed, RequestRefusal

MOST_TOLD = 4
"""Losses of one request that a sentence names."""

_OUTSIDE = ("driver", "class selector")
_TOO_FEW = ": too few such devices for "
_HAS_NO = "it has no "

_WORDS = {
    "request selector": "{n} not selected by {detail}",
    "in use": "{n} in use by other claims",
    "taint": "{n} tainted with {detail}",
    "capacity": "{n} without the capacity ({detail})",
    "counter": "{n} blocked: {detail}",
    "pool": "{detail}",
}
_OTHERWISE = "{n}: {detail}"


def losses(request: RequestRefusal) -> tuple[Removed, ...]:
    """Return what took devices of the request's class from it."""
    return tuple(item for item in request.removed if item.test not in _OUTSIDE)


def of_class(request: RequestRefusal) -> int:
    """Return how many devices of the request's class the node has."""
    return request.seen - sum(len(item.devices) for item in request.removed if item.test in _OUTSIDE)


def follows_from_others(item: Removed) -> bool:
    """Say whether a loss only tells that another request has no devices to match."""
    return item.test == "constraint" and _TOO_FEW in item.detail


def request_words(request: RequestRefusal) -> str:
    """Say what a request lacks: ``nic needs 1, 0 of 2 devices do: 2 have no resource.kubernetes.io/numaNode``."""
    count = of_class(request)
    if not count:
        return f"{request.request} needs {request.needed}, there is no device of its class"
    lost = losses(request)
    more = len(lost) - MOST_TOLD
    words = ", ".join([*map(_loss_words, lost[:MOST_TOLD]), *([f"and {more} more kinds"] if more > 0 else [])])
    lack = f"{request.request} needs {request.needed}, {request.left} of {count} devices do"
    return f"{lack}: {words}" if words else lack


def _loss_words(item: Removed) -> str:
    number, detail = len(item.devices), item.detail
    has = "has" if number == 1 else "have"
    if item.test == "constraint" and detail.startswith(_HAS_NO):
        return f"{number} {has} no {detail.removeprefix(_HAS_NO)}"
    if follows_from_others(item):
        value, _, others = detail.partition(_TOO_FEW)
        return f"{number} {has} {value}, of which {others} has too few"
    return _WORDS.get(item.test, _OTHERWISE).format(n=number, detail=detail)
