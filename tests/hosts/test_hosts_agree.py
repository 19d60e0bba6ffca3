"""One set of manifests through every host: the same findings, the same repairs, whole manifests where nothing is wrong."""

import pytest
from builds import ALL, WRITERS, cli
from programs import ROOT

FAULTS = (ROOT / "tests" / "hosts" / "bundle" / "faults.yaml").read_text()
CLEAN = "---".join(FAULTS.split("---")[:2])
CHECK = {"mode": "check", "profile": "default"}
FIX = {"mode": "fix", "profile": "default", "failOn": "never", "alignment": {"strategy": "constraint"}}
FIVE = {
    ("legacy-partition-resource", "Deployment/infer"),
    ("numa-constraint-missing", "ResourceClaimTemplate/pair"),
    ("qos-not-guaranteed", "Job/train"),
    ("claim-not-declared", "Pod/tool"),
    ("cel-invalid", "DeviceClass/h100.example.com"),
}


@pytest.fixture
def by_command(tmp_path):
    """What the command says and writes, to compare hosts with."""

    def build(text, spec):
        folder = tmp_path / "command"
        folder.mkdir()
        return cli(folder, text, spec)

    return build


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "host"
    path.mkdir()
    return path


@pytest.mark.parametrize("host", ALL)
def test_every_host_tells_the_same_findings(host, folder, by_command, row):
    expected = by_command(FAULTS, CHECK)
    build = ALL[host](folder, FAULTS, CHECK)
    row(host, build, expected)
    assert {finding[:2] for finding in expected.findings} >= FIVE
    assert build.findings == expected.findings, build.told
    assert build.status, build.output
    assert build.output == b""


@pytest.mark.parametrize("host", WRITERS)
def test_every_host_writes_the_same_repairs(host, folder, by_command):
    expected = by_command(FAULTS, FIX)
    build = WRITERS[host](folder, FAULTS, FIX)
    assert build.status == 0, build.told
    assert len(expected.objects) == FAULTS.count("\nkind:") + 1
    assert build.objects == expected.objects


@pytest.mark.parametrize("host", ALL)
def test_where_nothing_is_wrong_the_manifests_come_out_whole(host, folder, by_command):
    build = ALL[host](folder, CLEAN, CHECK)
    assert build.status == 0, build.told
    assert build.objects == by_command(CLEAN, CHECK | {"mode": "fix"}).objects


@pytest.mark.parametrize("host", ALL)
def test_a_wrong_configuration_stops_every_host(host, folder):
    build = ALL[host](folder, FAULTS, CHECK | {"profile": "defualt"})
    assert "want one of minimal, default, strict, pedantic" in build.told
    assert build.status
    assert build.output == b""
