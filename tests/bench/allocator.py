"""Time dralign's allocator beside the real one, and measure its memory: allocator.py ORACLE [FOLDER]

ORACLE is an ``allocoracle``. Three parts, ratios first:

1. the cases of large.jsonl with both programs in one go. A run is what ``allocoracle bench`` times: a new allocator and
   all calls of a case, with selectors compiled and slices decoded before. What dralign finds out about devices during a
   run (selector answers of classes, pools of nodes) is dropped with the run;
2. 200 distinct claims placed in sequence on 100 nodes with 8 GPUs of 7 partitions each, and 200 identical ones; the
   same as pods, with all else that the scheduler looks at, first node that fits and all nodes asked for each pod;
3. the most memory that a process takes which reads 100,000 devices and allocates some.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONFORMANCE = Path(__file__).resolve().parents[1] / "conformance"
sys.path.insert(0, str(CONFORMANCE))

from allocator_requests import Case  # noqa: E402  the path comes first
from run_allocator import lines  # noqa: E402

from dralign.model.claim import claim_spec  # noqa: E402
from dralign.model.inventory import ClassSpec, Inventory  # noqa: E402
from dralign.model.node import Node  # noqa: E402
from dralign.model.slice import slice_from  # noqa: E402
from dralign.sim.allocator import Allocator  # noqa: E402
from dralign.sim.behaviour import behaviour  # noqa: E402
from dralign.sim.claim_book import ClaimBook  # noqa: E402
from dralign.sim.outcome import Allocated  # noqa: E402
from dralign.sim.placement import Placed  # noqa: E402
from dralign.sim.pod_claim import PodClaim  # noqa: E402
from dralign.sim.podspec import podspec_from  # noqa: E402
from dralign.sim.scheduler import Options  # noqa: E402
from dralign.sim.selectors import ReleaseSelectors  # noqa: E402
from dralign.sim.sequence import Sequence  # noqa: E402
from dralign.sim.simulation import Simulation  # noqa: E402

ROUNDS = 4
ROUND = 0.4  # seconds
GATES = frozenset({"DRAPrioritizedList", "DRAPartitionableDevices", "DRAConsumableCapacity", "DRADeviceTaints"})
DRIVER = "gpu.nvidia.com"
CLASSES = (
    ClassSpec("gpu", (f"device.driver == '{DRIVER}' && device.attributes['{DRIVER}'].type == 'gpu'",)),
    ClassSpec("mig", (f"device.driver == '{DRIVER}' && device.attributes['{DRIVER}'].type == 'mig'",)),
)


def our_time(case):
    """Return the seconds of our quickest run within a round."""
    times = []
    while not times or sum(times) < ROUND:
        start = time.perf_counter()
        case.run()
        times.append(time.perf_counter() - start)
    return min(times)


def their_time(oracle, row):
    """Return the seconds of the real allocator's quickest run within a round."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(json.dumps(row) + "\n")
        file.flush()
        command = [oracle, "bench", "-mintime", f"{ROUND}s", file.name]
        bench = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(bench.stdout)["best_ns_per_run"] / 1e9


def compare_times(oracle, folder):
    """Print both times of every case and their ratio, the ratio of the sums and the worst; rounds alternate."""
    ours, theirs = [], []
    for row in lines(next(folder.glob("large.jsonl*"))):
        case = Case(row["request"], {})
        rounds = [(our_time(case), their_time(oracle, row)) for _ in range(ROUNDS)]
        mine, other = (min(times) for times in zip(*rounds, strict=True))
        ours.append(mine)
        theirs.append(other)
        print(f"{row['id']:40} {mine * 1000:9.2f} ms   Go {other * 1000:9.2f} ms   ratio {mine / other:5.2f}")
    worst = max(mine / other for mine, other in zip(ours, theirs, strict=True))
    together = sum(ours) / sum(theirs)
    print(f"together {sum(ours):.3f} s   Go {sum(theirs):.3f} s   ratio {together:.2f}   worst {worst:.2f}")


def partitioned_slices(node, gpus=8, partitions=7):
    """Yield the two slices of a node whose GPUs can be had whole or in partitions, as the NVIDIA driver writes them."""
    counters = {"memory": "80Gi"} | {f"memory-slice-{i}": "1" for i in range(partitions)}
    pool = {"name": node, "generation": 1, "resourceSliceCount": 2}
    devices = [device for gpu in range(gpus) for device in gpu_devices(node, gpu, counters, partitions)]
    sets = [{"name": f"gpu-{gpu}", "counters": quantities(counters)} for gpu in range(gpus)]
    for name, body in (("devices", {"devices": devices}), ("counters", {"sharedCounters": sets})):
        spec = {"driver": DRIVER, "nodeName": node, "pool": pool, **body}
        yield {"metadata": {"name": f"{node}-{name}"}, "spec": spec}


