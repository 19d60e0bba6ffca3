"""Verdicts as data."""

from __future__ import annotations

from dralign.model.verdict import MAY_CROSS, SPANS, UNSATISFIABLE, Refusal, Verdict, worst


def test_an_object_carries_the_worst_of_its_verdicts():
    first, other = Verdict(MAY_CROSS, nodes=("a",)), Verdict(MAY_CROSS, nodes=("b",))
    assert worst([Verdict(SPANS), first, other]) is first
    assert worst([first, Verdict(UNSATISFIABLE)]).kind == UNSATISFIABLE
    assert worst([]) is None


def test_a_refusal_lasts_or_does_not():
    assert [Refusal(lasting, ()).word for lasting in (True, False)] == ["never", "not now"]
