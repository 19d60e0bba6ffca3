"""The authorizer's functions. They are declared, but no value that they could be called on exists in a selector."""

from __future__ import annotations

from dralign.cel.values import no_such_overload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from dralign.cel.values import Value


def refuse(*_: Value) -> NoReturn:
    """Refuse every value."""
    raise no_such_overload()
