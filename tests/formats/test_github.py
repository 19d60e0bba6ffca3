"""Workflow commands of GitHub Actions."""

import re

from dralign.formats import github
from judging import BOTH, CLAIM, judged, saying

COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^:,\n]*,?)*)::([^\n]*)")


def commands(outcome):
    """Read the commands of a log as the runner does: name, properties, text."""
    found = []
    for line in github.render(outcome).splitlines()[:-1]:
        name, properties, text = COMMAND.fullmatch(line).groups()
        found.append((name, dict(pair.split("=", 1) for pair in properties.split(",")), text))
    return found


def test_a_finding_is_a_command_with_its_place():
    ((name, properties, text),) = commands(judged(BOTH, saying("no 'a'"), name="./apps/llama.yaml"))
    assert name == "error"
    assert properties["file"] == "apps/llama.yaml"
    assert (properties["line"], properties["col"]) == ("8", "9")
    assert properties["title"].endswith("%3A example")
    assert text.startswith("no 'a'%0Asee: ./apps/llama.yaml:14:1  Deployment/llama: uses it%0Atip: type this%0A")


def test_the_worst_come_first_and_the_last_line_counts():
    outcome = judged(BOTH, profile="strict", rules={"kubelet-blind": "info", "qos-not-guaranteed": "warning"})
    assert [name for name, _, _ in commands(outcome)] == ["warning", "notice"]
    assert github.render(outcome).endswith("\n2 of 2 objects judged · 1 warning · 1 info     exit 0\n")


def test_a_manifest_cannot_begin_a_command_of_its_own():
    name = '"x\\n::set-env name=PATH::/tmp, 100%: \\r"'
    text = CLAIM.replace("name: llama", f"name: {name}")
    (line, _) = github.render(judged(text, saying("line\n::error::two"))).splitlines()
    assert line.startswith("::error file=")
    assert "::error::two" not in line.removeprefix("::error").replace("%0A::error::two", "")
    ((_, properties, _),) = commands(judged(text, saying("x")))
    assert properties["title"].startswith("serving/x%0A%3A%3Aset-env name=PATH%3A%3A/tmp%2C 100%25%3A %0D")


def test_standard_input_has_no_file_and_an_origin_no_line():
    ((_, properties, _),) = commands(judged(CLAIM, saying("x"), name="-"))
    assert set(properties) == {"title"}
    text = CLAIM.replace(
        "namespace: serving}", "namespace: serving, annotations: {config.kubernetes.io/path: base/claim.yaml}}"
    )
    ((_, properties, _),) = commands(judged(text, saying("x"), name="-"))
    assert properties["file"] == "base/claim.yaml"
    assert "line" not in properties


def test_nothing_found_is_one_line():
    assert github.render(judged(CLAIM, saying())) == "1 of 1 object judged     exit 0\n"
