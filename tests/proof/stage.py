"""Clusters and pods for tests of the proof, written as the API writes them but shorter."""

from __future__ import annotations

import itertools

from dralign import registry
from dralign.cel.analysis import facts
from dralign.kubelet import configuration
from dralign.kubelet.pods import Container, Pod, Resources
from dralign.model.claim import claim_spec
from dralign.model.inventory import inventory_from
from dralign.model.numa import layouts_from
from dralign.proof import Aim, ContainerUse, Drivers, Known, Machines, Question
from dralign.sim.behaviour import behaviour
from dralign.sim.pod_claim import PodClaim
from dralign.sim.selectors import ReleaseSelectors
from dralign.values.quantity import Quantity

NUMA = "resource.kubernetes.io/numaNode"
ROOT = "resource.kubernetes.io/pcieRoot"
GATES = frozenset(
    {
        "DRAAdminAccess",
        "DRAPrioritizedList",
        "DRAPartitionableDevices",
        "DRAConsumableCapacity",
        "DRADeviceTaints",
        "DRADeviceTaintRules",
        "DRADeviceBindingConditions",
    }
)
CATALOGUE = registry.catalogue()
SHIPPED = {item.name: item.selector for profile in CATALOGUE.profiles for item in profile.classes}
PINNING = {
    "apiVersion": "kubelet.config.k8s.io/v1beta1",
    "kind": "KubeletConfiguration",
    "cpuManagerPolicy": "static",
    "topologyManagerPolicy": "single-numa-node",
    "topologyManagerScope": "pod",
    "reservedSystemCPUs": "0",
}


def attribute(value):
    if isinstance(value, list):
        return {f"{next(iter(attribute(value[0])))}s": value}
    return {{bool: "bool", int: "int", str: "string"}[type(value)]: value}


def device(name, numa=None, root=None, capacity=None, uses=None, **attributes):
    given = {NUMA: numa, ROOT: root, **attributes}
    made = {"name": name, "attributes": {k: attribute(v) for k, v in given.items() if v is not None}}
    if capacity is not None:
        made["capacity"] = {key: {"value": value} for key, value in capacity.items()}
    if uses is not None:
        made["consumesCounters"] = [{"counterSet": "set", "counters": {key: {"value": "1"} for key in uses}}]
    return made


def gpu(number, numa, **rest):
    return device(f"gpu-{number}", numa, type="gpu", **rest)


def nic(number, numa, **rest):
    return device(f"nic-{number}", numa, **rest)


def cpus(numa, count=32, shared=True):
    made = device(f"cpus-{numa}", numa, capacity={"dra.cpu/cpu": str(count)}, **{"dra.cpu/numaNodeID": numa})
    if shared:
        made["allowMultipleAllocations"] = True
        policy = {"default": "1", "validRange": {"min": "1", "step": "1"}}
        made["capacity"]["dra.cpu/cpu"]["requestPolicy"] = policy
    return made


def pool(driver, *devices, node="n1", counters=None, **spec):
    """Write the slices of one complete pool."""
    announced = {"name": node or "all", "generation": 1, "resourceSliceCount": 2 if counters else 1}
    where = {"nodeName": node} if node else {"allNodes": True}
    common = {"driver": driver, "pool": announced, **where, **spec}
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice"}
    slices = [{**kind, "metadata": {"name": f"{driver}-{node}"}, "spec": {**common, "devices": list(devices)}}]
    if counters:
        sets = [{"name": "set", "counters": {key: {"value": "1"} for key in counters}}]
        slices.append({**kind, "metadata": {"name": f"{driver}-{node}-c"}, "spec": {**common, "sharedCounters": sets}})
    return slices


def gpus(*devices, **rest):
    return pool("gpu.nvidia.com", *devices, **rest)


def nics(*devices, **rest):
    return pool("dra.net", *devices, **rest)


def cpu_groups(*counts, node="n1"):
    return pool("dra.cpu", *(cpus(numa, count) for numa, count in enumerate(counts)), node=node)


