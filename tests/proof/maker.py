"""Small clusters, and pods that claim devices of them, at random. The same seed makes the same."""

from __future__ import annotations

import random

from dralign.model.node import node_selector_from
from dralign.proof import HeldResult
from proof.stage import (
    GATES,
    NUMA,
    PINNING,
    ROOT,
    claim,
    cpus,
    device,
    gpu,
    known,
    nic,
    pod,
    pool,
    question,
    request,
    topology,
)

CLASSES = {
    "gpu.nvidia.com": "device.driver == 'gpu.nvidia.com'",
    "dra.net": "device.driver == 'dra.net'",
    "dra.cpu": "device.driver == 'dra.cpu'",
}
LISTS = GATES | {"DRAListTypeAttributes"}
DERIVED = "x.example/place"
KEEP_OFF = {"taints": [{"key": "gone", "effect": "NoExecute"}]}


class Maker:
    """Clusters of one node of two NUMA nodes with CPUs, and pods of one or two claims and containers."""

    nodes = ("n1",)
    numa_nodes = 2

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311 -- no secrets here
        self.partitions, self.shared_gpus, self.lists = (self.chance(share) for share in (0.3, 0.15, 0.15))
        self.cpus_are_shared = self.chance(0.5)
        self.how = {"gates": LISTS if self.lists else GATES, "release": "1.36" if self.chance(0.2) else "1.37"}

    def chance(self, share):
        return self.random.random() < share

    def numa(self):
        if self.chance(0.08):
            return None
        if self.lists and self.chance(0.4):
            return self.random.choice(([0], [0, 1], [1, 0], [1]))
        return self.random.randrange(self.numa_nodes)

    def root(self):
        return self.random.choice(("r0", "r1", None))

    def gpu(self, number):
        uses = self.random.choice((["a"], ["b"], ["a", "b"])) if self.partitions else None
        made = gpu(number, self.numa(), root=self.root(), uses=uses)
        if self.shared_gpus and self.chance(0.7):
            made |= {"allowMultipleAllocations": True, "capacity": {"memory": {"value": "8"}}}
            if self.chance(0.5):
                policy = {"default": "2", "validValues": ["2", "4", "8"]}
                made["capacity"]["memory"]["requestPolicy"] = policy
        return made | (KEEP_OFF if self.chance(0.05) else {})

    def cpus(self):
        if self.cpus_are_shared:
            return [cpus(numa, 8) for numa in range(self.numa_nodes)]
        return [device(f"cpu-{n}", n % self.numa_nodes, **{"dra.cpu/cpuID": n}) for n in range(self.numa_nodes)]

    def slices(self, node):
        gpus = [self.gpu(number) for number in range(self.random.randint(1, 4))]
        nics = [nic(number, self.numa(), root=self.root()) for number in range(self.random.randint(1, 2))]
        counters = ["a", "b"] if self.partitions else None
        return [
            *pool("gpu.nvidia.com", *gpus, counters=counters, node=node),
            *pool("dra.net", *nics, node=node),
            *pool("dra.cpu", *self.cpus(), node=node),
        ]

    def layout(self, node):
        return [topology(8, 8, node=node)] if self.chance(0.7) else []

    def request(self, name):
        of = self.random.choice(("gpu.nvidia.com", "gpu.nvidia.com", "dra.net", "dra.cpu"))
        selectors = ()
        if self.chance(0.2) and not self.lists:
            node = self.random.randrange(self.numa_nodes)
            selectors = (f"device.attributes['resource.kubernetes.io'].?numaNode.orValue(-1) == {node}",)
        if self.chance(0.15):
            first = request("x", of, *selectors)["exactly"]
            return {"name": name, "firstAvailable": [{"name": "x", **first}, {"name": "y", "deviceClassName": of}]}
        body = {}
        if self.chance(0.2):
            body = {"count": 2} if self.chance(0.7) else {"allocationMode": "All"}
        elif of == "dra.cpu" and self.cpus_are_shared:
            body = {"capacity": {"requests": {"dra.cpu/cpu": "5"}}}
        elif self.chance(0.05):
            body = {"adminAccess": True}
        return request(name, of, *selectors, **body)

    def constraints(self, names):
        if self.chance(0.1):
            return {"distinct": NUMA}
        if self.chance(0.4):
            return {}
        tied = names if self.chance(0.5) else self.random.sample(names, self.random.randint(1, len(names)))
        return {"match": [(self.random.choice((NUMA, NUMA, ROOT)), tied)]}

    def asked(self):
        names = [f"r{number}" for number in range(self.random.randint(1, 3))]
        claims = [claim(*map(self.request, names), **self.constraints(names))]
        if self.chance(0.2):
            claims.append(claim(self.request("other"), name="d"))
        uses = None
        if self.chance(0.3):
            reach = [("c", name) for name in names]
            cut = self.random.randint(0, len(reach))
            uses = {"a": reach[:cut], "b": [*reach[cut:], *([("d", None)] if len(claims) > 1 else [])]}
        return claims, uses

    def case(self):
        """Return the question, and the objects of the cluster."""
        objects = [item for node in self.nodes for item in (*self.slices(node), *self.layout(node))]
        claims, uses = self.asked()
        return question(*claims, uses=uses, cpus=4), objects

    def cluster(self, objects):
        """Return what is known where these objects are."""
        return known(*objects, classes=CLASSES, **self.how)


