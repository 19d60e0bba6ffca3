"""The built-in kinds that hold pod templates.

Source: k8s.io/kubernetes/pkg/apis/apps/validation, pkg/apis/batch/validation and pkg/apis/core/validation, as far as
names, selectors, numbers and the template go.
"""

from __future__ import annotations

from dralign.admission import names
from dralign.admission.causes import INVALID, to_go_json
from dralign.admission.metadata import validate_metadata
from dralign.admission.pod import validate_pod_template
from dralign.admission.scheduling import validate_label_selector
from dralign.admission.workload_defaults import JOB_NAME_LABELS
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from dralign.admission.location import Location
    from dralign.admission.server import Check

_SPEC: Location = ("spec",)
_MISMATCH = "`selector` does not match template `labels`"
_JOB_RESTARTS = ("OnFailure", "Never")
_CONCURRENCY_POLICIES = ("Allow", "Forbid", "Replace")
_CRON_JOB_NAME = 52  # the name of a job is that of its cron job and eleven characters
_JOB_NUMBERS = (
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
)
_CRON_JOB_NUMBERS = ("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")


class Controller(Record):
    """How a kind that keeps pods running is validated.

    ``numbers`` must not be negative; ``noun`` is what an empty selector is said to be invalid for; ``needs_selector`` is
    false where the server does not ask for one (it then matches nothing). ``unusable`` is said of a selector that is
    malformed, after which the template is not looked at, only its restart policy where ``always_restarted``; None where
    nothing more is said and the template is looked at. ``overwritten`` are fields of the pod that the kind fills in.
    """

    numbers: tuple[str, ...]
    noun: str
    name_check: Callable[[str], list[str]] = names.object_name
    needs_selector: bool = True
    unusable: str | None = "invalid label selector"
    always_restarted: bool = False
    overwritten: tuple[str, ...] = ()


CONTROLLERS = {
    "Deployment": Controller(
        ("replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"), "deployment"
    ),
    "ReplicaSet": Controller(("replicas", "minReadySeconds"), "deployment"),
    "StatefulSet": Controller(
        ("replicas", "minReadySeconds"),
        "statefulset",
        names.dns_label,
        unusable="",
        always_restarted=True,
        overwritten=("hostname", "subdomain"),
    ),
    "DaemonSet": Controller(
        ("minReadySeconds", "revisionHistoryLimit"),
        "daemonset",
        needs_selector=False,
        unusable=None,
        always_restarted=True,
    ),
}


def validate_controller(check: Check, obj: dict[str, Any]) -> None:
    """Validate a Deployment, ReplicaSet, StatefulSet or DaemonSet."""
    rules = CONTROLLERS[obj["kind"]]
    validate_metadata(check, obj.get("metadata", {}), rules.name_check)
    spec, template = obj["spec"], obj["spec"]["template"]
    _validate_numbers(check, spec, rules.numbers, _SPEC)
    usable = _validate_selector(check, spec.get("selector"), rules)
    if usable:
        _validate_match(check, spec.get("selector"), template, _SPEC)
    if usable or rules.unusable is None:
        _validate_template(check, spec, rules)
    if usable or rules.always_restarted:
        _validate_always_restarted(check, template, _SPEC, obj["kind"])


def validate_service_name(check: Check, spec: dict[str, Any]) -> None:
    """Validate the service that a new StatefulSet names."""
    if spec.get("serviceName"):
        check.each_invalid((*_SPEC, "serviceName"), spec["serviceName"], names.dns_label(spec["serviceName"]))


def _validate_selector(check: Check, selector: dict[str, Any] | None, rules: Controller) -> bool:
    """Validate a selector, and say whether it can be used."""
    at = (*_SPEC, "selector")
    if selector is None:
        if rules.needs_selector:
            check.required(at)
        return True
    usable = validate_label_selector(check, selector, at)
    wrong = []
    if not selector.get("matchLabels") and not selector.get("matchExpressions"):
        wrong.append(f": empty selector is invalid for {rules.noun}")
    if not usable and rules.unusable is not None:
        wrong.append(f": {rules.unusable}" if rules.unusable else "")
    for words in wrong:
        check.add(at, INVALID, check.written_from("meta", "LabelSelector", selector) + words)
    return usable


def _validate_template(check: Check, spec: dict[str, Any], rules: Controller) -> None:
    template = spec["template"]
    given = {field: value for field, value in template["spec"].items() if field not in rules.overwritten}
    extra = [claim.get("metadata", {}).get("name", "") for claim in spec.get("volumeClaimTemplates", ())]
    validate_pod_template(check, {**template, "spec": given}, (*_SPEC, "template"), extra)


def validate_replication_controller(check: Check, obj: dict[str, Any]) -> None:
    """Validate a ReplicationController, whose selector is a plain map of labels."""
    newer = check.minor >= 35
    name_check = names.long_name if newer else names.object_name
    validate_metadata(check, obj.get("metadata", {}), name_check, generated_checked=not newer)
    spec = obj["spec"]
    _validate_numbers(check, spec, ("replicas", "minReadySeconds"), _SPEC)
    selector, template = spec.get("selector", {}), spec.get("template")
    if not selector:
        check.required((*_SPEC, "selector"))
    if template is None:
        check.required((*_SPEC, "template"))
        return
    if selector:
        _validate_match(check, {"matchLabels": selector}, template, _SPEC)
    validate_pod_template(check, template, (*_SPEC, "template"))
    _validate_always_restarted(check, template, _SPEC, obj["kind"])


