"""The README, the schemas and the example configurations say what the code does."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from dralign import registry
from dralign.config import spec_of
from dralign.pages import markdown_table, page, table
from dralign.yamlio import KUBECTL, load
from running import run

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"


def test_the_rule_table_of_the_readme_is_generated(update):
    text = README.read_text()
    block = re.compile(r"(<!-- rules -->\n).*?(<!-- /rules -->)", re.DOTALL)
    assert block.search(text)
    generated = block.sub(lambda m: m.group(1) + markdown_table(registry.rules()) + m.group(2), text)
    if update:
        README.write_text(generated)
    assert README.read_text() == generated


def test_every_relative_link_of_the_readme_leads_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README.read_text()):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("path", ["kustomize/function.yaml", "kustomize/example/dralign.yaml"])
def test_example_configurations_are_valid(path):
    spec_of(load((ROOT / path).read_text(), KUBECTL, path, 1).value)


def test_the_configuration_in_the_readme_is_valid():
    (block,) = re.findall(r"```yaml\n(apiVersion: dralign.*?)```", README.read_text(), re.DOTALL)
    spec_of(load(block, KUBECTL, "README.md", 1).value)


def test_the_schemas_are_schemas():
    for path in (ROOT / "schemas").glob("*.schema.json"):
        Draft202012Validator.check_schema(json.loads(path.read_text()))


def test_json_output_fits_its_schema(tmp_path):
    schema = json.loads((ROOT / "schemas" / "outcome.schema.json").read_text())
    process = run("check", "--format", "json", str(ROOT / "plugin" / "dralign" / "demo.yaml"), cwd=tmp_path)
    data = json.loads(process.stdout)
    Draft202012Validator(schema).validate(data)
    assert process.returncode == 1
    assert {finding["rule"] for finding in data["findings"]} >= {"legacy-partition-resource", "numa-constraint-missing"}
    assert data["summary"]["error"] == sum(finding["severity"] == "error" for finding in data["findings"])


@pytest.mark.parametrize("loaded", registry.rules(), ids=lambda loaded: loaded.rule.id)
def test_every_page_can_be_printed(loaded):
    text = page(loaded)
    assert text.startswith(f"{loaded.rule.id}\n\n")
    assert f"ignore.dralign.dev/{loaded.rule.id}" in text
    assert "Wrong: " in text
    assert "Right: " in text


def test_the_list_of_rules_names_them_all():
    assert [line.split()[0] for line in table(registry.rules()).splitlines()] == sorted(registry.rule_ids())


def test_demo_shows_the_main_job(tmp_path):
    process = run("demo", cwd=tmp_path)
    text = process.stdout.decode()
    assert process.returncode == 0
    assert "[legacy-partition-resource]" in text
    assert "+      - matchAttribute: resource.kubernetes.io/numaNode" in text
    assert "+  kind: ResourceClaimTemplate" in text or "+kind: ResourceClaimTemplate" in text
