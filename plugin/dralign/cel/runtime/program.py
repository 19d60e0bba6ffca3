"""A compiled expression that can be evaluated."""

from __future__ import annotations

from dralign.cel.depth import room_for_depth
from dralign.cel.runtime.scopes import Scope
from dralign.cel.runtime.tracker import Tracker
from dralign.cel.values import CelError, Stop
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.cel.runtime.steps import Step
    from dralign.cel.values import Value


class Outcome(Record):
    """What an evaluation gave.

    Args:
        value: the value, None after an error.
        error: the error's text in cel-go's words, None where there is a value.
        cost: the run-time cost in CEL's units.
    """

    value: Value
    error: str | None
    cost: int


class Program:
    """An expression ready to be evaluated, as often as one likes."""

    __slots__ = ("root",)

    def __init__(self, root: Step) -> None:
        self.root = root

    def evaluate(self, variables: Mapping[str, Value], limit: int) -> Outcome:
        """Evaluate as cel-go does; cost above the limit is an error."""
        tracker = Tracker(limit)
        try:
            with room_for_depth():
                value = self.root.run(Scope(variables, tracker))
        except Stop as stop:
            return Outcome(None, str(stop), tracker.cost)
        if isinstance(value, CelError):
            return Outcome(None, value.message, tracker.cost)
        return Outcome(value, None, tracker.cost)
