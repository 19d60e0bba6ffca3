"""JSON: every real output fits the published schema, which allows nothing that is not said in it."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from dralign.formats import json as json_format
from judging import ASKED_FOR, BOTH, CLAIM, SAFE, judged, saying
from running import run

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "outcome.schema.json").read_text())
CASES = sorted(path for path in (ROOT / "tests" / "cases").iterdir() if path.is_dir())


def data(outcome):
    printed = json.loads(json_format.render(outcome))
    assert [f"{list(error.path)}: {error.message}" for error in Draft202012Validator(SCHEMA).iter_errors(printed)] == []
    return printed


@pytest.mark.parametrize("mode", ["check", "fix"])
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_outcomes_of_all_cases_fit_the_schema(case, mode):
    text = (case / "input.yaml").read_text(encoding="utf-8-sig")
    ignore = [{"rule": "kubelet-blind", "reason": "one socket"}]
    outcome = judged(text, mode=mode, profile="pedantic", ignore=ignore, alignment={"strategy": "constraint"})
    printed = data(outcome)
    summary = printed["summary"]
    assert summary["suppressed"] == len(printed["suppressed"])
    assert sum(summary[severity] for severity in ("error", "warning", "info")) == len(printed["findings"])
    assert summary["repaired"] == len(outcome.applied)


def test_a_finding_has_every_key_that_is_promised():
    (finding,) = data(judged(BOTH, saying("no 'a'", fix=SAFE)))["findings"]
    assert list(finding) == [
        "rule",
        "severity",
        "audience",
        "message",
        "tip",
        "object",
        "path",
        "file",
        "line",
        "column",
        "related",
        "fix",
        "fingerprint",
    ]
    assert finding["object"] == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "namespace": "serving",
        "name": "llama",
    }
    assert finding["fix"] == {"title": "tie gpu, cpus", "safety": "safe", "state": "proposed", "reason": None}
    assert finding["related"][0]["object"]["kind"] == "Deployment"


def test_what_is_absent_is_null():
    (finding,) = data(judged(CLAIM.replace(", namespace: serving", ""), saying("x", users=False)))["findings"]
    assert (finding["fix"], finding["object"]["namespace"], finding["related"]) == (None, None, [])


def test_a_repair_that_is_held_back_says_why():
    (finding,) = data(judged(BOTH, saying("x", fix=ASKED_FOR), mode="fix"))["findings"]
    assert (finding["fix"]["state"], finding["fix"]["reason"]) == ("held", "only with --align constraint")


@pytest.mark.parametrize("key", ["findings", "suppressed"])
def test_the_schema_refuses_keys_that_it_does_not_name(key):
    outcome = (
        judged(BOTH, saying("x"))
        if key == "findings"
        else judged(BOTH, ignore=[{"rule": "kubelet-blind", "reason": "x"}])
    )
    printed = data(outcome)
    printed[key][0]["extra"] = 1
    assert not Draft202012Validator(SCHEMA).is_valid(printed)


def test_the_command_and_the_reports_of_hosts_print_the_same(tmp_path):
    (tmp_path / "in.yaml").write_text(BOTH)
    printed = json.loads(run("check", "--format", "json", "-", stdin=BOTH.encode(), cwd=tmp_path).stdout)
    run("--report", "out.json", stdin=BOTH.encode(), cwd=tmp_path, entry="post_renderer")
    report = json.loads((tmp_path / "out.json").read_text())
    for outcome in (printed, report):
        assert Draft202012Validator(SCHEMA).is_valid(outcome)
    assert report["findings"] == printed["findings"]
    assert printed["findings"]
