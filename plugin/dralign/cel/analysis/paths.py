"""Recognises the ways in which an expression reaches into the device: ``device.attributes["dra.net"].?rdma`` and so on.

Both spellings of a step (``.name`` and ``["name"]``) count alike, so do their optional forms; variables of ``cel.bind``
and ``optMap`` stand for what they were bound to.
"""

from __future__ import annotations

from dralign.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, Select
from dralign.record import Record
from dralign.values.quantity import Quantity
from dralign.values.semver import Semver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.cel.analysis.domains import Value
    from dralign.cel.ast import Expr

    Key = tuple[str, ...]
    """``("attributes", domain, name)``, ``("capacity", domain, name)`` or ``("driver",)``."""
    Variables = Mapping[str, "Path | None"]
    """What local variables stand for; None for what is no place in the device."""


class Names(Record):
    """How the device and its parts are called."""

    root: str = "device"
    driver: str = "driver"
    maps: tuple[str, ...] = ("attributes", "capacity")


NAMES = Names()


class Path(Record):
    """A place in the device.

    Args:
        steps: names from the root on.
        optional: the expression gives an optional value.
        default: what stands in where the place is missing (``orValue``), None for nothing.
    """

    steps: tuple[str, ...]
    optional: bool = False
    default: Value | None = None

    @property
    def strict(self) -> bool:
        """Whether a missing place is an error."""
        return not self.optional and self.default is None


_STEPS = {"_[_]": False, "_[?_]": True, "_?._": True}
OPTIONAL_NONE = ("optional", None)


def path_of(expr: Expr, variables: Variables) -> Path | None:
    """Return the place that an expression names, or None if it is no plain path into the device."""
    if isinstance(expr, Ident):
        if expr.name in variables:
            return variables[expr.name]
        return Path(()) if expr.name.removeprefix(".") == NAMES.root else None
    if isinstance(expr, Select) and not expr.test_only:
        return _step(path_of(expr.operand, variables), expr.field, optional=False)
    return _called(expr, variables) if isinstance(expr, Call) else None


def _called(call: Call, variables: Variables) -> Path | None:
    """Read ``[key]``, ``[?key]``, ``.?key``, and what unwraps a value."""
    if call.function in _STEPS:
        base, key = call.args
        if not isinstance(key, Literal) or not isinstance(key.value, str):
            return None
        return _step(path_of(base, variables), key.value, optional=_STEPS[call.function])
    if call.function == "dyn" and call.target is None and len(call.args) == 1:
        return path_of(call.args[0], variables)
    return _unwrapped(call, variables)


def _step(path: Path | None, name: str, *, optional: bool) -> Path | None:
    if path is None or path.default is not None:
        return None
    return Path((*path.steps, name), path.optional or optional)


def _unwrapped(call: Call, variables: Variables) -> Path | None:
    """Read ``optional.value()`` and ``optional.orValue(literal)``."""
    if call.target is None or call.function not in ("value", "orValue"):
        return None
    path = path_of(call.target, variables)
    if path is None or not path.optional:
        return None
    if call.function == "value":
        return None if call.args else Path(path.steps)
    default = value_of(call.args[0]) if len(call.args) == 1 else None
    return Path(path.steps, default=default) if default is not None else None


def key_of(path: Path | None) -> Key | None:
    """Return the attribute, capacity or driver that a path ends at, or None if it ends elsewhere."""
    if path is None or not path.steps:
        return None
    is_leaf = len(path.steps) == 3 if path.steps[0] in NAMES.maps else path.steps == (NAMES.driver,)
    return path.steps if is_leaf else None


def value_of(expr: Expr) -> Value | None:
    """Return the constant that an expression is, ``quantity("1Gi")`` and ``semver("1.0.0")`` included, or None."""
    if isinstance(expr, Literal):
        value = expr.value
        if value is None or isinstance(value, bool):
            return ("null" if value is None else "bool", value)
        kind = "string" if isinstance(value, str) else "bytes" if isinstance(value, bytes) else "number"
        return (kind, value)
    if isinstance(expr, Call) and expr.target is None and len(expr.args) == 1:
        return _parsed(expr.function, expr.args[0])
    return None


def _parsed(function: str, text: Expr) -> Value | None:
    if not isinstance(text, Literal) or not isinstance(text.value, str):
        return None
    try:
        if function == "quantity":
            return ("quantity", Quantity.parse(text.value))
        return ("version", Semver.parse(text.value)) if function == "semver" else None
    except ValueError:
        return None


def values_of(expr: Expr) -> frozenset[Value] | None:
    """Return the constants of a literal list, or None."""
    if not isinstance(expr, ListExpr) or expr.optional_indices:
        return None
    values = [value_of(element) for element in expr.elements]
    return frozenset(value for value in values if value is not None) if None not in values else None


def optional_value_of(expr: Expr) -> Value | None:
    """Return the constant in ``optional.of(constant)``; kind ``optional`` and None for ``optional.none()``."""
    function = optional_function(expr)
    if not isinstance(expr, Call) or function not in ("of", "none"):
        return None
    if function == "none":
        return OPTIONAL_NONE
    return value_of(expr.args[0]) if len(expr.args) == 1 else None


def optional_function(expr: Expr) -> str | None:
    """Return ``of`` or ``none`` for a call of ``optional.of`` or ``optional.none``, written or made by a macro."""
    if not isinstance(expr, Call):
        return None
    if isinstance(expr.target, Ident) and expr.target.name == "optional":
        return expr.function
    return expr.function.removeprefix("optional.") if expr.target is None and "." in expr.function else None


def is_binding(fold: Comprehension) -> bool:
    """Say whether a fold only names a value, as ``cel.bind`` and ``optMap`` do: it runs over nothing."""
    return (
        isinstance(fold.iter_range, ListExpr)
        and not fold.iter_range.elements
        and isinstance(fold.loop_step, Ident)
        and fold.loop_step.name == fold.accu_var
    )


def inner_variables(fold: Comprehension, variables: Variables) -> Variables:
    """Return what variables stand for inside a fold."""
    if is_binding(fold):
        return {**variables, fold.accu_var: path_of(fold.accu_init, variables)}
    hidden = (fold.iter_var, fold.iter_var2, fold.accu_var)
    return {**variables, **{name: None for name in hidden if name is not None}}
