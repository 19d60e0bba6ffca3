"""Random clusters and workloads for the scheduler; every feature now and then, all small."""

from __future__ import annotations

NAMESPACE = "team-a"
DRIVERS = ("gpu.example.com", "net.example.com")
RESOURCE = "example.com/gpu"
NUMA = "resource.kubernetes.io/numaNode"
IMAGE = "registry.example.com/app:1.0"
TOLERATIONS = (
    {"key": "k", "operator": "Exists"},
    {"key": "k", "value": "v", "effect": "NoSchedule"},
    {"operator": "Exists", "effect": "NoExecute"},
    {"operator": "Exists"},
)
SELECTORS = (
    "device.attributes['gpu.example.com'].model == 'a'",
    "device.attributes['gpu.example.com'].?model.orValue('a') == 'b'",
    "device.attributes['resource.kubernetes.io'].numaNode == 0",
    "device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) >= 0",
    "device.driver == 'gpu.example.com'",
)
AMOUNTS = {"cpu": ("100m", "500m", "1", "2", "3"), "memory": ("64Mi", "1Gi", "3Gi"), RESOURCE: ("1", "1", "2")}


class Maker:
    """Makes the objects of one case from a random number generator."""

    def __init__(self, rng):
        self.rng = rng
        self.extended = rng.random() < 0.4
        self.named = [f"c{i}" for i in range(rng.randint(0, 2))]
        self.templates = [f"t{i}" for i in range(rng.randint(1, 3))]

    def often(self, share):
        """Say yes with a probability."""
        return self.rng.random() < share

    def objects(self):
        """Return nodes, slices, classes, claims, templates and workloads."""
        names = [f"n{i}" for i in range(self.rng.choice((1, 2, 2, 3)))]
        yield from (self.node(name) for name in names)
        for name in names:
            yield from (self.slice(name, driver) for driver in DRIVERS if self.often(0.8))
        if self.often(0.2):
            yield self.slice("net", DRIVERS[0], allNodes=True)
        yield from (self.device_class(driver) for driver in DRIVERS)
        for name in self.named:
            yield self.owner("ResourceClaim", name, self.devices())
        for name in self.templates:
            yield self.owner("ResourceClaimTemplate", name, {"spec": self.devices()})
        for number in range(self.rng.randint(2, 6)):
            yield self.workload(f"w{number}")

    def node(self, name):
        labels = {"zone": self.rng.choice("ab"), "size": self.rng.choice(("1", "5"))}
        spec = {}
        if self.often(0.25):
            effect = self.rng.choice(("NoSchedule", "NoExecute", "PreferNoSchedule"))
            spec["taints"] = [{"key": "k", "value": self.rng.choice(("v", "w")), "effect": effect}]
        if self.often(0.08):
            spec["unschedulable"] = True
        capacity = {"cpu": self.rng.choice(("2", "4", "16")), "memory": self.rng.choice(("4Gi", "32Gi"))}
        if self.extended and self.often(0.3):
            capacity[RESOURCE] = self.rng.choice(("0", "1", "2"))
        if self.often(0.2):
            capacity["pods"] = self.rng.choice(("1", "2", "3"))
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels},
            "spec": spec,
            "status": {"capacity": capacity},
        }

    def slice(self, pool, driver, **scope):
        announced = {"name": pool, "generation": 1, "resourceSliceCount": 2 if self.often(0.06) else 1}
        devices = [self.device(driver, i) for i in range(self.rng.randint(1, 5))]
        spec = {"driver": driver, "pool": announced, "devices": devices} | (scope or {"nodeName": pool})
        head = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice"}
        return head | {"metadata": {"name": f"{pool}-{driver}"}, "spec": spec}

    def device(self, driver, number):
        attributes = {}
        if driver == DRIVERS[0] and self.often(0.9):
            attributes["model"] = {"string": self.rng.choice("ab")}
        if self.often(0.9):
            attributes[NUMA] = {"int": self.rng.randint(0, 1)}
        device = {"name": f"d{number}", "attributes": attributes}
        if driver == DRIVERS[0]:
            device["capacity"] = {"memory": {"value": self.rng.choice(("20Gi", "40Gi", "80Gi"))}}
        if self.often(0.1):
            device["taints"] = [{"key": "k", "value": "v", "effect": self.rng.choice(("NoSchedule", "NoExecute"))}]
        if self.often(0.15):
            device["allowMultipleAllocations"] = True
        return device

    def device_class(self, driver):
        spec = {"selectors": [{"cel": {"expression": f"device.driver == '{driver}'"}}]}
        if driver == DRIVERS[0] and self.extended:
            spec["extendedResourceName"] = RESOURCE
        if self.often(0.15):
            spec["config"] = [{"opaque": {"driver": driver, "parameters": {"mode": self.rng.choice("xy")}}}]
        return {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": driver}, "spec": spec}

    def owner(self, kind, name, spec):
        metadata = {"name": name, "namespace": NAMESPACE}
        return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": metadata, "spec": spec}

    def devices(self):
        requests = [self.request(f"r{i}") for i in range(self.rng.choice((1, 1, 2)))]
        body = {"requests": requests}
        if self.often(0.35):
            kind = "matchAttribute" if self.often(0.7) else "distinctAttribute"
            body["constraints"] = [{kind: NUMA}]
        if self.often(0.15):
            body["config"] = [{"opaque": {"driver": DRIVERS[0], "parameters": {"mode": "z"}}}]
        return {"devices": body}

    def request(self, name):
        if self.often(0.2):
            return {"name": name, "firstAvailable": [{"name": f"s{i}", **self.ask()} for i in range(2)]}
        return {"name": name, "exactly": self.ask()}

    def ask(self):
        ask = {
            "deviceClassName": self.rng.choice((*DRIVERS[:1] * 3, *DRIVERS, "missing") if self.often(0.1) else DRIVERS)
        }
        if self.often(0.3):
            ask["selectors"] = [{"cel": {"expression": self.rng.choice(SELECTORS)}}]
        if self.often(0.1):
            ask["allocationMode"] = "All"
        elif self.often(0.3):
            ask["count"] = 2
        if self.often(0.1):
            ask["tolerations"] = [{"key": "k", "operator": "Exists"}]
        return ask

    def workload(self, name):
        kind = self.rng.choice(("Pod",) * 6 + ("Deployment", "Job", "DaemonSet", "StatefulSet", "ReplicaSet"))
        metadata = {"name": name, "namespace": NAMESPACE}
        labels = {"app": self.rng.choice("xy")}
        spec = self.pod_spec()
        if kind == "Pod":
            return {"apiVersion": "v1", "kind": kind, "metadata": {**metadata, "labels": labels}, "spec": spec}
        labels["own"] = name
        template = {"metadata": {"labels": labels}, "spec": spec}
        if kind == "Job":
            spec["restartPolicy"] = "Never"
            body = {"template": template, "parallelism": 2, "completions": 2}
            return {"apiVersion": "batch/v1", "kind": kind, "metadata": metadata, "spec": body}
        body = {"selector": {"matchLabels": {"own": name}}, "template": template}
        if kind != "DaemonSet":
            body["replicas"] = self.rng.randint(1, 3)
        if kind == "StatefulSet":
            body["serviceName"] = "none"
        return {"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": body}

    def pod_spec(self):
        entries = []
        if self.often(0.65):
            entries.append({"name": "a", "resourceClaimTemplateName": self.rng.choice(self.templates)})
        if self.named and self.often(0.35):
            entries.append({"name": "b", "resourceClaimName": self.rng.choice(self.named)})
        if self.often(0.03):
            entries.append({"name": "z", "resourceClaimTemplateName": "missing"})
        spec = {"containers": [self.container(f"c{i}", entries) for i in range(self.rng.choice((1, 1, 2)))]}
        if entries:
            spec["resourceClaims"] = entries
        if self.often(0.2):
            spec["initContainers"] = [self.container("i", ())]
            if self.often(0.4):
                spec["initContainers"][0]["restartPolicy"] = "Always"
        if self.often(0.25):
            spec["tolerations"] = [self.rng.choice(TOLERATIONS)]
        if self.often(0.15):
            spec["nodeSelector"] = {"zone": self.rng.choice("ab")}
        if self.often(0.3):
            spec["affinity"] = self.affinity()
        if self.often(0.1):
            spec["topologySpreadConstraints"] = [self.spread()]
        return spec

    def container(self, name, entries):
        resources = {}
        amounts = {
            key: self.rng.choice(values) for key, values in AMOUNTS.items() if key != RESOURCE and self.often(0.4)
        }
        if amounts:
            resources[self.rng.choice(("requests", "limits"))] = amounts
        if self.extended and self.often(0.4):
            resources.setdefault("limits", {})[RESOURCE] = self.rng.choice(AMOUNTS[RESOURCE])
        if entries:
            resources["claims"] = [{"name": entry["name"]} for entry in entries]
        return {"name": name, "image": IMAGE, "resources": resources}

    def affinity(self):
        if self.often(0.5):
            operator = self.rng.choice(("In", "NotIn", "Gt", "Exists"))
            values = {"In": ["1"], "NotIn": ["5"], "Gt": ["3"]}.get(operator)
            expression = {"key": "size", "operator": operator} | ({"values": values} if values else {})
            selector = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
            return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": selector}}
        key = self.rng.choice(("zone", "kubernetes.io/hostname"))
        term = {"topologyKey": key, "labelSelector": {"matchLabels": {"app": self.rng.choice("xy")}}}
        kind = "podAffinity" if self.often(0.35) else "podAntiAffinity"
        return {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}

    def spread(self):
        return {
            "topologyKey": self.rng.choice(("zone", "kubernetes.io/hostname")),
            "maxSkew": self.rng.choice((1, 1, 2)),
            "whenUnsatisfiable": self.rng.choice(("DoNotSchedule", "DoNotSchedule", "ScheduleAnyway")),
            "labelSelector": {"matchLabels": {"app": self.rng.choice("xy")}},
        }
