"""What each case must and must not say: the rows of its expected.tsv, as conformance/run_fieldcases.py judges them."""

import json
from itertools import groupby

import pytest

from case_arguments import CASES, arguments_of
from conformance.run_fieldcases import answer_of, rows_of, wrong
from dralign import registry
from running import run

KNOWN = registry.rule_ids()


def runs():
    """Yield each invocation of each case once, with its rows."""
    for case in CASES:
        if (case / "expected.tsv").exists():
            for (name, args), rows in groupby(rows_of(case), key=lambda row: (row["run"], row["args"])):
                yield pytest.param(case, args, list(rows), id=f"{case.name}-{name}")


@pytest.mark.parametrize(("case", "args", "rows"), list(runs()))
def test_says_what_is_expected(case, args, rows):
    answer = answer_of(case, args.split())
    assert [fault for fault in (wrong(row, answer, KNOWN) for row in rows) if fault] == []


@pytest.mark.parametrize(
    ("name", "workload", "worst"),
    [
        ("claims-not-wired", "half-a", None),
        ("topology-manager-is-blind", "train", "undecided"),
        ("sidecar-injected", "serve", "undecided"),
        ("sidecar-injected", "serve-ns", "undecided"),
        ("apart-by-claims", "train", "may-cross"),
        ("attribute-names-differ", "train", "unsatisfiable"),
        ("optional-attribute", "worker", "undecided"),
    ],
)
def test_nothing_is_called_aligned_that_only_looks_so(name, workload, worst):
    (case,) = (case for case in CASES if case.name == name)
    process = run("check", *arguments_of(case).check, "--format", "json", cwd=case)
    verdicts = {verdict["object"]["name"]: verdict["verdict"] for verdict in json.loads(process.stdout)["verdicts"]}
    assert verdicts.get(workload) == worst


def test_nothing_served_by_a_class_is_rewritten_unasked():
    (case,) = (case for case in CASES if case.name == "served-by-class")
    process = run("fix", *arguments_of(case).fix, cwd=case)
    assert process.stdout == (case / "input.yaml").read_bytes()


def test_it_is_said_by_which_release_expressions_are_judged():
    (case,) = (case for case in CASES if case.name == "cost-and-length")
    args = next(row["args"] for row in rows_of(case) if row["run"] == "v1-32")
    assert any("CEL judged by 1.34" in finding["message"] for finding in answer_of(case, args.split()).findings)


@pytest.mark.parametrize(("name", "file"), [("nothing-arrived", "input.yaml"), ("anchors", "broken.yaml")])
def test_input_that_nobody_can_read_is_answered_with_one_line_alone(name, file):
    (case,) = (case for case in CASES if case.name == name)
    process = run("fix", file, cwd=case)
    assert (process.returncode, process.stdout) == (2, b"")
    assert process.stderr.count(b"\n") == 1
    assert file.encode() in process.stderr
