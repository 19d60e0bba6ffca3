"""Whole clusters as plain objects, and what becomes of their pods."""

from __future__ import annotations

from dralign.admission.gates import default_features
from dralign.admission.server import Server
from dralign.model.inventory import inventory_from
from dralign.selector import compile_selector
from dralign.sim.claim_book import ClaimBook
from dralign.sim.control_plane import ControlPlane
from dralign.sim.podspec import podspec_from
from dralign.sim.scheduler import Options
from dralign.sim.simulation import Simulation, with_named_nodes

RELEASE = "1.37"
FEATURES = default_features(RELEASE)
CLASS = "gpu.example.com"
RESOURCE = "example.com/gpu"


def node(name, *, labels=None, taints=(), capacity=None):
    spec = {"taints": list(taints)} if taints else {}
    status = {"capacity": {"cpu": "64", "memory": "256Gi", "pods": "110", **(capacity or {})}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels or {}}} | {
        "spec": spec,
        "status": status,
    }


def gpus(on, count, **scope):
    devices = [{"name": f"gpu-{i}", "attributes": {"numa": {"int": i // 2}}} for i in range(count)]
    pool = {"name": on, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": CLASS, "pool": pool, "devices": devices} | (scope or {"nodeName": on})
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": on}, "spec": spec}


def device_class(**spec):
    body = {"selectors": [{"cel": {"expression": f"device.driver == '{CLASS}'"}}]} | spec
    return {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": CLASS}, "spec": body}


def devices(count=1, **body):
    return {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": CLASS, "count": count, **body}}]}}


def template(name="t", **body):
    head = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": {"name": name}}
    return head | {"spec": {"spec": devices(**body)}}


def claim(name="c", **body):
    head = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": name}}
    return head | {"spec": devices(**body)}


def pod(name="p", *, template=None, claim=None, limits=None, **spec):
    entries = [{"name": "a", "resourceClaimTemplateName": template}] if template else []
    entries += [{"name": "b", "resourceClaimName": claim}] if claim else []
    resources = {"claims": [{"name": entry["name"]} for entry in entries]} | ({"limits": limits} if limits else {})
    body = {"containers": [{"name": "main", "image": "i", "resources": resources}], "resourceClaims": entries, **spec}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": body}


def simulation(*objects, features=FEATURES, **options):
    inventory = with_named_nodes(inventory_from(objects))
    how = Options(**{"exhaustive": False, **options})
    return Simulation(inventory, RELEASE, features, ClaimBook(objects), how)


def spec_of(data):
    return podspec_from(data, "default", data["metadata"]["name"])


def outcomes(*objects, **options):
    server = Server(RELEASE, default_features(RELEASE), compile_selector, {"default": {}})
    plane = ControlPlane(server, **options)
    plane.run(objects)
    return plane
