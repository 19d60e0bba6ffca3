"""Which types of result the API server takes.

Source: validateOutputType in k8s.io/dynamic-resource-allocation/cel/compile.go.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.declarations.types import Type
    from dralign.selector.environment import Setting

_DERIVED_KINDS = ("bool", "int", "string", "any", "dyn")


def wrong_type(of: Type, where: Setting, derived: bool) -> str | None:
    """Return what the API server says of a result type that it does not take, or None.

    Args:
        of: type of the whole expression.
        where: the environment.
        derived: the expression is one of a derived attribute, not a selector.
    """
    if derived:
        return _wrong_derived(of, where)
    if of.kind == "bool" and (not of.nullable or where.cel_go == "0.29"):
        return None
    allowed = (where.attribute_type.kind,) if where.cel_go == "0.29" else ("any", where.attribute_type.kind)
    return None if of.kind in allowed else f"must evaluate to bool or the unknown type, not {of.signature}"


def _wrong_derived(of: Type, where: Setting) -> str | None:
    lists = where.lists or where.stored
    element = of.params[0] if lists and of.kind == "list" else of
    if element.kind in _DERIVED_KINDS or element.name == "kubernetes.Semver":
        return None
    also = " or a list of these scalars" if lists else ""
    return f"must evaluate to a primitive scalar (string, integer, boolean, semver){also}, not {of.signature}"
