"""Pods that no API server would take are read all the same: wrong types count as absent."""

from __future__ import annotations

import copy

import pytest

from dralign.admission.gates import default_features
from dralign.sim.placement import Placed, Unknown, Unplaced
from dralign.sim.podspec import podspec_from
from dralign.sim.volumes import Volumes
from dralign.sim.workloads import pods_of
from sim.bundles import RELEASE, RESOURCE, claim, device_class, gpus, node, simulation, template

JUNK = (None, True, 3, 2.5, "x", [], [1], [None], [[]], {}, {"x": 1}, {"x": None})
TERM = {
    "topologyKey": "zone",
    "labelSelector": {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]},
    "namespaces": ["default"],
    "namespaceSelector": {"matchLabels": {}},
    "matchLabelKeys": ["a"],
    "mismatchLabelKeys": ["c"],
}
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
NODE_TERM = {
    "matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}],
    "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}],
}
CONTAINER = {
    "name": "main",
    "restartPolicy": "Always",
    "resources": {
        "limits": {"cpu": "1", "memory": "1Gi", RESOURCE: "1"},
        "requests": {"cpu": "1"},
        "claims": [{"name": "a", "request": "r"}],
    },
    "ports": [{"containerPort": 80, "hostPort": 80, "hostIP": "127.0.0.1", "protocol": "TCP"}],
}
FULL = {
    "metadata": {"name": "p", "labels": {"a": "b", "c": "d"}},
    "spec": {
        "containers": [CONTAINER],
        "initContainers": [CONTAINER],
        "resources": {"requests": {"cpu": "2"}},
        "overhead": {"cpu": "1"},
        "resourceClaims": [
            {"name": "a", "resourceClaimTemplateName": "t"},
            {"name": "b", "resourceClaimName": "c"},
        ],
        "nodeSelector": {"zone": "a"},
        "affinity": {
            "nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [NODE_TERM]}},
            "podAffinity": {REQUIRED: [TERM]},
            "podAntiAffinity": {REQUIRED: [{**TERM, "labelSelector": {"matchLabels": {"e": "f"}}}]},
        },
        "tolerations": [{"key": "k", "operator": "Equal", "value": "v", "effect": "NoSchedule"}],
        "topologySpreadConstraints": [{**TERM, "maxSkew": 5, "minDomains": 1, "whenUnsatisfiable": "DoNotSchedule"}],
        "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "d"}}],
        "schedulerName": "default-scheduler",
        "schedulingGates": [],
        "schedulingGroup": {},
        "hostNetwork": False,
    },
}
CONTROLLER = {
    "kind": "StatefulSet",
    "metadata": {"name": "w", "generateName": "w-"},
    "spec": {
        "replicas": 2,
        "ordinals": {"start": 1},
        "podManagementPolicy": "Parallel",
        "parallelism": 2,
        "completions": 3,
        "completionMode": "Indexed",
        "suspend": False,
        "template": FULL,
        "jobTemplate": {"spec": {"template": FULL, "parallelism": 1}},
        "volumeClaimTemplates": [{"metadata": {"name": "d"}, "spec": {"storageClassName": "s"}}],
    },
}


def paths(value, at=()):
    """Yield the path of every value inside a value, and its own."""
    yield at
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(item, (*at, key))


def with_junk(data, path, junk):
    """Return a copy with something else at a path."""
    made = copy.deepcopy(data)
    owner = made
    for step in path[:-1]:
        owner = owner[step]
    owner[path[-1]] = junk
    return made


def cluster():
    machine = node("n", labels={"zone": "a"}, capacity={"example.com/other": "1"})
    objects = (machine, gpus("n", 6), device_class(extendedResourceName=RESOURCE), template(), claim())
    on = default_features(RELEASE) | {"GenericWorkload"}
    return simulation(*objects, features=on, volumes=Volumes([{"kind": "PersistentVolumeClaim"}]))


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_any_pod_is_placed_or_not(junk):
    for path in paths(FULL):
        if path:
            made = cluster()
            pod = podspec_from(with_junk(FULL, path, junk), "default", "p")
            for _ in range(2):
                assert isinstance(made.place(pod).placement, Placed | Unplaced | Unknown), path


@pytest.mark.parametrize("kind", ["CronJob", "DaemonSet", "Deployment", "Job", "Pod", "StatefulSet"])
def test_any_workload_makes_pods_or_none(kind):
    nodes = cluster().scheduler.nodes
    for path in paths(CONTROLLER):
        for junk in JUNK if len(path) in (1, 2, 3, 4) and path[0] != "kind" else ():
            workload = with_junk({**CONTROLLER, "kind": kind}, path, junk)
            for made in pods_of(workload, nodes, ready=True):
                assert podspec_from(made.body, "default", made.name).name == made.name
