"""Where a pod may run: tolerations, spread constraints, affinity.

Source: ``ValidateTolerations``, ``validateTopologySpreadConstraints`` and ``validateAffinity`` in
k8s.io/kubernetes/pkg/apis/core/validation.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.formats import validate_label_name, validate_label_value
from dralign.admission.metadata import validate_labels
from dralign.admission.node_selector import validate_node_selector, validate_term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_ACTIONS = ("DoNotSchedule", "ScheduleAnyway")
_NODE_POLICIES = ("Honor", "Ignore")
_COMPARISONS = ("Lt", "Gt")
_MAX_INT64 = (1 << 63) - 1


def validate_scheduling(check: Check, spec: dict[str, Any], at: Location) -> None:
    """Validate node selector, tolerations, affinity and spread constraints of a pod."""
    validate_labels(check, spec.get("nodeSelector", {}), (*at, "nodeSelector"))
    for index, toleration in enumerate(spec.get("tolerations", ())):
        _validate_toleration(check, toleration, (*at, "tolerations", index))
    if "affinity" in spec:
        _validate_affinity(check, spec["affinity"], (*at, "affinity"))
    constraints = spec.get("topologySpreadConstraints", ())
    for index, constraint in enumerate(constraints):
        place = (*at, "topologySpreadConstraints", index)
        _validate_spread(check, constraint, place)
        _validate_not_repeated(check, constraint, constraints[index + 1 :], place)


def validate_label_selector(check: Check, selector: dict[str, Any], at: Location) -> bool:
    """Validate a label selector, and say whether it is valid."""
    found = len(check.causes)
    validate_labels(check, selector.get("matchLabels", {}), (*at, "matchLabels"))
    for index, requirement in enumerate(selector.get("matchExpressions", ())):
        place = (*at, "matchExpressions", index)
        operator, values = requirement.get("operator", ""), requirement.get("values", ())
        if operator in ("In", "NotIn"):
            if not values:
                check.required((*place, "values"), "must be specified when `operator` is 'In' or 'NotIn'")
        elif operator in ("Exists", "DoesNotExist"):
            if values:
                detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
                check.forbidden((*place, "values"), detail)
        else:
            check.invalid((*place, "operator"), operator, "not a valid selector operator")
        validate_label_name(check, requirement.get("key", ""), (*place, "key"))
        for value_index, value in enumerate(values):
            validate_label_value(check, value, (*place, "values", value_index))
    return len(check.causes) == found


def _validate_toleration(check: Check, toleration: dict[str, Any], at: Location) -> None:
    key, operator = toleration.get("key", ""), toleration.get("operator", "")
    if key:
        validate_label_name(check, key, (*at, "key"))
    elif operator != "Exists":
        detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        check.invalid((*at, "operator"), operator, detail)
    effect = toleration.get("effect", "")
    if "tolerationSeconds" in toleration and effect != "NoExecute":
        check.invalid((*at, "effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
    _validate_toleration_operator(check, operator, toleration.get("value", ""), at)
    if effect and effect not in _EFFECTS:
        check.unsupported((*at, "effect"), effect, _EFFECTS)


def _validate_toleration_operator(check: Check, operator: str, value: str, at: Location) -> None:
    if operator in ("Equal", ""):
        wrong = names.label_value(value, check.minor)
        if wrong:
            check.invalid((*at, "operator"), value, ";".join(wrong))
    elif operator == "Exists":
        if value:
            check.invalid((*at, "operator"), value, "value must be empty when `operator` is 'Exists'")
    elif operator not in _COMPARISONS or check.minor <= 34:
        check.unsupported((*at, "operator"), operator, ("Equal", "Exists"))
    elif "TaintTolerationComparisonOperators" not in check.features:
        check.unsupported((*at, "operator"), operator, ("Equal", "Exists", *_COMPARISONS))
    else:
        _validate_number(check, value, (*at, "value"))


def _validate_number(check: Check, value: str, at: Location) -> None:
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or value == "-0" or (digits[0] == "0" and digits != "0"):
        check.invalid(at, value, "must be a valid decimal integer in canonical form")
    elif not -_MAX_INT64 - 1 <= int(value) <= _MAX_INT64:
        check.invalid(at, value, f'strconv.ParseInt: parsing "{value}": value out of range')


def _validate_spread(check: Check, constraint: dict[str, Any], at: Location) -> None:
    if constraint.get("maxSkew", 0) <= 0:
        check.invalid((*at, "maxSkew"), constraint.get("maxSkew", 0), "must be greater than zero")
    if not constraint.get("topologyKey"):
        check.required((*at, "topologyKey"), "can not be empty")
    action = constraint.get("whenUnsatisfiable", "")
    if action not in _ACTIONS:
        check.unsupported((*at, "whenUnsatisfiable"), action, _ACTIONS)
    if "minDomains" in constraint:
        if constraint["minDomains"] <= 0:
            check.invalid((*at, "minDomains"), constraint["minDomains"], "must be greater than zero")
        if action != "DoNotSchedule":
            detail = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}"
            check.invalid((*at, "minDomains"), constraint["minDomains"], detail)
    for field in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        if field in constraint and constraint[field] not in _NODE_POLICIES:
            check.unsupported((*at, field), constraint[field], _NODE_POLICIES)
    if "labelSelector" in constraint:
        validate_label_selector(check, constraint["labelSelector"], (*at, "labelSelector"))


def _validate_not_repeated(
    check: Check, constraint: dict[str, Any], others: Sequence[dict[str, Any]], at: Location
) -> None:
    pair = constraint.get("topologyKey", ""), constraint.get("whenUnsatisfiable", "")
    if any((other.get("topologyKey", ""), other.get("whenUnsatisfiable", "")) == pair for other in others):
        check.duplicate((*at, "{topologyKey, whenUnsatisfiable}"), f"{{{pair[0]}, {pair[1]}}}")


def _validate_affinity(check: Check, affinity: dict[str, Any], at: Location) -> None:
    required, preferred = (
        "requiredDuringSchedulingIgnoredDuringExecution",
        "preferredDuringSchedulingIgnoredDuringExecution",
    )
    node = affinity.get("nodeAffinity", {})
    if required in node:
        validate_node_selector(check, node[required], (*at, "nodeAffinity", required))
    for index, weighted in enumerate(node.get(preferred, ())):
        place = (*at, "nodeAffinity", preferred, index)
        _validate_weight(check, weighted, place)
        validate_term(check, weighted.get("preference", {}), (*place, "preference"))
    for kind in ("podAffinity", "podAntiAffinity"):
        pods = affinity.get(kind, {})
        for index, term in enumerate(pods.get(required, ())):
            _validate_pod_term(check, term, (*at, kind, required, index))
        for index, weighted in enumerate(pods.get(preferred, ())):
            place = (*at, kind, preferred, index)
            _validate_weight(check, weighted, place)
            _validate_pod_term(check, weighted.get("podAffinityTerm", {}), (*place, "podAffinityTerm"))


def _validate_weight(check: Check, weighted: dict[str, Any], at: Location) -> None:
    if not 1 <= weighted.get("weight", 0) <= 100:
        check.invalid((*at, "weight"), weighted.get("weight", 0), "must be in the range 1-100")


def _validate_pod_term(check: Check, term: dict[str, Any], at: Location) -> None:
    if "labelSelector" in term:
        validate_label_selector(check, term["labelSelector"], (*at, "labelSelector"))
    if not term.get("topologyKey"):
        check.required((*at, "topologyKey"), "can not be empty")
    else:
        validate_label_name(check, term["topologyKey"], (*at, "topologyKey"))