def gpu_devices(node, gpu, counters, partitions):
    """Yield a whole GPU and its partitions."""
    common = {
        "uuid": {"string": f"GPU-{node}-{gpu}"},
        "productName": {"string": "NVIDIA H100 80GB HBM3"},
        "driverVersion": {"version": "580.126.20"},
        "resource.kubernetes.io/numaNode": {"int": gpu // 4},
        "resource.kubernetes.io/pcieRoot": {"string": f"pci0000:{gpu:02x}"},
    }
    yield device(f"gpu-{gpu}", common | {"type": {"string": "gpu"}}, "80Gi", f"gpu-{gpu}", counters)
    for i in range(partitions):
        attributes = common | {
            "type": {"string": "mig"},
            "profile": {"string": "1g.10gb"},
            "parentUUID": common["uuid"],
        }
        used = {"memory": "10Gi", f"memory-slice-{i}": "1"}
        yield device(f"gpu-{gpu}-mig-1g10gb-{i}", attributes, "10Gi", f"gpu-{gpu}", used)


def device(name, attributes, memory, counter_set, used):
    """Return one device as a slice holds it."""
    consumption = {"counterSet": counter_set, "counters": quantities(used)}
    capacity = {"memory": {"value": memory}}
    return {"name": name, "attributes": attributes, "capacity": capacity, "consumesCounters": [consumption]}


def quantities(amounts):
    """Return counters as the API writes them."""
    return {name: {"value": value} for name, value in amounts.items()}


def cluster(nodes):
    """Return an allocator and nodes; slices are read one by one, so that the plain data is gone afterwards."""
    names = [f"node-{i:04}" for i in range(nodes)]
    slices = [slice_from(data) for name in names for data in partitioned_slices(name)]
    found = [Node(name, {}) for name in names]
    allocator = Allocator(
        Inventory(slices, nodes=found, classes=CLASSES), behaviour("1.37", GATES), ReleaseSelectors("1.37", GATES)
    )
    return allocator, found


def claim(number, kind, count, attribute):
    """Return a claim whose selector no other claim has."""
    selector = f"device.attributes['{DRIVER}'].uuid != 'GPU-none-{number}'"
    body = {"deviceClassName": kind, "count": count, "selectors": [{"cel": {"expression": selector}}]}
    devices = {"requests": [{"name": "r", "exactly": body}], "constraints": [{"matchAttribute": attribute}]}
    return PodClaim(f"default/c{number}", claim_spec({"devices": devices}))


def time_sequence():
    """Print how long it takes to place 200 distinct claims, and 200 replicas of one."""
    numa, parent = "resource.kubernetes.io/numaNode", f"{DRIVER}/parentUUID"
    shapes = (("gpu", 4, numa), ("mig", 7, parent), ("gpu", 2, numa), ("mig", 3, numa), ("gpu", 4, numa))
    distinct = [[claim(i, *shapes[i % len(shapes)])] for i in range(200)]
    for name, pods in (("distinct", distinct), ("identical", [distinct[0]] * 200)):
        allocator, nodes = cluster(100)
        start = time.perf_counter()
        sequence = Sequence(allocator, nodes, allocator.taken())
        placed = sum(isinstance(sequence.place(claims), Allocated) for claims in pods)
        print(
            f"200 {name} claims on 100 nodes x 8 GPUs x 7 partitions: {time.perf_counter() - start:.2f} s, {placed} placed"
        )


def time_pods():
    """Print how long it takes to place the same claims as pods, which also need CPUs."""
    numa, parent = "resource.kubernetes.io/numaNode", f"{DRIVER}/parentUUID"
    shapes = (("gpu", 4, numa), ("mig", 7, parent), ("gpu", 2, numa), ("mig", 3, numa), ("gpu", 4, numa))
    for exhaustive in (False, True):
        for name in ("distinct", "identical"):
            book, pods = ClaimBook(), []
            for i in range(200):
                made = claim(i if name == "distinct" else 0, *shapes[i % len(shapes) if name == "distinct" else 0])
                book.templates["default", f"t{i}"] = made.spec
                pods.append(pod_with(f"t{i if name == 'distinct' else 0}"))
            allocator, nodes = cluster(100)
            start = time.perf_counter()
            options = Options(exhaustive=exhaustive)
            simulation = Simulation(allocator.cluster.inventory, "1.37", GATES, book, options)
            placed = sum(isinstance(simulation.place(pod).placement, Placed) for pod in pods)
            taken = f"{time.perf_counter() - start:.2f} s, {placed} placed"
            print(
                f"200 {name} pods on {len(nodes)} nodes, {'all' if exhaustive else 'as many as needed'} asked: {taken}"
            )


def pod_with(template):
    """Return a pod that needs CPUs and a claim from a template."""
    entry = {"name": "c", "resourceClaimTemplateName": template}
    container = {"name": "main", "resources": {"requests": {"cpu": "1"}, "claims": [{"name": "c"}]}}
    return podspec_from({"spec": {"containers": [container], "resourceClaims": [entry]}}, "default", f"p-{template}")


def measure_memory():
    """Print the most memory that this process has taken, after 100,000 devices were read and some allocated."""
    allocator, nodes = cluster(1563)
    sequence = Sequence(allocator, nodes, allocator.taken())
    placed = sum(isinstance(sequence.place([claim(i, "gpu", 8, f"{DRIVER}/type")]), Allocated) for i in range(20))
    everywhere = allocator.prepare([claim(20, "mig", 8, f"{DRIVER}/uuid")])
    fits = sum(isinstance(allocator.allocate(everywhere, node, sequence.taken), Allocated) for node in nodes)
    devices = sum(len(piece.devices) for piece in allocator.cluster.inventory.slices)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{devices} devices, {placed} placed, {fits} nodes fit one that fits none: peak {peak:.0f} MiB")


if __name__ == "__main__":
    if sys.argv[1:] == ["--memory"]:
        measure_memory()
    else:
        compare_times(sys.argv[1], Path(sys.argv[2]) if sys.argv[2:] else CONFORMANCE / "allocator")
        time_sequence()
        time_pods()
        subprocess.run([sys.executable, __file__, "--memory"], check=True)
