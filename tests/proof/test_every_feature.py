"""Clusters with every feature of the allocator, at random: nothing is refused, counterexamples replay, "never" is true."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "conformance"))

from allocator_cases import Maker, TightMaker
from allocator_requests import Case

from dralign.cel.analysis import facts
from dralign.model.numa import NumaLayout
from dralign.model.verdict import MAY_CROSS, UNSATISFIABLE
from dralign.proof import Aim, ContainerUse, Drivers, Known, Machines, Question, prove
from dralign.proof.replay import reproduces
from dralign.sim.outcome import Allocated
from dralign.sim.sequence import Sequence
from proof.stage import CATALOGUE

MAKERS = {
    "every feature": lambda chance: Maker(chance, taint_rules=True, newest=True),
    "long searches": TightMaker,
}


def known_from(case):
    def expressions(leaf):
        spec = case.inventory.classes.get(leaf.device_class)
        return (*(spec.expressions if spec else ()), *(selector.expression for selector in leaf.selectors))

    attributes = {name for piece in case.inventory.slices for item in piece.devices for name in item.attributes}
    aim = Aim(min((name for name in attributes if "numa" in name.lower()), default="numa"), steps=5000, tries=100)
    drivers = Drivers(CATALOGUE, lambda _: None, lambda leaf: facts(expressions(leaf)))
    machines = Machines({node.name: NumaLayout({0: 8, 1: 8}, "test") for node in case.nodes})
    return Known(case.inventory, case.how, case.selectors, drivers, machines, aim)


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
@given(seed=st.integers(0, 10**9), release=st.sampled_from(("1.36", "1.37")))
@settings(deadline=None, max_examples=60)
def test_every_feature(maker, seed, release):
    request = maker(random.Random(seed)).request()  # noqa: S311 -- no secrets here
    assume(request.get("op") not in ("pools", "sequence"))
    case = Case(request, {}, release)
    cluster, claims = known_from(case), tuple(case.pods[0][1])
    asked = Question(claims, (ContainerUse("main", frozenset((claim.name, None) for claim in claims), 4),))
    found = prove(asked, cluster)
    assert found.kind != MAY_CROSS or reproduces(asked, cluster, found.witness)
    line = Sequence(cluster.allocator, cluster.nodes, cluster.allocator.taken())
    fits = isinstance(line.place(claims, 5000), Allocated)
    assert not (fits and found.kind == UNSATISFIABLE)
    if found.kind == UNSATISFIABLE and found.refusal.lasting:
        pod, own = cluster.allocator.prepare(claims), cluster.allocator.taken()
        outcomes = [cluster.allocator.allocate(pod, node, own, 5000) for node in cluster.nodes]
        assert not any(isinstance(outcome, Allocated) for outcome in outcomes)
