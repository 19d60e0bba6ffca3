"""Each mistake through kubectl, Helm 3 and Helm 4 themselves, where they are: its rule at its place, and no other."""

import pytest
from builds import helm3, helm4_report, kubectl_container

from defects import CLEAN, faults_of, mistakes, text_with

SPEC = {"mode": "check", "profile": "default", "failOn": "never"}
HOSTS = {"kubectl": kubectl_container, "helm3": helm3, "helm4": helm4_report}


@pytest.mark.parametrize("host", HOSTS)
def test_each_mistake_is_found_once(host, tmp_path):
    told = {}
    for row, text in [(None, CLEAN), *((row, text_with(row)) for row in mistakes())]:
        name = row["mistake"] if row else "clean"
        folder = tmp_path / name
        folder.mkdir()
        build = HOSTS[host](folder, text, SPEC)
        assert build.status == 0, build.told
        found = [(rule, severity, ref, path) for rule, ref, path, severity in build.findings]
        told[name] = faults_of(row, found)
    assert {name: faults for name, faults in told.items() if faults} == {}
