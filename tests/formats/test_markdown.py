"""Markdown for comments and step summaries."""

import re

import pytest

from dralign.finding import Severities
from dralign.formats import markdown
from judging import BOTH, CLAIM, SAFE, judged, saying


def test_a_comment_has_a_count_a_table_and_the_findings_behind_folds():
    text = markdown.render(judged(BOTH, saying("no 'a'", proof="gpu-4", fix=SAFE)))
    head, _, rest = text.partition("\n\n")
    assert head == "### dralign: 1 error"
    assert "2 of 2 objects judged · 1 error     exit 1 (1 error)\n" in rest
    (row,) = re.findall(r"^\| BLOCK .*$", text, re.MULTILINE)
    assert row.endswith(" no 'a' | apps/llama.yaml:8:9 | `example` |")
    assert (
        "```text\napps/llama.yaml:8:9  ResourceClaimTemplate/llama  spec.spec.devices.requests[0].name\n8 |       - name: gpu\n"
        in text
    )
    assert "\nproof    gpu-4\n" in text
    assert text.count("<details>") == text.count("</details>") == 1


def test_nothing_found_is_said_with_what_is_silenced():
    outcome = judged(BOTH, ignore=[{"rule": rule, "reason": "x"} for rule in ("kubelet-blind", "qos-not-guaranteed")])
    assert markdown.render(outcome) == "### dralign: nothing found\n\n2 of 2 objects judged · 2 silenced     exit 0\n"


@pytest.mark.parametrize(
    "hostile",
    [
        "a|b",
        "`x`",
        "**x**",
        "<img src=x>",
        "@octocat",
        "fixes #1",
        "[x](https://evil.example)",
        "a\nb",
        "~~x~~",
        "</details>",
    ],
)
def test_what_comes_from_manifests_brings_no_markup(hostile):
    text = markdown.render(judged(CLAIM, saying(f"no {hostile}")))
    (row,) = re.findall(r"^\| BLOCK .*$", text, re.MULTILINE)
    cell = re.split(r"(?<!\\)\|", row)[2]
    assert len(re.split(r"(?<!\\)\|", row)) == 6
    shown = re.sub(r"\\(.)", r"\1", cell.replace("<!-- -->", "")).replace("&lt;", "<").replace("&gt;", ">")
    assert shown.endswith(f"no {' '.join(hostile.split())} ")
    for mark in ("<img", "@o", "#1", "://", "</details"):
        assert mark not in cell
    assert text.count("</details>") == 1 or hostile not in text.split("```")[0]


def test_no_line_can_close_the_fence():
    text = CLAIM.replace("- name: gpu", "- name: gpu # ```` ")
    assert "\n```````text\n" in markdown.render(judged(text, saying("x")))


def test_more_than_a_comment_holds_is_left_out_and_said():
    found = [f"no '{number}' {'x' * 100}" for number in range(2000)]
    text = markdown.render(judged(CLAIM, saying(*found, severities=Severities("info", "info", "info"))))
    assert len(text) < 65_536
    shown = len(re.findall(r"^\| INFO ", text, re.MULTILINE))
    assert f"\n{2000 - shown} more findings are too many for a comment; `dralign check` shows all.\n" in text
    assert text.startswith("### dralign: 2000 info\n")
