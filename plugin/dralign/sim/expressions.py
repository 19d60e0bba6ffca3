"""CEL expressions of classes and requests, compiled when they are first asked for."""

from __future__ import annotations

from dralign.sim.errors import AllocationError
from dralign.sim.evaluation import SelectorError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from dralign.model.device import Device
    from dralign.sim.evaluation import Selectors


class Expression:
    """One expression; knows how to word its errors. ``ask`` gives its answer for a device, or raises SelectorError."""

    __slots__ = ("_compiler", "_where", "ask", "kind", "text")

    def __init__(self, text: str, where: str, compiler: Callable[[str], Callable[[Device], Any]], kind: str) -> None:
        self.text = text
        self.kind = kind
        self._where = where
        self._compiler = compiler
        self.ask: Callable[[Device], Any] = self._ask_first

    def __call__(self, device: Device) -> Any:
        """Return the answer for a device. Raises AllocationError."""
        try:
            return self.ask(device)
        except SelectorError as error:
            raise self.worded(error, device) from None

    def worded(self, error: SelectorError, device: Device) -> AllocationError:
        """Return an error of this expression as the allocator reports it."""
        if self.kind == "derived":
            return AllocationError("derived", f"{self._where} on device {device.identity} failed: {error}")
        if error.stage == "compile":
            return AllocationError("cel-compile", f"{self._where}: CEL compile error: {error}")
        return AllocationError("cel-runtime", f"{self._where} on device {device.identity}: CEL runtime error: {error}")

    def _ask_first(self, device: Device) -> Any:
        """Compile it, once the first device is asked about."""
        self.ask = self._compiler(self.text)
        return self.ask(device)


def meets(device: Device, expressions: tuple[Expression, ...]) -> bool:
    """Say whether the device meets all selectors, asked in their order. Raises AllocationError."""
    for expression in expressions:
        try:
            if not expression.ask(device):
                return False
        except SelectorError as error:
            raise expression.worded(error, device) from None
    return True


class ClassSelection:
    """The selectors of a class. Many requests name it, so answers are kept."""

    __slots__ = ("_answers", "_expressions")

    def __init__(self, expressions: tuple[Expression, ...]) -> None:
        self._expressions = expressions
        self._answers: dict[Device, bool] = {}

    def __call__(self, device: Device) -> bool:
        """Say whether the device is of the class. Raises AllocationError."""
        answer = self._answers.get(device)
        if answer is None:
            answer = self._answers[device] = meets(device, self._expressions)
        return answer


def blind_to_sharing(selectors: Selectors) -> Callable[[str], Callable[[Device], bool]]:
    """Return a compiler of selectors that do not see whether a device can be shared."""

    def compiler(text: str) -> Callable[[Device], bool]:
        answer = selectors.selector(text)
        return lambda device: answer(device.seen_unshared())

    return compiler
