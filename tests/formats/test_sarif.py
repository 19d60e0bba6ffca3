"""SARIF: the published schema, and what code scanning asks of a log beyond it."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft4Validator

from dralign import registry
from dralign.formats import sarif
from judging import ASKED_FOR, BOTH, CLAIM, SAFE, USER, judged, saying

SCHEMA = Draft4Validator(json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text()))
"""Names, types, required keys and ranges of the published schema, for the objects that a log of ours may hold."""

DEMO = (Path(__file__).resolve().parents[2] / "plugin" / "dralign" / "demo.yaml").read_text()
SILENCED = USER.replace(
    "{name: llama, namespace: serving}",
    "{name: llama, namespace: serving, annotations: {ignore.dralign.dev/qos-not-guaranteed: soon}}",
)
EXCEPTION = {"rule": "kubelet-blind", "reason": "one socket"}


def log(outcome):
    data = json.loads(sarif.render(outcome))
    assert [error.message for error in SCHEMA.iter_errors(data)] == []
    return data["runs"][0]


@pytest.mark.parametrize("profile", ["minimal", "default", "strict", "pedantic"])
@pytest.mark.parametrize("text", [DEMO, BOTH, f"{CLAIM}---\n{SILENCED}", "kind: Service\napiVersion: v1\n"])
def test_logs_fit_the_schema(text, profile):
    outcome = judged(text, profile=profile, ignore=[EXCEPTION])
    run = log(outcome)
    assert len(run["results"]) == len(outcome.findings) + len(outcome.suppressed)
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": int(outcome.failed)}]


def test_the_schema_refuses_what_is_no_sarif():
    data = json.loads(sarif.render(judged(BOTH, saying("x"))))
    data["runs"][0]["results"][0]["leval"] = "error"
    assert not SCHEMA.is_valid(data)


def test_every_rule_is_there_with_its_page_whatever_was_found():
    rules = log(judged("kind: Service\napiVersion: v1\n"))["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(registry.rule_ids())
    for rule in rules:
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert "Why it matters" in rule["help"]["text"]
        assert f"ignore.dralign.dev/{rule['id']}" in rule["help"]["markdown"]


def test_a_rule_that_the_profile_leaves_out_is_not_enabled():
    def level(profile):
        rules = log(judged("kind: Service\napiVersion: v1\n", profile=profile))["tool"]["driver"]["rules"]
        (rule,) = [item for item in rules if item["id"] == "unused-ignore"]
        return rule["defaultConfiguration"]

    assert [level(name) for name in ("minimal", "default", "strict")] == [
        {"enabled": False},
        {"level": "note"},
        {"level": "warning"},
    ]


def test_a_result_points_at_its_rule_its_place_and_related_places():
    outcome = judged(BOTH, saying("no 'a'", proof="gpu-4", reach="2 of 2 nodes", fix=SAFE))
    (result,) = log(outcome)["results"]
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "apps/llama.yaml"},
        "region": {"startLine": 8, "startColumn": 9, "endLine": 8, "endColumn": 18},
    }
    assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == (
        "serving/ResourceClaimTemplate/llama/spec.spec.devices.requests[0].name"
    )
    (related,) = result["relatedLocations"]
    assert related["physicalLocation"]["region"] == {"startLine": 14, "startColumn": 1}
    lines = result["message"]["text"].splitlines()
    assert lines[1:] == [
        f"see: [Deployment/llama]({related['id']}): uses it",
        "proof: gpu-4",
        "reach: 2 of 2 nodes",
        "tip: type this",
        "fix: tie gpu, cpus   safe   dralign fix apps/llama.yaml --only example --write",
        'silence: ignore.dralign.dev/example: "<reason>"   on ResourceClaimTemplate/llama',
    ]
    assert "held" not in log(judged(BOTH, saying("x", fix=ASKED_FOR)))["results"][0]["message"]["text"]


def test_rule_indices_lead_to_the_rules():
    run = log(judged(DEMO))
    assert run["results"]
    assert all(run["tool"]["driver"]["rules"][item["ruleIndex"]]["id"] == item["ruleId"] for item in run["results"])


def test_fingerprints_are_those_of_the_json():
    outcome = judged(BOTH, saying("no 'a'"))
    (result,) = log(outcome)["results"]
    assert result["partialFingerprints"] == {"primaryLocationLineHash": outcome.findings[0].fingerprint}
    assert result["fingerprints"] == {"dralign/v1": outcome.findings[0].fingerprint}


def test_silenced_findings_are_results_with_the_reason():
    outcome = judged(f"{CLAIM}---\n{SILENCED}", profile="default", ignore=[EXCEPTION])
    results = log(outcome)["results"]
    assert {item["ruleId"]: item["suppressions"] for item in results} == {
        "qos-not-guaranteed": [{"kind": "inSource", "status": "accepted", "justification": "soon"}],
        "kubelet-blind": [{"kind": "external", "status": "accepted", "justification": "one socket"}],
    }


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("./apps/a b.yaml", "apps/a%20b.yaml"),
        ("/srv/a#1.yaml", "file:///srv/a%231.yaml"),
        ("apps/ü.yaml", "apps/%C3%BC.yaml"),
        ("-", "-"),
    ],
)
def test_files_are_uris_that_code_scanning_can_match(file, uri):
    (result,) = log(judged(CLAIM, saying("x"), name=file))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_of_a_file_known_from_an_annotation_no_line_is_claimed():
    text = CLAIM.replace(
        "namespace: serving}", "namespace: serving, annotations: {config.kubernetes.io/path: base/claim.yaml}}"
    )
    (result,) = log(judged(text, saying("x"), name="-"))["results"]
    assert result["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "base/claim.yaml"}}
