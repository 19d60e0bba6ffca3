"""Which attributes and capacities an expression reads, and which of these reads cannot fail.

Reading an attribute that a device lacks is an error, and an error aborts scheduling. It does no harm where it cannot
happen (``has``, ``in``, optional access) or where another part of the expression decides the result: ``false && error``
is false and ``true || error`` is true, on either side.
"""

from __future__ import annotations

from dralign.cel.analysis.implications import mapped_or_value
from dralign.cel.analysis.paths import inner_variables, is_binding, key_of, path_of
from dralign.cel.analysis.questions import question_of
from dralign.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, MapExpr, Select, StructExpr
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from dralign.cel.analysis.paths import Key, Path, Variables
    from dralign.cel.ast import Expr

    Keys = frozenset[Key]
    Drivers = frozenset[str] | None


class Read(Record):
    """One place where an expression reads an attribute or a capacity.

    Args:
        kind: ``attributes`` or ``capacity``.
        domain, name: what is read.
        guarded: a device without it makes no error here.
        drivers: the read only matters for devices of these drivers, None for all devices.
        expression_index: which of the expressions.
        offset: character offset in it.
    """

    kind: str
    domain: str
    name: str
    guarded: bool
    drivers: Drivers
    expression_index: int
    offset: int


class Outcome(Record):
    """What decides an expression by itself, without an error.

    Args:
        false_without, true_without: it is false (true) for devices that lack any one of these.
        true_for: it is false for other drivers; None: for no driver surely.
        false_for: it is true for other drivers.
    """

    false_without: Keys = frozenset()
    true_without: Keys = frozenset()
    true_for: Drivers = None
    false_for: Drivers = None

    def negated(self) -> Outcome:
        """Return the outcome of the negation."""
        return Outcome(self.true_without, self.false_without, self.false_for, self.true_for)


_OPEN = Outcome()


class Surroundings(Record):
    """What protects a part of an expression from errors."""

    guards: Keys = frozenset()
    drivers: Drivers = None

    def where_true(self, other: Outcome) -> Surroundings:
        """Add a neighbour whose being false decides the result."""
        return Surroundings(self.guards | other.false_without, _narrowed(self.drivers, other.true_for))

    def where_false(self, other: Outcome) -> Surroundings:
        """Add a neighbour whose being true decides the result."""
        return self.where_true(other.negated())


def _narrowed(a: Drivers, b: Drivers) -> Drivers:
    if a is None or b is None:
        return b if a is None else a
    return a & b


def _widened(a: Drivers, b: Drivers) -> Drivers:
    return a | b if a is not None and b is not None else None


