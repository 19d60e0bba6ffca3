"""JUnit's XML, as CI servers read it."""

from xml.etree import ElementTree as ET

import pytest

from dralign.finding import Severities
from dralign.formats import junit
from judging import BOTH, CLAIM, SAFE, judged, saying


def suite(outcome):
    """Read a report and hold it to its own counts."""
    root = ET.fromstring(junit.render(outcome).encode())  # noqa: S314 -- written by ourselves just now
    assert root.tag == "testsuites"
    (found,) = root
    cases = list(found)
    for element in (root, found):
        assert int(element.get("tests")) == len(cases)
        for kind, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(element.get(kind)) == sum(case.find(tag) is not None for case in cases)
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
    return cases


def test_what_makes_the_run_fail_is_a_failure_with_all_there_is_to_say():
    run, case = suite(judged(BOTH, saying("no 'a' & <b>", proof="gpu-4", fix=SAFE)))
    assert run.find("system-out").text == "2 of 2 objects judged · 1 error     exit 1 (1 error)"
    assert (case.get("classname"), case.get("file"), case.get("line")) == ("apps/llama.yaml", "apps/llama.yaml", "8")
    assert case.get("name") == "example: serving/ResourceClaimTemplate/llama spec.spec.devices.requests[0].name"
    assert case.find("failure").get("type") == "error"
    assert case.find("failure").get("message").endswith("no 'a' & <b>")
    lines = case.find("failure").text.splitlines()
    assert lines[0] == "apps/llama.yaml:8:9  spec.spec.devices.requests[0].name"
    assert "proof: gpu-4" in lines
    assert "8 |       - name: gpu" in lines


def test_what_does_not_passes_and_says_what_was_found():
    quiet = Severities("warning", "warning", "warning")
    _, case = suite(judged(BOTH, saying("no 'a'", severities=quiet)))
    assert case.find("failure") is None
    assert case.find("system-out").text.startswith("WARN serving/llama (Deployment")
    _, case = suite(judged(BOTH, saying("no 'a'", severities=quiet), failOn="warning"))
    assert case.find("failure").get("type") == "warning"


def test_what_is_silenced_is_skipped_with_the_reason():
    outcome = judged(BOTH, ignore=[{"rule": "kubelet-blind", "reason": "one socket"}])
    skipped = [case.find("skipped").get("message") for case in suite(outcome) if case.find("skipped") is not None]
    assert skipped == ["config: one socket"]


def test_a_report_of_nothing_is_not_empty():
    assert [case.get("name") for case in suite(judged(CLAIM, saying()))] == ["run"]


@pytest.mark.parametrize("name", ["\\e[31m", "\\0", "\\x1f", "\\uFFFE", "a\\nb", "]]>"])
def test_names_that_xml_cannot_hold_do_not_break_it(name):
    assert suite(judged(CLAIM.replace("name: llama", f'name: "{name}"'), saying("x")))
