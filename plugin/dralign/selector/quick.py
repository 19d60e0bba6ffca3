"""Quick answers for many devices: a plain selector becomes a Python function once a few devices have been asked about."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from dralign.cel.ast import Expr
    from dralign.model.device import Attribute, Device

    Problems = dict[tuple[tuple[str, Attribute], ...], str | None]
    """The ``conversion_problem`` of what is ``unplain`` of devices."""
    Answer = Callable[[Device], bool | None]

_UNSEEN = "not looked at yet"
_FEW = 64  # devices of a driver for which the exact evaluation is fast enough


def quick_answers(root: Expr, constants: Mapping[int, Any], problems: Problems, lists: bool) -> Answer:
    """Return a function that tells whether a device matches, or None where only the exact evaluation can tell.

    Args:
        root: a checked selector.
        constants: values of its nodes that are known already, by node id.
        problems: what was found before; more is noted there.
        lists: list attributes can be converted.
    """
    asked: dict[str, int] = {}
    functions: dict[str, Callable[[Device], bool]] = {}  # by driver
    from dralign.selector.writing import Doubt  # noqa: PLC0415  only for many devices

    def answer(device: Device) -> bool | None:
        plain = functions.get(device.driver)
        if plain is None:
            seen = asked[device.driver] = asked.get(device.driver, 0) + 1
            if seen > _FEW:
                functions[device.driver] = _function(root, constants, device.driver)
            return None
        problem = problems.get(device.unplain, _UNSEEN)
        if problem is _UNSEEN:
            problem = problems[device.unplain] = _problem(device, lists)
        if problem is not None:
            return None
        try:
            return plain(device)
        except (Doubt, KeyError):
            return None

    return answer


def _problem(device: Device, lists: bool) -> str | None:
    from dralign.selector.variable import conversion_problem  # noqa: PLC0415

    return conversion_problem(device.unplain, lists)


def _function(root: Expr, constants: Mapping[int, Any], driver: str) -> Callable[[Device], bool]:
    """Return a function that answers, or raises Doubt or KeyError."""
    from dralign.selector.plain import plain_answer  # noqa: PLC0415
    from dralign.selector.writing import Doubt, NotPlain  # noqa: PLC0415

    try:
        return plain_answer(root, constants, driver)
    except NotPlain:

        def undecided(_: Device) -> bool:
            raise Doubt

        return undecided
