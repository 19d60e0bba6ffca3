"""Quick answers for many devices: a plain selector becomes a Python function once a few devices have been asked about."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from dralign.cel.ast import Expr
    from dralign.model.device import Device

    Answer = Callable[[Device], bool | None]

_UNSEEN = "not looked at yet"
_FEW = 64  # devices of a driver for which the exact evaluation is fast enough


def quick_answers(root: Expr, constants: Mapping[int, Any], problems: dict[Device, str | None], lists: bool) -> Answer:
    """Return a function that tells whether a device matches, or None where only the exact evaluation can tell.

    Args:
        root: a checked selector.
        constants: values of its nodes that are known already, by node id.
        problems: the ``conversion_problem`` of devices looked at before; more are noted there.
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
            functions[device.driver] = _function(root, constants, device.driver, problems, lists)
        return None

    return answer


def _function(
    root: Expr, constants: Mapping[int, Any], driver: str, problems: dict[Device, str | None], lists: bool
) -> Answer:
    from dralign.selector.plain import plain_answer  # noqa: PLC0415  only for many devices
    from dralign.selector.variable import conversion_problem  # noqa: PLC0415
    from dralign.selector.writing import Doubt, NotPlain  # noqa: PLC0415

    try:
        plain = plain_answer(root, constants, driver)
    except NotPlain:
        return lambda _: None

    def answer(device: Device) -> bool | None:
        problem = problems.get(device, _UNSEEN)
        if problem is _UNSEEN:
            problem = problems[device] = conversion_problem(device, lists)
        if problem is not None:
            return None
        try:
            return plain(device)
        except (Doubt, KeyError):
            return None

    return answer
