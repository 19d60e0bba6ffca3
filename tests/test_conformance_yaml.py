"""The recorded answers of Kubernetes' YAML readers; tests/conformance/run_yaml.py prints where we disagree."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "conformance"))

import run_yaml


@pytest.mark.parametrize("name", ["scalars", "documents"])
def test_all_answers_agree(name, capsys):
    agreed, total = run_yaml.run(run_yaml.HERE / "yaml", [name])
    assert (agreed, total > 1_000) == (total, True), capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "agrees"),
    [
        pytest.param({"json": '{"a":1}'}, True, id="the value"),
        pytest.param({"json": '{"a":1.0}'}, True, id="the same as a float"),
        pytest.param({"json": '{"a":true}'}, False, id="true is not one"),
        pytest.param({"json": '{"a":"1"}'}, False, id="nor is text"),
        pytest.param({"err": "no"}, False, id="an error"),
        pytest.param({"json": '{"a":1}', "kubectl": []}, False, id="no document"),
        pytest.param({"json": '{"a":1}', "strict": {"err": "no"}}, False, id="strict"),
        pytest.param({"json": '{"a":1}', "kyaml": {"json": '{"a":2}'}}, False, id="kyaml"),
        pytest.param({"json": '{"a":1}', "kio": [{"json": '{"a":1}'}, {"json": "{}"}]}, False, id="kustomize"),
        pytest.param({"json_sha256": "0" * 64}, False, id="hash"),
        pytest.param({"gave_up": "no answer"}, True, id="no claim"),
    ],
)
def test_the_runner_sees_what_differs(answer, agrees, tmp_path, capsys):
    (tmp_path / "documents.jsonl").write_text(json.dumps({"id": "x", "group": "y", "text": "a: 1\n"} | answer))
    status = run_yaml.main([str(tmp_path)])
    assert (status, capsys.readouterr().out.splitlines()[-1]) == (0, "agree 1 of 1") if agrees else (1, "agree 0 of 1")


def test_a_folder_without_rows_does_not_pass(tmp_path, capsys):
    assert run_yaml.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "agree 0 of 0"
