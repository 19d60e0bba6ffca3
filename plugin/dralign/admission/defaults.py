"""What the API server fills into objects of resource.k8s.io, in place.

Source: k8s.io/kubernetes/pkg/apis/resource/v1*/defaults.go and the ``+default`` markers of the API types.
"""

from __future__ import annotations

from dralign.admission.layout import device_body, exact_request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOW = "(now)"  # stands for the time of the request


def fill_claim(spec: dict[str, Any], *, flat: bool) -> None:
    """Fill in modes, counts and operators of the requests of a claim or of the spec in a template."""
    for request in spec.get("devices", {}).get("requests", ()):
        exact, _ = exact_request(request, (), flat=flat)
        if exact is not None:
            if flat:
                exact.setdefault(
                    "deviceClassName", ""
                )  # a request without one stays a request when gates drop the rest
            # In v1beta1 a request without a class has alternatives, and nothing is filled in.
            if not flat or exact.get("deviceClassName"):
                _fill_mode(exact)
            _fill_operators(exact)
        for alternative in request.get("firstAvailable", ()):
            _fill_mode(alternative)
            _fill_operators(alternative)


def fill_slice(spec: dict[str, Any], *, flat: bool) -> None:
    """Fill in when the taints of devices were added; in v1beta1 a device always has a body."""
    for device in spec.get("devices", ()):
        if flat:
            device.setdefault("basic", {})
        for taint in device_body(device, (), flat=flat)[0].get("taints", ()):
            taint.setdefault("timeAdded", NOW)


def fill_taint_rule(spec: dict[str, Any], old: dict[str, Any] | None) -> None:
    """Fill in when the taint was added; another effect than the stored one counts as added now."""
    taint = spec.setdefault("taint", {})
    taint.setdefault("timeAdded", NOW)
    if old is not None:
        before = old.get("taint", {})
        if taint.get("effect") != before.get("effect") and taint["timeAdded"] == before.get("timeAdded"):
            taint["timeAdded"] = NOW


def _fill_mode(asked: dict[str, Any]) -> None:
    mode = asked.setdefault("allocationMode", "ExactCount")
    if mode == "ExactCount" and not asked.get("count"):
        asked["count"] = 1


def _fill_operators(asked: dict[str, Any]) -> None:
    for toleration in asked.get("tolerations", ()):
        toleration.setdefault("operator", "Equal")
