"""An expression compiled as the API server and the scheduler compile it, ready to be evaluated on devices.

An expression is compiled once per environment and kept. What only some runs need is loaded when they need it.
"""

from __future__ import annotations

from dralign.cel.depth import room_for_depth
from dralign.cel.errors import CompileError, Issue
from dralign.record import Record
from dralign.selector.environment import CONSUMABLE_CAPACITY, LIST_ATTRIBUTES, environment, macro_groups, setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Hashable
    from typing import Any

    from dralign.cel.checking.checker import Checked
    from dralign.cel.declarations.env import Environment
    from dralign.cel.parsing.syntax import Syntax
    from dralign.cel.runtime.program import Program
    from dralign.model.device import Attribute, Device
    from dralign.selector.environment import Setting
    from dralign.selector.quick import Answer, Problems
    from dralign.selector.reads import DriverReads, Reads

MAX_LENGTH = 10_240
"""Longest new expression, in bytes."""

MAX_COST = 1_000_000
"""Most that a new expression may be estimated to cost, and most that one evaluation may cost."""

_MEMORY = 4096
"""Expressions that are kept compiled: bundles repeat a handful of them."""

TOO_LONG = f"may not be more than {MAX_LENGTH} bytes"
TOO_COSTLY = "too complex, exceeds cost limit"

_UNSEEN = "not looked at yet"
_problems: dict[bool, Problems] = {False: {}, True: {}}  # by whether lists are known


class Evaluation(Record):
    """What an expression gives on a device.

    Args:
        value: whether the device matches; for a derived attribute its value in the form of ``Device.attributes``. None
            after an error.
        error: the scheduler's words for what aborts the scheduling attempt, None where there is a value.
        cost: what it cost, in CEL's units; None where the device itself could not be converted.
    """

    value: Attribute
    error: str | None
    cost: int | None


class Compiled:
    """An expression as one environment takes it.

    Args:
        expression: the CEL text.
        setting: the environment.
        derived: an expression of a derived attribute, not a selector.
    """

    __slots__ = (
        "_kept",
        "_max_cost",
        "_problems",
        "_program",
        "_quick",
        "_reads",
        "_shared",
        "checked",
        "constants",
        "derived",
        "error",
        "expression",
        "internal",
        "issues",
        "setting",
        "type",
    )

    def __init__(self, expression: str, setting: Setting, derived: bool) -> None:
        self.expression = expression
        self.setting = setting
        self.derived = derived
        self.error: str | None = None
        """The whole text of the refusal as the API server words it, None where the expression is accepted."""
        self.issues: tuple[Issue, ...] = ()
        """The single problems with their places."""
        self.internal = False
        """The API server reports an internal error, not an invalid value."""
        self.type: str | None = None
        """Type of the result as the API server prints it, None where the expression is refused."""
        self.checked: Checked | None = None
        self.constants: dict[int, Any] = {}
        self._max_cost: int | None = None
        self._program: Program | None = None
        self._quick: Answer | None = None
        self._reads: Reads | None = None
        self._problems = _problems[setting.converts_lists]
        self._shared: dict[str, tuple[DriverReads, dict[Hashable, Evaluation]]] = {}  # by driver
        self._kept: list[Device] = []  # one device of each shared evaluation: keys hold ids of its quantities

    @property
    def ok(self) -> bool:
        """Whether the environment accepts the expression."""
        return self.error is None

    @property
    def too_long(self) -> bool:
        """Whether it is refused for its length."""
        return self.error == TOO_LONG

    @property
    def too_costly(self) -> bool:
        """Whether it is refused for what it may cost."""
        return self.error == TOO_COSTLY

    @property
    def max_cost(self) -> int | None:
        """The most that one evaluation can cost, in CEL's units; None where the expression is refused otherwise."""
        if self._max_cost is None and self.checked is not None:
            from dralign.cel.costs.estimate import estimate  # noqa: PLC0415  the scheduler estimates nothing

            self._max_cost = estimate(self.checked)[1]
        return self._max_cost

    def refuse(self, error: str, kind: str) -> Compiled:
        """Note why it is refused, without a place; return itself."""
        self.error = error
        self.issues = (Issue(-1, 0, error, kind),)
        return self

    def evaluate(self, device: Device) -> Evaluation:
        """Evaluate on a device; devices that agree in what the expression reads share one evaluation."""
        problem = self._problems.get(device.unplain, _UNSEEN)
        if problem is _UNSEEN:
            problem = self._problem(device)
        if problem is not None:
            return Evaluation(None, problem, None)
        if self._program is None:
            self._prepare()
        if self._reads is None:
            return self._run(device)
        shared = self._shared.get(device.driver)
        if shared is None:
            shared = self._shared[device.driver] = self._reads.for_driver(device.driver), {}
        key = shared[0].key(device)
        evaluation = shared[1].get(key)
        if evaluation is None:
            self._kept.append(device)
            evaluation = shared[1][key] = self._run(device)
        return evaluation

    @property
    def quick(self) -> Answer:
        """A function that tells whether a device matches, or None: ask ``evaluate``. For many devices, and no costs."""
        if self._quick is None:
            from dralign.selector.quick import quick_answers  # noqa: PLC0415  checking alone needs no answers

            lists = self.setting.converts_lists
            self._quick = quick_answers(self._accepted.ast.root, self.constants, self._problems, lists)
        return self._quick

    def _problem(self, device: Device) -> str | None:
        from dralign.selector.variable import conversion_problem  # noqa: PLC0415  few runs have devices

        problem = conversion_problem(device.unplain, self.setting.converts_lists)
        self._problems[device.unplain] = problem
        return problem

    @property
    def _accepted(self) -> Checked:
        if self.checked is None:
            raise ValueError(f"cannot evaluate a refused expression: {self.error}")
        return self.checked

    def _prepare(self) -> None:
        from dralign.cel.compiler import compile_program  # noqa: PLC0415  checking alone needs no program
        from dralign.selector.reads import reads_of  # noqa: PLC0415

        checked = self._accepted
        with room_for_depth():
            self._reads = reads_of(checked.ast.root)
        self._program = compile_program(checked, self.constants)

    def _run(self, device: Device) -> Evaluation:
        from dralign.selector.results import WrongResult, attribute_of, match_of  # noqa: PLC0415
        from dralign.selector.variable import device_variable  # noqa: PLC0415

        if self._program is None:
            raise ValueError("the program is made before it runs")
        outcome = self._program.evaluate({"device": device_variable(device)}, MAX_COST)
        if outcome.error is not None:
            return Evaluation(None, outcome.error, outcome.cost)
        try:
            value = attribute_of(outcome.value) if self.derived else match_of(outcome.value)
        except WrongResult as wrong:
            return Evaluation(None, str(wrong), outcome.cost)
        return Evaluation(value, None, outcome.cost)