class WideMaker(Maker):
    """The same with more of everything: nodes, layouts, kubelets, levels, claims that have their devices, derived ties."""

    def __init__(self, seed):
        super().__init__(seed)
        if self.chance(0.3):
            self.nodes = ("n1", "n2")
        if self.chance(0.3):
            self.how["level"] = "intersect" if self.lists or self.chance(0.3) else "socket"
        if self.how.get("level") == "socket":
            self.numa_nodes = 4
        self.derives = self.chance(0.15) and self.how["release"] == "1.37" and not self.lists
        if self.derives:
            self.how["gates"] = self.how["gates"] | {"DRADerivedAttributes"}
        self.pinning = self.chance(0.3)
        if self.pinning:
            self.how["kubelet"] = PINNING

    def cpus(self):
        made = super().cpus()
        for item in made:
            item["attributes"]["dra.cpu/socketID"] = {"int": item["attributes"][NUMA]["int"] // 2}
        return made

    def slices(self, node):
        made = super().slices(node)
        split = []
        for piece in made:
            devices = piece["spec"].get("devices", ())
            if len(devices) > 1 and self.chance(0.3):
                cut = self.random.randint(1, len(devices) - 1)
                piece["spec"]["pool"]["resourceSliceCount"] += 1
                for other in made:
                    if other["spec"]["driver"] == piece["spec"]["driver"]:
                        other["spec"]["pool"] = piece["spec"]["pool"]
                rest = {**piece, "metadata": {"name": f"{piece['metadata']['name']}-0"}}
                rest["spec"] = {**piece["spec"], "devices": devices[cut:]}
                piece["spec"]["devices"] = devices[:cut]
                split.append(rest)
        return made + split

    def layout(self, node):
        if self.numa_nodes > 2:
            counts = (8,) * self.numa_nodes
        else:
            counts = self.random.choice(((8, 8), (8, 8), (8, 2), (4, 8), (8,), (8, 0)))
        return [topology(*counts, node=node)] if self.chance(0.7) else []

    def request(self, name):
        made = super().request(name)
        if self.derives:
            read = "device.attributes['resource.kubernetes.io'].?numaNode.orValue(7)"
            for leaf in made.get("firstAvailable", (made.get("exactly"),)):
                leaf["derivedAttributes"] = [{"name": DERIVED, "expression": read}]
        return made

    def constraints(self, names):
        made = super().constraints(names)
        if self.derives and "match" in made and self.chance(0.7):
            made["match"] = [(DERIVED, tied) for _, tied in made["match"]]
        elif "match" in made and self.chance(0.2):
            more = self.random.sample(names, self.random.randint(1, len(names)))
            made["match"].append((self.random.choice((NUMA, ROOT)), more))
        return made

    def case(self):
        asked, objects = super().case()
        if len(asked.claims) > 1 and self.chance(0.5):
            asked = self.held(asked, objects)
        if self.pinning and len(asked.containers) == 1:
            asked = asked.replace(pod=pod("4"))
        return asked, objects

    def held(self, asked, objects):
        """Give the second claim a device of the first node, that no counter keeps from being held."""
        found = [
            f"{piece['spec']['driver']}/{item['name']}"
            for piece in objects
            if "spec" in piece and piece["spec"].get("nodeName") == "n1"
            for item in piece["spec"].get("devices", ())
        ]
        driver, _, name = self.random.choice(found).partition("/")
        term = {"nodeSelectorTerms": [{"matchFields": [field("n1")]}]}
        first, second = asked.claims
        second = second.replace(allocated=True, reach=node_selector_from(term))
        return asked.replace(claims=(first, second), held={"d": (HeldResult("other", f"{driver}/n1/{name}"),)})


def field(name):
    return {"key": "metadata.name", "operator": "In", "values": [name]}
