"""Which release serves what, against the discovery documents of real API servers."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dralign.admission.served import NOT_YET, OFF_BY_DEFAULT, REMOVED, SERVED, UNKNOWN, Served, served

VECTORS = Path(__file__).parents[1] / "conformance" / "admission"
WORDS = {"default": {SERVED}, "runtime-config": {OFF_BY_DEFAULT}, "no": {NOT_YET, REMOVED}}
LINES = gzip.decompress((VECTORS / "served.tsv.gz").read_bytes()).decode().splitlines()
ROWS = [
    (group_version, kind, release, said)
    for group_version, kind, *answers in (line.split("\t") for line in LINES[1:])
    for release, said in zip(LINES[0].split("\t")[2:], answers, strict=True)
]


@pytest.mark.parametrize(("group_version", "kind", "release", "said"), ROWS)
def test_as_discovery_says(group_version, kind, release, said):
    assert served(group_version, kind, release).state in WORDS[said]


@pytest.mark.parametrize(
    ("group_version", "kind", "release", "answer"),
    [
        pytest.param("resource.k8s.io/v1", "ResourceClaim", "1.37", Served(SERVED), id="current"),
        pytest.param(
            "resource.k8s.io/v1", "ResourceClaim", "1.33", Served(NOT_YET, use="resource.k8s.io/v1beta2"), id="too new"
        ),
        pytest.param(
            "resource.k8s.io/v1beta1",
            "ResourceClaimTemplate",
            "1.37",
            Served(OFF_BY_DEFAULT, "1.35", "1.38", "resource.k8s.io/v1"),
            id="deprecated and off",
        ),
        pytest.param(
            "resource.k8s.io/v1beta1",
            "ResourceClaim",
            "1.38",
            Served(REMOVED, "1.35", "1.38", "resource.k8s.io/v1"),
            id="removed in the release to come",
        ),
        pytest.param(
            "resource.k8s.io/v1beta1",
            "ResourceClaim",
            "1.32",
            Served(OFF_BY_DEFAULT, "1.35", "1.38"),
            id="best of 1.32",
        ),
        pytest.param(
            "resource.k8s.io/v1alpha3",
            "ResourceClaim",
            "1.34",
            Served(REMOVED, "1.31", "1.34", "resource.k8s.io/v1"),
            id="removed",
        ),
        pytest.param(
            "resource.k8s.io/v1alpha2",
            "ResourceClass",
            "1.37",
            Served(REMOVED, "1.30", "1.31", "resource.k8s.io/v1"),
            id="renamed kind",
        ),
        pytest.param(
            "resource.k8s.io/v1", "DeviceTaintRule", "1.35", Served(NOT_YET, use="resource.k8s.io/v1alpha3"), id="rule"
        ),
        pytest.param(
            "resource.k8s.io/v1", "ResourceQuota", "1.37", Served(UNKNOWN), id="no such kind in a group we know"
        ),
        pytest.param(
            "resource.k8s.io/v2",
            "ResourceClaim",
            "1.37",
            Served(UNKNOWN, use="resource.k8s.io/v1"),
            id="no such version",
        ),
        pytest.param("ray.io/v1", "RayCluster", "1.37", Served(UNKNOWN), id="custom resource"),
        pytest.param(
            "extensions/v1beta1", "Deployment", "1.37", Served(REMOVED, "1.8", "1.16", "apps/v1"), id="moved group"
        ),
        pytest.param("batch/v1beta1", "CronJob", "1.37", Served(REMOVED, "1.21", "1.25", "batch/v1"), id="CronJob"),
        pytest.param("v1", "Pod", "1.37", Served(SERVED), id="core group"),
    ],
)
def test_what_to_use_instead(group_version, kind, release, answer):
    assert served(group_version, kind, release) == answer
