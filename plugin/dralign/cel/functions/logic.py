"""``!`` and the helper of the macros; ``&&``, ``||`` and ``?:`` are no functions (see ``cel.runtime``)."""

from __future__ import annotations

from dralign.cel.values import no_such_overload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value


def logical_not(value: Value) -> bool:
    """``!``."""
    if type(value) is not bool:
        raise no_such_overload(value)
    return not value


def not_strictly_false(value: Value) -> bool:
    """Tell whether a macro goes on: true for all but false, errors included."""
    return value if type(value) is bool else True
