"""Picks the overloads of a function that fit the types of a call."""

from __future__ import annotations

from dralign.cel.checking.unify import rebuild
from dralign.cel.declarations.types import DYN, Type, is_dyn, parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.cel.checking.unify import Bindings
    from dralign.cel.library.row import Row


class FreshParameters:
    """Gives out type parameters that occur nowhere else, named as cel-go names them."""

    __slots__ = ("_count",)

    def __init__(self) -> None:
        self._count = 0

    def take(self) -> Type:
        """Return a new one."""
        fresh = parameter(f"_var{self._count}")
        self._count += 1
        return fresh


def resolve(
    rows: Sequence[Row], member: bool, args: Sequence[Type], bindings: Bindings, fresh: FreshParameters
) -> tuple[Type, tuple[str, ...]] | None:
    """Return the result type and the ids of all overloads that fit, or None.

    Overloads that give different results make the result ``dyn``.
    """
    result: Type | None = None
    fitting: list[str] = []
    for row in rows:
        if row.member is not member:
            continue
        params, row_result = _instantiate(row, fresh)
        if not bindings.assign_all(args, params):
            continue
        fitting.append(row.id)
        found = bindings.substitute(row_result)
        if result is None:
            result = found
        elif not is_dyn(result) and not found.is_exact(result):
            result = DYN
    return None if result is None else (result, tuple(fitting))


def _instantiate(row: Row, fresh: FreshParameters) -> tuple[Sequence[Type], Type]:
    if not row.type_params:
        return row.params, row.result
    names = {name: fresh.take() for name in row.type_params}
    return [_renamed(param, names) for param in row.params], _renamed(row.result, names)


def _renamed(of: Type, names: dict[str, Type]) -> Type:
    if not of.free:
        return of
    if of.kind == "param":
        return names[of.name]
    return rebuild(of, tuple([_renamed(param, names) for param in of.params]))
