"""What a ResourceClaim asks for: requests, alternatives, derived attributes.

Source: ``validateDeviceClaim`` and below in k8s.io/kubernetes/pkg/apis/resource/validation, 1.34 to 1.37.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.causes import FORBIDDEN
from dralign.admission.constraints import (
    constrained_attributes,
    names_of_requests,
    validate_claim_config,
    validate_constraint,
)
from dralign.admission.formats import validate_fully_qualified_name
from dralign.admission.layout import exact_request
from dralign.admission.lists import validate_list, validate_unique, validate_unique_by
from dralign.admission.selectors import COST_LIMIT, SELECTORS, validate_expression, validate_selectors
from dralign.admission.taints import validate_device_toleration, validate_toleration_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

REQUESTS = 32
ALTERNATIVES = 8
CONSTRAINTS = 32
CONFIGS = 32
DERIVED_ATTRIBUTES = 32
_MODES = ("All", "ExactCount")
_ADMIN_LABEL = "resource.kubernetes.io/admin-access"


def validate_claim_spec(check: Check, spec: dict[str, Any], at: Location) -> None:
    """Validate the spec of a claim, or the one in a template."""
    devices = spec.get("devices", {})
    at = (*at, "devices")
    requests = devices.get("requests", ())
    constraints = devices.get("constraints", ())
    requested = names_of_requests(requests)
    attributes = constrained_attributes(constraints)
    costs: list[int] = []

    def validate_one(check: Check, request: dict[str, Any], at: Location) -> None:
        _validate_request(check, request, at, attributes, costs)

    validate_list(check, requests, (*at, "requests"), REQUESTS, validate_one)
    if len(requests) <= REQUESTS or check.minor <= 34:
        validate_unique_by(check, requests, (*at, "requests"), "name", "DeviceRequest")
    validate_list(
        check,
        constraints,
        (*at, "constraints"),
        CONSTRAINTS,
        lambda check, constraint, at: validate_constraint(check, constraint, at, requested),
    )
    validate_list(
        check,
        devices.get("config", ()),
        (*at, "config"),
        CONFIGS,
        lambda check, config, at: validate_claim_config(check, config, at, requested),
    )
    if sum(costs) > COST_LIMIT:
        check.forbidden(
            at, "too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit"
        )


def validate_admin_access(check: Check, spec: dict[str, Any], at: Location, namespace: str) -> None:
    """Object to admin access in a namespace without the label.

    The server names the first request that asks for it, and always as if it stood in a claim of v1beta1.
    """
    for index, request in enumerate(spec.get("devices", {}).get("requests", ())):
        exact, place = exact_request(request, (*at, "devices", "requests", index), flat=check.flat)
        if exact is not None and exact.get("adminAccess"):
            field = f"spec.devices.requests[{index}].adminAccess"
            validate_admin_namespace(check, namespace, (*place, "adminAccess"), field)
            return


def validate_admin_namespace(check: Check, namespace: str, at: Location, field: str | None = None) -> None:
    """Object to admin access at ``at`` (``field`` in the server's words) unless the namespace allows it or is unknown."""
    namespaces = check.server.namespaces
    if namespaces is not None and namespaces.get(namespace, {}).get(_ADMIN_LABEL) != "true":
        detail = f"admin access to devices requires the `{_ADMIN_LABEL}: true` label on the containing namespace"
        check.add(at, FORBIDDEN, detail, field)


def _validate_request(
    check: Check, request: dict[str, Any], at: Location, attributes: Mapping[str, set[str]], costs: list[int]
) -> None:
    name = request.get("name", "")
    check.each_invalid((*at, "name"), name, names.dns_label(name))
    alternatives = request.get("firstAvailable", ())
    exact, exact_at = exact_request(request, at, flat=check.flat)
    if exact is None and not alternatives:
        check.required(at, "exactly one of `exactly` or `firstAvailable` is required")
    elif exact is not None and alternatives:
        check.invalid(at, None, "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set")
        if check.declarative:
            _validate_declared(check, exact, exact_at)
            place = (*at, "firstAvailable")
            validate_list(check, alternatives, place, ALTERNATIVES, _validate_declared)
            if len(alternatives) <= ALTERNATIVES:
                validate_unique_by(check, alternatives, place, "name", "DeviceSubRequest")
        if check.minor >= 35:
            return
    if alternatives:
        validate_list(
            check,
            alternatives,
            (*at, "firstAvailable"),
            ALTERNATIVES,
            lambda check, alternative, at: _validate_alternative(check, alternative, at, name, attributes, costs),
        )
        if len(alternatives) <= ALTERNATIVES or check.minor <= 34:
            validate_unique_by(check, alternatives, (*at, "firstAvailable"), "name", "DeviceSubRequest")
    if exact is not None:
        _validate_asked(check, exact, exact_at, name, attributes, costs)


def _validate_declared(check: Check, asked: dict[str, Any], at: Location) -> None:
    """Validate what is left when both forms are given: the rules that 1.37 generates from the API types."""
    if "firstAvailable" in at:
        _validate_class_name(check, asked, at)
    check.list_of((*at, "selectors"), len(asked.get("selectors", ())), SELECTORS)
    if asked.get("allocationMode", "") not in ("", *_MODES):
        check.unsupported((*at, "allocationMode"), asked["allocationMode"], _MODES)
    for index, toleration in enumerate(asked.get("tolerations", ())):
        validate_toleration_words(check, toleration, (*at, "tolerations", index))


def _validate_alternative(
    check: Check,
    alternative: dict[str, Any],
    at: Location,
    parent: str,
    attributes: Mapping[str, set[str]],
    costs: list[int],
) -> None:
    name = alternative.get("name", "")
    check.each_invalid((*at, "name"), name, names.dns_label(name))
    _validate_asked(check, alternative, at, f"{parent}/{name}", attributes, costs)


def _validate_asked(
    check: Check,
    asked: dict[str, Any],
    at: Location,
    reference: str,
    attributes: Mapping[str, set[str]],
    costs: list[int],
) -> None:
    """Validate what ``exactly`` and each alternative have in common."""
    _validate_class_name(check, asked, at)
    if "selectors" in asked:
        validate_selectors(check, asked["selectors"], (*at, "selectors"))
    if "derivedAttributes" in asked:
        _validate_derived(check, asked["derivedAttributes"], (*at, "derivedAttributes"), reference, attributes, costs)
    _validate_mode(check, asked, at)
    for index, toleration in enumerate(asked.get("tolerations", ())):
        validate_device_toleration(check, toleration, (*at, "tolerations", index))


def _validate_class_name(check: Check, asked: dict[str, Any], at: Location) -> None:
    name = asked.get("deviceClassName", "")
    if not name:
        check.required((*at, "deviceClassName"))
    else:
        check.each_invalid((*at, "deviceClassName"), name, names.dns_subdomain(name))


def _validate_derived(
    check: Check,
    derived: Sequence[dict[str, Any]],
    at: Location,
    reference: str,
    attributes: Mapping[str, set[str]],
    costs: list[int],
) -> None:
    """Validate the derived attributes of a request or alternative (KEP-6080), however many, and collect their costs."""
    check.list_of(at, len(derived), DERIVED_ATTRIBUTES)
    usable = attributes.get("", set()) | attributes.get(reference, set())
    usable |= attributes.get(reference.partition("/")[0], set())
    for index, attribute in enumerate(derived):
        name, expression = attribute.get("name", ""), attribute.get("expression", "")
        if not name:
            check.required((*at, index, "name"))
        else:
            validate_fully_qualified_name(check, name, (*at, index, "name"))
            if name not in usable:
                detail = (
                    "must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this "
                    "request"
                )
                check.invalid((*at, index, "name"), name, detail)
        if not expression:
            check.required((*at, index, "expression"))
        else:
            costs.append(validate_expression(check, expression, (*at, index, "expression"), derived=True))
    validate_unique(check, [attribute.get("name", "") for attribute in derived], at)


def _validate_mode(check: Check, asked: dict[str, Any], at: Location) -> None:
    mode = asked.get("allocationMode", "")
    count = asked.get("count", 0)
    if mode == "All":
        if count != 0:
            check.invalid((*at, "count"), count, "must not be specified when allocationMode is 'All'")
    elif mode == "ExactCount":
        if count <= 0:
            check.invalid((*at, "count"), count, "must be greater than zero")
    else:
        check.unsupported((*at, "allocationMode"), mode, _MODES)
