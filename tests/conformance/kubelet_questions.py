"""Random questions to the kubelet: configurations, and pods on machines. Used to compare the model with the real code."""

import json

AS_YAML = "# read as YAML\n"  # a file that starts with a brace is read as JSON, where 1.0 is no whole number
GI = 1 << 30
PAIR = {"sockets": 2, "numaPerSocket": 1, "coresPerNuma": 4, "threads": 2, "memoryPerNuma": "16Gi"}
MOST_NODES_WITH_HUGEPAGES = 4
LEVEL_OFF = {
    "PodLevelResources": False,
    "PodLevelResourcesFixDefaulting": False,
    "PodLevelResourcesFixKubeletQOSClass": False,
    "InPlacePodLevelResourcesVerticalScaling": False,
}
ADMIT_GATES = (
    {},
    {"PodLevelResourceManagers": True},
    {"CPUManagerPolicyAlphaOptions": True},
    {"CPUManagerPolicyAlphaOptions": True, "PodLevelResourceManagers": True},
    LEVEL_OFF,
    {"PodLevelResourcesFixKubeletQOSClass": False},
)
CONFIG_GATES = (
    *ADMIT_GATES,
    {"CPUManagerPolicyBetaOptions": False},
    {"MemoryQoS": False},
    {"KubeletCrashLoopBackOffMax": False},
    {"KubeletEnsureSecretPulledImages": False},
    {"LoggingAlphaOptions": True},
    {"DefaultPodSysctls": True},
    {"CustomCPUCFSQuotaPeriod": False},
    {
        "GracefulNodeShutdown": False,
        "WindowsGracefulNodeShutdown": False,
        "GracefulNodeShutdownBasedOnPodPriority": False,
    },
    {"RotateKubeletServerCertificate": False},
    {"AllAlpha": False},
    {"AllBeta": False, "AllAlpha": True},
    {"NodeSwap": True},
    {"NodeSwap": False},
    {"ImageMaximumGCAge": False},
    {"TopologyManagerPolicyBetaOptions": False, "TopologyManagerPolicyAlphaOptions": True},
    {"DynamicResourceAllocation": True},
    {"Nonsense": True},
    {"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
    {"EventedPLEG": True},
    {"ContainerRestartRules": False},
)


SHAPES = ((1, 1), (2, 1), (2, 1), (4, 1), (1, 2), (2, 2), (2, 2), (1, 3), (2, 3), (1, 4))
LARGE_SHAPES = ((2, 4), (4, 2))
"""Sockets and NUMA nodes of a socket; large ones are rare, as the real code takes long over them."""


def a_machine(rng):
    sockets, numa = rng.choice(SHAPES * 4 + LARGE_SHAPES)
    machine = {
        "sockets": sockets,
        "numaPerSocket": numa,
        "coresPerNuma": rng.choice((2, 3, 4, 4, 6, 8)),
        "threads": rng.choice((1, 2, 2, 2, 4)),
        "memoryPerNuma": rng.choice(("8Gi", "16Gi", "32Gi")),
    }
    # The real Topology Manager looks at every permutation of hints: with more kinds of memory it would take minutes.
    if sockets * numa <= MOST_NODES_WITH_HUGEPAGES and rng.random() < 0.3:
        machine["hugepagesPerNuma"] = {"2Mi": rng.choice((256, 512))} | ({"1Gi": 2} if rng.random() < 0.5 else {})
    if rng.random() < 0.4:
        machine["uncorePerNuma"] = rng.choice((1, 2, 2, 3, 4))
    if rng.random() < 0.3:
        machine["numbering"] = "adjacent"
    if rng.random() < 0.2:
        machine["interleave"] = True
    return machine


def kubelet(**fields):
    return {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"} | fields


def cpu_options(rng, gates):
    stable = [
        "full-pcpus-only",
        "strict-cpu-reservation",
        "prefer-align-cpus-by-uncorecache",
        "distribute-cpus-across-numa",
    ]
    alpha = ["align-by-socket", "distribute-cpus-across-cores"]
    names = stable + (alpha * 2 if gates.get("CPUManagerPolicyAlphaOptions") else [])
    return {
        name: rng.choice(("true", "true", "true", "false")) for name in rng.sample(names, rng.choice((0, 0, 1, 1, 2)))
    }


def a_working_config(rng, gates, machine):
    nodes = machine["sockets"] * machine["numaPerSocket"]
    config = kubelet(
        cpuManagerPolicy=rng.choice(("static",) * 8 + ("none",)),
        topologyManagerPolicy=rng.choice(("none", "best-effort", "restricted", "single-numa-node")),
        topologyManagerScope=rng.choice(("container", "pod")),
        systemReserved={"cpu": rng.choice(("1", "1500m", "2", "500m")), "memory": "1Gi"},
        evictionHard={},
    )
    if gates:
        config["featureGates"] = gates
    if config["cpuManagerPolicy"] == "static" and (options := cpu_options(rng, gates)):
        config["cpuManagerPolicyOptions"] = options
    if rng.random() < 0.25:
        config["reservedSystemCPUs"] = ",".join(str(cpu) for cpu in rng.sample(range(4), rng.choice((1, 2, 3))))
    if rng.random() < 0.3:
        config["topologyManagerPolicyOptions"] = {"prefer-closest-numa-nodes": "true"}
    if rng.random() < 0.7:
        config["memoryManagerPolicy"] = "Static"
        config["reservedMemory"] = reserved_memory(rng, nodes)
    return config


def reserved_memory(rng, nodes):
    if rng.random() < 0.5:
        return [{"numaNode": rng.randrange(nodes), "limits": {"memory": "1Gi"}}]
    parts = [GI // nodes] * nodes
    parts[0] += GI - sum(parts)
    return [{"numaNode": node, "limits": {"memory": str(part)}} for node, part in enumerate(parts)]


def cpus(machine, share=1):
    return machine["sockets"] * machine["numaPerSocket"] * machine["coresPerNuma"] * machine["threads"] // share


def some_resources(rng, machine, *, guaranteed=None):
    per_node = machine["coresPerNuma"] * machine["threads"]
    gib = int(machine["memoryPerNuma"][:-2])
    count = rng.choice(
        (1, 2, 2, 3, 4, per_node - 1, per_node, per_node // 2, per_node + 2, rng.randrange(1, cpus(machine) + 1))
    )
    cpu = str(max(count, 1)) if rng.random() < 0.85 else rng.choice(("500m", "1500m", "100m"))
    memory = rng.choice(
        (
            "512Mi",
            "1Gi",
            "1Gi",
            "1Gi",
            "2Gi",
            "2Gi",
            "1.5Gi" if rng.random() < 0.1 else "3Gi",
            f"{gib // 2}Gi",
            f"{gib - 1}Gi",
            f"{gib + 1}Gi",
        )
    )
    limits = {"cpu": cpu, "memory": memory}
    if rng.random() < 0.15:
        for size in machine.get("hugepagesPerNuma", ()):
            limits[f"hugepages-{size}"] = rng.choice((size, "512Mi" if size == "2Mi" else "2Gi"))
    if not (rng.random() < 0.92 if guaranteed is None else guaranteed):
        return rng.choice(({}, {"requests": {"cpu": cpu}}, {"requests": limits}, {"limits": {"cpu": cpu}}))
    return rng.choice(({"limits": limits}, {"requests": limits, "limits": limits}))


def a_pod(rng, machine, number):
    spec = {
        "containers": [
            {"name": f"c{i}", "image": "a:1", "resources": some_resources(rng, machine)}
            for i in range(rng.choice((1, 1, 1, 2, 2, 3)))
        ]
    }
    early = [
        {"name": f"i{i}", "image": "a:1", "resources": some_resources(rng, machine)}
        | ({"restartPolicy": "Always"} if rng.random() < 0.4 else {})
        for i in range(rng.choice((0, 0, 0, 0, 1, 1, 2, 3)))
    ]
    if early:
        spec["initContainers"] = early
    if rng.random() < 0.25:
        add_level(rng, machine, spec)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"p{number}"}, "spec": spec}


def add_level(rng, machine, spec):
    """Give a pod resources of its own that its containers fit into, as the API server demands."""
    small = ({"cpu": "1", "memory": "512Mi"}, {"cpu": "2", "memory": "1Gi"}, {"cpu": "500m", "memory": "512Mi"})
    for container in spec.get("initContainers", []) + spec["containers"]:
        limits = rng.choice((*small, None, None))
        container["resources"] = {"requests": limits, "limits": limits} if limits else {}
    count = len(spec.get("initContainers", ())) + len(spec["containers"])
    per_node = machine["coresPerNuma"] * machine["threads"]
    cpu = max(count * 2, rng.choice((2, 4, per_node - 1, per_node, per_node + 2)))
    exact = sum(int(c["resources"].get("limits", {}).get("cpu", "0").removesuffix("m")) for c in spec["containers"])
    level = {
        "cpu": str(exact) if rng.random() < 0.3 and 0 < exact < 50 and count == len(spec["containers"]) else str(cpu),
        "memory": rng.choice((f"{count}Gi", "8Gi", f"{count + 1}Gi")),
    }
    spec["resources"] = {"requests": level, "limits": level} if rng.random() < 0.9 else {"limits": level}


def admit_question(rng):
    gates = rng.choice(ADMIT_GATES)
    machine = a_machine(rng)
    steps, names = [], []
    for number in range(rng.choice((1, 2, 3, 5, 8))):
        if names and rng.random() < 0.2:
            steps.append({"remove": names.pop(rng.randrange(len(names)))})
        steps.append({"pod": a_pod(rng, machine, number)})
        names.append(f"p{number}")
    return gates, {"machine": machine, "config": json.dumps(a_working_config(rng, gates, machine)), "steps": steps}


QUANTITIES = (
    "0",
    "1",
    "2",
    "1500m",
    "0.5",
    "1.0005",
    "-1",
    "",
    "x",
    "1Gi",
    "2Gi",
    "100",
    "1e3",
    "3.7",
    "1Ki",
    "33",
    "64",
    "999m",
    "0.1",
)
FIELDS = {
    "cpuManagerPolicy": ("static", "none", "", "Static", 1, None),
    "cpuManagerPolicyOptions": (
        {},
        {"full-pcpus-only": "true"},
        {"full-pcpus-only": "1"},
        {"full-pcpus-only": "no"},
        {"distribute-cpus-across-numa": "t"},
        {"align-by-socket": "true"},
        {"align-by-socket": "false"},
        {"strict-cpu-reservation": "true", "prefer-align-cpus-by-uncorecache": "true"},
        {"full-pcpus-only": "true", "distribute-cpus-across-cores": "true"},
        {"other": "true"},
        {"full-pcpus-only": True},
        [],
    ),
    "memoryManagerPolicy": ("None", "Static", "Static", "static", "BestEffort", "", 5),
    "reservedMemory": (
        [],
        [{"numaNode": 0, "limits": {"memory": "1Gi"}}],
        [{"numaNode": 0, "limits": {"memory": "2Gi"}}],
        [{"numaNode": 0, "limits": {"memory": "100Mi"}}],
        [{"numaNode": 0, "limits": {"memory": "1124Mi"}}, {"numaNode": 1, "limits": {"memory": "0"}}],
        [{"numaNode": 0, "limits": {"memory": "512Mi"}}, {"numaNode": 1, "limits": {"memory": "512Mi"}}],
        [{"numaNode": 7, "limits": {"memory": "1Gi"}}],
        [{"numaNode": 0, "limits": {"memory": "1Gi", "hugepages-2Mi": "2Mi"}}],
        [{"numaNode": 0, "limits": {"memory": "1.5Gi"}}],
        [{"numaNode": 0, "limits": {"memory": 1073741824}}],
        [{"numaNode": 0, "limits": {"cpu": "1"}}],
        [{"numaNode": 0, "limits": {"memory": None}}],
        [{"numaNode": "0", "limits": {"memory": "1Gi"}}],
        [{"numaNode": 1.5}],
        [None],
        [{"limits": {"memory": "1Gi"}}, {"limits": {"memory": "1Gi"}}],
        {},
    ),
    "topologyManagerPolicy": ("none", "best-effort", "restricted", "single-numa-node", "single", ""),
    "topologyManagerScope": ("container", "pod", "", "Pod"),
    "topologyManagerPolicyOptions": (
        {},
        {"prefer-closest-numa-nodes": "true"},
        {"max-allowable-numa-nodes": "9"},
        {"max-allowable-numa-nodes": "16"},
        {"max-allowable-numa-nodes": "+12"},
        {"max-allowable-numa-nodes": "7"},
        {"max-allowable-numa-nodes": "99999999999999999999"},
        {"other": "x"},
        {"prefer-closest-numa-nodes": "T"},
    ),
    "reservedSystemCPUs": ("", "0", "0-1", "0,1,2", "1-0", "0-", "a", "0-63", "200", "0,0", "+1", " 1", "1,", 0),
    "evictionHard": (
        {},
        None,
        {"memory.available": "100Mi"},
        {"memory.available": "5%"},
        {"memory.available": "0%"},
        {"memory.available": "100%"},
        {"memory.available": "33.3%"},
        {"memory.available": "101%"},
        {"memory.available": "-5%"},
        {"memory.available": "x%"},
        {"memory.available": "%"},
        {"memory.available": "0"},
        {"memory.available": "-1"},
        {"memory.available": ""},
        {"nodefs.available": "7.77%"},
        {"nodefs.available": "10Gi", "imagefs.available": "1%"},
        {"pid.available": "10%"},
        {"other": "1"},
        {"memory.available": 1},
    ),
    "mergeDefaultEvictionSettings": (True, False, "true"),
    "featureGates": ({"CPUManager": True}, {"CPUManagerPolicyOptions": False}, {"A": 1}, "x", {"MemoryQoS": None}),
    "syncFrequency": ("10s", "1h2m3.5s", "10", "", None, 10, "1x", "-1m", "1.5", ".5s", "1us"),
    "cpuCFSQuotaPeriod": ("100ms", "1ms", "999us", "1s", "1001ms", None, "5ms"),
    "imageGCHighThresholdPercent": (0, 80, 81, 100, 101, -1),
    "imageGCLowThresholdPercent": (0, 80, 85, 100),
    "imageMinimumGCAge": ("0s", "1m", "-1s", "10m"),
    "imageMaximumGCAge": ("0s", "1m", "2m", "3m", "-1s"),
    "maxParallelImagePulls": (0, 1, 2, 5, None),
    "serializeImagePulls": (True, False),
    "serverTLSBootstrap": (True,),
    "runOnce": (True, False),
    "maxPods": (0, 10, -1, 3000000000, 1.0, 1.5, "1"),
    "podsPerCore": (-1, 2),
    "maxOpenFiles": (-1, 0, 5),
    "oomScoreAdj": (-1000, 1000, 1001, -1001, 0),
    "port": (0, 1, 65535, 65536, -1),
    "readOnlyPort": (0, 65536),
    "healthzPort": (0, 65535, 65536, -5),
    "nodeLeaseDurationSeconds": (0, -1, 5),
    "kubeAPIQPS": (-1, 0),
    "kubeAPIBurst": (-1, 0),
    "eventBurst": (-1, 0),
    "eventRecordQPS": (-1, 0),
    "registryBurst": (-1, 0),
    "registryPullQPS": (-1, 0),
    "nodeStatusMaxImages": (-1, -2),
    "iptablesDropBit": (-1, 31, 32),
    "iptablesMasqueradeBit": (-1, 31, 32),
    "containerLogMaxWorkers": (0, 1),
    "containerLogMaxFiles": (1, 2, 0),
    "containerLogMonitorInterval": ("3s", "2.9s", "0s"),
    "systemCgroups": ("/a", ""),
    "cgroupRoot": ("/", ""),
    "cgroupsPerQOS": (True, False),
    "systemReservedCgroup": ("/a",),
    "kubeReservedCgroup": ("/b",),
    "enforceNodeAllocatable": (
        [],
        ["pods"],
        ["none"],
        ["pods", "none"],
        ["pods", "pods"],
        ["kube-reserved"],
        ["system-reserved", "system-reserved-compressible"],
        ["x"],
        ["kube-reserved-compressible", "pods"],
        None,
    ),
    "hairpinMode": ("none", "hairpin-veth", "x", ""),
    "memorySwap": ({}, {"swapBehavior": "LimitedSwap"}, {"swapBehavior": "x"}, {"swapBehavior": ""}),
    "shutdownGracePeriod": ("0s", "30s", "500ms", "-1s"),
    "shutdownGracePeriodCriticalPods": ("0s", "10s", "40s", "10ms", "-1s"),
    "shutdownGracePeriodByPodPriority": ([], [{"priority": 1, "shutdownGracePeriodSeconds": 10}], [{"priority": "1"}]),
    "crashLoopBackOff": (
        {},
        {"maxContainerRestartPeriod": "1s"},
        {"maxContainerRestartPeriod": "301s"},
        {"maxContainerRestartPeriod": "999ms"},
    ),
    "memoryThrottlingFactor": (0, 0.9, 0.5, 1, 1.1, -1),
    "memoryReservationPolicy": ("", "None", "TieredReservation", "x"),
    "imagePullCredentialsVerificationPolicy": ("", "AlwaysVerify", "NeverVerifyAllowlistedImages", "x"),
    "preloadedImagesVerificationAllowlist": (
        [],
        ["registry.example.com/*"],
        ["a*"],
        [" a"],
        ["docker.io/a:1"],
        ["/*"],
        [""],
        ["docker.io/library/a"],
    ),
    "registerWithTaints": (
        [],
        [{"key": "a", "effect": "NoSchedule"}],
        [{"key": "", "effect": "NoSchedule"}],
        [{"key": "example.com/a_b", "value": "x-1", "effect": "NoExecute"}],
        [{"key": "Example.com/a", "effect": ""}],
        [{"key": "a", "value": "-", "effect": "NoSchedule"}],
        [{"key": "a", "effect": "Never"}],
    ),
    "podLogsDir": ("", "/var/log", "var", "/var//log", "/var/log/", "/", "/v\u00e4r", "/a/../b", "./a"),
    "userNamespaces": (
        {},
        None,
        {"idsPerPod": 65536},
        {"idsPerPod": 1},
        {"idsPerPod": 65537},
        {"idsPerPod": 4294967296},
    ),
    "defaultPodSysctls": (
        {},
        {"net.core.somaxconn": "1"},
        {"kernel.shm_rmid_forced": "1"},
        {"kernel.other": "1"},
        {"A": "1"},
        {"net/ipv4/x": "1"},
    ),
    "logging": (
        {},
        {"format": "text"},
        {"format": "x"},
        {"flushFrequency": "0s"},
        {"flushFrequency": "-1s"},
        {"flushFrequency": 5000000000},
        {"flushFrequency": True},
        {"verbosity": 3},
        {"verbosity": -1},
        {"verbosity": 4000000000},
        {"vmodule": [{"filePattern": "a", "verbosity": 1}]},
        {"vmodule": [{"filePattern": "a=b"}, {"filePattern": ""}]},
        {"options": {"text": {"splitStream": True}}},
        {"options": {"json": {"infoBufferSize": "1Ki"}}},
        {"options": {"text": {"infoBufferSize": "0"}}},
    ),
    "tracing": (
        {},
        None,
        {"samplingRatePerMillion": -1},
        {"samplingRatePerMillion": 1000001},
        {"endpoint": "localhost:4317"},
        {"endpoint": "unix:///a"},
        {"endpoint": "http://a"},
    ),
    "enableSystemLogQuery": (True, False),
    "enableSystemLogHandler": (True, False),
    "authentication": ({}, {"webhook": {"enabled": False}}, {"webhook": 1}, {"x": 1}, {"anonymous": {"enabled": "no"}}),
    "clusterDNS": ([], ["10.0.0.1"], "10.0.0.1", [1]),
    "showHiddenMetricsForVersion": ("", "1.36"),
    "apiVersion": ("kubelet.config.k8s.io/v1", "v1", "", 1, None),
    "kind": ("", "Kubelet", "SerializedNodeConfigSource", None, 1),
    "unknown": (1, {}),
    "CpuManagerPolicy": ("static",),
    "containerRuntimeEndpoint": ("", "x"),
}
MANAGERS = tuple(FIELDS)[:9]
GATED = frozenset(
    (
        "cpuCFSQuotaPeriod",
        "crashLoopBackOff",
        "defaultPodSysctls",
        "imageMaximumGCAge",
        "imagePullCredentialsVerificationPolicy",
        "logging",
        "memoryReservationPolicy",
        "memoryThrottlingFactor",
        "preloadedImagesVerificationAllowlist",
        "serverTLSBootstrap",
        "shutdownGracePeriod",
        "shutdownGracePeriodByPodPriority",
        "shutdownGracePeriodCriticalPods",
    )
)


def config_question(rng):
    gates = rng.choice(({},) * 20 + CONFIG_GATES)
    config = kubelet(**({"featureGates": gates} if gates else {}))
    for field in ("kubeReserved", "systemReserved"):
        if rng.random() < 0.7:
            config[field] = {
                name: rng.choice(("1", "1Gi", "500m") if rng.random() < 0.7 else QUANTITIES)
                for name in rng.sample(("cpu", "memory", "ephemeral-storage", "pid"), rng.choice((1, 2)))
            }
    for field in rng.sample(MANAGERS, rng.choice((0, 1, 2, 3, 4))):
        config[field] = rng.choice(FIELDS[field])
    if rng.random() < 0.6:
        for field in rng.sample(tuple(FIELDS), rng.choice((1, 1, 2, 4))):
            config[field] = rng.choice(FIELDS[field])
    return gates, {"machine": a_machine(rng), "config": AS_YAML + json.dumps(config), "steps": []}


def field_questions():
    """Yield every value of every field, alone, without gates; then once more with each setting of gates that may matter."""
    for gates in ({}, *CONFIG_GATES[6:17]):
        for field, values in FIELDS.items():
            for value in values:
                config = kubelet(featureGates=gates) if gates else kubelet()
                query = {"machine": PAIR, "config": AS_YAML + json.dumps(config | {field: value}), "steps": []}
                if not gates or field in GATED:
                    yield gates, query
