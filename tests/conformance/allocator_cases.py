"""Random requests for the allocator, in the form of the vectors; every feature now and then, all small."""

from __future__ import annotations

DRIVERS = ("a.example.com", "b.example.com")
NUMA = "resource.kubernetes.io/numaNode"
ROOT = "resource.kubernetes.io/pcieRoot"
DEFAULT_GATES = (
    "DRAAdminAccess",
    "DRAPrioritizedList",
    "DRAPartitionableDevices",
    "DRAConsumableCapacity",
    "DRADeviceTaints",
    "DRADeviceBindingConditions",
    "DRAFractionalCapacityRange",
)
ALPHA_GATES = (
    "DRAListTypeAttributes",
    "DRADerivedAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAOptionalNodeOperations",
)
NOT_STABLE = ("DRAConsumableCapacity", "DRADeviceBindingConditions", "DRAFractionalCapacityRange")
SELECTORS = (
    "device.attributes['a.example.com'].k > 1",
    "device.attributes['a.example.com'].k % 2 == 0",
    "'k' in device.attributes['a.example.com'] && device.attributes['a.example.com'].k < 4",
    "device.attributes['b.example.com'].?k.orValue(9) != 2",
    "device.attributes['resource.kubernetes.io'].numaNode == 0",
    "device.attributes['resource.kubernetes.io'].?numaNode.orValue(0) == 0",
    "device.attributes['a.example.com'].t == 'x'",
    "device.driver == 'a.example.com' || device.attributes['a.example.com'].t == 'x'",
    "'mem' in device.capacity['a.example.com'] && device.capacity['a.example.com'].mem.compareTo(quantity('4Gi')) >= 0",
    "device.allowMultipleAllocations",
    "true",
    "false",
)
CLASSES = (
    ("any", []),
    ("a", ["device.driver == 'a.example.com'"]),
    ("b", ["device.driver == 'b.example.com'"]),
    ("ax", ["device.driver == 'a.example.com'", "device.attributes['a.example.com'].t == 'x'"]),
    ("even", ["device.attributes['a.example.com'].k % 2 == 0"]),
)
TAINTS = (
    {"key": "t", "value": "v", "effect": "NoSchedule"},
    {"key": "t", "effect": "NoExecute"},
    {"key": "u", "value": "w", "effect": "NoSchedule"},
    {"key": "u", "value": "w", "effect": "None"},
)
TOLERATIONS = (
    {"key": "t", "operator": "Exists"},
    {"operator": "Exists", "effect": "NoSchedule"},
    {"key": "u", "operator": "Equal", "value": "w"},
    {"key": "t", "value": "v"},
    {"operator": "Exists"},
)
POLICIES = (
    None,
    None,
    {"default": "1Gi"},
    {"default": "1Gi", "validValues": ["1Gi", "2Gi", "4Gi"]},
    {"default": "1Gi", "validRange": {"min": "1Gi"}},
    {"default": "1Gi", "validRange": {"min": "512Mi", "max": "4Gi", "step": "512Mi"}},
    {"default": "500m", "validRange": {"min": "250m", "step": "250m"}},
)
AMOUNTS = ("1Gi", "600Mi", "2Gi", "3Gi", "8Gi", "500m", "1200m", "1", "20Gi")


