"""How the allocator asks for CEL answers, without knowing CEL: the caller hands in a :class:`Selectors`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, Protocol

    from dralign.model.device import Attribute, Device

    class Selectors(Protocol):
        """Compiles expressions. Answers depend on the device's content only."""

        def selector(self, expression: str) -> Callable[[Device], bool]:
            """Compile a selector. It and its answers raise SelectorError."""

        def derived(self, expression: str) -> Callable[[Device], Attribute]:
            """Compile a derived attribute (KEP-6080). It and its values raise SelectorError."""


class SelectorError(Exception):
    """An expression that does not compile, or fails on a device. The text is the reason alone."""

    def __init__(self, stage: Literal["compile", "runtime"], message: str) -> None:
        super().__init__(message)
        self.stage: Literal["compile", "runtime"] = stage
