"""Quick answers for many devices: a plain selector becomes a Python function once a few devices have been asked about."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from dralign.cel.ast import Expr
    from dralign.model.device import Device

    Answer = Callable[[Device], bool | None]

_FEW = 64  # devices of a driver for which the exact evaluation is fast enough

_ordinary: dict[bool, set[Device]] = {False: set(), True: set()}  # by whether lists are known


def quick_answers(root: Expr, constants: Mapping[int, Any], lists: bool) -> Answer:
    """Return a function that tells whether a device matches, or None where only the exact evaluation can tell.

    Args:
        root: a checked selector.
        constants: values of its nodes that are known already, by node id.
        lists: list attributes can be converted.
    """
    asked: dict[str, int] = {}
    functions: dict[str, Answer] = {}  # by driver

    def answer(device: Device) -> bool | None:
        function = functions.get(device.driver)
        if function is not None:
            return function(device)
        seen = asked[device.driver] = asked.get(device.driver, 0) + 1
        if seen > _FEW:
            functions[device.driver] = _function(root, constants, device.driver, lists)
        return None

    return answer


def _function(root: Expr, constants: Mapping[int, Any], driver: str, lists: bool) -> Answer:
    from dralign.selector.plain import plain_answer  # noqa: PLC0415  only for many devices
    from dralign.selector.writing import Doubt, NotPlain  # noqa: PLC0415

    try:
        plain = plain_answer(root, constants, driver)
    except NotPlain:
        return lambda _: None
    ordinary = _ordinary[lists]

    def answer(device: Device) -> bool | None:
        if device not in ordinary and not _becomes_ordinary(device, lists):
            return None
        try:
            return plain(device)
        except (Doubt, KeyError):
            return None

    return answer


def _becomes_ordinary(device: Device, lists: bool) -> bool:
    """Tell whether plain functions may be asked about a device, and remember it."""
    from dralign.selector.variable import conversion_problem  # noqa: PLC0415

    names = "\n".join(("", *device.attributes, *device.capacity))
    if f"\n{device.driver}/" in names:
        return False
    if conversion_problem(device, lists) is not None:
        return False
    _ordinary[lists].add(device)
    return True
