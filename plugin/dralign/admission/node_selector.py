"""Node selectors: of slices, devices and allocations, and of the node affinity of pods.

Source: ``ValidateNodeSelector`` in k8s.io/kubernetes/pkg/apis/core/validation.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.formats import validate_label_name, validate_label_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check


def validate_node_name(check: Check, name: str, at: Location) -> None:
    """Validate the name of a node."""
    check.each_invalid(at, name, names.dns_subdomain(name))


def validate_node_selector(check: Check, selector: dict[str, Any], at: Location) -> None:
    """Validate a node selector; it needs at least one term."""
    terms = selector.get("nodeSelectorTerms", ())
    at = (*at, "nodeSelectorTerms")
    if not terms:
        check.required(at, "must have at least one node selector term")
    for index, term in enumerate(terms):
        validate_term(check, term, (*at, index))


def validate_term(check: Check, term: dict[str, Any], at: Location) -> None:
    """Validate one term: requirements on labels, and on fields, of which there is the name only."""
    for index, requirement in enumerate(term.get("matchExpressions", ())):
        _validate_requirement(check, requirement, (*at, "matchExpressions", index))
    for index, requirement in enumerate(term.get("matchFields", ())):
        _validate_field_requirement(check, requirement, (*at, "matchFields", index))


def _validate_requirement(check: Check, requirement: dict[str, Any], at: Location) -> None:
    operator, values = requirement.get("operator", ""), requirement.get("values", ())
    if operator in ("In", "NotIn"):
        if not values:
            check.required((*at, "values"), "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            check.forbidden((*at, "values"), detail)
    elif operator in ("Gt", "Lt"):
        if len(values) != 1:
            check.required((*at, "values"), "must be specified single value when `operator` is 'Lt' or 'Gt'")
    else:
        check.invalid((*at, "operator"), operator, "not a valid selector operator")
    validate_label_name(check, requirement.get("key", ""), (*at, "key"))
    for index, value in enumerate(values):
        validate_label_value(check, value, (*at, "values", index))


def _validate_field_requirement(check: Check, requirement: dict[str, Any], at: Location) -> None:
    operator, values = requirement.get("operator", ""), requirement.get("values", ())
    if operator not in ("In", "NotIn"):
        check.invalid((*at, "operator"), operator, "not a valid selector operator")
    elif len(values) != 1:
        detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        check.required((*at, "values"), detail)
    if requirement.get("key") != "metadata.name":
        check.invalid((*at, "key"), requirement.get("key", ""), "not a valid field selector key")
        return
    for index, value in enumerate(values):
        validate_node_name(check, value, (*at, "values", index))
