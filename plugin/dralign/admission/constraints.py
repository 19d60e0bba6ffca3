"""Constraints and configurations of a claim, and the requests that they name.

Source: ``validateDeviceConstraint``, ``validateDeviceClaimConfiguration`` and ``validateRequestNameRef`` in
k8s.io/kubernetes/pkg/apis/resource/validation.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.causes import INVALID, to_json
from dralign.admission.formats import validate_fully_qualified_name, validate_opaque_driver_name
from dralign.admission.lists import validate_list, validate_unique

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

REFERENCES = 32
PARAMETERS_LENGTH = 10 * 1024
_NO_SUCH_REQUEST = (
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
)


def names_of_requests(requests: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """Return the names of the requests of a claim, each with the names of its alternatives."""
    return {
        request.get("name", ""): {alternative.get("name", "") for alternative in request.get("firstAvailable", ())}
        for request in requests
    }


def constrained_attributes(constraints: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """Return per request or ``request/alternative`` the attributes of its constraints; "" stands for all requests."""
    found: dict[str, set[str]] = {}
    for constraint in constraints:
        attribute = constraint.get("matchAttribute", constraint.get("distinctAttribute"))
        if attribute is not None:
            for reference in constraint.get("requests") or ("",):
                found.setdefault(reference, set()).add(attribute)
    return found


def validate_constraint(
    check: Check, constraint: dict[str, Any], at: Location, requested: Mapping[str, set[str]]
) -> None:
    """Validate one constraint. Beside ``matchAttribute``, ``distinctAttribute`` is looked at from 1.37 on only."""
    validate_references(check, constraint.get("requests", ()), (*at, "requests"), requested)
    match, distinct = constraint.get("matchAttribute"), constraint.get("distinctAttribute")
    if match is not None:
        validate_fully_qualified_name(check, match, (*at, "matchAttribute"))
    if distinct is not None and (match is None or check.declarative):
        validate_fully_qualified_name(check, distinct, (*at, "distinctAttribute"))
    if match is None and distinct is None:
        if "DRAConsumableCapacity" in check.features:
            # The server's own words, though nothing is set.
            detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
            check.required(at, detail)
        else:
            check.required((*at, "matchAttribute"))


def validate_claim_config(
    check: Check, config: dict[str, Any], at: Location, requested: Mapping[str, set[str]]
) -> None:
    """Validate one configuration of a claim."""
    validate_references(check, config.get("requests", ()), (*at, "requests"), requested)
    validate_device_config(check, config, at)


def validate_device_config(check: Check, config: dict[str, Any], at: Location, *, stored: bool = False) -> None:
    """Validate one configuration of a claim, class or allocation; ``stored`` ones may be longer than new ones."""
    opaque = config.get("opaque")
    if opaque is None:
        check.required((*at, "opaque"))
        return
    validate_opaque_driver_name(check, opaque.get("driver", ""), (*at, "opaque", "driver"))
    limit = None if stored else PARAMETERS_LENGTH
    validate_json_object(check, opaque.get("parameters"), (*at, "opaque", "parameters"), limit)


def validate_json_object(check: Check, value: Any, at: Location, limit: int | None) -> None:
    """Validate a field that must hold a JSON object of at most ``limit`` bytes, None for any length."""
    if value is None:
        check.required(at)
    elif limit is not None and _is_longer(value, limit):
        check.too_long(at, limit)
    elif not isinstance(value, dict):
        check.add(at, INVALID, '"<value omitted>": must be a valid JSON object')


def validate_references(
    check: Check, references: Sequence[str], at: Location, requested: Mapping[str, set[str]]
) -> None:
    """Validate a list of requests of the claim."""
    validate_list(
        check, references, at, REFERENCES, lambda check, name, at: validate_reference(check, name, at, requested)
    )
    if len(references) <= REFERENCES or check.minor <= 34:
        validate_unique(check, references, at)


def validate_reference(check: Check, name: str, at: Location, requested: Mapping[str, set[str]]) -> None:
    """Validate the name of a request, ``request``, or of an alternative, ``request/alternative``."""
    parts = name.split("/")
    if len(parts) > 2:
        check.invalid(at, name, _NO_SUCH_REQUEST)
        return
    for part in parts:
        check.each_invalid(at, part, names.dns_label(part))
    alternatives = requested.get(parts[0])
    if alternatives is None or (len(parts) == 2 and parts[1] not in alternatives):
        check.invalid(at, name, _NO_SUCH_REQUEST)


def _is_longer(value: Any, limit: int) -> bool:
    """Say whether the compact JSON of a value is longer than ``limit`` bytes."""
    return len(to_json(value).encode(errors="surrogatepass")) > limit
