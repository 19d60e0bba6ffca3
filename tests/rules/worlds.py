"""Small worlds for rules: objects to judge as text, and slices of machines as data."""

import yaml

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import checked, settings_from
from dralign.yamlio import KUBECTL

RULES = registry.rules()
CATALOGUE = registry.catalogue()


def device(name, numa=None, root=None, capacity=None, **attributes):
    """Return a device as in a slice: plain attributes, with its NUMA node and PCIe root under their standard names."""
    if numa is not None:
        attributes["resource.kubernetes.io/numaNode"] = numa
    if root is not None:
        attributes["resource.kubernetes.io/pcieRoot"] = root
    kinds = {bool: "bool", int: "int", str: "string"}
    made = {"name": name, "attributes": {key: {kinds[type(value)]: value} for key, value in attributes.items()}}
    if capacity:
        made["capacity"] = {key: {"value": value} for key, value in capacity.items()}
    return made


def piece(node, driver, *devices):
    """Return the slice of a driver on a node."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{node}-{driver}"},
        "spec": {
            "driver": driver,
            "nodeName": node,
            "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
            "devices": list(devices),
        },
    }


def gpu(index, numa, root, **more):
    """Return a whole GPU."""
    return device(
        f"gpu-{index}", numa, root, type="gpu", uuid=f"GPU-{index}", productName="NVIDIA H100 80GB HBM3", **more
    )


def nic(index, numa, root):
    """Return a NIC of dra.net."""
    return device(f"nic-{index}", numa, root, **{"dra.net/pciAddress": f"0000:{index:02x}:00.0"})


def read(text, *more):
    """Return a text as the bundle that a run judges."""
    return Bundle([read_source(text.encode(), "input.yaml", KUBECTL, (*registry.words(), *more))])


def findings(rule, text, *inventory, **spec):
    """Return what one rule says of a text, as (severity, path, message), beside the objects of an inventory."""
    known = read(yaml.safe_dump_all(inventory), b"kind").manifests if inventory else []
    settings = settings_from(checked(spec), registry.rule_ids())
    outcome, _ = engine.run(read(text), settings, RULES, CATALOGUE, tuple(known))
    return [(report.severity, report.path, report.message) for report in outcome.findings if report.rule == rule]