def validate_job(check: Check, obj: dict[str, Any]) -> None:
    """Validate a Job."""
    validate_metadata(check, obj.get("metadata", {}), names.object_name)
    spec = obj["spec"]
    _validate_job_spec(check, spec, _SPEC)
    selector = spec.get("selector")
    if selector is None:
        if spec.get("manualSelector"):
            check.required((*_SPEC, "selector"))
            _validate_match(check, None, spec["template"], _SPEC)
    elif validate_label_selector(check, selector, (*_SPEC, "selector")):
        _validate_match(check, selector, spec["template"], _SPEC)
        if not spec.get("manualSelector"):
            _validate_generated(check, selector, obj.get("metadata", {}).get("name", ""))


def _validate_generated(check: Check, selector: dict[str, Any], name: str) -> None:
    """Object to a selector that asks for more than the labels that the server gives the pods of a job."""
    if not _selects(selector, dict.fromkeys(JOB_NAME_LABELS, name)):
        detail = f"{check.written_from('meta', 'LabelSelector', selector)}: `selector` not auto-generated"
        check.add((*_SPEC, "selector"), INVALID, detail)


def validate_cron_job(check: Check, obj: dict[str, Any]) -> None:
    """Validate a CronJob; whether its schedule can be read is not looked at."""
    metadata = obj.get("metadata", {})
    validate_metadata(check, metadata, names.object_name)
    if len(metadata.get("name", "")) > _CRON_JOB_NAME:
        check.invalid(("metadata", "name"), metadata["name"], f"must be no more than {_CRON_JOB_NAME} characters")
    spec = obj["spec"]
    if not spec.get("schedule"):
        check.required((*_SPEC, "schedule"))
    _validate_numbers(check, spec, _CRON_JOB_NUMBERS, _SPEC)
    policy = spec.get("concurrencyPolicy", "Allow")
    if policy not in _CONCURRENCY_POLICIES:
        check.unsupported((*_SPEC, "concurrencyPolicy"), policy, _CONCURRENCY_POLICIES)
    at = (*_SPEC, "jobTemplate", "spec")
    job = spec["jobTemplate"]["spec"]
    _validate_job_spec(check, job, at)
    if "selector" in job:
        detail = f"{check.written_from('meta', 'LabelSelector', job['selector'])}: `selector` will be auto-generated"
        check.add((*at, "selector"), INVALID, detail)
    if job.get("manualSelector"):
        check.unsupported((*at, "manualSelector"), True, ("nil", "false"))


def validate_pod_template_object(check: Check, obj: dict[str, Any]) -> None:
    """Validate a PodTemplate."""
    validate_metadata(check, obj.get("metadata", {}), names.object_name)
    validate_pod_template(check, obj["template"], ("template",))


def _validate_job_spec(check: Check, spec: dict[str, Any], at: Location) -> None:
    _validate_numbers(check, spec, _JOB_NUMBERS, at)
    mode = spec.get("completionMode", "NonIndexed")
    if mode not in ("NonIndexed", "Indexed"):
        check.unsupported((*at, "completionMode"), mode, ("NonIndexed", "Indexed"))
    elif mode == "Indexed" and "completions" not in spec:
        check.required((*at, "completions"), "when completion mode is Indexed")
    validate_pod_template(check, spec["template"], (*at, "template"))
    place = (*at, "template", "spec", "restartPolicy")
    restart = spec["template"]["spec"]["restartPolicy"]
    if restart == "Always":
        check.required(place, 'valid values: "OnFailure", "Never"')
    elif restart not in _JOB_RESTARTS:
        check.unsupported(place, restart, _JOB_RESTARTS)
    elif "podFailurePolicy" in spec and restart != "Never":
        check.invalid(place, restart, 'only "Never" is supported when podFailurePolicy is specified')


def _validate_numbers(check: Check, spec: dict[str, Any], fields: Sequence[str], at: Location) -> None:
    for field in fields:
        if spec.get(field, 0) < 0:
            check.invalid((*at, field), spec[field], "must be greater than or equal to 0")


def _validate_always_restarted(check: Check, template: dict[str, Any], at: Location, kind: str) -> None:
    spec = template["spec"]
    place = (*at, "template", "spec")
    if spec["restartPolicy"] != "Always":
        check.unsupported((*place, "restartPolicy"), spec["restartPolicy"], ("Always",))
    if "activeDeadlineSeconds" in spec:
        noun = "ReplicaSet" if kind == "Deployment" else kind
        check.forbidden((*place, "activeDeadlineSeconds"), f"activeDeadlineSeconds in {noun} is not Supported")


def _validate_match(check: Check, selector: dict[str, Any] | None, template: dict[str, Any], at: Location) -> None:
    """Object to a template whose pods the selector does not select; none selects nothing, an empty one everything."""
    labels = template.get("metadata", {}).get("labels", {})
    if selector is None or not _selects(selector, labels):
        place = (*at, "template", "metadata", "labels")
        check.add(place, INVALID, f"{to_go_json(labels or None)}: {_MISMATCH}")


def _selects(selector: dict[str, Any], labels: Mapping[str, str]) -> bool:
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    return all(_meets(requirement, labels) for requirement in selector.get("matchExpressions", ()))


def _meets(requirement: dict[str, Any], labels: Mapping[str, str]) -> bool:
    key, operator, values = requirement.get("key", ""), requirement.get("operator", ""), requirement.get("values", ())
    if operator in ("Exists", "DoesNotExist"):
        return bool((key in labels) == (operator == "Exists"))
    inside: bool = labels.get(key) in values
    return inside if operator == "In" else not inside
