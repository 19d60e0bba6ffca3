"""What of a device decides the answer of an expression: the part of it that the expression can read at all."""

from __future__ import annotations

from dralign.cel.analysis.facts import parsed
from dralign.cel.analysis.paths import NAMES, Path, key_of, path_of
from dralign.cel.ast import Call, Ident, Literal, Select
from dralign.cel.children import children
from dralign.cel.depth import room_for_depth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.analysis.paths import Key
    from dralign.cel.ast import Expr

_NO_VARIABLES: dict[str, None] = {}


def read_by(expression: str) -> frozenset[Key] | None:
    """Return the attributes and capacities that an expression can read, driver included; None if it may read any.

    Two devices that agree in them, in what their driver is and in whether they can be shared, get the same answer.
    """
    root = parsed(expression)
    found: set[Key] = set()
    with room_for_depth():
        return frozenset(found) if root is not None and _collect(root, found) else None


def _collect(node: Expr, found: set[Key]) -> bool:
    """Add what a node reads; say whether that is all of it."""
    key = key_of(path_of(node, _NO_VARIABLES)) or _asked_for(node)
    if key is not None:
        found.add(key)
        return True
    if isinstance(node, Ident):
        return node.name.removeprefix(".") != NAMES.root
    if isinstance(node, Select) and path_of(node, _NO_VARIABLES) is not None and node.field == _SHARED:
        return True
    return all(_collect(child, found) for child in children(node))


_SHARED = "allowMultipleAllocations"


def _asked_for(node: Expr) -> Key | None:
    """Return what a node asks to be there: ``has(map.name)``, ``"name" in map``."""
    if isinstance(node, Select) and node.test_only:
        return _entry(node.operand, node.field)
    if isinstance(node, Call) and node.function == "@in" and isinstance(node.args[0], Literal):
        return _entry(node.args[1], node.args[0].value)
    return None


def _entry(node: Expr, name: object) -> Key | None:
    path = path_of(node, _NO_VARIABLES)
    if path is None or not isinstance(name, str):
        return None
    return key_of(Path((*path.steps, name)))
