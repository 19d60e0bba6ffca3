"""Cases of the real scheduler, and how their objects were put into a cluster (README of the conformance folder)."""

from __future__ import annotations

import copy
import gzip
import json
import sys
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "plugin"))

from dralign.admission import gates
from dralign.admission.server import Server
from dralign.selector import compile_selector
from dralign.sim.workloads import KINDS

FIRST = (
    "Namespace",
    "Node",
    "PriorityClass",
    "RuntimeClass",
    "DeviceClass",
    "ResourceSlice",
    "DeviceTaintRule",
    "ResourceClaimTemplate",
    "ResourceClaim",
)
CAPACITY = {
    "cpu": "64",
    "memory": "512Gi",
    "ephemeral-storage": "1Ti",
    "pods": "110",
    "hugepages-2Mi": "0",
    "hugepages-1Gi": "0",
}
CLUSTER_KINDS = {
    "Namespace",
    "Node",
    "PriorityClass",
    "RuntimeClass",
    "DeviceClass",
    "ResourceSlice",
    "DeviceTaintRule",
}


class Case:
    """One case: the objects as they were created, in order, and the outcome."""

    def __init__(self, name, objects, outcome):
        self.name = name
        self.note = outcome["note"]
        self.wanted = [{"refused": outcome["refused"], **item} for item in (outcome, *outcome.get("otherOutcomes", ()))]
        self.objects = list(prepared(objects))
        self.server = server(self.objects, outcome["gates"])


def cases(folder):
    """Yield the cases of a folder, sorted by name, then those that files (*.jsonl.gz) hold one to a line."""
    for path in sorted(path for path in folder.iterdir() if path.is_dir()):
        yield Case(path.name, list(_objects(_text(path, "objects.yaml"))), json.loads(_text(path, "outcome.json")))
    for path in sorted(folder.glob("*.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            row = json.loads(line)
            yield Case(f"{path.name.partition('.')[0]} {row['name']}", row["objects"], row["outcome"])


def _text(folder, name):
    packed = folder / f"{name}.gz"
    return gzip.decompress(packed.read_bytes()).decode() if packed.exists() else (folder / name).read_text()


def _objects(text):
    for obj in yaml.safe_load_all(text):
        if isinstance(obj, dict) and obj.get("kind"):
            yield from obj["items"] if obj["kind"] == "List" else [obj]


def prepared(objects):
    """Yield the objects in the order of their creation, nodes completed, CronJobs as one Job each."""
    named = {obj["metadata"]["name"] for obj in objects if obj["kind"] == "Node"}
    missing = list(dict.fromkeys(name for obj in objects for name in _nodes_of(obj) if name not in named))
    if not named and not missing:
        missing = ["node-a"]
    nodes = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}} for name in missing]
    for obj in sorted([*objects, *nodes], key=_rank):
        yield _as_created(copy.deepcopy(obj))


def _nodes_of(obj):
    if obj["kind"] == "ResourceSlice":
        spec = obj.get("spec", {})
        yield from filter(None, [spec.get("nodeName"), *(item.get("nodeName") for item in spec.get("devices") or ())])


def _rank(obj):
    kind = obj["kind"]
    return FIRST.index(kind) if kind in FIRST else 100 if kind in KINDS else 50


def _as_created(obj):
    metadata = obj["metadata"]
    match obj["kind"]:
        case "Node":
            labels = metadata["labels"] = metadata.get("labels") or {}
            labels.setdefault("kubernetes.io/hostname", metadata["name"])
            status = obj.get("status") or {}
            capacity = CAPACITY | (status.get("capacity") or {})
            obj["status"] = {"capacity": capacity, "allocatable": capacity | (status.get("allocatable") or {})}
        case "CronJob":
            kept = {key: value for key, value in metadata.items() if key in ("name", "namespace", "labels")}
            spec = obj["spec"]["jobTemplate"]["spec"]
            obj = {"apiVersion": "batch/v1", "kind": "Job", "metadata": kept, "spec": spec}
        case "Pod":
            obj["spec"].pop("nodeName", None)
    if obj["kind"] not in CLUSTER_KINDS:
        obj["metadata"].setdefault("namespace", "default")
    return obj


def server(objects, settings):
    """Return the API server that was asked, with the gates of a case; namespaces were made as they were needed."""
    pairs = [] if settings == "default" else [item.split("=") for item in settings.split(",")]
    features = gates.features("1.37", {name: value == "true" for name, value in pairs})
    spaces = {obj["metadata"]["namespace"]: {} for obj in objects if "namespace" in obj["metadata"]}
    spaces |= {o["metadata"]["name"]: o["metadata"].get("labels") or {} for o in objects if o["kind"] == "Namespace"}
    classes = {
        obj["metadata"]["name"]: obj.get("preemptionPolicy", "PreemptLowerPriority")
        for obj in objects
        if obj["kind"] == "PriorityClass"
    }
    runtimes, nodes = (
        frozenset(obj["metadata"]["name"] for obj in objects if obj["kind"] == kind)
        for kind in ("RuntimeClass", "Node")
    )
    known = Server("1.37", features, compile_selector, spaces, classes, nodes)
    return known.replace(runtime_classes=runtimes, node_features={})
