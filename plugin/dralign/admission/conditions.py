"""Conditions in a status.

Source: ``ValidateConditions`` in k8s.io/apimachinery/pkg/apis/meta/v1/validation.
"""

from __future__ import annotations

from dralign.admission.formats import validate_label_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

_STATES = ("False", "True", "Unknown")
_REASON_LENGTH = 1024
_MESSAGE_LENGTH = 32 * 1024
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_LAST = _LETTERS | frozenset("0123456789_")
_INNER = _LAST | frozenset(",:")
_REASON_WORDS = (
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters "
    "or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or "
    "'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"
)


def validate_conditions(check: Check, conditions: Sequence[dict[str, Any]], at: Location) -> None:
    """Validate conditions: each type once, all fields set."""
    types = set()
    for index, condition in enumerate(conditions):
        type_ = condition.get("type", "")
        if type_ in types:
            check.duplicate((*at, index), type_)
        types.add(type_)
        _validate_condition(check, condition, (*at, index))


def _validate_condition(check: Check, condition: dict[str, Any], at: Location) -> None:
    if not condition.get("type"):
        check.required((*at, "type"), "is required")
    else:
        validate_label_name(check, condition["type"], (*at, "type"))
    state = condition.get("status", "")
    if not state:
        check.required((*at, "status"))
    elif state not in _STATES:
        check.unsupported((*at, "status"), state, _STATES)
    if condition.get("observedGeneration", 0) < 0:
        detail = "must be greater than or equal to zero"
        check.invalid((*at, "observedGeneration"), condition["observedGeneration"], detail)
    if "lastTransitionTime" not in condition:
        check.required((*at, "lastTransitionTime"))
    _validate_reason(check, condition.get("reason", ""), (*at, "reason"))
    if len(condition.get("message", "").encode(errors="surrogatepass")) > _MESSAGE_LENGTH:
        check.too_long((*at, "message"), _MESSAGE_LENGTH)


def _validate_reason(check: Check, reason: str, at: Location) -> None:
    if not reason:
        check.required(at)
        return
    if reason[0] not in _LETTERS or reason[-1] not in _LAST or not _INNER.issuperset(reason):
        check.invalid(at, reason, _REASON_WORDS)
    if len(reason.encode(errors="surrogatepass")) > _REASON_LENGTH:
        check.too_long(at, _REASON_LENGTH)