class Reader:
    """Finds the reads of expressions that are evaluated one after the other until one is false."""

    def __init__(self) -> None:
        self.reads: dict[Read, None] = {}
        self._outcomes: dict[int, Outcome] = {}
        self._around = Surroundings()
        self._index = -1

    def add(self, root: Expr | None) -> None:
        """Read the next expression; None for one that cannot be read."""
        self._index += 1
        if root is not None:
            self._visit(root, self._around, {})
            self._around = self._around.where_true(self._outcome(root, {}))

    def _visit(self, expr: Expr, around: Surroundings, variables: Variables) -> None:
        path = path_of(expr, variables)
        if path is not None and key_of(path) is not None:
            if not isinstance(expr, Ident):
                self._note(expr, path, around)
            return
        if isinstance(expr, Call) and expr.function in ("_&&_", "_||_", "_?_:_"):
            self._visit_logic(expr, around, variables)
        elif isinstance(expr, Comprehension):
            inner = inner_variables(expr, variables)
            for part in (expr.iter_range, expr.accu_init):
                self._visit(part, around, variables)
            for part in (expr.loop_condition, expr.loop_step, expr.result):
                self._visit(part, around, inner)
        else:
            self._note_question(expr, around, variables)
            for part in parts_of(expr):
                self._visit(part, around, variables)

    def _visit_logic(self, expr: Call, around: Surroundings, variables: Variables) -> None:
        first, *others = expr.args
        if expr.function == "_?_:_":
            asked = self._outcome(first, variables)
            self._visit(first, around, variables)
            self._visit(others[0], around.where_true(asked), variables)
            self._visit(others[1], around.where_false(asked), variables)
            return
        add = Surroundings.where_true if expr.function == "_&&_" else Surroundings.where_false
        second = others[0]
        self._visit(first, add(around, self._outcome(second, variables)), variables)
        self._visit(second, add(around, self._outcome(first, variables)), variables)

    def _note_question(self, expr: Expr, around: Surroundings, variables: Variables) -> None:
        """Note ``has(…)`` and ``"name" in …``, which name an attribute without being a path to it."""
        is_presence = (isinstance(expr, Select) and expr.test_only) or (
            isinstance(expr, Call) and expr.function == "@in" and isinstance(expr.args[0], Literal)
        )
        question = question_of(expr, variables) if is_presence else None
        if question is not None and not question.strict:
            self._add(question.key, True, around, expr.offset)

    def _note(self, expr: Expr, path: Path, around: Surroundings) -> None:
        self._add(path.steps, not path.strict or path.steps in around.guards, around, expr.offset)

    def _add(self, key: Key, guarded: bool, around: Surroundings, offset: int) -> None:
        if len(key) == 3:
            kind, domain, name = key
            self.reads[Read(kind, domain, name, guarded, around.drivers, self._index, offset)] = None

    def _outcome(self, expr: Expr, variables: Variables) -> Outcome:
        known = self._outcomes.get(id(expr))
        if known is None:
            known = self._outcomes[id(expr)] = self._work_out(expr, variables)
        return known

    def _work_out(self, expr: Expr, variables: Variables) -> Outcome:
        if isinstance(expr, Comprehension) and is_binding(expr):
            return self._outcome(expr.result, inner_variables(expr, variables))
        mapped = mapped_or_value(expr)
        if mapped is not None:
            asked = self._outcome(mapped[0], variables).false_without
            return Outcome(true_without=asked) if mapped[2] else Outcome(false_without=asked)
        if isinstance(expr, Call) and expr.target is None:
            if expr.function in ("_&&_", "_||_"):
                return self._joined(expr, variables)
            if expr.function == "!_":
                return self._outcome(expr.args[0], variables).negated()
            if expr.function == "_?_:_":
                return self._chosen(expr, variables)
        return _answered(expr, variables)

    def _joined(self, expr: Call, variables: Variables) -> Outcome:
        a, b = (self._outcome(arg, variables) for arg in expr.args)
        if expr.function == "_||_":
            a, b = a.negated(), b.negated()
        joined = Outcome(
            a.false_without | b.false_without,
            a.true_without & b.true_without,
            _narrowed(a.true_for, b.true_for),
            _widened(a.false_for, b.false_for),
        )
        return joined if expr.function == "_&&_" else joined.negated()

    def _chosen(self, expr: Call, variables: Variables) -> Outcome:
        asked, then, otherwise = expr.args
        condition = self._outcome(asked, variables)
        sides = ((condition.true_without, then), (condition.false_without, otherwise))
        lacking: dict[bool, Keys] = {
            answer: frozenset().union(*(self._lacking(keys, side, answer, variables) for keys, side in sides))
            for answer in (False, True)
        }
        return Outcome(lacking[False], lacking[True])

    def _lacking(self, keys: Keys, side: Expr, answer: bool, variables: Variables) -> Keys:
        """Of ``keys``, whose absence chooses ``side``, return those whose absence makes it ``answer``."""
        if isinstance(side, Literal):
            return keys if side.value is answer else frozenset()
        outcome = self._outcome(side, variables)
        return keys & (outcome.true_without if answer else outcome.false_without)


def _answered(expr: Expr, variables: Variables) -> Outcome:
    question = question_of(expr, variables)
    if question is None:
        return _OPEN
    if len(question.key) == 1:
        return Outcome(true_for=_texts(question.if_true.values), false_for=_texts(question.if_false.values))
    if question.strict:
        return _OPEN
    key = frozenset((question.key,))
    return Outcome(frozenset() if question.if_true.missing else key, frozenset() if question.if_false.missing else key)


def _texts(values: object) -> Drivers:
    among = getattr(values, "among", None)
    return frozenset(value for _, value in among) if among is not None else None


def parts_of(expr: Expr) -> Iterable[Expr]:
    """Return the direct parts of an expression other than a fold."""
    if isinstance(expr, Call):
        return expr.args if expr.target is None else (expr.target, *expr.args)
    if isinstance(expr, Select):
        return (expr.operand,)
    if isinstance(expr, ListExpr):
        return expr.elements
    if isinstance(expr, MapExpr):
        return [part for entry in expr.entries for part in (entry.key, entry.value)]
    if isinstance(expr, StructExpr):
        return [field.value for field in expr.fields]
    return ()
