"""Finds types for type parameters: the unification of cel-go's checker, its quirks kept.

cel-go copies its table of substitutions before each attempt; here a failed attempt is undone from a trail.
"""

from __future__ import annotations

from dralign.cel.declarations.types import DYN, Type, is_dyn, list_of, map_of, type_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NULLABLE_KINDS = ("opaque", "struct", "any", "duration", "timestamp")
_COMPOSED_KINDS = ("opaque", "list", "map", "type")
_FITS_ALL = ("dyn", "any", "error")


class Bindings:
    """Substitutions for type parameters, by name."""

    __slots__ = ("_table", "_trail")

    def __init__(self) -> None:
        self._table: dict[str, Type] = {}
        self._trail: list[tuple[str, Type | None]] = []

    def assign(self, target: Type, source: Type) -> bool:
        """Say whether ``source`` may be used as ``target``; keeps the substitutions that make it so."""
        if target is source and not target.free:
            return True
        return self._attempt((target,), (source,))

    def assign_all(self, targets: Sequence[Type], sources: Sequence[Type]) -> bool:
        """Like ``assign`` for all pairs at once: either all fit, or nothing is kept."""
        return len(targets) == len(sources) and self._attempt(targets, sources)

    def substitute(self, of: Type, *, to_dyn: bool = False) -> Type:
        """Replace the bound type parameters in a type; unbound ones become ``dyn`` if ``to_dyn``."""
        if not of.free:
            return of
        if of.kind == "param":
            bound = self._table.get(of.name)
            if bound is not None:
                return self.substitute(bound, to_dyn=to_dyn)
            return DYN if to_dyn else of
        return rebuild(of, tuple([self.substitute(param, to_dyn=to_dyn) for param in of.params]))

    def _attempt(self, targets: Sequence[Type], sources: Sequence[Type]) -> bool:
        mark = len(self._trail)
        for target, source in zip(targets, sources, strict=True):
            if not self._fits(target, source):
                self._undo(mark)
                return False
        return True

    def _undo(self, mark: int) -> None:
        while len(self._trail) > mark:
            name, before = self._trail.pop()
            if before is None:
                del self._table[name]
            else:
                self._table[name] = before

    def _bind(self, name: str, to: Type) -> None:
        self._trail.append((name, self._table.get(name)))
        self._table[name] = to

    def _fits(self, one: Type, other: Type) -> bool:
        """Return whether the two unify. The order of the tests is cel-go's: it decides what gets bound."""
        if other.kind == "param":
            valid, bound = self._substitutes(one, other)
            if valid or bound:
                return valid
        if one.kind == "param":
            return self._substitutes(other, one)[0]
        if one.kind in _FITS_ALL or other.kind in _FITS_ALL:
            return True
        if one.kind == "null" or other.kind == "null":
            return _takes_null(other if one.kind == "null" else one)
        if one.kind in ("opaque", "list", "map"):
            return one.kind == other.kind and one.name == other.name and self._fit_params(one.params, other.params)
        return other.kind == "type" if one.kind == "type" else other.is_assignable(one)

    def _fit_params(self, one: Sequence[Type], other: Sequence[Type]) -> bool:
        return len(one) == len(other) and all(map(self._fits, one, other))

    def _substitutes(self, of: Type, param: Type) -> tuple[bool, bool]:
        """Return whether ``of`` can stand for a parameter, and whether the parameter already stood for something."""
        if of.kind == "param" and of.name == param.name:
            return True, True
        bound = self._table.get(param.name)
        if bound is None:
            free = self._is_absent(param, of)
            if free:
                self._bind(param.name, of)
            return free, False
        if of.is_exact(bound):
            return True, True
        if not self._fits(of, bound):
            return False, True
        wider = most_general(of, bound)
        if self._is_absent(param, wider):
            self._bind(param.name, wider)
        return True, True

    def _is_absent(self, param: Type, within: Type) -> bool:
        """Return whether a parameter occurs nowhere in a type (the occurs check)."""
        if within.kind == "param":
            if within.name == param.name:
                return False
            bound = self._table.get(within.name)
            return bound is None or self._is_absent(param, bound)
        if within.kind in _COMPOSED_KINDS and within.free:
            for part in within.params:
                if not self._is_absent(param, part):
                    return False
        return True


def rebuild(of: Type, params: tuple[Type, ...]) -> Type:
    """Return the same kind of type with other parameters."""
    if of.kind == "list":
        return list_of(params[0])
    if of.kind == "map":
        return map_of(params[0], params[1])
    if of.kind == "type":
        return type_of(params[0])
    return Type(of.kind, of.name, params)


def most_general(one: Type, other: Type) -> Type:
    """Return the less specific of two types that unify."""
    return one if _is_less_specific(one, other) else other


def _is_less_specific(one: Type, other: Type) -> bool:
    if is_dyn(one) or one.kind == "param":
        return True
    if is_dyn(other) or other.kind == "param" or one.kind != other.kind:
        return False
    if one.kind in ("opaque", "list", "map"):
        same_name = one.name == other.name and len(one.params) == len(other.params)
        return same_name and all(map(_is_less_specific, one.params, other.params))
    return one.kind == "type" or one.is_exact(other)


def _takes_null(of: Type) -> bool:
    return of.kind in _NULLABLE_KINDS or of.kind == "null" or of.nullable
