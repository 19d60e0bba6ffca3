"""Variables and what is reached from them by fields and indexes: ``device.attributes["d"].?x``.

cel-go reads such a path in one step: a *root* (variable, conditional, or any other step) and *qualifiers*. The base
and each qualifier cost 1. Source: cel-go interpreter/attributes.go, planner.go.
"""

from __future__ import annotations

from dralign.cel.printing import go_text
from dralign.cel.values import MISSING, NONE, CelError, Map, Optional, TypeValue, no_such_overload, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from dralign.cel.runtime.qualifiers import Field, Index
    from dralign.cel.runtime.scopes import Scope
    from dralign.cel.runtime.steps import Step
    from dralign.cel.values import Value

    Qualifier = Field | Index
    Unwrap = Callable[[Optional], Value]

    class Attribute(Protocol):
        """A root with its qualifiers."""

        @property
        def id(self) -> int:
            """The id of the last qualifier, or of the root."""
            ...

        def add(self, qualifier: Qualifier) -> None:
            """Walk on."""
            ...

        def resolve(self, scope: Scope) -> Value:
            """Return the value; raises CelError."""
            ...

        def forget(self, scope: Scope) -> int:
            """Drop what resolving has pushed; returns the cost of the step itself."""
            ...


def open_optional(optional: Optional) -> Value:
    """Return the value of an optional."""
    return optional.value


def open_optional_026(optional: Optional) -> Value:
    """Return the value of an optional as cel-go 0.26 does, which takes it down to Go's own value and wraps that again.

    Nested optionals lose all their levels, types become their names, and Kubernetes' own types cannot be wrapped again.
    """
    value: Value = optional
    while type(value) is Optional:
        value = value.value
    if value is MISSING:
        return None
    if type(value) is TypeValue:
        return value.name
    if type(value) is Map and value.default is not MISSING:
        return Map(value.entries, native=True)
    if type_name(value).startswith(("kubernetes.", "net.")) and not hasattr(value, "pattern_size"):
        return CelError(f"unsupported conversion to ref.Val: ({type_name(value)}){go_text(value)}")
    return value


class AttributeStep:
    """The step that reads an attribute; ``test_only`` for ``has(…)``, which does not pay for the root."""

    __slots__ = ("attribute", "test_id")

    def __init__(self, attribute: Attribute, test_id: int | None = None) -> None:
        self.attribute = attribute
        self.test_id = test_id

    @property
    def id(self) -> int:
        """The id of the last qualifier, or of the root."""
        return self.attribute.id if self.test_id is None else self.test_id

    def run(self, scope: Scope) -> Value:
        """Read; an error becomes the value."""
        try:
            value = self.attribute.resolve(scope)
        except CelError as error:
            value = error
        if self.test_id is not None and type(value) is Optional:
            value = value.value is not MISSING
        cost = self.attribute.forget(scope)
        scope.tracker.charge(cost if self.test_id is None else cost - 1)
        scope.tracker.push(self.id, value)
        return value


class _Path:
    """A root with a list of qualifiers.

    Args:
        node_id: id of the root's node.
        unwrap: opens an optional with a value (what that gives differs between versions of cel-go).
    """

    __slots__ = ("node_id", "qualifiers", "unwrap")

    def __init__(self, node_id: int, unwrap: Unwrap) -> None:
        self.node_id = node_id
        self.unwrap = unwrap
        self.qualifiers: list[Qualifier] = []

    @property
    def id(self) -> int:
        """The id of the last qualifier, or of the root."""
        return self.qualifiers[-1].id if self.qualifiers else self.node_id

    def add(self, qualifier: Qualifier) -> None:
        """Walk on."""
        self.qualifiers.append(qualifier)

    def forget(self, scope: Scope) -> int:
        """Drop what resolving has pushed; reading costs 1."""
        scope.tracker.drop(self.id)
        return 1

    def _walk(self, scope: Scope, value: Value) -> Value:
        """Apply the qualifiers; from the first optional one on, the result is an optional."""
        is_optional = type(value) is Optional
        if is_optional:
            if value.value is MISSING:
                return value
            value = self.unwrap(value)
        for qualifier in self.qualifiers:
            is_optional = is_optional or qualifier.optional
            if not is_optional:
                value = qualifier.find(scope, value)
                continue
            value = qualifier.find_if_present(scope, value)
            if value is MISSING:
                return NONE
        return Optional(value) if is_optional else value


class Variable(_Path):
    """A path that starts at a variable.

    Args:
        node_id: id of the node that names it.
        name: its name; with a leading dot it is looked for outside all macros.
        unwrap: see _Path.
    """

    __slots__ = ("is_global", "name")

    def __init__(self, node_id: int, name: str, unwrap: Unwrap) -> None:
        super().__init__(node_id, unwrap)
        self.is_global = name.startswith(".")
        self.name = name.removeprefix(".")

    def resolve(self, scope: Scope) -> Value:
        """Look the variable up and walk on."""
        scope = scope.outermost if self.is_global else scope
        value = scope.lookup(self.name)
        if value is MISSING:
            raise CelError(f"no such attribute(s): {self.name}")
        if isinstance(value, CelError):
            raise value
        return self._walk(scope, value)


class Computed(_Path):
    """A path that starts at the value of another step."""

    __slots__ = ("start",)

    def __init__(self, node_id: int, start: Step, unwrap: Unwrap) -> None:
        super().__init__(node_id, unwrap)
        self.start = start

    def resolve(self, scope: Scope) -> Value:
        """Run the step and walk on."""
        value = self.start.run(scope)
        if isinstance(value, CelError):
            raise value
        return self._walk(scope, value)


class Conditional:
    """``condition ? yes : no``, and what is walked to from there on either side."""

    __slots__ = ("condition", "no", "node_id", "yes")

    def __init__(self, node_id: int, condition: Step, yes: Attribute, no: Attribute) -> None:
        self.node_id = node_id
        self.condition = condition
        self.yes = yes
        self.no = no

    @property
    def id(self) -> int:
        """The id of the last common qualifier, or of the conditional."""
        return self.yes.id if self.yes.id == self.no.id else self.node_id

    def add(self, qualifier: Qualifier) -> None:
        """Walk on from both sides."""
        self.yes.add(qualifier)
        self.no.add(qualifier)

    def resolve(self, scope: Scope) -> Value:
        """Decide, then resolve that side only."""
        decision = self.condition.run(scope)
        if decision is True:
            return self.yes.resolve(scope)
        if decision is False:
            return self.no.resolve(scope)
        raise no_such_overload(decision)

    def forget(self, scope: Scope) -> int:
        """Drop what the parts have pushed; the conditional itself costs nothing."""
        for node_id in (self.no.id, self.yes.id, self.condition.id):
            scope.tracker.drop(node_id)
        return 0