class Maker:
    """Makes one request from a random number generator; some features are switched on for the whole request."""

    def __init__(self, rng, *, taint_rules, newest):
        self.rng = rng
        self.likely = {}
        self.taint_rules = taint_rules
        self.newest = newest

    def on(self, feature, share=0.25):
        """Say whether this request uses a feature at all."""
        if feature not in self.likely:
            self.likely[feature] = self.rng.random() < share
        return self.likely[feature]

    def some(self, feature, rate=0.4, share=0.25):
        """Say whether to use a feature here: it must be on, and then in ``rate`` of the places."""
        return self.on(feature, share) and self.rng.random() < rate

    def request(self):
        """Return a request."""
        rng = self.rng
        stable = self.on(
            "stable", 0.06
        )  # visits pools in random order: few of them, or no repetition shows all answers
        names = [f"n{i}" for i in range(1, rng.choice((1, 1, 1, 2, 3)) + 1)][: 1 if stable else None]
        nodes = [self.node(name) for name in names]
        slices = [piece for driver in DRIVERS[: rng.choice((1, 2, 2))] for piece in self.pools(driver, names)]
        request = {"slices": slices, "classes": self.classes(), "taken": self.taken(slices), "max_steps": 20_000}
        features = self.features()
        if features:
            request["features"] = features
        if self.taint_rules and not stable and self.on("taintRules", 0.1):
            request["taintRules"] = [self.taint_rule(i) for i in range(rng.randint(1, 2))]
        kind = 1 if stable else rng.random()
        if kind < 0.03:
            return request | {"op": "pools", "nodes": nodes}
        if kind < 0.15:
            pods = [{"name": f"p{i}", "claims": self.claims()} for i in range(rng.randint(2, 5))]
            return request | {"op": "sequence", "nodes": nodes, "pods": pods}
        if len(nodes) > 1:
            return request | {"op": "nodes", "nodes": nodes, "claims": self.claims()}
        return request | {"node": nodes[0], "claims": self.claims()}

    def features(self):
        """Return changes to the default gates."""
        rng = self.rng
        changes = []
        if self.on("stable"):
            changes += [f"-{gate}" for gate in NOT_STABLE]
        if self.on("off", 0.12):
            changes += [
                f"-{gate}" for gate in rng.sample(DEFAULT_GATES, rng.randint(1, 2)) if f"-{gate}" not in changes
            ]
        if self.on("alpha", 0.35):
            gates = ALPHA_GATES if self.newest else ALPHA_GATES[:1]
            changes += [f"+{gate}" for gate in rng.sample(gates, min(len(gates), rng.choice((1, 1, 2))))]
        return [change for change in changes if self.newest or "Fractional" not in change]

    def node(self, name):
        labels = {"zone": self.rng.choice(("z0", "z1")), "size": self.rng.choice(("1", "5", "x"))}
        features = ["DRAOptionalNodeOperations"] if self.rng.random() < 0.5 else []
        return {"metadata": {"name": name, "labels": labels}, "status": {"declaredFeatures": features}}

    def pools(self, driver, names):
        for number in range(self.rng.choice((1, 1, 2))):
            for name in names if self.rng.random() < 0.7 else names[:1]:
                yield from self.pool(driver, f"p{number}-{name}", name)

    def pool(self, driver, pool, node):
        """Yield the slices of one pool, now and then incomplete, doubled or of two generations."""
        rng = self.rng
        count = rng.choice((1, 1, 1, 2)) if self.on("multiSlice") else 1
        sets = self.counter_sets() if self.on("counters") else []
        bodies = [self.devices(driver, sets, start=i * 10) for i in range(count)]
        total = count + bool(sets)
        if self.some("incomplete", 0.3, 0.15):
            total += rng.choice((1, -1))
        generation = rng.choice((1, 2))
        scope = self.scope(node)
        for i, devices in enumerate(bodies):
            if self.some("generations", 0.3, 0.15):
                old = {"name": pool, "generation": generation - 1, "resourceSliceCount": count}
                yield self.slice(f"{driver}-{pool}-old{i}", driver, old, self.scope(node), {"devices": devices[:1]})
            if self.some("invalid", 0.2, 0.1) and devices:
                devices.append(devices[0])
            if "perDeviceNodeSelection" in scope:
                devices[:] = [device | self.device_scope(node) for device in devices]
            announced = {"name": pool, "generation": generation, "resourceSliceCount": max(total, 1)}
            yield self.slice(f"{driver}-{pool}-{rng.choice('xy')}{i}", driver, announced, scope, {"devices": devices})
        if sets:
            announced = {"name": pool, "generation": generation, "resourceSliceCount": max(total, 1)}
            own = scope if rng.random() < 0.8 else self.scope(node)
            yield self.slice(f"{driver}-{pool}-c", driver, announced, own, {"sharedCounters": sets})

    def slice(self, name, driver, pool, scope, body):
        extra = {"skipNodeOperations": ["NodePrepareResources"]} if self.newest and self.some("skip", 0.3, 0.1) else {}
        return {"metadata": {"name": name}, "spec": {"driver": driver, "pool": pool, **scope, **extra, **body}}

    def scope(self, node):
        if self.some("perDevice", 0.5, 0.12):
            return {"perDeviceNodeSelection": True}
        return self.device_scope(node) if self.some("nodeSelector", 0.7) else {"nodeName": node}

    def device_scope(self, node):
        rng = self.rng
        kind = rng.randrange(5)
        if kind == 0:
            return {"allNodes": True}
        if kind == 1:
            return {"nodeName": rng.choice((node, "n1"))}
        expressions = (
            {"key": "zone", "operator": "In", "values": [rng.choice(("z0", "z1"))]},
            {"key": "zone", "operator": "NotIn", "values": ["z1"]},
            {"key": "size", "operator": rng.choice(("Gt", "Lt")), "values": ["3"]},
            {"key": rng.choice(("zone", "other")), "operator": rng.choice(("Exists", "DoesNotExist"))},
        )
        term = {"matchExpressions": rng.sample(expressions, rng.choice((1, 1, 2)))}
        if rng.random() < 0.3:
            operator = rng.choice(("In", "NotIn"))
            term["matchFields"] = [{"key": "metadata.name", "operator": operator, "values": [rng.choice((node, "n2"))]}]
        return {"nodeSelector": {"nodeSelectorTerms": [term]}}

    def counter_sets(self):
        return [
            {"name": f"cs{i}", "counters": {c: {"value": str(self.rng.randint(4, 12))} for c in ("u", "v")}}
            for i in range(self.rng.choice((1, 2)))
        ]

    def devices(self, driver, sets, start):
        return [self.device(driver, f"d{start + i}", sets) for i in range(self.rng.choice((1, 2, 3, 4, 6)))]

    def device(self, driver, name, sets):
        rng = self.rng
        device = {"name": name, "attributes": self.attributes(driver), "capacity": self.capacity(driver)}
        if sets and rng.random() < 0.8:
            device["consumesCounters"] = [
                self.consumption(item) for item in rng.sample(sets, rng.randint(1, len(sets)))
            ]
        if self.some("taints", 0.5):
            device["taints"] = rng.sample(TAINTS, rng.choice((1, 1, 2)))
        if self.some("shares", 0.6, 0.35):
            device["allowMultipleAllocations"] = rng.random() < 0.9
        if self.some("binding", 0.3, 0.15):
            device |= {"bindingConditions": ["ready"], "bindingFailureConditions": ["broken"]}
        if self.some("bindsToNode", 0.3, 0.15):
            device["bindsToNode"] = True
        return {key: value for key, value in device.items() if value != {}}

    def consumption(self, counter_set):
        rng = self.rng
        names = rng.sample(sorted(counter_set["counters"]), rng.choice((1, 2)))
        used = {"counterSet": counter_set["name"], "counters": {n: {"value": str(rng.randint(1, 5))} for n in names}}
        if self.some("badCounter", 0.1, 0.1):
            used["counters"]["nope"] = {"value": "1"}
        if self.newest and self.some("groups", 0.6, 0.3):
            used["compatibilityGroups"] = rng.sample(("g", "h", "i"), rng.choice((1, 2)))
        return used

    def attributes(self, driver):
        rng = self.rng
        found = {}
        if rng.random() < 0.9:
            found["k" if rng.random() < 0.8 else f"{driver}/k"] = {"int": rng.randint(0, 5)}
        if rng.random() < 0.8:
            found["t"] = {"string": rng.choice("xy")}
        if rng.random() < 0.85:
            found[NUMA] = {"int": rng.randint(0, 2)}
        if rng.random() < 0.6:
            found[ROOT] = {"string": rng.choice(("r0", "r1", "r2"))}
        if self.some("kinds", 0.4):
            found[NUMA] = rng.choice(({"string": "0"}, {"bool": True}, {"version": "1.0.0"}, {"int": 1}))
        if self.some("lists", 0.5):
            choices = ({"ints": rng.sample(range(4), 2)}, {"strings": rng.sample(("r0", "r1", "r2"), 2)})
            found[rng.choice((NUMA, ROOT))] = rng.choice(
                (*choices, {"bools": [True]}, {"versions": ["1.0.0", "2.0.0"]})
            )
        return found

    def capacity(self, driver):
        rng = self.rng
        found = {}
        for name in ("mem", f"{driver}/cores"):
            if rng.random() < (0.6 if self.on("capacity", 0.5) else 0.1):
                policy = rng.choice(POLICIES) if self.on("policy", 0.5) else None
                value = {"value": rng.choice(("4Gi", "8Gi", "1", "2500m"))}
                found[name] = value | ({"requestPolicy": policy} if policy else {})
        return found

    def classes(self):
        config = [{"opaque": {"driver": "a.example.com", "parameters": {"from": "class"}}}]
        return [
            {
                "metadata": {"name": name},
                "spec": {"selectors": [{"cel": {"expression": text}} for text in texts]}
                | ({"config": config} if self.some("config", 0.5) else {}),
            }
            for name, texts in CLASSES
        ]

    def taken(self, slices):
        specs = [piece["spec"] for piece in slices] if self.on("taken", 0.45) else []
        chosen = [(s, device) for s in specs for device in s.get("devices", ()) if self.rng.random() < 0.3]
        return [self.held(spec, device) for spec, device in chosen]

    def held(self, spec, device):
        item = {"driver": spec["driver"], "pool": spec["pool"]["name"], "device": device["name"]}
        if device.get("allowMultipleAllocations") if self.rng.random() < 0.9 else self.rng.random() < 0.2:
            used = {name: self.rng.choice(AMOUNTS) for name in device.get("capacity", ()) if self.rng.random() < 0.8}
            return item | {"shared": True} | ({"consumedCapacity": used} if used else {})
        return item

    def taint_rule(self, number):
        rng = self.rng
        fields = {"driver": rng.choice(DRIVERS), "pool": "p0-n1", "device": "d1"}
        selector = {key: fields[key] for key in fields if rng.random() < 0.4}
        spec = {"taint": rng.choice(TAINTS)} | ({"deviceSelector": selector} if rng.random() < 0.9 else {})
        return {"metadata": {"name": f"rule-{number}"}, "spec": spec}

    def claims(self):
        return [self.claim(f"c{i}") for i in range(self.rng.choice((1, 1, 2)) if self.on("claims", 0.4) else 1)]

    def claim(self, name):
        rng = self.rng
        requests = [self.request_of(f"r{i}") for i in range(rng.choice((1, 2, 2, 3, 4)))]
        devices = {"requests": requests}
        names = [r["name"] for r in requests] + [
            f"{r['name']}/{s['name']}" for r in requests for s in r.get("firstAvailable", ())
        ]
        if self.on("constraints", 0.65):
            devices["constraints"] = [self.constraint(names) for _ in range(rng.choice((1, 1, 2)))]
        if self.some("config", 0.7):
            devices["config"] = [self.config(names, i) for i in range(rng.choice((1, 2, 3)))]
        return {"metadata": {"name": name, "namespace": "default"}, "spec": {"devices": devices}}

    def config(self, names, number):
        entry = {"opaque": {"driver": self.rng.choice(DRIVERS), "parameters": {"n": number}}}
        return entry | (
            {"requests": self.rng.sample(names, self.rng.randint(1, len(names)))} if self.rng.random() < 0.7 else {}
        )

    def constraint(self, names):
        rng = self.rng
        kind = "distinctAttribute" if self.some("distinct", 0.6, 0.3) else "matchAttribute"
        found = {kind: rng.choice((NUMA, NUMA, ROOT, "a.example.com/k", "a.example.com/t", "a.example.com/derived"))}
        if rng.random() < 0.5:
            found["requests"] = rng.sample(names, rng.randint(1, len(names)))
        if self.some("emptyConstraint", 0.1, 0.05):
            del found[kind]
        return found

    def request_of(self, name):
        rng = self.rng
        if self.some("firstAvailable", 0.5, 0.35):
            alternatives = [{"name": f"s{i}", **self.body(sub=True)} for i in range(rng.choice((1, 2, 2, 3)))]
            return {"name": name, "firstAvailable": alternatives}
        return {"name": name, "exactly": self.body(sub=False)}

    def body(self, *, sub):
        rng = self.rng
        body = {
            "deviceClassName": rng.choice([name for name, _ in CLASSES] if self.on("classes", 0.6) else ["any", "a"])
        }
        if self.some("noClass", 0.05, 0.1):
            body["deviceClassName"] = "nope"
        if self.some("all", 0.4, 0.25):
            body["allocationMode"] = "All"
        elif self.some("count", 0.5, 0.4):
            body |= {"allocationMode": "ExactCount", "count": rng.choice((1, 2, 2, 3, 4))}
        if self.some("many", 0.2, 0.03):
            body |= {"allocationMode": "ExactCount", "count": rng.choice((12, 20, 40))}
        if self.some("selectors", 0.6, 0.5):
            body["selectors"] = [{"cel": {"expression": e}} for e in rng.sample(SELECTORS, rng.choice((1, 1, 2)))]
        if self.some("admin", 0.4, 0.12) and not sub:
            body["adminAccess"] = True
        if self.some("taints", 0.5):
            body["tolerations"] = rng.sample(TOLERATIONS, rng.choice((1, 2)))
        if self.some("amounts", 0.6, 0.4):
            names = [n for n in ("mem", "a.example.com/cores", "b.example.com/cores") if rng.random() < 0.35]
            body["capacity"] = {"requests": {n: rng.choice(AMOUNTS) for n in names or ["mem"]}}
        if self.newest and self.some("derived", 0.5, 0.12):
            body["derivedAttributes"] = [{"name": "a.example.com/derived", "expression": self.derivation()}]
        return body

    def derivation(self):
        return self.rng.choice(
            (
                "device.attributes['a.example.com'].k % 2",
                "device.attributes['resource.kubernetes.io'].?pcieRoot.orValue('none')",
                "device.attributes['resource.kubernetes.io'].numaNode",
                "device.driver",
            )
        )


