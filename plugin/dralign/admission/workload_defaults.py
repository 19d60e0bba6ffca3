"""What the API server fills into the kinds that hold pod templates, in place.

Source: k8s.io/kubernetes/pkg/apis/apps/v1/defaults.go, pkg/apis/batch/v1/defaults.go, pkg/apis/core/v1/defaults.go and
pkg/registry/batch/job/strategy.go.
"""

from __future__ import annotations

from dralign.admission.pod_defaults import fill_pod_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_REPLICATED = ("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController")
JOB_NAME_LABELS = ("batch.kubernetes.io/job-name", "job-name")
_JOB_DEFAULTS = {
    "parallelism": 1,
    "backoffLimit": 6,
    "completionMode": "NonIndexed",
    "suspend": False,
    "manualSelector": False,
}
_CRON_JOB_DEFAULTS = {
    "concurrencyPolicy": "Allow",
    "suspend": False,
    "successfulJobsHistoryLimit": 3,
    "failedJobsHistoryLimit": 1,
}


def fill_controller(obj: dict[str, Any]) -> None:
    """Fill in a Deployment, ReplicaSet, StatefulSet or DaemonSet."""
    spec = obj.setdefault("spec", {})
    if obj["kind"] in _REPLICATED:
        spec.setdefault("replicas", 1)
    _fill_template(spec.setdefault("template", {}))


def fill_replication_controller(obj: dict[str, Any]) -> None:
    """Fill in a ReplicationController: labels and selector come from its template."""
    spec = obj.setdefault("spec", {})
    spec.setdefault("replicas", 1)
    template = spec.get("template")
    if template is None:
        return
    _fill_template(template)
    labels = template.get("metadata", {}).get("labels")
    if labels is not None:
        if not spec.get("selector"):
            spec["selector"] = labels
        _label(obj, labels)


def fill_job(obj: dict[str, Any]) -> None:
    """Fill in a Job: the pods get labels with its name, and it gets the labels of its template."""
    spec = obj.setdefault("spec", {})
    if "completions" not in spec and "parallelism" not in spec:
        spec["completions"] = 1
    _fill_job_spec(spec)
    metadata = spec["template"].setdefault("metadata", {})
    labels = metadata.get("labels")
    if labels is not None:
        _label(obj, labels)  # one map: labels that the pods get below show on the job, too
    if not spec["manualSelector"]:
        own = metadata.setdefault("labels", {})
        for label in JOB_NAME_LABELS:
            own.setdefault(label, obj.get("metadata", {}).get("name", ""))


def fill_cron_job(obj: dict[str, Any]) -> None:
    """Fill in a CronJob."""
    spec = obj.setdefault("spec", {})
    for field, default in _CRON_JOB_DEFAULTS.items():
        spec.setdefault(field, default)
    _fill_job_spec(spec.setdefault("jobTemplate", {}).setdefault("spec", {}), completed=False)


def fill_pod_template_object(obj: dict[str, Any]) -> None:
    """Fill in a PodTemplate."""
    _fill_template(obj.setdefault("template", {}))


def _fill_job_spec(spec: dict[str, Any], *, completed: bool = True) -> None:
    # The defaults of a Job are not those of the template of one.
    if completed:
        for field, default in _JOB_DEFAULTS.items():
            spec.setdefault(field, default)
    _fill_template(spec.setdefault("template", {}))


def _fill_template(template: dict[str, Any]) -> None:
    fill_pod_spec(template.setdefault("spec", {}))


def _label(obj: dict[str, Any], labels: dict[str, str]) -> None:
    metadata = obj.setdefault("metadata", {})
    if not metadata.get("labels"):
        metadata["labels"] = labels
