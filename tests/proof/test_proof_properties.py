"""What holds for every question: counterexamples replay, "aligned" survives brute force, the order of input is no matter."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dralign.model.verdict import ALIGNED, MAY_CROSS, SPANS, UNDECIDED, UNSATISFIABLE
from dralign.proof import prove, replay, reproduces
from dralign.sim.outcome import Allocated
from dralign.sim.taken import Taken
from proof.stage import GATES, NUMA, ROOT, claim, cpus, device, gpu, known, nic, pool, question, request, topology

SEEDS = st.integers(0, 10**9)
some = settings(deadline=None, max_examples=80)
CLASSES = {
    "gpu.nvidia.com": "device.driver == 'gpu.nvidia.com'",
    "dra.net": "device.driver == 'dra.net'",
    "dra.cpu": "device.driver == 'dra.cpu'",
}


LISTS = GATES | {"DRAListTypeAttributes"}
KEEP_OFF = {"taints": [{"key": "gone", "effect": "NoExecute"}]}


class Maker:
    """Small clusters of one node, and pods of one or two claims and containers, at random."""

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
        return self.random.randrange(2)

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

    def slices(self):
        gpus = [self.gpu(number) for number in range(self.random.randint(1, 4))]
        nics = [nic(number, self.numa(), root=self.root()) for number in range(self.random.randint(1, 2))]
        held = [device(f"cpu-{n}", n % 2, **{"dra.cpu/cpuID": n}) for n in range(2)]
        if self.cpus_are_shared:
            held = [cpus(numa, 8) for numa in range(2)]
        counters = ["a", "b"] if self.partitions else None
        return [pool("gpu.nvidia.com", *gpus, counters=counters), pool("dra.net", *nics), pool("dra.cpu", *held)]

    def request(self, name):
        of = self.random.choice(("gpu.nvidia.com", "gpu.nvidia.com", "dra.net", "dra.cpu"))
        selectors = ()
        if self.chance(0.2) and not self.lists:
            node = self.random.randrange(2)
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

    def case(self):
        objects = self.slices() + ([topology(8, 8)] if self.chance(0.7) else [])
        names = [f"r{number}" for number in range(self.random.randint(1, 3))]
        claims = [claim(*map(self.request, names), **self.constraints(names))]
        if self.chance(0.2):
            claims.append(claim(self.request("other"), name="d"))
        uses = None
        if self.chance(0.3):
            reach = [("c", name) for name in names]
            cut = self.random.randint(0, len(reach))
            uses = {"a": reach[:cut], "b": [*reach[cut:], *([("d", None)] if len(claims) > 1 else [])]}
        return question(*claims, uses=uses, cpus=4), objects

    def cluster(self, objects):
        return known(*objects, classes=CLASSES, **self.how)


def made(seed):
    maker = Maker(seed)
    asked, objects = maker.case()
    return asked, maker.cluster(objects)


def everything_that_may_be_taken(cluster):
    """Yield every state of the node that others can bring about, as far as whole devices and full shares go."""
    node = cluster.nodes[0]
    view = cluster.allocator.cluster.view(node)
    for number in range(len(view.devices) + 1):
        for chosen in itertools.combinations(view.devices, number):
            taken = Taken()
            for item in chosen:
                shares = {name: offer.value for name, offer in item.capacity.items()} if item.allow_multiple else None
                taken.take(item, shares)
            plans = [cluster.allocator.cluster.counters(pool) for pool in view.pools]
            if all(left >= 0 for plan in plans for left in plan.left(taken)):
                yield taken


def apart(asked, outcome):
    """Say whether any container has devices on two NUMA nodes, or a device where CPUs can be elsewhere: written down anew."""
    for use in asked.containers:
        results = [
            result
            for item in outcome.claims
            for result in item.results
            if use.reaches(item.name, result.request.partition("/")[0]) and not result.admin_access
        ]
        numbers = {first(result.device.attributes.get(NUMA)) for result in results} - {None}
        if len(numbers) > 1:
            return True
    return False


def first(value):
    return value[0] if isinstance(value, tuple) else value


def left_to_the_kubelet(asked, outcome):
    for use in asked.containers:
        drivers = [
            result.device.driver
            for item in outcome.claims
            for result in item.results
            if use.reaches(item.name, result.request.partition("/")[0]) and not result.admin_access
        ]
        if drivers and "dra.cpu" not in drivers:
            return True
    return False


def outcomes(asked, cluster):
    pod = cluster.allocator.prepare(asked.claims)
    for taken in everything_that_may_be_taken(cluster):
        yield cluster.allocator.allocate(pod, cluster.nodes[0], taken)


@given(seed=SEEDS)
@some
def test_every_counterexample_replays(seed):
    asked, cluster = made(seed)
    found = prove(asked, cluster)
    if found.kind == MAY_CROSS:
        assert reproduces(asked, cluster, found.witness)
        outcome = replay(asked, cluster, found.witness)
        assert apart(asked, outcome) or left_to_the_kubelet(asked, outcome)
        results = [result for item in outcome.claims for result in item.results]
        used = [result.device.identity for result in results if not result.admin_access]
        assert len(set(used)) == len(used) or any(cluster.devices[item].allow_multiple for item in used)
        whole = {item.device for item in found.witness.taken if item.consumed is None}
        assert not whole & set(used)
        assert set(found.witness.crossed) <= found.witness.numa.keys()
        first, second = (found.witness.numa[key] for key in found.witness.crossed)
        assert set(first) != set(second)


@given(seed=SEEDS)
@some
def test_aligned_survives_brute_force(seed):
    asked, cluster = made(seed)
    found = prove(asked, cluster)
    if found.kind in (ALIGNED, UNSATISFIABLE):
        for outcome in outcomes(asked, cluster):
            if isinstance(outcome, Allocated):
                assert found.kind == ALIGNED
                assert not apart(asked, outcome)
                assert not left_to_the_kubelet(asked, outcome)


@given(seed=SEEDS)
@some
def test_what_brute_force_finds_is_found(seed):
    asked, cluster = made(seed)
    found = prove(asked, cluster)
    hangs_on_others = any("hangs on what others hold" in reason for reason in found.reasons)
    if found.kind not in (MAY_CROSS, SPANS) and not hangs_on_others:
        assert not any(isinstance(outcome, Allocated) and apart(asked, outcome) for outcome in outcomes(asked, cluster))


@given(seed=SEEDS)
@some
def test_the_order_of_objects_is_no_matter(seed):
    maker = Maker(seed)
    asked, objects = maker.case()
    shuffled = list(objects)
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    first, second = (prove(asked, maker.cluster(given)) for given in (objects, shuffled))
    assert (first.kind, first.by, first.witness, first.reasons) == (
        second.kind,
        second.by,
        second.witness,
        second.reasons,
    )


@given(seed=SEEDS)
@some
def test_spans_is_never_said_of_what_fits_on_one_numa_node(seed):
    asked, cluster = made(seed)
    published = all(NUMA in item.attributes for item in cluster.devices.values())
    if published and prove(asked, cluster).kind == SPANS:
        fitting = [outcome for outcome in outcomes(asked, cluster) if isinstance(outcome, Allocated)]
        assert fitting
        assert all(apart(asked, outcome) or left_to_the_kubelet(asked, outcome) for outcome in fitting)


@pytest.mark.parametrize("seed", range(3))
def test_a_larger_number_of_kinds_is_met(seed):
    """The cases above are worth something only while they meet every verdict."""
    kinds = set()
    for number in range(150):
        kinds.add(prove(*made(seed * 1000 + number)).kind)
    assert kinds == {ALIGNED, MAY_CROSS, SPANS, UNDECIDED, UNSATISFIABLE}
