"""What holds for every request: what is handed out may be, the order of input is no matter, shortcuts change nothing."""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "conformance"))

from allocator_cases import Maker, TightMaker
from allocator_requests import Case, comparable

from dralign.sim import search
from dralign.sim.amounts import amount
from dralign.sim.outcome import Allocated, NoFit
from dralign.sim.sequence import Sequence


def chance(seed):
    return random.Random(seed)  # noqa: S311  no secrets here


SEEDS = st.integers(0, 10**9)
MAKERS = {
    "every feature": lambda seed: Maker(chance(seed), taint_rules=True, newest=True),
    "long searches": lambda seed: TightMaker(chance(seed)),
}
many = settings(deadline=None, max_examples=100)
each_maker = pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)


def one_pod(maker, seed):
    request = maker(seed).request()
    assume(request.get("op") not in ("pools", "sequence"))
    return request


def violations(case, taken, outcome):
    """Yield what is wrong with an allocation, by rules written down anew."""
    whole, shared, drawn = list(taken.whole), set(), {}
    for claim, made in zip(case.pods[0][1], outcome.claims, strict=True):
        yield from wrong_devices(case, claim, made)
        yield from broken_constraints(case, claim, made)
    for place, result in enumerate(result for made in outcome.claims for result in made.results):
        number = result.device.number
        if result.shared:
            shared.add(number)
        elif not result.admin_access:
            whole.append(number)
        if not (result.shared and number in taken.shares):  # counters are charged for the first share only
            drawn[number if result.shared else (number, place)] = result.device
    if len(set(whole)) < len(whole) or shared.intersection(whole):
        yield "a device is handed out twice"
    if case.how.partitionable and any(left < 0 for left in counters_left(case, taken, drawn.values()).values()):
        yield "a counter is overdrawn"


def wrong_devices(case, claim, made):
    """Compare a claim's devices with what its requests ask for: alternative, number, selectors."""
    for request in claim.spec.requests:
        got = [result for result in made.results if result.request.partition("/")[0] == request.name]
        leaf = next(r for r in request.leaves() if got[0].request in (r.name, f"{request.name}/{r.name}"))
        if leaf.mode != "All" and len(got) != leaf.count:
            yield f"{request.name}: {len(got)} devices instead of {leaf.count}"
        texts = (*case.inventory.classes[leaf.device_class].expressions, *(s.expression for s in leaf.selectors))
        for device in (result.device if case.how.shows_sharing else result.device.seen_unshared() for result in got):
            if not all(case.selectors.selector(text)(device) for text in texts):
                yield f"{request.name}: {device} is not selected"


def broken_constraints(case, claim, made):
    for constraint in claim.spec.constraints:
        name = constraint.match_attribute or constraint.distinct_attribute
        if any(item["name"] == name for r in claim.spec.requests for leaf in r.leaves() for item in leaf.derived):
            continue  # a request that derives the attribute has values of its own
        bound = [r for r in made.results if not constraint.requests or named(r) & set(constraint.requests)]
        found = [values(result.device, name) for result in bound]
        if not all(found):
            yield f"{name} is missing"
        if constraint.match_attribute and found and not set.intersection(*found):
            yield f"{name} has nothing in common"
        apart = all(one.isdisjoint(other) for one, other in itertools.combinations(found, 2))
        if not constraint.match_attribute and not apart and (case.how.lists or all(len(one) == 1 for one in found)):
            yield f"{name} is not distinct"


def named(result):
    return {result.request, result.request.partition("/")[0]}


def values(device, name):
    """Return the values of an attribute as a set of (kind, value)."""
    domain, _, bare = name.partition("/")
    value = device.attributes.get(name, device.attributes.get(bare) if domain == device.driver else None)
    return {(type(item), item) for item in (value if isinstance(value, tuple) else (value,)) if item is not None}


def counters_left(case, taken, chosen):
    """Return what is left of the counters that chosen devices consume, by pool, set and name."""
    chosen = [device for device in chosen if device.consumes]
    keys = {(d.driver, d.slice.pool, d.slice.generation) for d in chosen}
    pieces = [piece for piece in case.inventory.slices if (piece.driver, piece.pool, piece.generation) in keys]
    held = {
        d.number: d for piece in pieces for d in piece.devices if d.number in taken.whole or d.number in taken.shares
    }
    left = {}
    for piece in pieces:
        for counter_set, counters in piece.counter_sets:
            left |= {(piece.driver, piece.pool, counter_set, name): amount(value) for name, value in counters.items()}
    for device in (*held.values(), *chosen):
        for part in device.consumes:
            for name, value in part.counters.items():
                left[device.driver, device.slice.pool, part.counter_set, name] -= amount(value)
    return left


@each_maker
@many
@given(seed=SEEDS)
def test_what_is_handed_out_may_be(maker, seed):
    case = Case(one_pod(maker, seed), {})
    allocator = case.allocator()
    pod, taken = allocator.prepare(case.pods[0][1]), allocator.taken()
    for node in case.nodes:
        outcome = allocator.allocate(pod, node, taken, step_limit=20_000)
        if isinstance(outcome, Allocated):
            assert list(violations(case, taken, outcome)) == []


@each_maker
@many
@given(seed=SEEDS)
def test_order_of_objects_does_not_matter(maker, seed):
    request = one_pod(maker, seed)
    case = Case(request, {})
    assume(case.how.ordered)
    rng = chance(seed)
    other = dict(request)
    for key in ("slices", "classes", "taken", "taintRules"):
        if key in request:
            other[key] = rng.sample(request[key], len(request[key]))
    assert comparable(Case(other, {}).run(20_000)) == comparable(case.run(20_000))


@each_maker
@many
@given(seed=SEEDS)
def test_shortcuts_change_no_answer(maker, seed):
    case = Case(one_pod(maker, seed), {})
    answers = []
    with pytest.MonkeyPatch.context() as patch:
        for patience in (1, 10**9):
            patch.setattr(search, "PATIENCE", patience)
            answers.append(case.run(20_000))
    assume("'steps'" not in str(answers))
    assert comparable(answers[0]) == comparable(answers[1])


@each_maker
@many
@given(seed=SEEDS)
def test_reasons_are_given_and_never_for_what_is_handed_out(maker, seed):
    case = Case(one_pod(maker, seed), {})
    allocator = case.allocator()
    pod, taken = allocator.prepare(case.pods[0][1]), allocator.taken()
    for node in case.nodes:
        outcome = allocator.allocate(pod, node, taken, step_limit=20_000)
        refused = {(r.claim, r.request, r.device) for r in allocator.explain(pod, node, taken)}
        if isinstance(outcome, NoFit):
            assert refused
        elif isinstance(outcome, Allocated):
            given = {(made.name, r.request, r.device) for made in outcome.claims for r in made.results}
            assert not given & refused


@each_maker
@many
@given(seed=SEEDS, replicas=st.integers(2, 6))
def test_replicas_get_what_single_pods_would(maker, seed, replicas):
    case = Case(one_pod(maker, seed), {})
    claims = case.pods[0][1]
    allocator = case.allocator()
    together = Sequence(allocator, case.nodes, allocator.taken())
    taken = allocator.taken()
    for _ in range(replicas):
        single = Sequence(case.allocator(), case.nodes, taken)
        assert together.place(claims, step_limit=20_000) == single.place(claims, step_limit=20_000)
