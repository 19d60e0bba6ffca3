"""Small objects that the tests of this folder start from, and the servers that are asked about them."""

from __future__ import annotations

import copy
from typing import Any

from dralign.admission import gates
from dralign.admission.review import Review, review
from dralign.admission.server import Server

ADMIN = {"resource.kubernetes.io/admin-access": "true"}


def server(release: str = "1.37", *on: str, **facts: Any) -> Server:
    """Return an API server of a release with some gates turned on."""
    return Server(release, gates.features(release, dict.fromkeys(on, True)), **facts)


def ask(obj: dict[str, Any], one: Server | None = None) -> Review:
    """Ask about a create request; the object stays as it is."""
    said = review(copy.deepcopy(obj), one or server())
    assert said is not None
    return said


def fields(said: Review) -> list[str]:
    """Return the fields that are objected to, in the server's words."""
    return [cause.field for cause in said.causes]


def messages(said: Review) -> list[str]:
    """Return what is said of them."""
    return [cause.message for cause in said.causes]


def put(obj: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy with a value at a path such as ``spec.devices.0.name``; None takes the field away."""
    changed = copy.deepcopy(obj)
    holder: Any = changed
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    for step in steps:
        holder = holder[step]
    if value is None:
        del holder[last]
    else:
        holder[last] = value
    return changed


def obj(kind: str, spec: dict[str, Any], version: str = "resource.k8s.io/v1", **metadata: Any) -> dict[str, Any]:
    """Return an object of a kind."""
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "x", **metadata}, "spec": spec}


CLAIM = obj(
    "ResourceClaim",
    {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}]}},
    namespace="team-a",
)
FLAT_CLAIM = obj(
    "ResourceClaim",
    {"devices": {"requests": [{"name": "gpu", "deviceClassName": "gpu.nvidia.com"}]}},
    "resource.k8s.io/v1beta1",
    namespace="team-a",
)
TEMPLATE = obj("ResourceClaimTemplate", {"spec": CLAIM["spec"]}, namespace="team-a")
CLASS = obj("DeviceClass", {"selectors": [{"cel": {"expression": "device.driver == 'gpu.nvidia.com'"}}]})
SLICE = obj(
    "ResourceSlice",
    {
        "driver": "gpu.nvidia.com",
        "nodeName": "node-a",
        "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
        "devices": [
            {"name": "gpu-0", "attributes": {"type": {"string": "gpu"}}, "capacity": {"memory": {"value": "80Gi"}}}
        ],
    },
)
FLAT_SLICE = obj(
    "ResourceSlice",
    {**SLICE["spec"], "devices": [{"name": "gpu-0", "basic": {"capacity": {"memory": {"value": "80Gi"}}}}]},
    "resource.k8s.io/v1beta1",
)
TAINT_RULE = obj("DeviceTaintRule", {"taint": {"key": "example.com/broken", "effect": "NoExecute"}})
CONTAINER = {
    "name": "main",
    "image": "registry.example.com/app:1.0",
    "resources": {"requests": {"cpu": "4", "memory": "16Gi"}, "limits": {"cpu": "4", "memory": "16Gi"}},
}
POD = obj("Pod", {"containers": [CONTAINER]}, "v1", namespace="team-a")
POD_WITH_CLAIM = obj(
    "Pod",
    {
        "resourceClaims": [{"name": "dev", "resourceClaimTemplateName": "gpu"}],
        "containers": [{**CONTAINER, "resources": {**CONTAINER["resources"], "claims": [{"name": "dev"}]}}],
    },
    "v1",
    namespace="team-a",
)
PODS = {"metadata": {"labels": {"app": "x"}}, "spec": POD_WITH_CLAIM["spec"]}
DEPLOYMENT = obj("Deployment", {"selector": {"matchLabels": {"app": "x"}}, "template": PODS}, "apps/v1")
STATEFUL_SET = obj(
    "StatefulSet", {"serviceName": "x", "selector": {"matchLabels": {"app": "x"}}, "template": PODS}, "apps/v1"
)
JOB = obj("Job", {"template": {"spec": {**POD_WITH_CLAIM["spec"], "restartPolicy": "Never"}}}, "batch/v1")
VALID = {
    "claim": CLAIM,
    "claim of v1beta1": FLAT_CLAIM,
    "template": TEMPLATE,
    "class": CLASS,
    "slice": SLICE,
    "slice of v1beta1": FLAT_SLICE,
    "taint rule": TAINT_RULE,
    "pod": POD,
    "pod with a claim": POD_WITH_CLAIM,
    "deployment": DEPLOYMENT,
    "stateful set": STATEFUL_SET,
    "job": JOB,
}
