"""Makes the nodes that macros put in place of their calls."""

from __future__ import annotations

from dralign.cel.ast import (
    Call,
    Comprehension,
    Ident,
    ListExpr,
    Literal,
    MapEntry,
    MapExpr,
    Select,
    StructExpr,
    StructField,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.ast import Constant, Expr

    Fold = tuple[Expr, Expr, Expr, Expr]
    """Start value, condition to go on, step, result."""

ACCUMULATOR = "@result"
UNUSED = "#unused"


class Maker:
    """Makes the nodes of one expansion.

    Args:
        new_id: gives the ids of new nodes.
        copy_id: gives those of copied nodes, and may refuse.
        offset: where the macro was called.
    """

    __slots__ = ("_copy_id", "_new_id", "_offset")

    def __init__(self, new_id: Callable[[], int], copy_id: Callable[[], int], offset: int) -> None:
        self._new_id = new_id
        self._copy_id = copy_id
        self._offset = offset

    def literal(self, value: Constant) -> Expr:
        """Make a constant."""
        return Literal(self._new_id(), self._offset, value)

    def ident(self, name: str) -> Expr:
        """Make a variable."""
        return Ident(self._new_id(), self._offset, name)

    def result(self) -> Expr:
        """Make the variable in which a fold collects its result."""
        return self.ident(ACCUMULATOR)

    def list_(self, *elements: Expr) -> Expr:
        """Make a list."""
        return ListExpr(self._new_id(), self._offset, list(elements), frozenset())

    def map_(self) -> Expr:
        """Make an empty map."""
        return MapExpr(self._new_id(), self._offset, [])

    def test(self, select: Select) -> Expr:
        """Make the question whether a field is there."""
        return Select(self._new_id(), self._offset, select.operand, select.field, test_only=True)

    def call(self, function: str, *args: Expr) -> Expr:
        """Make a call of a function."""
        return Call(self._new_id(), self._offset, function, None, list(args))

    def member_call(self, function: str, target: Expr, *args: Expr) -> Expr:
        """Make a call of a member function."""
        return Call(self._new_id(), self._offset, function, target, list(args))

    def fold(self, over: Expr, variables: tuple[str, str | None], parts: Fold, accumulator: str = ACCUMULATOR) -> Expr:
        """Make a comprehension of its parts: start value, condition to go on, step, result."""
        return Comprehension(self._new_id(), self._offset, over, *variables, accumulator, *parts)

    def bind(self, name: str, value: Callable[[], Expr], use: Expr) -> Expr:
        """Make a variable that holds a value within ``use``: a fold over nothing."""
        nothing = self.list_()
        parts = (value(), self.literal(False), self.ident(name), use)
        return self.fold(nothing, (UNUSED, None), parts, name)

    def copy(self, expr: Expr) -> Expr:
        """Copy an expression with new ids; offsets stay."""
        number, offset = self._copy_id(), expr.offset
        made = expr
        match expr:
            case Literal():
                made = Literal(number, offset, expr.value)
            case Ident():
                made = Ident(number, offset, expr.name)
            case Select():
                made = Select(number, offset, self.copy(expr.operand), expr.field, expr.test_only)
            case Call():
                args = [self.copy(arg) for arg in expr.args]
                target = self.copy(expr.target) if expr.target is not None else None
                made = Call(number, offset, expr.function, target, args)
            case ListExpr():
                made = ListExpr(number, offset, [self.copy(item) for item in expr.elements], expr.optional_indices)
            case MapExpr():
                made = MapExpr(number, offset, [self._copy_entry(entry) for entry in expr.entries])
            case StructExpr():
                made = StructExpr(number, offset, expr.type_name, [self._copy_field(field) for field in expr.fields])
            case Comprehension():
                made = self._copy_fold(number, expr)
        return made

    def _copy_entry(self, entry: MapEntry) -> MapEntry:
        number = self._copy_id()
        return MapEntry(number, self._offset, self.copy(entry.key), self.copy(entry.value), entry.optional)

    def _copy_field(self, field: StructField) -> StructField:
        return StructField(self._copy_id(), self._offset, field.name, self.copy(field.value), field.optional)

    def _copy_fold(self, number: int, fold: Comprehension) -> Comprehension:
        over = self.copy(fold.iter_range)
        start, condition = self.copy(fold.accu_init), self.copy(fold.loop_condition)
        step, result = self.copy(fold.loop_step), self.copy(fold.result)
        variables = (fold.iter_var, fold.iter_var2, fold.accu_var)
        return Comprehension(number, fold.offset, over, *variables, start, condition, step, result)
