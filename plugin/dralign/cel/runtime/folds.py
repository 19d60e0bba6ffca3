"""The loop that macros become. Source: cel-go interpreter/interpretable.go (evalFold, folder)."""

from __future__ import annotations

from dralign.cel.runtime.scopes import Scope
from dralign.cel.values import LISTS, MISSING, Accumulator, CelError, Map, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.cel.runtime.steps import Step
    from dralign.cel.values import Value


class Fold:
    """A fold over a list or map.

    Args:
        node_id: id of the node.
        names: names of the loop variable, the second loop variable (None: there is none) and the accumulator.
        elements: what is looped over.
        start: first value of the accumulator, computed when it is first asked for.
        condition: whether to go on, asked before each step.
        step: next value of the accumulator.
        result: what the fold gives in the end.
    """

    __slots__ = ("condition", "elements", "id", "names", "result", "start", "step")

    def __init__(
        self,
        node_id: int,
        names: tuple[str, str | None, str],
        elements: Step,
        start: Step,
        condition: Step,
        step: Step,
        result: Step,
    ) -> None:
        self.id = node_id
        self.names = names
        self.elements = elements
        self.start = start
        self.condition = condition
        self.step = step
        self.result = result

    def run(self, scope: Scope) -> Value:
        """Fold; an error as range is the result."""
        result = self._fold(scope)
        scope.tracker.drop(self.elements.id)
        scope.tracker.push(self.id, result)
        return result

    def _fold(self, scope: Scope) -> Value:
        elements = self.elements.run(scope)
        if isinstance(elements, CelError):
            return elements
        if type(elements) not in LISTS and type(elements) is not Map:
            return CelError(self._wrong_range(elements))
        inner = FoldScope(scope, self)
        for inner.first, inner.second in self._pairs(elements):
            condition = self.condition.run(inner)
            if condition is False:
                break
            inner.accumulator = self.step.run(inner)
        inner.is_result = True
        result = self.result.run(inner)
        return list(result) if type(result) is Accumulator else result

    def _pairs(self, elements: Value) -> Iterator[tuple[Value, Value]]:
        if not self.names[1]:
            return ((element, MISSING) for element in elements)
        if type(elements) is Map:
            return ((key, elements.get(key)) for key in elements)
        return enumerate(elements)

    def _wrong_range(self, elements: Value) -> str:
        if self.names[1]:
            return f"unsupported comprehension range type: {type_name(elements)}"
        return f"got '{type_name(elements)}', expected iterable type"


class FoldScope(Scope):
    """The variables inside a fold. In its result, the loop variables are no longer seen."""

    __slots__ = ("accumulator", "first", "fold", "is_result", "outer", "second")

    def __init__(self, outer: Scope, fold: Fold) -> None:
        super().__init__({}, outer.tracker)
        self.outermost = outer.outermost
        self.outer = outer
        self.fold = fold
        self.accumulator: Value = MISSING
        self.first: Value = MISSING
        self.second: Value = MISSING
        self.is_result = False

    def lookup(self, name: str) -> Value:
        """Return the value of a variable of this fold or of a scope around it, or MISSING."""
        first, second, accumulator = self.fold.names
        if name == accumulator:
            if self.accumulator is MISSING:
                self.accumulator = self._start()
            return self.accumulator
        if not self.is_result:
            if name == first:
                return self.first
            if name == second:
                return self.second
        return self.outer.lookup(name)

    def _start(self) -> Value:
        """Compute the accumulator's first value; an empty list or map becomes one that grows in place."""
        value = self.fold.start.run(self.outer)
        if type(value) in LISTS and not value:
            return Accumulator()
        if type(value) is Map and not value:
            return Map({})
        return value
