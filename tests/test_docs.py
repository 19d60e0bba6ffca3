"""The README, the schemas and the example configurations say what the code does."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from dralign import registry
from dralign.config import spec_of
from dralign.guidelines import GUIDELINES
from dralign.pages import guideline_table, markdown_page, markdown_table, page, sections, table
from dralign.yamlio import KUBECTL, load
from running import run

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"


def test_the_rule_table_of_the_readme_is_generated(update):
    hold_block("rules", markdown_table(registry.rules()), update)


def test_the_guideline_table_of_the_readme_is_generated(update):
    hold_block("guidelines", guideline_table(registry.rules()), update)


def hold_block(name, content, update):
    """Compare a generated block of the README with what stands between its marks."""
    text = README.read_text()
    block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    assert block.search(text)
    generated = block.sub(lambda m: m.group(1) + content + m.group(2), text)
    if update:
        README.write_text(generated)
    assert README.read_text() == generated


def test_every_standard_that_a_rule_names_is_a_guideline():
    assert [item.id for item in GUIDELINES] == ["A1", "A2", "A3", "A4", "A5", "A6", "B1", "B2", "B3", "B4", "B5"]
    known = {item.id for item in GUIDELINES}
    assert [loaded.rule.id for loaded in registry.rules() if not known.issuperset(loaded.rule.standards)] == []


def test_every_relative_link_of_the_readme_leads_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README.read_text()):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("path", ["kustomize/function.yaml", "kustomize/example/dralign.yaml"])
def test_example_configurations_are_valid(path):
    assert spec_of(load((ROOT / path).read_text(), KUBECTL, path, 1).value)


def test_the_configuration_in_the_readme_is_valid():
    (block,) = re.findall(r"```yaml\n(apiVersion: dralign.*?)```", README.read_text(), re.DOTALL)
    assert spec_of(load(block, KUBECTL, "README.md", 1).value)


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
    titles = [section.title.partition(":")[0] for section in sections(loaded)]
    assert titles[:2] == ["What it does", "Why it matters"]
    assert titles.index("Severity (minimal / default / strict)") < titles.index("What to type") < titles.index("Wrong")
    assert titles[-2:] == ["Since", "How to silence it"]
    assert "Right" in titles
    assert ("Standards" in titles) == bool(loaded.rule.standards)
    assert all(section.text for section in sections(loaded))
    assert markdown_page(loaded).count("```") % 2 == 0


def test_the_list_of_rules_names_them_all():
    assert [line.split()[0] for line in table(registry.rules()).splitlines()] == sorted(registry.rule_ids())


def test_explain_lists_all_rules_shows_one_and_guesses_which_was_meant(tmp_path):
    listed = run("explain", cwd=tmp_path)
    assert (listed.returncode, listed.stdout.decode()) == (0, table(registry.rules()))
    shown = run("explain", "kubelet-blind", cwd=tmp_path)
    assert (shown.returncode, shown.stdout.decode().partition("\n")[0]) == (0, "kubelet-blind")
    guessed = run("explain", "kubelet-blin", cwd=tmp_path)
    assert (guessed.returncode, guessed.stdout) == (2, b"")
    assert guessed.stderr.startswith(b"dralign: no rule is called 'kubelet-blin', did you mean 'kubelet-blind'?")


def test_demo_shows_the_main_job(tmp_path):
    process = run("demo", cwd=tmp_path)
    text = process.stdout.decode()
    assert process.returncode == 0
    assert "[legacy-partition-resource]" in text
    assert "+      - matchAttribute: resource.kubernetes.io/numaNode" in text
    assert "+  kind: ResourceClaimTemplate" in text or "+kind: ResourceClaimTemplate" in text
