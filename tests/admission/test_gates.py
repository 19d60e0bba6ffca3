"""The gate table against what the binaries print, and what settings do to it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dralign.admission.gates import RELEASES, default_features, features, gate_names, gate_problem, stage

VECTORS = Path(__file__).parents[1] / "conformance" / "admission"
PRINTED = {"1.34": "gates-1.34", "1.35": "gates-1.35", "1.36": "gates-1.36", "1.37": "gates-1.37.2"}


def printed_gates(release):
    text = gzip.decompress((VECTORS / f"{PRINTED[release]}.tsv.gz").read_bytes()).decode()
    for line in text.splitlines()[1:]:
        gate, gate_stage, default, _ = line.split("\t")
        yield gate, gate_stage, default


@pytest.mark.parametrize("release", PRINTED)
def test_stage_and_default_are_what_the_binaries_print(release):
    printed = list(printed_gates(release))
    known = [
        (gate, stage(gate, release), "on" if gate in default_features(release) else "off") for gate, _, _ in printed
    ]
    assert known == printed
    open_gates = {gate for gate in gate_names() if stage(gate, release) in ("alpha", "beta")}
    assert open_gates == {gate for gate, _, _ in printed}


@pytest.mark.parametrize(
    ("gate", "on_from"),
    [
        ("DynamicResourceAllocation", "1.34"),
        ("DRAPrioritizedList", "1.34"),
        ("DRAAdminAccess", "1.34"),
        ("DRAConsumableCapacity", "1.36"),
        ("DRAPartitionableDevices", "1.36"),
        ("DRADeviceTaints", "1.36"),
        ("DRADeviceTaintRules", "1.37"),
        ("DRAExtendedResource", "1.36"),
    ],
)
def test_on_by_default_from(gate, on_from):
    assert [release for release in RELEASES if gate in default_features(release)] == list(
        RELEASES[RELEASES.index(on_from) :]
    )


def test_a_release_that_is_not_known_is_an_error():
    with pytest.raises(KeyError):
        default_features("1.38")


@pytest.mark.parametrize(
    ("overrides", "gate", "on"),
    [
        pytest.param({"DRAListTypeAttributes": True}, "DRAListTypeAttributes", True, id="turned on"),
        pytest.param({"DRAConsumableCapacity": False}, "DRAConsumableCapacity", False, id="turned off"),
        pytest.param({"DRAExtendedResource": False}, "DRAExtendedResource", True, id="a fixed gate stays on"),
        pytest.param({"AllAlpha": True}, "DRADerivedAttributes", True, id="all alpha gates"),
        pytest.param(
            {"AllAlpha": True, "DRADerivedAttributes": False}, "DRADerivedAttributes", False, id="its own setting wins"
        ),
        pytest.param({"AllBeta": False}, "DRAConsumableCapacity", False, id="no beta gates"),
        pytest.param({"DRAListTypeAttribute": True}, "DRAListTypeAttribute", False, id="no such gate"),
    ],
)
def test_settings(overrides, gate, on):
    assert (gate in features("1.37", overrides)) is on


@pytest.mark.parametrize(
    ("gate", "on", "release", "problem"),
    [
        ("DRAListTypeAttributes", True, "1.37", None),
        ("DRAListTypeAttributes", True, "1.35", "not a feature gate that can be set in 1.35"),
        ("DRAExtendedResource", False, "1.37", "always on in 1.37"),
        ("DRAExtendedResource", True, "1.37", None),
        ("AllBeta", False, "1.37", None),
    ],
)
def test_problems_of_settings(gate, on, release, problem):
    assert gate_problem(gate, on, release) == problem
