"""Finds what a name means: a variable of a comprehension, a global, or the name of a type."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.declarations.env import Environment
    from dralign.cel.declarations.types import Type


class Reference:
    """What a name or a call refers to.

    Args:
        name: the resolved name of an identifier; empty for calls. A leading dot says that a local variable of the
            same name is not meant.
        value: the number behind the name of an enumeration's value, None for all else.
        overloads: ids of the overloads that fit a call, in the order of their declaration.
    """

    __slots__ = ("name", "overloads", "value")

    def __init__(self, name: str = "", value: int | None = None, overloads: tuple[str, ...] = ()) -> None:
        self.name = name
        self.value = value
        self.overloads = overloads


class Scopes:
    """The variables that comprehensions declare, innermost last, over the globals of an environment."""

    __slots__ = ("_env", "_locals")

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._locals: list[dict[str, Type]] = []

    def enter(self, variables: dict[str, Type]) -> None:
        """Open a scope with these variables."""
        self._locals.append(variables)

    def leave(self) -> None:
        """Close the innermost scope."""
        self._locals.pop()

    def find(self, name: str) -> tuple[Type, Reference] | None:
        """Return type and reference of a name, with dots or without, or None if nothing is declared under it.

        In cel-go 0.29 the first part of a dotted name decides: once it is a local variable, the rest are fields, and
        only a leading dot gets past it. In 0.26 locals are looked up by the whole name, leading dot or not.
        """
        plain = name.removeprefix(".")
        if self._env.cel_go == "0.26":
            local = self._local(plain)
            return (local, Reference(plain)) if local is not None else self._global(plain, plain)
        first = plain.partition(".")[0]
        local = self._local(first)
        if local is None:
            return self._global(plain, plain)
        if name.startswith("."):
            return self._global(plain, name)
        return (local, Reference(plain)) if first == plain else None

    def find_type(self, name: str) -> tuple[Type, Reference] | None:
        """Return type and reference of a name that stands before ``{``."""
        if self._env.cel_go == "0.26":
            return self.find(name)
        plain = name.removeprefix(".")
        return self._global(plain, plain) if self._env.is_type_name(plain) else None

    def _local(self, name: str) -> Type | None:
        for variables in reversed(self._locals):
            if name in variables:
                return variables[name]
        return None

    def _global(self, name: str, written: str) -> tuple[Type, Reference] | None:
        found = self._env.global_name(name)
        return None if found is None else (found.type, Reference(written, found.value))
