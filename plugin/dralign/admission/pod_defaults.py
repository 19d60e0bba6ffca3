"""What the API server fills into pods and pod templates, in place.

Source: k8s.io/kubernetes/pkg/apis/core/v1/defaults.go; defaults that no rule reads (probes, modes of volumes) are left
out. The tolerations are those of the DefaultTolerationSeconds admission plugin.
"""

from __future__ import annotations

from dralign.admission.amounts import rounded_to_milli
from dralign.admission.pod_level import FIXED_GATE, fill_pod_level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_GRACE_SECONDS = 30
_EVICTION_SECONDS = 300
_POD_DEFAULTS = {
    "restartPolicy": "Always",
    "dnsPolicy": "ClusterFirst",
    "schedulerName": "default-scheduler",
    "terminationGracePeriodSeconds": _GRACE_SECONDS,
}
_REPOSITORY = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-/")
_NODE_PROBLEMS = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def fill_pod_spec(spec: dict[str, Any]) -> None:
    """Fill in what Pods and templates have in common; resources are rounded up to thousandths."""
    for field, default in _POD_DEFAULTS.items():
        spec.setdefault(field, default)
    spec.setdefault("securityContext", {})
    for container in _containers(spec, "containers", "initContainers", "ephemeralContainers"):
        container.setdefault("terminationMessagePath", "/dev/termination-log")
        container.setdefault("terminationMessagePolicy", "File")
        container.setdefault("imagePullPolicy", _pull_policy(container.get("image", "")))
        for port in container.get("ports", ()):
            port.setdefault("protocol", "TCP")
        _round(container.get("resources", {}))
    _round(spec.get("resources", {}))
    if "overhead" in spec:
        spec["overhead"] = {name: rounded_to_milli(quantity) for name, quantity in spec["overhead"].items()}


def fill_pod(spec: dict[str, Any], features: frozenset[str], old: dict[str, Any] | None = None) -> None:
    """Fill in what only Pods get: requests from limits, links, tolerations, resources of the pod as a whole.

    On an update 1.37 fills in nothing for the pod as a whole, but keeps what ``old`` has when the new spec has none.
    """
    if spec.get("terminationGracePeriodSeconds", 0) < 0:
        spec["terminationGracePeriodSeconds"] = 1
    fill_pod_spec(spec)
    for container in _containers(spec, "containers", "initContainers"):
        _fill_requests(container)
    spec.setdefault("enableServiceLinks", True)
    if spec.get("hostNetwork"):
        for container in _containers(spec, "containers", "initContainers"):
            for port in container.get("ports", ()):
                if not port.get("hostPort"):
                    port["hostPort"] = port.get("containerPort", 0)
    _fill_tolerations(spec)
    if old is None or FIXED_GATE not in features:
        fill_pod_level(spec, features)
    elif "resources" in old:
        spec.setdefault("resources", old["resources"])


def _containers(spec: dict[str, Any], *fields: str) -> Iterator[dict[str, Any]]:
    for field in fields:
        yield from spec.get(field, ())


def _fill_requests(container: dict[str, Any]) -> None:
    resources = container.get("resources", {})
    if "limits" in resources:
        resources["requests"] = {**resources["limits"], **resources.get("requests", {})}


def _fill_tolerations(spec: dict[str, Any]) -> None:
    tolerations = spec.get("tolerations", [])
    added = [
        {"key": problem, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": _EVICTION_SECONDS}
        for problem in _NODE_PROBLEMS
        if not any(
            toleration.get("key", problem) == problem and toleration.get("effect", "NoExecute") == "NoExecute"
            for toleration in tolerations
        )
    ]
    if added:
        spec["tolerations"] = [*tolerations, *added]


def _round(resources: dict[str, Any]) -> None:
    for kind in ("limits", "requests"):
        if kind in resources:
            resources[kind] = {name: rounded_to_milli(quantity) for name, quantity in resources[kind].items()}


def _pull_policy(image: str) -> str:
    """Return when an image is pulled: always if its tag is, or defaults to, ``latest``.

    Names that cannot be read have no tag: a repository is written in small letters.
    """
    host, slash, path = image.partition("/")
    repository = path if slash and ("." in host or ":" in host or host == "localhost") else image
    name, _, tag = repository.partition(":")
    if not name or "@" in name or not _REPOSITORY.issuperset(name):
        return "IfNotPresent"
    return "Always" if tag in ("", "latest") else "IfNotPresent"
