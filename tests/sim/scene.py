"""Small clusters for tests of the allocator, written in few words."""

from __future__ import annotations

from dralign.model.claim import claim_spec
from dralign.model.device import Version
from dralign.model.inventory import ClassSpec, Inventory, TakenDevice
from dralign.model.node import Node
from dralign.model.slice import quantities_from, slice_from
from dralign.sim.allocator import Allocator
from dralign.sim.behaviour import behaviour
from dralign.sim.evaluation import SelectorError
from dralign.sim.pod_claim import PodClaim

DRIVER = "gpu.example.com"
NUMA = "resource.kubernetes.io/numaNode"
GATES_137 = frozenset(
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
N1 = Node("n1", {"zone": "a", "size": "5"})


class Words:
    """Selectors in few words, in place of CEL: ``attribute=value``, ``true``, or ``fail`` for a run-time error."""

    def __init__(self):
        self.asked = []

    def selector(self, text):
        if text == "bad":
            raise SelectorError("compile", "bad expression")
        key, _, value = text.partition("=")

        def answer(device):
            self.asked.append((text, device.name))
            if text == "fail":
                raise SelectorError("runtime", "no such key: x")
            return text == "true" or str(device.attributes.get(key)) == value

        return answer

    def derived(self, text):
        def value(device):
            if text == "fail":
                raise SelectorError("runtime", "no such key: x")
            return device.attributes.get(text)

        return value


def attribute(value):
    """Write an attribute as the API does."""
    if isinstance(value, list):
        return {f"{next(iter(attribute(value[0])))}s": value}
    kinds = ((bool, "bool"), (int, "int"), (Version, "version"), (str, "string"))
    return {next(name for kind, name in kinds if isinstance(value, kind)): value}


def device(name, *, capacity=None, uses=None, **rest):
    """Write a device: words are attributes, ``numa`` the standard one; other keys of the API go into ``raw``."""
    raw = rest.pop("raw", {})
    attributes = {NUMA if key == "numa" else key: attribute(value) for key, value in rest.items()}
    written = {"name": name, "attributes": attributes, **raw}
    if capacity is not None:
        written["capacity"] = {
            key: value if isinstance(value, dict) else {"value": value} for key, value in capacity.items()
        }
    if uses is not None:
        counters = {key: {"value": value} for key, value in uses.items()}
        written["consumesCounters"] = [{"counterSet": "set", "counters": counters}]
    return written


def pool(*devices, name="p", driver=DRIVER, node="n1", counters=None, **spec):
    """Write the slices of one complete pool."""
    announced = {"name": name, "generation": 1, "resourceSliceCount": 2 if counters else 1}
    where = {} if node is None else {"nodeName": node}
    common = {"driver": driver, "pool": announced, **where, **spec}
    slices = [{"metadata": {"name": f"{driver}-{name}"}, "spec": {**common, "devices": list(devices)}}]
    if counters:
        sets = [{"name": "set", "counters": {key: {"value": value} for key, value in counters.items()}}]
        slices.append({"metadata": {"name": f"{driver}-{name}-c"}, "spec": {**common, "sharedCounters": sets}})
    return slices


def request(name, device_class="any", *selectors, **body):
    """Write a request."""
    chosen = {"selectors": [{"cel": {"expression": text}} for text in selectors]} if selectors else {}
    return {"name": name, "exactly": {"deviceClassName": device_class, **chosen, **body}}


def claim(*requests, match=None, distinct=None, name="c", **rest):
    """Write a claim with at most one constraint over all requests."""
    constraints = [{"matchAttribute": match}] if match else []
    constraints += [{"distinctAttribute": distinct}] if distinct else []
    devices = {"requests": list(requests), "constraints": constraints, **rest}
    return PodClaim(f"default/{name}", claim_spec({"devices": devices}))


class Scene:
    """A cluster of slices, ready to try claims on."""

    def __init__(self, *slices, taken=(), shares=(), gates=GATES_137, release="1.37", nodes=(N1,), rules=()):
        self.words = Words()
        self.nodes = nodes
        held = [TakenDevice(DRIVER, "p", name, False, {}) for name in taken]
        held += [TakenDevice(DRIVER, "p", name, True, quantities_from(used)) for name, used in shares]
        classes = [
            ClassSpec("any", ()),
            ClassSpec("gpu", ("type=gpu",)),
            ClassSpec("fail", ("fail",)),
            ClassSpec("bad", ("bad",)),
        ]
        read = [slice_from(data) for data in slices]
        inventory = Inventory(read, nodes=nodes, classes=classes, taken=held, rules=rules)
        self.allocator = Allocator(inventory, behaviour(release, gates), self.words)

    def allocate(self, *claims, node=N1, step_limit=None):
        """Try a pod on a node."""
        pod = self.allocator.prepare(claims)
        return self.allocator.allocate(pod, node, self.allocator.taken(), step_limit)

    def explain(self, *claims, node=N1):
        """Return the reasons as (request, device or None, test)."""
        found = self.allocator.explain(self.allocator.prepare(claims), node, self.allocator.taken())
        return [(reason.request, reason.device and reason.device.name, reason.test) for reason in found]


def chosen(outcome):
    """Return the devices of an allocation as ``request:device``."""
    return [f"{result.request}:{result.device.name}" for made in outcome.claims for result in made.results]
