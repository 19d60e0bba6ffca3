"""The selectors that decide whether a device may serve a request: those of its class, then its own.

Source: selectorsMatch and isSelectable in k8s.io/dynamic-resource-allocation/structured. The first selector that is
false ends the chain; an error aborts the whole scheduling attempt of the pod.
"""

from __future__ import annotations

from dralign.selector.compiled import Evaluation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.model.device import Device
    from dralign.selector.compiled import Compiled

_NAMES_DEVICE_MINOR = 37  # from 1.37 on, errors name the device and give a hint
_MISSING_KEY = "no such key:"
_HINT = (
    ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional"
    " fields"
)


class Chain:
    """Class selectors and request selectors, in the order in which the scheduler asks them.

    Args:
        class_name: name of the device class.
        class_selectors: its selectors, compiled as stored expressions.
        claim: namespace and name of the claim, ``team/train``.
        request_selectors: the selectors of the request, likewise.
    """

    __slots__ = ("_links",)

    def __init__(
        self,
        class_name: str,
        class_selectors: Sequence[Compiled],
        claim: str,
        request_selectors: Sequence[Compiled],
    ) -> None:
        self._links = [
            (f"{owner}: selector #{index}", compiled)
            for owner, selectors in ((f"class {class_name}", class_selectors), (f"claim {claim}", request_selectors))
            for index, compiled in enumerate(selectors)
        ]

    def evaluate(self, device: Device) -> Evaluation:
        """Return whether all selectors match, or the error in the scheduler's words; cost is that of all asked."""
        cost = 0
        for place, compiled in self._links:
            if compiled.error is not None:
                return Evaluation(None, f"{place}: CEL compile error: {compiled.error}", cost)
            evaluation = compiled.evaluate(device)
            cost += evaluation.cost or 0
            if evaluation.error is not None:
                return Evaluation(None, _runtime_error(place, compiled, device, evaluation.error), cost)
            if not evaluation.value:
                return Evaluation(False, None, cost)
        return Evaluation(True, None, cost)


def _runtime_error(place: str, compiled: Compiled, device: Device, error: str) -> str:
    if compiled.setting.minor < _NAMES_DEVICE_MINOR:
        return f"{place}: CEL runtime error: {error}"
    hint = _HINT if _MISSING_KEY in error else ""
    return f"{place} on device {device.identity}: CEL runtime error: {error}{hint}"
