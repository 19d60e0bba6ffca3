"""What to type where the API server refuses an object: one row for each thing that it says."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.admission.causes import Cause

_TIPS = (
    ("must not be specified when allocationMode is 'All'", "take out count, or write allocationMode: ExactCount"),
    ("must be greater than zero", "write a count of 1 or more"),
    ("must be the name of a request", "write the name of a request of this claim, or <request>/<alternative>"),
    (
        "a fully qualified name must be a domain and a name",
        "write <domain>/<name>, such as resource.kubernetes.io/numaNode",
    ),
    ("but multiple fields are set", "keep one of the two and take out the other"),
    (
        "exactly one of `exactly` or `firstAvailable` is required",
        "write exactly: with a deviceClassName below it, or firstAvailable: with a list of alternatives",
    ),
    ("only one of `sharedCounters` or `devices`", "put sharedCounters into a slice of their own, of the same pool"),
    ("quantities must match", "write an amount, such as 8, 500m or 16Gi"),
    ("must be an integer", "write a whole number: nobody hands out a part of one"),
    ("Limit must be set for non overcommitable", "write the same amount under limits"),
    ("must be equal to", "write the same amount under requests and limits"),
    ("must be less than or equal to", "lower the request or raise the limit"),
    ("must be a string compatible with semver.org", "write three numbers, such as 6.19.14, or 6.19.14+31400000"),
    ("HugePages require cpu or memory", "ask for cpu or memory beside the huge pages"),
    ("must be a standard resource", "write cpu, memory, ephemeral-storage, hugepages-<size>, or <domain>/<name>"),
    ("may not be set for Resources at pod-level", "move claims to the resources of the containers that use them"),
    ("not a valid selector operator", "write In, NotIn, Exists, DoesNotExist, Gt or Lt"),
    ("a lowercase RFC 1123", "write small letters, digits and '-', and begin and end with a letter or a digit"),
    ("An RFC 1123 subdomain", "write the name of the driver, such as gpu.nvidia.com"),
)
_BY_REASON = {
    "FieldValueRequired": "write the field that is missing",
    "FieldValueDuplicate": "give each entry a name of its own, or take out the second",
    "FieldValueTooMany": "take out what is too much, or spread it over several objects",
    "FieldValueTooLong": "write less",
    "UnknownField": "take out the field: this version of the API has none of that name",
    "WrongType": "write a value of the type that the message names; quotes make a string",
}


def tip_for(cause: Cause) -> str | None:
    """Return what to type where the API server objects to a field; None where its own words say it."""
    if "resourceClaims[" in cause.field and cause.field.endswith("].deviceClassName"):
        return "write resourceClaimTemplateName, and the class below devices.requests of that ResourceClaimTemplate"
    if "claims[" in cause.field and cause.field.endswith("].request") and "/" in cause.message:
        return "write the name of the request: a container gets whichever of its alternatives is allocated"
    if cause.field.endswith(".name") and 'Invalid value: ""' in cause.message:
        return "write the name that is missing"
    if cause.field == "spec.spec":
        return "write kind: ResourceClaimTemplate, or what stands below spec.spec directly below spec"
    if cause.hint is not None:
        return cause.hint.replace("`", "'")
    found = (tip for phrase, tip in _TIPS if phrase.lower() in cause.message.lower())
    return next(found, _BY_REASON.get(cause.reason))
