"""Writes single nodes of plain selectors as Python source; which expressions are plain is said in ``plain``."""

from __future__ import annotations

from dralign.cel.ast import Call, Ident, Literal, Select
from dralign.model.device import Version
from dralign.record import Record
from dralign.selector.variable import version_of
from dralign.values.quantity import Quantity
from dralign.values.semver import Semver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Never

    from dralign.cel.ast import Expr
    from dralign.model.device import Attribute

    Path = tuple[str, ...]
    Rule = Callable[["Writer", Any], "Code"]

MAX_TEXT = 64
"""Longest text of an attribute (resource.k8s.io/v1), and the longest that functions on texts are asked about here."""

SCALARS: dict[type, str] = {bool: "bool", int: "int", str: "str"}
"""Type -> kind of the values that are written as literals."""

MAPS = {"attributes": "A", "capacity": "C"}
"""Field of the device -> the variable that holds it in the source."""

_CONSTANTS = SCALARS | {Quantity: "quantity", Semver: "semver"}
_CALL_CHARGE = 60  # above the cost of any node but those that go through a text
_MAX_DEPTH = 20  # nodes write up to four parentheses within each other, of which Python takes 100
_ENTRY = 3  # steps from the device to an attribute or a capacity: map, domain, identifier


class NotPlain(Exception):  # noqa: N818  no error: most languages have expressions beyond the plain ones
    """The expression has to be evaluated exactly."""


class Doubt(Exception):  # noqa: N818  likewise
    """The device has to be evaluated exactly."""


class Code(Record):
    """Python source of a value.

    Args:
        kind: of the value: ``bool``, ``int``, ``str``, ``quantity``, ``semver``, or ``attribute`` for whatever the
            device publishes, in the form of ``Device.attributes``.
        source: an expression that gives the value, or raises Doubt or KeyError.
    """

    kind: str
    source: str


class Entry(Record):
    """Where an attribute or a capacity is published: under its full name, or its short one in the driver's own domain.

    Args:
        where: the map, as it is named in the source.
        full: source of the name with the domain.
        short: source of the name without it; None in any domain but the driver's.
    """

    where: str
    full: str
    short: str | None

    def code(self, otherwise: str | None = None) -> Code:
        """Write the look-up; without ``otherwise`` (the source of a value), there must be an entry."""
        found = f"{self.where}[{self.full}]"
        if self.short is not None:
            own = f"own({self.where}, {self.short}, {self.full})"
            found = f"({self.where}[{self.short}] if {self.full} not in {self.where} else {own})"
        kind, found = ("attribute", found) if self.where == "A" else ("quantity", f"{found}.value")
        return Code(kind, found if otherwise is None else f"({found} if {self.presence()} else {otherwise})")

    def presence(self) -> str:
        """Write the test whether there is an entry."""
        full = f"{self.full} in {self.where}"
        return f"({full})" if self.short is None else f"({self.short} in {self.where} or {full})"


class Writer:
    """Writes one expression for one driver.

    Args:
        constants: values of nodes that are known already, by node id.
        driver: name of the driver.
        rules: how to write a node, by the function of a call or by the type of any other node.
    """

    def __init__(self, constants: Mapping[int, Any], driver: str, rules: Mapping[str | type, Rule]) -> None:
        self.constants = constants
        self.driver = driver
        self.rules = rules
        self.charge = 0
        """More than what an evaluation can cost."""
        self.variables: dict[str, Path] = {"device": ()}
        """Names of parts of the device."""
        self.names: dict[str, Any] = {"Version": Version, "doubt": _doubt, "own": _own, "unlike": _unlike}
        self.names["version_of"] = version_of
        """What the source needs."""
        self._depth = 0

    def bind(self, value: object) -> str:
        """Return a name for a value."""
        name = self.new_name()
        self.names[name] = value
        return name

    def new_name(self) -> str:
        """Return a name that nothing has yet."""
        name = f"n{len(self.names)}"
        self.names[name] = None
        return name

    def code(self, node: Expr) -> Code:
        """Write a node and all below it."""
        constant = self._constant(node)
        if constant is not None:
            return constant
        path = self.path(node)
        if path is not None:
            return self._read(path)
        rule = self.rules.get(node.function if isinstance(node, Call) else type(node))
        if rule is None or self._depth >= _MAX_DEPTH:
            raise NotPlain
        self._depth += 1
        self.charge += _CALL_CHARGE
        code = rule(self, node)
        self._depth -= 1
        return code

    def truth(self, node: Expr) -> str:
        """Write a node whose value must be a bool."""
        return self.typed(self.code(node), "bool")

    def typed(self, code: Code, kind: str) -> str:
        """Return the source of a value that must be of a kind."""
        if code.kind == kind:
            return code.source
        if code.kind != "attribute" or kind == "quantity":
            raise NotPlain
        name = self.new_name()
        if kind == "semver":
            return f"(version_of({name}) if type({name} := {code.source}) is Version else doubt())"
        return f"({name} if type({name} := {code.source}) is {kind} else doubt())"

    def short_text(self, node: Expr) -> str:
        """Write a node whose value must be a text, and short enough for any function."""
        code = self.code(node)
        if code.kind == "str":
            self.charge += MAX_TEXT * len(code.source)
            return code.source
        text, name = self.typed(code, "str"), self.new_name()
        return f"({name} if len({name} := {text}) <= {MAX_TEXT} else doubt())"

    def path(self, node: Expr) -> Path | None:
        """Return the steps from the device to what a node names, None if it names no part of it."""
        if isinstance(node, Ident):
            return self.variables.get(node.name.removeprefix("."))
        if isinstance(node, Select) and not node.test_only:
            operand, field = node.operand, node.field
        elif isinstance(node, Call) and node.function == "_[_]" and isinstance(node.args[1], Literal):
            operand, field = node.args[0], text_of(node.args[1])
        else:
            return None
        path = self.path(operand)
        return None if path is None else (*path, field)

    def entry(self, path: Path | None) -> Entry:
        """Return where an attribute or a capacity is published."""
        if path is None or len(path) != _ENTRY or path[0] not in MAPS or "/" in path[1] + path[2]:
            raise NotPlain
        short = repr(path[2]) if path[1] == self.driver else None
        return Entry(MAPS[path[0]], repr(f"{path[1]}/{path[2]}"), short)

    def _read(self, path: Path) -> Code:
        if path == ("driver",):
            return Code("str", repr(self.driver))
        if path == ("allowMultipleAllocations",):
            return Code("bool", "bool(device.allow_multiple)")
        return self.entry(path).code()

    def _constant(self, node: Expr) -> Code | None:
        if isinstance(node, Literal):
            value = node.value
        elif node.id in self.constants:
            value = self.constants[node.id]
        else:
            return None
        kind = _CONSTANTS.get(type(value))
        if kind is None:
            raise NotPlain
        return Code(kind, repr(value) if type(value) in SCALARS else self.bind(value))


def text_of(node: Expr) -> str:
    """Return a literal text. Raises NotPlain for any other node."""
    if not isinstance(node, Literal) or not isinstance(node.value, str):
        raise NotPlain
    return node.value


def _doubt() -> Never:
    raise Doubt


def _own(published: Mapping[str, Any], short: str, full: str) -> Any:
    """Return what is published under the full name, and must not be under the short one, too."""
    if short in published:
        raise Doubt
    return published[full]


def _unlike(value: Attribute, other: Any = None) -> bool:
    """Compare a value with one of another type; versions refuse to."""
    del other  # what matters is that it could be worked out
    if type(value) is Version:
        raise Doubt
    return False