def topology(*counts, node="n1"):
    zones = [
        {"name": f"node-{numa}", "type": "Node", "resources": [{"name": "cpu", "capacity": str(count)}]}
        for numa, count in enumerate(counts)
    ]
    kind = {"apiVersion": "topology.node.k8s.io/v1alpha2", "kind": "NodeResourceTopology"}
    return {**kind, "metadata": {"name": node}, "zones": zones}


def node(name="n1", cpu=None, **labels):
    status = {} if cpu is None else {"capacity": {"cpu": str(cpu)}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "status": status}


def device_class(name, *expressions):
    selectors = [{"cel": {"expression": text}} for text in expressions]
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass"}
    return {**kind, "metadata": {"name": name}, "spec": {"selectors": selectors}}


def held(name, *results):
    """Write an allocated claim of others: (driver, device) or (driver, device, consumed amounts)."""
    made = []
    for number, (driver, name_of, *share) in enumerate(results):
        result = {"request": "r", "driver": driver, "pool": "n1", "device": name_of}
        if share:
            result |= {"shareID": str(number), "consumedCapacity": share[0]}
        made.append(result)
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": name}}
    return {**kind, "status": {"allocation": {"devices": {"results": made}}}}


def request(name, device_class="gpu.nvidia.com", *selectors, **body):
    chosen = {"selectors": [{"cel": {"expression": text}} for text in selectors]} if selectors else {}
    return {"name": name, "exactly": {"deviceClassName": device_class, **chosen, **body}}


def claim(*requests, match=(), distinct=None, name="c", **rest):
    """Write a claim; ``match`` holds attributes over all requests, or (attribute, requests)."""
    constraints = [
        {"matchAttribute": item} if isinstance(item, str) else {"matchAttribute": item[0], "requests": item[1]}
        for item in ([match] if isinstance(match, str) else match)
    ]
    constraints += [{"distinctAttribute": distinct}] if distinct else []
    return PodClaim(name, claim_spec({"devices": {"requests": list(requests), "constraints": constraints, **rest}}))


def known(*objects, release="1.37", gates=GATES, kubelet=None, classes=SHIPPED, fleet=None, **aim):
    flat = list(itertools.chain.from_iterable(item if isinstance(item, list) else [item] for item in objects))
    shipped = [device_class(name, text) for name, text in classes.items()]
    inventory = inventory_from([*shipped, *flat])
    how = behaviour(release, gates)

    def expressions(leaf):
        spec = inventory.classes.get(leaf.device_class)
        return spec.expressions if spec is not None else None

    def own(leaf):
        return tuple(selector.expression for selector in leaf.selectors)

    drivers = Drivers(
        CATALOGUE,
        lambda leaf: CATALOGUE.view(leaf.device_class, expressions(leaf), own(leaf), fleet or {}),
        lambda leaf: facts((*(expressions(leaf) or ()), *own(leaf))),
    )
    config = configuration.read(kubelet, release).configuration if kubelet else None
    machines = Machines(layouts_from(flat), {}, config)
    return Known(inventory, how, ReleaseSelectors(release, gates), drivers, machines, Aim(**aim))


def question(*claims, uses=None, cpus=0, legacy=None, pod=None, **rest):
    """Ask for one container that reaches everything, or for those in ``uses``: name -> [(claim, request)]."""
    everything = {"main": [(item.name, None) for item in claims]}
    containers = tuple(
        ContainerUse(name, frozenset(reached), cpus, legacy) for name, reached in (uses or everything).items()
    )
    return Question(tuple(claims), containers, pod=pod, **rest)


def pod(cpu="4", memory="1Gi", name="main"):
    """Write a Guaranteed pod of one container as the kubelet sees it."""
    amounts = {"cpu": Quantity.parse(cpu), "memory": Quantity.parse(memory)}
    return Pod("p", (Container(name, resources=Resources(amounts, amounts)),))
