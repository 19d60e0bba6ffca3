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
from proof.stage import NUMA, ROOT, claim, cpus, device, gpu, known, nic, pool, question, request, topology

SEEDS = st.integers(0, 10**9)
some = settings(deadline=None, max_examples=80)
CLASSES = {
    "gpu.nvidia.com": "device.driver == 'gpu.nvidia.com'",
    "dra.net": "device.driver == 'dra.net'",
    "dra.cpu": "device.driver == 'dra.cpu'",
}


class Maker:
    """Small clusters of one node, and pods of one or two claims and containers, at random."""

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311 -- no secrets here

    def chance(self, share):
        return self.random.random() < share

    def numa(self):
        return None if self.chance(0.08) else self.random.randrange(2)

    def root(self):
        return self.random.choice(("r0", "r1", None))

    def slices(self):
        count = self.random.randint(1, 4)
        partitions = self.chance(0.3)
        uses = (lambda: self.random.choice((["a"], ["b"], ["a", "b"]))) if partitions else (lambda: None)
        gpus = [gpu(n, self.numa(), root=self.root(), uses=uses()) for n in range(count)]
        nics = [nic(n, self.numa(), root=self.root()) for n in range(self.random.randint(1, 2))]
        if self.chance(0.5):
            held = [cpus(numa, 8) for numa in range(2)]
        else:
            held = [device(f"cpu-{n}", n % 2, **{"dra.cpu/cpuID": n}) for n in range(2)]
        counters = ["a", "b"] if partitions else None
        return [pool("gpu.nvidia.com", *gpus, counters=counters), pool("dra.net", *nics), pool("dra.cpu", *held)]

    def request(self, name):
        of = self.random.choice(("gpu.nvidia.com", "gpu.nvidia.com", "dra.net", "dra.cpu"))
        selectors = ()
        if self.chance(0.2):
            selectors = (
                f"device.attributes['resource.kubernetes.io'].?numaNode.orValue(-1) == {self.random.randrange(2)}",
            )
        if self.chance(0.15):
            first = request("x", of, *selectors)["exactly"]
            return {"name": name, "firstAvailable": [{"name": "x", **first}, {"name": "y", "deviceClassName": of}]}
        body = {}
        if self.chance(0.2):
            body = {"count": 2} if self.chance(0.7) else {"allocationMode": "All"}
        elif of == "dra.cpu":
            body = {"capacity": {"requests": {"dra.cpu/cpu": "5"}}} if self.cpus_are_shared else {}
        return request(name, of, *selectors, **body)

    def case(self):
        slices = self.slices()
        self.cpus_are_shared = "capacity" in slices[2][0]["spec"]["devices"][0]
        names = [f"r{i}" for i in range(self.random.randint(1, 3))]
        requests = [self.request(name) for name in names]
        match = []
        if self.chance(0.6):
            tied = names if self.chance(0.5) else self.random.sample(names, self.random.randint(1, len(names)))
            match = [(self.random.choice((NUMA, NUMA, ROOT)), tied)]
        claims = [claim(*requests, match=match)]
        if self.chance(0.2):
            claims.append(claim(self.request("other"), name="d"))
        uses = None
        if self.chance(0.3):
            reach = [("c", name) for name in names]
            cut = self.random.randint(0, len(reach))
            uses = {"a": reach[:cut], "b": [*reach[cut:], ("d", None)]}
        layout = [topology(8, 8)] if self.chance(0.7) else []
        return question(*claims, uses=uses, cpus=4), slices + layout


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
            for made in outcome.claims
            for result in made.results
            if use.reaches(made.name, result.request.partition("/")[0])
        ]
        numbers = {result.device.attributes.get(NUMA) for result in results} - {None}
        if len(numbers) > 1:
            return True
    return False


def left_to_the_kubelet(asked, outcome):
    for use in asked.containers:
        drivers = [
            result.device.driver
            for made in outcome.claims
            for result in made.results
            if use.reaches(made.name, result.request.partition("/")[0])
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
    asked, objects = Maker(seed).case()
    cluster = known(*objects, classes=CLASSES)
    found = prove(asked, cluster)
    if found.kind == MAY_CROSS:
        assert reproduces(asked, cluster, found.witness)
        outcome = replay(asked, cluster, found.witness)
        assert apart(asked, outcome) or left_to_the_kubelet(asked, outcome)
        used = [item for devices in found.witness.placement.values() for item in devices]
        assert len(set(used)) == len(used) or any(cluster.devices[item].allow_multiple for item in used)
        whole = {item.device for item in found.witness.taken if item.consumed is None}
        assert not whole & set(used)
        assert set(found.witness.crossed) <= found.witness.numa.keys()
        first, second = (found.witness.numa[key] for key in found.witness.crossed)
        assert set(first) != set(second)


@given(seed=SEEDS)
@some
def test_aligned_survives_brute_force(seed):
    asked, objects = Maker(seed).case()
    cluster = known(*objects, classes=CLASSES)
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
    asked, objects = Maker(seed).case()
    cluster = known(*objects, classes=CLASSES)
    found = prove(asked, cluster)
    if found.kind not in (MAY_CROSS, SPANS):
        assert not any(isinstance(outcome, Allocated) and apart(asked, outcome) for outcome in outcomes(asked, cluster))


@given(seed=SEEDS)
@some
def test_the_order_of_objects_is_no_matter(seed):
    asked, objects = Maker(seed).case()
    shuffled = list(objects)
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    first, second = (prove(asked, known(*given, classes=CLASSES)) for given in (objects, shuffled))
    assert (first.kind, first.by, first.witness, first.reasons) == (
        second.kind,
        second.by,
        second.witness,
        second.reasons,
    )


@given(seed=SEEDS)
@some
def test_spans_is_never_said_of_what_fits_on_one_numa_node(seed):
    asked, objects = Maker(seed).case()
    cluster = known(*objects, classes=CLASSES)
    if prove(asked, cluster).kind == SPANS:
        made = [outcome for outcome in outcomes(asked, cluster) if isinstance(outcome, Allocated)]
        assert made
        assert all(apart(asked, outcome) or left_to_the_kubelet(asked, outcome) for outcome in made)


@pytest.mark.parametrize("seed", range(3))
def test_a_larger_number_of_kinds_is_met(seed):
    """The cases above are worth something only while they meet every verdict."""
    kinds = set()
    for number in range(150):
        asked, objects = Maker(seed * 1000 + number).case()
        kinds.add(prove(asked, known(*objects, classes=CLASSES)).kind)
    assert kinds == {ALIGNED, MAY_CROSS, SPANS, UNDECIDED, UNSATISFIABLE}
