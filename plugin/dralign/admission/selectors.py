"""CEL selectors of requests and classes."""

from __future__ import annotations

from dralign.admission.causes import INTERNAL
from dralign.admission.lists import validate_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check, Compiled

SELECTORS = 32
EXPRESSION_LENGTH = 10 * 1024
COST_LIMIT = 1_000_000


def validate_selectors(check: Check, selectors: Sequence[Any], at: Location) -> None:
    """Validate the selectors of a request, an alternative or a class."""
    validate_list(check, selectors, at, SELECTORS, _validate_selector)


def _validate_selector(check: Check, selector: dict[str, Any], at: Location) -> None:
    cel = selector.get("cel")
    if cel is None:
        check.required((*at, "cel"))
    else:
        validate_expression(check, cel.get("expression", ""), (*at, "cel", "expression"))


def validate_expression(check: Check, expression: str, at: Location, *, derived: bool = False) -> int:
    """Validate a new CEL expression and return, for a derived attribute, its estimated cost (0 when it is not known)."""
    server = check.server
    if len(expression.encode(errors="surrogatepass")) > EXPRESSION_LENGTH:
        check.too_long(at, EXPRESSION_LENGTH)
        return 0
    if server.compile_cel is None:
        return 0
    stored = False
    compiled = server.compile_cel(expression, server.release, server.features, stored, derived)
    if compiled.error is not None:
        _refuse(check, expression, at, compiled)
    return compiled.max_cost or 0 if derived else 0


def _refuse(check: Check, expression: str, at: Location, compiled: Compiled) -> None:
    detail = compiled.error or ""
    if compiled.internal:
        check.add(at, INTERNAL, detail)
    elif compiled.too_costly:
        check.forbidden(at, detail)
    else:
        check.invalid(at, expression, detail)
