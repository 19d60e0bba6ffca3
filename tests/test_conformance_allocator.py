"""The allocator against the stored answers of the real one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "conformance"))

import run_allocator


@pytest.fixture(scope="module")
def outcome():
    return run_allocator.run(run_allocator.FOLDER)


def test_every_answer_agrees(outcome):
    right, total, differences = outcome
    assert differences == []
    assert right == total


@pytest.mark.parametrize("name", ["edge", "large", "realistic", "release-1.36", "sequence", "synthetic"])
def test_every_file_was_read(outcome, name):
    assert outcome[1][name] > 10
