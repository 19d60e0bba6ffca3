"""The selectors of a release, as the allocator asks for them."""

from __future__ import annotations

from dralign.selector import RELEASES, compile_selector
from dralign.sim.evaluation import SelectorError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from dralign.model.device import Attribute, Device


class ReleaseSelectors:
    """Compiles expressions as the scheduler of ``release`` (``"1.37"``) does with the gates in ``features`` on.

    Releases before the first that is known are judged by that one.
    """

    __slots__ = ("_features", "_release")

    def __init__(self, release: str, features: frozenset[str]) -> None:
        self._release = max(release, RELEASES[0])
        self._features = features

    def selector(self, expression: str) -> Callable[[Device], bool]:
        """Compile a selector. It and its answers raise SelectorError."""
        return self._compiled(expression, derived=False)

    def derived(self, expression: str) -> Callable[[Device], Attribute]:
        """Compile a derived attribute. It and its values raise SelectorError."""
        return self._compiled(expression, derived=True)

    def _compiled(self, expression: str, *, derived: bool) -> Callable[[Device], Any]:
        compiled = compile_selector(expression, self._release, self._features, stored=True, derived=derived)
        if compiled.error is not None:
            raise SelectorError("compile", compiled.error)

        quick = None if derived else compiled.quick

        def answer(device: Device) -> Any:
            matches = None if quick is None else quick(device)
            if matches is not None:
                return matches
            evaluation = compiled.evaluate(device)
            if evaluation.error is not None:
                raise SelectorError("runtime", evaluation.error)
            return evaluation.value

        return answer
