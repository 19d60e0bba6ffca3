"""A call as the cost models see it: its operands with their sizes."""

from __future__ import annotations

from dralign.cel.ast import Literal
from dralign.cel.costs.paths import NOWHERE
from dralign.cel.costs.sizes import UNKNOWN
from dralign.cel.declarations.shapes import limit_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dralign.cel.ast import Expr
    from dralign.cel.costs.paths import Path
    from dralign.cel.costs.sizes import Range
    from dralign.cel.declarations.shapes import Shape
    from dralign.cel.declarations.types import Type

    Estimate = tuple[Range, Range | None]
    """Cost of a call, and size of its result where it is known."""

    Model = Callable[["PricedCall"], Estimate]

_NO_LITERAL = object()


class Operand:
    """One operand of a call.

    Args:
        node: its expression, or None for "any element of a list".
        path: where its value lies below a variable.
        of: its type.
        computed: its size, as far as expression and declarations tell; None if they do not.
    """

    __slots__ = ("computed", "node", "path", "type")

    def __init__(self, node: Expr | None, path: Path, of: Type, computed: Range | None) -> None:
        self.node = node
        self.path = path
        self.type = of
        self.computed = computed

    @property
    def size(self) -> Range:
        """The size, any size if it is not known."""
        return UNKNOWN if self.computed is None else self.computed

    @property
    def literal(self) -> object:
        """The value of a literal, an object equal to nothing for other expressions."""
        return self.node.value if isinstance(self.node, Literal) else _NO_LITERAL


class PricedCall:
    """A call with the costs of its arguments; those of the receiver are counted apart."""

    __slots__ = ("_shapes", "_target", "arg_costs", "args")

    def __init__(
        self, target: Operand | None, args: list[Operand], arg_costs: list[Range], shapes: Mapping[str, Shape]
    ) -> None:
        self._target = target
        self.args = args
        self.arg_costs = arg_costs
        self._shapes = shapes

    @property
    def receiver(self) -> Operand:
        """The receiver of a call whose overload has one."""
        if self._target is None:
            raise ValueError("a cost model for methods is used for a function")
        return self._target

    def element(self, of: Operand) -> Operand | None:
        """Return what stands for any element of a list, or None if the operand's type has no elements."""
        if not of.type.params:
            return None
        limit = limit_at(self._shapes, [*of.path.steps, "@items"])
        return Operand(None, NOWHERE, of.type.params[0], None if limit is None else (0, limit))
