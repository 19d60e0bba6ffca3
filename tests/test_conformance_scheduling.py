"""The scheduler against what a real control plane did."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "conformance"))

import run_scheduling

from truth import truth

TRUTH = truth() / "conformance" / "scheduling"


def test_every_stored_case_agrees():
    total, differences = run_scheduling.run(run_scheduling.FOLDER)
    assert differences == []
    assert total > 160


@pytest.mark.skipif(not TRUTH.is_dir(), reason=f"no cases of public manifests: {TRUTH} is not there")
def test_every_case_of_public_manifests_agrees():
    total, differences = run_scheduling.run(TRUTH)
    assert differences == []
    assert total > 50
