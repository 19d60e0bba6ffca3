"""The kinds of resource.k8s.io: how each is prepared (defaults, drops) and validated."""

from __future__ import annotations

from dralign.admission import defaults, drops, names
from dralign.admission.claim import validate_admin_access, validate_claim_spec
from dralign.admission.device_class import validate_class_spec
from dralign.admission.kinds import Kind, spec_of
from dralign.admission.metadata import validate_metadata, validate_template_metadata
from dralign.admission.plugins import refuse_slice
from dralign.admission.resource_slice import validate_slice_spec
from dralign.admission.taint_rule import validate_taint_rule_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dralign.admission.server import Check

    Object = dict[str, Any]


def _claim_spec(template: Object) -> Object:
    spec: Object = template.setdefault("spec", {}).setdefault("spec", {})
    return spec


def _prepare_claim(check: Check, claim: Object, old: Object | None) -> None:
    claim.pop("status", None)
    spec = claim.setdefault("spec", {})
    defaults.fill_claim(spec, flat=check.flat)
    drops.drop_disabled(spec, spec_of(old), drops.CLAIM, check.features, check.minor)


def _validate_claim(check: Check, claim: Object, old: Object | None) -> None:
    validate_metadata(check, claim.get("metadata", {}), names.object_name)
    if old is None:
        validate_admin_access(check, claim["spec"], ("spec",), claim.get("metadata", {}).get("namespace", ""))
    if old is None or (check.minor <= 34 and old["spec"] != claim["spec"]):
        validate_claim_spec(check, claim["spec"], ("spec",))


def _prepare_template(check: Check, template: Object, old: Object | None) -> None:
    spec = _claim_spec(template)
    defaults.fill_claim(spec, flat=check.flat)
    drops.drop_disabled(spec, spec_of(spec_of(old)), drops.CLAIM, check.features, check.minor)


def _validate_template(check: Check, template: Object, old: Object | None) -> None:
    spec = _claim_spec(template)
    if old is None:
        validate_admin_access(check, spec, ("spec", "spec"), template.get("metadata", {}).get("namespace", ""))
    validate_metadata(check, template.get("metadata", {}), names.object_name)
    validate_template_metadata(check, template["spec"].get("metadata", {}), ("spec", "metadata"))
    validate_claim_spec(check, spec, ("spec", "spec"))


def _prepare_class(check: Check, device_class: Object, old: Object | None) -> None:
    spec = device_class.setdefault("spec", {})
    drops.drop_disabled(spec, spec_of(old), drops.CLASS, check.features, check.minor)


def _validate_class(check: Check, device_class: Object, old: Object | None) -> None:
    name_check = names.long_name if check.declarative else names.object_name
    validate_metadata(check, device_class.get("metadata", {}), name_check, generated_checked=check.minor <= 34)
    validate_class_spec(check, device_class["spec"], spec_of(old))


def _prepare_slice(check: Check, resource_slice: Object, old: Object | None) -> None:
    spec = resource_slice.setdefault("spec", {})
    defaults.fill_slice(spec, flat=check.flat)
    drops.drop_disabled(spec, spec_of(old), drops.SLICE, check.features, check.minor)


def _validate_slice(check: Check, resource_slice: Object, old: Object | None) -> None:
    validate_metadata(check, resource_slice.get("metadata", {}), names.object_name)
    validate_slice_spec(check, resource_slice["spec"], spec_of(old))


def _prepare_taint_rule(check: Check, rule: Object, old: Object | None) -> None:
    del check
    rule.pop("status", None)
    defaults.fill_taint_rule(rule.setdefault("spec", {}), spec_of(old))


def _validate_taint_rule(check: Check, rule: Object, old: Object | None) -> None:
    validate_metadata(check, rule.get("metadata", {}), names.object_name)
    validate_taint_rule_spec(check, rule["spec"], spec_of(old))


KINDS = {
    "ResourceClaim": Kind(True, _prepare_claim, _validate_claim),
    "ResourceClaimTemplate": Kind(True, _prepare_template, _validate_template),
    "DeviceClass": Kind(False, _prepare_class, _validate_class),
    "ResourceSlice": Kind(False, _prepare_slice, _validate_slice, refuse_valid=refuse_slice),
    "DeviceTaintRule": Kind(False, _prepare_taint_rule, _validate_taint_rule),
}
