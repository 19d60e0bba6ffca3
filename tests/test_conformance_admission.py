"""Objects against recorded answers of API servers 1.34 to 1.37: the same runner as on the command line, in this process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from truth import truth

sys.path.insert(0, str(Path(__file__).parent / "conformance"))

import run_admission

TRUTH = truth() / "conformance" / "admission"


def missed(tally):
    """Return the points that too few rows agree in, and some of the rows."""
    return [key for key in tally.total if not tally.met(key)], tally.disagreements[: run_admission.SHOWN]


@pytest.mark.parametrize("name", [name for name in run_admission.PARTS if name != "corpus"])
def test_recorded_answers(name):
    tally = run_admission.run(run_admission.FOLDER, [name])
    assert tally.total
    assert missed(tally)[0] == [], missed(tally)[1]


@pytest.mark.skipif(not TRUTH.is_dir(), reason=f"no recorded answers in {TRUTH}: set DRALIGN_TRUTH")
def test_public_manifests():
    tally = run_admission.run(TRUTH, ["corpus"])
    assert tally.total
    assert missed(tally)[0] == [], missed(tally)[1]


def test_a_disagreement_is_counted_and_shown(capsys):
    tally = run_admission.Tally()
    tally.add("qos", "q1", ("accepted", True, ""))
    tally.add("qos", "q2", ("accepted", False, "201 instead of 422"))
    assert not tally.met(("qos", "accepted"))
    assert tally.disagreements == ["qos q2: accepted: 201 instead of 422"]
    assert run_admission.main([str(Path(__file__).parent), "served"]) == 1
    assert capsys.readouterr().out.endswith("agree 0 of 0\n")
