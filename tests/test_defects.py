"""Each mistake is found by its rule at its place and by no other, whatever starts the product: in this process.

The same through the real programs: tests/hosts/test_defects_in_hosts.py.
"""

import io
import json
import sys

import pytest
import yaml

from defects import CLEAN, faults_of, mistakes, text_with
from dralign import __main__ as console
from dralign.hosts import helm, kustomize

BUNDLES = [pytest.param(None, CLEAN, id="clean"), *(pytest.param(r, text_with(r), id=r["mistake"]) for r in mistakes())]

pytestmark = [pytest.mark.usefixtures("in_empty_folder"), pytest.mark.parametrize(("row", "text"), BUNDLES)]


def test_by_command(row, text, in_empty_folder, monkeypatch, capsys):
    (in_empty_folder / "input.yaml").write_text(text)
    monkeypatch.setattr(sys, "argv", ["dralign", "check", "input.yaml", "--format", "json"])
    status = console.main()
    found = said(json.loads(capsys.readouterr().out))
    assert faults_of(row, found) == []
    assert status == any(severity == "error" for _, severity, _, _ in found)


def test_by_the_function(row, text):
    items = list(yaml.safe_load_all(text))
    wrapped = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items}
    results = yaml.safe_load(kustomize.answer(json.dumps(wrapped).encode()).output).get("results", [])
    found = [
        (
            result["tags"]["rule"],
            result["severity"],
            f"{result['resourceRef']['kind']}/{result['resourceRef']['name']}",
            result["field"]["path"],
        )
        for result in results
    ]
    assert faults_of(row, found) == []


@pytest.mark.parametrize("arguments", [[], ["--from", "helm4"]], ids=["helm3", "helm4"])
def test_by_post_renderer(row, text, arguments, in_empty_folder, monkeypatch, capsysbinary):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    monkeypatch.setenv("HELM_PLUGIN_NAME", "dralign")
    helm.run([*arguments, "--report", "report.json"])
    found = said(json.loads((in_empty_folder / "report.json").read_text()))
    assert faults_of(row, found) == []
    if not any(severity == "error" for _, severity, _, _ in found):
        assert capsysbinary.readouterr().out == text.encode()


def said(report):
    return [
        (
            finding["rule"],
            finding["severity"],
            f"{finding['object']['kind']}/{finding['object']['name']}",
            finding["path"],
        )
        for finding in report["findings"]
    ]
