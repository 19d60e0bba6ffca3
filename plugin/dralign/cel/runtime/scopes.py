"""Where names are looked up: the variables of the expression, and those of the macros around a step."""

from __future__ import annotations

from dralign.cel.values import MISSING, renewed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from dralign.cel.runtime.tracker import Tracker
    from dralign.cel.values import Value


class Scope:
    """The outermost scope; scopes of macros stand inside others.

    Args:
        variables: the variables of the expression.
        tracker: counts the cost of this evaluation.
    """

    __slots__ = ("outermost", "tracker", "variables")

    def __init__(self, variables: Mapping[str, Value], tracker: Tracker) -> None:
        self.variables = variables
        self.tracker = tracker
        self.outermost = self

    def lookup(self, name: str) -> Value:
        """Return the value of a variable, or MISSING."""
        return renewed(self.variables.get(name, MISSING))