class Language(Record):
    """What all expressions of one setting share."""

    syntax: Syntax
    environment: Environment


_languages: dict[Setting, Language] = {}
_compiled: dict[tuple[str, str, bool, bool, bool, bool], Compiled] = {}


def compile_selector(
    expression: str, release: str, features: Collection[str], stored: bool = False, derived: bool = False
) -> Compiled:
    """Compile an expression as one release does.

    Args:
        expression: the CEL text.
        release: ``1.34`` to ``1.37``.
        features: names of the feature gates that are on.
        stored: as the scheduler does it, and the API server for what is stored already: no limits of length and cost.
        derived: an expression of ``derivedAttributes`` (1.37) instead of a selector.
    """
    key = (expression, release, CONSUMABLE_CAPACITY in features, LIST_ATTRIBUTES in features, stored, derived)
    compiled = _compiled.get(key)
    if compiled is None:
        if len(_compiled) >= _MEMORY:
            _compiled.clear()
        compiled = _compiled[key] = _compile(expression, setting(release, features, stored), derived)
    return compiled


def _compile(expression: str, where: Setting, derived: bool) -> Compiled:
    compiled = Compiled(expression, where, derived)
    if not where.stored and len(expression.encode("utf-8", "surrogatepass")) > MAX_LENGTH:
        return compiled.refuse(TOO_LONG, "too_long")
    with room_for_depth():
        _check(compiled)
        if compiled.ok and not where.stored and (compiled.max_cost or 0) > MAX_COST:
            return compiled.refuse(TOO_COSTLY, "too_costly")
    return compiled


def _check(compiled: Compiled) -> None:
    from dralign.cel.checking.checker import check  # noqa: PLC0415
    from dralign.cel.checking.folding import ProgramError, ProgramPanic, fold  # noqa: PLC0415
    from dralign.cel.checking.validators import validate  # noqa: PLC0415
    from dralign.cel.parsing.parser import parse  # noqa: PLC0415
    from dralign.selector.result_type import wrong_type  # noqa: PLC0415

    language = language_of(compiled.setting)
    try:
        checked = check(parse(compiled.expression, language.syntax), language.environment)
        validate(checked)
    except CompileError as error:
        compiled.error, compiled.issues = f"compilation failed: {error}", error.issues
        return
    except ProgramPanic as panic:
        compiled.refuse(f"panic: {panic}", "panic")
        return
    wrong = wrong_type(checked.result_type, compiled.setting, compiled.derived)
    if wrong is not None:
        compiled.refuse(wrong, "output_type")
        return
    try:
        compiled.constants = fold(checked)
    except ProgramError as error:
        compiled.internal = True
        compiled.refuse(f"program instantiation failed: {error}", "program")
        return
    except ProgramPanic as panic:
        compiled.refuse(f"panic: {panic}", "panic")
        return
    compiled.checked = checked
    compiled.type = checked.result_type.signature


def language_of(where: Setting) -> Language:
    """Return syntax and environment of a setting; each is made once."""
    from dralign.cel.parsing.macros import table  # noqa: PLC0415
    from dralign.cel.parsing.syntax import Syntax  # noqa: PLC0415

    language = _languages.get(where)
    if language is None:
        syntax = Syntax(table(*macro_groups(where)), escaped_fields=where.cel_go == "0.29")
        language = _languages[where] = Language(syntax, environment(where))
    return language
