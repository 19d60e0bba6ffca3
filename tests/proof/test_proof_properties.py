"""What holds for every question: counterexamples replay, "aligned" survives brute force, the order of input is no matter."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dralign.model.verdict import ALIGNED, MAY_CROSS, SPANS, UNDECIDED, UNSATISFIABLE
from dralign.proof import prove
from dralign.proof.replay import replay, reproduces
from proof.maker import Maker, WideMaker
from proof.oracle import Oracle, allocations

SEEDS = st.integers(0, 10**9)
some = settings(deadline=None, max_examples=100)
makers = pytest.mark.parametrize("maker", [Maker, WideMaker], ids=["narrow", "wide"])
GIVEN_UP = ("hangs on what others hold", "the search was given up")


class Case:
    """One question on one cluster, its answer, and who knows better."""

    def __init__(self, maker, seed):
        self.made = maker(seed)
        self.asked, self.objects = self.made.case()
        self.cluster = self.made.cluster(self.objects)
        self.found = prove(self.asked, self.cluster)
        self.oracle = Oracle(self.asked, self.cluster, pinned=self.asked.pod is not None)

    def allocations(self):
        return allocations(self.asked, self.cluster)


@makers
@given(seed=SEEDS)
@some
def test_every_counterexample_replays(maker, seed):
    case = Case(maker, seed)
    witness = case.found.witness
    if case.found.kind == MAY_CROSS:
        assert reproduces(case.asked, case.cluster, witness)
        outcome = replay(case.asked, case.cluster, witness)
        assert case.oracle.apart(outcome)
        results = [result for item in outcome.claims for result in item.results]
        used = [result.device.identity for result in results if not result.admin_access]
        assert len(set(used)) == len(used) or any(case.cluster.devices[item].allow_multiple for item in used)
        whole = {item.device for item in witness.taken if item.consumed is None}
        assert not whole & set(used)
        assert set(witness.crossed) <= witness.numa.keys()
        first, second = (witness.numa[key] for key in witness.crossed)
        assert set(first) != set(second)


@makers
@given(seed=SEEDS)
@some
def test_aligned_survives_brute_force(maker, seed):
    case = Case(maker, seed)
    if case.found.kind in (ALIGNED, UNSATISFIABLE):
        for outcome in case.allocations():
            assert case.found.kind == ALIGNED
            assert case.oracle.together(outcome)


@makers
@given(seed=SEEDS)
@some
def test_what_brute_force_finds_is_found(maker, seed):
    case = Case(maker, seed)
    crossing = {name for shape in case.found.shapes if shape.kind in (MAY_CROSS, SPANS) for name in shape.nodes}
    open_end = any(words in reason for reason in case.found.reasons for words in GIVEN_UP)
    if not open_end:
        found = (outcome for outcome in case.allocations() if outcome.node not in crossing)
        assert not any(map(case.oracle.apart, found))


@makers
@given(seed=SEEDS)
@some
def test_the_order_of_objects_is_no_matter(maker, seed):
    made = maker(seed)
    asked, objects = made.case()
    shuffled = list(objects)
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    assert prove(asked, made.cluster(objects)) == prove(asked, made.cluster(shuffled))


@makers
@given(seed=SEEDS)
@some
def test_spans_is_never_said_of_what_fits_on_one_numa_node(maker, seed):
    case = Case(maker, seed)
    if case.found.kind == SPANS:
        fitting = list(case.allocations())
        assert fitting
        assert not any(case.oracle.together(outcome) for outcome in fitting)


@pytest.mark.parametrize("seed", range(3))
@makers
def test_a_larger_number_of_kinds_is_met(maker, seed):
    """The cases above are worth something only while they meet every verdict."""
    kinds = {Case(maker, seed * 1000 + number).found.kind for number in range(150)}
    assert kinds == {ALIGNED, MAY_CROSS, SPANS, UNDECIDED, UNSATISFIABLE}