class TightMaker:
    """Makes requests that are just possible or just not: few devices, many requests, little variety."""

    def __init__(self, rng):
        self.rng = rng

    def request(self):
        """Return a request for one node."""
        rng = self.rng
        self.partitioned = rng.random() < 0.3
        self.shared = rng.random() < 0.2
        self.classes = ("any", "a") if rng.random() < 0.7 else ("any", "a", "x", "y")
        devices = [self.device(f"d{i}") for i in range(rng.randint(4, 9))]
        pool = {"name": "p", "generation": 1, "resourceSliceCount": 1 + self.partitioned}
        slices = [
            {
                "metadata": {"name": "s"},
                "spec": {"driver": DRIVERS[0], "pool": pool, "nodeName": "n1", "devices": devices},
            }
        ]
        if self.partitioned:
            sets = [{"name": f"cs{i}", "counters": {"u": {"value": str(rng.randint(3, 9))}}} for i in range(2)]
            spec = {"driver": DRIVERS[0], "pool": pool, "nodeName": "n1", "sharedCounters": sets}
            slices.append({"metadata": {"name": "c"}, "spec": spec})
        selectors = {"any": [], "a": ["device.driver == 'a.example.com'"]}
        selectors |= {t: [f"device.attributes['a.example.com'].t == '{t}'"] for t in "xy"}
        return {
            "node": {"metadata": {"name": "n1"}},
            "slices": slices,
            "classes": [
                {"metadata": {"name": name}, "spec": {"selectors": [{"cel": {"expression": e}} for e in expressions]}}
                for name, expressions in selectors.items()
            ],
            "claims": [self.claim(f"c{i}") for i in range(rng.choice((1, 1, 2)))],
            "max_steps": 20_000,
            **({"features": ["+DRAListTypeAttributes"]} if rng.random() < 0.2 else {}),
        }

    def device(self, name):
        rng = self.rng
        attributes = {"k": {"int": rng.randint(0, 3)}, "t": {"string": rng.choice("xxy")}}
        if rng.random() < 0.95:
            attributes[NUMA] = {"int": rng.randint(0, 1)} if rng.random() < 0.9 else {"ints": [0, 1]}
        device = {"name": name, "attributes": attributes}
        if self.partitioned:
            used = {"counterSet": rng.choice(("cs0", "cs1")), "counters": {"u": {"value": str(rng.randint(1, 3))}}}
            device["consumesCounters"] = [used]
        if self.shared and rng.random() < 0.5:
            device |= {"allowMultipleAllocations": True, "capacity": {"mem": {"value": "4"}}}
        return device

    def claim(self, name):
        rng = self.rng
        requests = [self.request_of(f"r{i}") for i in range(rng.randint(2, 5))]
        constraints = [self.constraint(requests) for _ in range(rng.choice((0, 1, 1, 2)))]
        return {"metadata": {"name": name}, "spec": {"devices": {"requests": requests, "constraints": constraints}}}

    def constraint(self, requests):
        rng = self.rng
        kind = "matchAttribute" if rng.random() < 0.7 else "distinctAttribute"
        some = rng.sample([request["name"] for request in requests], rng.randint(1, len(requests)))
        return {kind: rng.choice((NUMA, "a.example.com/k")), **({"requests": some} if rng.random() < 0.5 else {})}

    def request_of(self, name):
        if self.rng.random() < 0.3:
            return {"name": name, "firstAvailable": [{"name": f"s{i}", **self.body()} for i in range(2)]}
        return {"name": name, "exactly": self.body()}

    def body(self):
        rng = self.rng
        body = {"deviceClassName": rng.choice(self.classes), "count": rng.choice((1, 1, 1, 2, 3))}
        if rng.random() < 0.1:
            body["selectors"] = [{"cel": {"expression": rng.choice(SELECTORS)}}]
        if self.shared:
            body["capacity"] = {"requests": {"mem": str(rng.randint(1, 3))}} if rng.random() < 0.3 else {}
        return {key: value for key, value in body.items() if value}
