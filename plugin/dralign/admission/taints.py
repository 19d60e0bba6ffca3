"""Taints of devices and the tolerations of requests (KEP-5055).

Source: ``validateDeviceTaint`` and ``validateDeviceToleration`` in k8s.io/kubernetes/pkg/apis/resource/validation.
"""

from __future__ import annotations

from dralign.admission.formats import validate_label_name, validate_label_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

_OPERATORS = ("Equal", "Exists")


def taint_limit(minor: int) -> int:
    """Return how many taints a device may have in release 1.minor."""
    return 4 if minor <= 34 else 16


def effects(minor: int) -> tuple[str, ...]:
    """Return the effects of taints in release 1.minor, in the server's order."""
    return ("NoExecute", "NoSchedule") if minor <= 34 else ("NoExecute", "NoSchedule", "None")


def validate_device_taint(check: Check, taint: dict[str, Any], at: Location, old: dict[str, Any] | None = None) -> None:
    """Validate a taint of a device or of a DeviceTaintRule; an effect that ``old`` has too is let be (from 1.35 on)."""
    validate_label_name(check, taint.get("key", ""), (*at, "key"))
    if "value" in taint:
        validate_label_value(check, taint["value"], (*at, "value"))
    if old is None or old.get("effect", "") != taint.get("effect", "") or check.minor <= 34:
        validate_effect(check, taint, at)


def validate_effect(check: Check, taint: dict[str, Any], at: Location) -> None:
    """Validate the effect of a taint."""
    effect = taint.get("effect", "")
    if not effect:
        check.required((*at, "effect"))
    elif effect not in effects(check.minor):
        check.unsupported((*at, "effect"), effect, effects(check.minor))


def validate_device_toleration(check: Check, toleration: dict[str, Any], at: Location) -> None:
    """Validate a toleration of a request."""
    validate_toleration_words(check, toleration, at)
    operator, value = toleration.get("operator", ""), toleration.get("value", "")
    if operator == "Exists" and value:
        check.invalid((*at, "value"), value, "must be empty for operator `Exists`")
    elif operator == "Equal":
        validate_label_value(check, value, (*at, "value"))


def validate_toleration_words(check: Check, toleration: dict[str, Any], at: Location) -> None:
    """Validate key, operator and effect of a toleration, each for itself."""
    if "key" in toleration:
        validate_label_name(check, toleration["key"], (*at, "key"))
    operator = toleration.get("operator", "")
    if not operator:
        check.required((*at, "operator"))
    elif operator not in _OPERATORS:
        check.unsupported((*at, "operator"), operator, _OPERATORS)
    if "effect" in toleration and toleration["effect"] not in effects(check.minor):
        check.unsupported((*at, "effect"), toleration["effect"], effects(check.minor))
