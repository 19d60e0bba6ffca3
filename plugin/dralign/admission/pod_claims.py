"""The claims of a pod: which ResourceClaims and templates it names.

Source: ``validatePodResourceClaim`` in k8s.io/kubernetes/pkg/apis/core/validation.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.causes import INVALID, to_go_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

_NAMES = ("resourceClaimName", "resourceClaimTemplateName")
_BOTH = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
_NEITHER = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"


def validate_pod_claims(check: Check, claims: Sequence[dict[str, Any]], at: Location) -> None:
    """Validate ``resourceClaims`` of a pod: unique names, and either a claim or a template for each."""
    taken: set[str] = set()
    for index, claim in enumerate(claims):
        place = (*at, index)
        name = claim.get("name", "")
        if not name:
            check.required((*place, "name"))
        elif name in taken:
            check.duplicate((*place, "name"), name)
        else:
            check.each_invalid((*place, "name"), name, names.dns_label(name))
            taken.add(name)
        given = [field for field in _NAMES if field in claim]
        if len(given) != 1:
            check.add(place, INVALID, f"{_quoted(claim)}: {_BOTH if given else _NEITHER}")
        for field in given:
            check.each_invalid((*place, field), claim[field], names.object_name(claim[field]))


def _quoted(claim: dict[str, Any]) -> str:
    """Return a claim as the server quotes it: with the names of its internal type."""
    fields = (("Name", "name"), ("ResourceClaimName", _NAMES[0]), ("ResourceClaimTemplateName", _NAMES[1]))
    values = (f'"{go}":{to_go_json(claim.get(field, "" if field == "name" else None))}' for go, field in fields)
    return "{" + ",".join(values) + "}"
