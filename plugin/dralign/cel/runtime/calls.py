"""Calls of functions, methods and operators. Source: cel-go interpreter/interpretable.go."""

from __future__ import annotations

from dralign.cel.functions.logic import not_strictly_false
from dralign.cel.values import CelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.cel.runtime.charges import Charge
    from dralign.cel.runtime.dispatch import Binding
    from dralign.cel.runtime.scopes import Scope
    from dralign.cel.runtime.steps import Step
    from dralign.cel.values import Value


class Call:
    """A call whose arguments must not be errors: the first error is the result.

    Args:
        node_id: id of the node.
        arguments: receiver first.
        binding: what is run.
        charge: what it costs.
    """

    __slots__ = ("arguments", "binding", "charge", "id")

    def __init__(self, node_id: int, arguments: Sequence[Step], binding: Binding, charge: Charge) -> None:
        self.id = node_id
        self.arguments = arguments
        self.binding = binding
        self.charge = charge

    def run(self, scope: Scope) -> Value:
        """Compute the arguments, then the result."""
        values = []
        result: Value = None
        for argument in self.arguments:
            value = argument.run(scope)
            values.append(value)
            if isinstance(value, CelError) and result is None:
                result = value
                if not self.binding.eager:
                    break
        if result is None:
            try:
                result = self.binding.invoke(values)
            except CelError as error:
                result = error
        tracker = scope.tracker
        taken = tracker.take([argument.id for argument in self.arguments])
        if taken is not None:
            tracker.charge(self.charge(taken, result))
        tracker.push(self.id, result)
        return result


class GoOn:
    """The test of a macro whether it goes on, which takes errors as they come."""

    __slots__ = ("argument", "id")

    def __init__(self, node_id: int, argument: Step) -> None:
        self.id = node_id
        self.argument = argument

    def run(self, scope: Scope) -> Value:
        """Say true to all but false."""
        result = not_strictly_false(self.argument.run(scope))
        tracker = scope.tracker
        if tracker.take([self.argument.id]) is not None:
            tracker.charge(1)
        tracker.push(self.id, result)
        return result
