"""Verdicts as data."""

from __future__ import annotations

import json

import pytest

from dralign.model.verdict import (
    ALIGNED,
    MAY_CROSS,
    ONE_CLAIM,
    PINNED,
    SPANS,
    UNSATISFIABLE,
    Held,
    Refusal,
    Removed,
    RequestRefusal,
    ShapeRefusal,
    Verdict,
    Witness,
    worst,
)
from dralign.model.verdict_data import verdict_data, witness_from
from dralign.values.quantity import Quantity


def test_an_object_carries_the_worst_of_its_verdicts():
    first, other = Verdict(MAY_CROSS, nodes=("a",)), Verdict(MAY_CROSS, nodes=("b",))
    assert worst([Verdict(SPANS), first, other]) is first
    assert worst([first, Verdict(UNSATISFIABLE)]).kind == UNSATISFIABLE
    assert worst([]) is None


def test_a_refusal_lasts_or_does_not():
    assert [Refusal(lasting, ()).word for lasting in (True, False)] == ["never", "not now"]


WITNESS = Witness(
    "n1",
    {"c/gpu": ("d/p/gpu-4",)},
    {"d/p/gpu-4": (1,), "cpus/main": (0, 1)},
    (Held("d/p/gpu-0"), Held("dra.cpu/p/cpus-0", {"dra.cpu/cpu": Quantity.parse("60")})),
    {0: 32},
    {1: 1 << 30},
    "main",
    ("d/p/gpu-4", "cpus/main"),
)


def test_a_witness_survives_being_written_out():
    text = json.dumps(verdict_data(Verdict(MAY_CROSS, (), ("n1",), witness=WITNESS))["witness"])
    assert witness_from(json.loads(text)) == WITNESS


def test_a_verdict_as_data():
    tree = Refusal(
        True, (ShapeRefusal(("n1",), (RequestRefusal("c", "gpu", 2, 8, 1, (Removed("taint", "x=y:z", ("d/p/a",)),)),)),)
    )
    found = verdict_data(Verdict(UNSATISFIABLE, (), ("n1",), reasons=("why",), refusal=tree))
    assert found["reasons"][0] == "why"
    assert found["reasons"][1]["when"] == "never"
    request = found["reasons"][1]["shapes"][0]["requests"][0]
    assert request["removed"] == [{"test": "taint", "detail": "x=y:z", "count": 1, "devices": ["d/p/a"]}]
    assert verdict_data(Verdict(ALIGNED, (ONE_CLAIM, PINNED)))["by"] == "one claim, pinned"
    json.dumps(found)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "witness.node"),
        ({"node": "n1", "taken": [{}]}, "witness.taken: want device"),
        ({"node": "n1", "taken": [{"device": "d", "consumed": {"x": "much"}}]}, "consumed.x: want a quantity"),
        ({"node": "n1", "exclusiveCpus": {"a": 1}}, "witness.exclusiveCpus: want a whole number, got 'a'"),
        ({"node": "n1", "numa": {"d": [True]}}, "want a whole number"),
    ],
)
def test_what_is_no_witness_is_refused(data, words):
    with pytest.raises(ValueError, match=words):
        witness_from(data)
