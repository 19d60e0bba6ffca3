"""Slices that are told to be right at a glance: the API server takes each of them, and most of what drivers write is one."""

import copy
import random

import pytest

from dralign import registry
from dralign.admission.answers import objections
from dralign.admission.gates import default_features
from dralign.admission.server import Server
from dralign.context.plain_slice import is_plain_slice

MACHINES = (
    ("p5-48xlarge", {"mig": "all-1g.10gb"}),
    ("dgx-h100", {"mig": "dynamic"}),
    ("gb200-nvl72", {}),
    ("mi300x", {}),
    ("ct6e-standard-8t", {}),
)
RELEASES = ("1.34", "1.35", "1.36", "1.37")
VALUES = (
    *(None, "", 0, -1, 1, True, False, [], {}, 1.5, 1 << 53, 1 << 63, [{}], ["a"]),
    *(
        "a" * 32,
        "a" * 33,
        "a" * 63,
        "a" * 64,
        "a" * 65,
        "a" * 254,
        "\u00e9" * 40,
        "\u00e9",
        "A",
        "-a",
        "a-",
        "9a",
        "_a",
        "x.y",
    ),
    *("1.2.3", "01.2.3", "1.2", "1Gi", "80Gi\n", "1 Gi", "1e3", "-1", ".5", "0x1", "gpu-0\n", "a b", "\n"),
    *("a/b", "a/b/c", "/a", "a/", "a..b/c", "a.-b/c", "2026-02-30T00:00:00Z", "2026-01-31T23:59:59Z"),
    *({"string": "x"}, {"int": 1}, {"string": "x", "int": 1}, {"string": None}, {"value": "1"}, {"value": 1}),
)
KEYS = (
    *("name", "basic", "taints", "nodeName", "allNodes", "nodeSelector", "perDeviceNodeSelection", "bindsToNode"),
    *("sharedCounters", "devices", "consumesCounters", "allowMultipleAllocations", "nodeAllocatableResources", "x"),
    *(
        "generateName",
        "uid",
        "labels",
        "annotations",
        "creationTimestamp",
        "ownerReferences",
        "finalizers",
        "generation",
    ),
    *("string", "strings", "int", "version", "bool", "value", "requestPolicy", "a/b", "\u00e9", "9a", "status"),
)


def slices():
    """Return the slices of some machines, with few devices each."""
    made = []
    for name, chosen in MACHINES:
        preset = registry.preset(name)
        made += [item for item in preset.objects(preset.chosen(chosen)) if item["kind"] == "ResourceSlice"]
    return made


def shortened(data):
    spec = data["spec"]
    return data | {"spec": spec | {"devices": spec["devices"][:3]}} if "devices" in spec else data


def nested(data):
    """Return a slice as v1beta1 writes it."""
    devices = [
        {"name": item["name"], "basic": {key: value for key, value in item.items() if key != "name"}}
        for item in data["spec"].get("devices", ())
    ]
    spec = data["spec"] | ({"devices": devices} if devices else {})
    return data | {"apiVersion": "resource.k8s.io/v1beta1", "spec": spec}


def places(data, path=()):
    """Yield the paths of all that stands in some data."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from places(value, (*path, key))


def mutated(data, dice):
    """Return a slice with a value or a key changed, added or taken away, once or twice."""
    changed = copy.deepcopy(data)
    for _ in range(dice.choice((1, 1, 2))):
        *above, last = dice.choice(list(places(changed)))
        holder = changed
        for key in above:
            holder = holder[key]
        way = dice.choice(("set", "set", "rename", "add", "drop"))
        if way == "set" or isinstance(holder, list):
            holder[last] = copy.deepcopy(dice.choice(VALUES))
        elif way == "rename":
            holder[dice.choice(KEYS)] = holder.pop(last)
        elif way == "add":
            holder[dice.choice(KEYS)] = copy.deepcopy(dice.choice(VALUES))
        else:
            del holder[last]
    return changed


@pytest.mark.parametrize("data", slices(), ids=lambda data: data["metadata"]["name"])
def test_what_drivers_write_is_plain(data):
    assert is_plain_slice(data, 37)
    assert is_plain_slice(nested(data), 37)


def test_what_a_cluster_adds_is_plain():
    added = {"uid": "2f0c", "resourceVersion": "12", "generation": 3, "generateName": "node-a-gpu-"}
    owner = {"apiVersion": "v1", "kind": "Node", "name": "node-a", "uid": "77", "controller": True}
    metadata = added | {"creationTimestamp": "2026-11-30T12:00:00Z", "ownerReferences": [owner]}
    data = slices()[0]
    assert is_plain_slice(data | {"metadata": data["metadata"] | metadata}, 37)


@pytest.mark.parametrize("release", RELEASES)
def test_no_plain_slice_is_refused(release):
    dice = random.Random(release)  # noqa: S311  choices of a test
    servers = [Server(release, default_features(release)), Server(release, frozenset())]
    sources = [shortened(data) for data in slices()]
    sources += map(nested, sources[:])
    plain = 0
    for _ in range(600):
        data = mutated(dice.choice(sources), dice)
        if data.get("kind") == "ResourceSlice" and is_plain_slice(data, int(release[2:])):
            plain += 1
            assert [objections(copy.deepcopy(data), server) for server in servers] == [[], []], data
    assert plain > 20
