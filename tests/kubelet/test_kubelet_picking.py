"""Picking CPUs and merging hints: invariants, and a merge written the slow way."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dralign.kubelet import hints, masks
from dralign.kubelet.cpu_packing import NotEnoughCpus, take_packed
from dralign.kubelet.cpu_spreading import Spreading, take_spread
from dralign.kubelet.cpu_topology import CpuTopology
from dralign.kubelet.machine import Layout, regular_machine
from kubelet.samples import GI, PAIR, QUAD

LAYOUTS = st.builds(
    Layout,
    st.sampled_from([1, 2]),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([2, 3, 4]),
    st.sampled_from([1, 2]),
    st.just(GI),
    caches_per_numa=st.sampled_from([0, 1, 2]),
    adjacent=st.booleans(),
    interleaved=st.booleans(),
)


@settings(deadline=None, max_examples=150)
@given(LAYOUTS, st.data())
def test_so_many_as_asked_for_and_only_free_ones(layout, data):
    topology = CpuTopology(regular_machine(layout))
    free = data.draw(st.frozensets(st.sampled_from(sorted(topology.all)), min_size=1))
    count = data.draw(st.integers(0, len(free)))
    how = data.draw(st.sampled_from(["packed", "cores", "cache", "numa"]))
    if how == "numa":
        cpus = take_spread(topology, free, count, Spreading())
    else:
        cpus = take_packed(topology, free, count, spread=how == "cores", by_cache=how == "cache")
    assert len(cpus) == count
    assert cpus <= free


@pytest.mark.parametrize("take", [take_packed, lambda *args: take_spread(*args, Spreading())], ids=["packed", "spread"])
def test_too_many(take):
    with pytest.raises(NotEnoughCpus) as found:
        take(CpuTopology(PAIR), {0, 1}, 3)
    assert str(found.value) == "not enough cpus available to satisfy request: requested=3, available=2"


@pytest.mark.parametrize(
    ("free", "count", "cpus"),
    [
        pytest.param(range(16), 8, {0, 1, 2, 3, 8, 9, 10, 11}, id="a whole socket"),
        pytest.param(range(16), 2, {0, 8}, id="a whole core"),
        pytest.param(range(1, 16), 1, {8}, id="a core that is broken already"),
        pytest.param(range(1, 16), 2, {1, 9}, id="whole cores before single CPUs"),
        pytest.param(range(2, 16), 6, {2, 10, 3, 11, 4, 12}, id="whole cores, be it of another socket"),
        pytest.param(range(2, 16), 9, {4, 5, 6, 7, 12, 13, 14, 15, 8}, id="a whole socket and a broken core"),
    ],
)
def test_packing(free, count, cpus):
    assert take_packed(CpuTopology(PAIR), set(free), count) == cpus


@pytest.mark.parametrize(
    ("free", "count", "how", "shares"),
    [
        pytest.param(range(32), 8, Spreading(), [8], id="one NUMA node is enough"),
        pytest.param(range(32), 10, Spreading(), [5, 5], id="equal shares of two"),
        pytest.param(range(32), 10, Spreading(unit=2), [4, 6], id="whole cores"),
        pytest.param(range(32), 17, Spreading(), [5, 6, 6], id="what is left over goes where most is free"),
        pytest.param(range(1, 32), 31, Spreading(), [7, 8, 8, 8], id="packed where nothing is even"),
    ],
)
def test_spreading(free, count, how, shares):
    topology = CpuTopology(QUAD)
    cpus = take_spread(topology, set(free), count, how)
    found = [len(cpus & held) for held in topology.members["numa"].values()]
    assert sorted(share for share in found if share) == shares


def slow_merge(lists, everything, cost):
    """Form every permutation and compare one by one, as the comments in the kubelet's source tell it."""
    goal = max(
        (
            min(m.bit_count() for m, _ in found if m is not None)
            for found in lists
            if any(m is not None for m, _ in found)
        ),
        default=0,
    )
    best = None
    for permutation in product(*lists):
        named = [mask for mask, _ in permutation if mask is not None]
        preferred = all(wanted for _, wanted in permutation) and len(set(named)) <= 1
        merged = everything
        for mask in named:
            merged &= mask
        if merged and (best is None or replaces((merged, preferred), best, goal, cost)):
            best = merged, preferred
    return best or (everything, False)


def replaces(new, old, goal, cost):
    if new[1] != old[1]:
        return new[1]
    wide, narrow = new[0].bit_count(), old[0].bit_count()
    if new[1] or wide == narrow or narrow > goal:
        return cost(new[0]) < cost(old[0])
    if narrow == goal or wide > goal:
        return False
    return wide > narrow


HINTS = st.lists(st.tuples(st.none() | st.integers(1, 15), st.booleans()), min_size=1, max_size=6)


@settings(max_examples=400)
@given(st.lists(HINTS, max_size=3))
def test_merging_is_what_the_permutations_give(lists):
    assert hints.merge(lists, 15, masks.width) == slow_merge(lists, 15, masks.width)


@pytest.mark.parametrize(
    ("answers", "lists"),
    [
        pytest.param([[]], [[(None, True)]], id="no preference"),
        pytest.param([[[]]], [[(None, False)]], id="impossible"),
        pytest.param([[[(1, True)], []], []], [[(1, True)], [(None, False)], [(None, True)]], id="both"),
    ],
)
def test_what_providers_do_not_say(answers, lists):
    assert hints.gathered(answers) == lists


def test_all_sets_of_numa_nodes():
    assert masks.sums({0: 1, 3: 5}) == {1: 1, 8: 5, 9: 6}
    with pytest.raises(masks.TooManyNumaNodes):
        masks.sums(dict.fromkeys(range(13), 1))


@given(st.frozensets(st.integers(0, 40)))
def test_masks_come_back(nodes):
    assert set(masks.nodes_of(masks.mask_of(nodes))) == nodes
