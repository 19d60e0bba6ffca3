"""Golden cases: each folder's input through the command and through the KRM function, in check and in fix mode.

Inventories and versions are those of the first check that the folder's ``expected.tsv`` names (``case_arguments.py``).

``findings.txt`` holds what check says, ``fixed.yaml`` the text after ``fix --align constraint`` and ``remaining.txt`` what
is said then. ``pytest --update`` rewrites them; read the difference before you commit it.
"""

import json

import pytest
import yaml

from case_arguments import CASES, arguments_of
from running import run

READABLE = [case for case in CASES if arguments_of(case) is not None]
each_case = pytest.mark.parametrize("case", READABLE, ids=lambda path: path.name)


def golden(path, data, update):
    """Compare bytes with a golden file; where there is nothing to say there is no file."""
    if update:
        path.unlink(missing_ok=True)
        if data:
            path.write_bytes(data)
    assert data == (path.read_bytes() if path.exists() else b"")


@each_case
def test_check(case, update):
    process = run("check", *arguments_of(case).check, cwd=case)
    assert process.returncode in (0, 1), process.stderr
    assert process.stderr == b""
    golden(case / "findings.txt", process.stdout, update)


@each_case
def test_fix(case, update, tmp_path):
    process = run("fix", "--align", "constraint", *arguments_of(case).fix, cwd=case)
    assert process.returncode in (0, 1), process.stderr
    text = (case / "input.yaml").read_bytes()
    golden(case / "fixed.yaml", b"" if process.stdout == text else process.stdout, update)
    golden(case / "remaining.txt", process.stderr, update)
    (tmp_path / "input.yaml").write_bytes(process.stdout)
    again = run("fix", "--align", "constraint", *arguments_of(case).within(case).fix, cwd=tmp_path)
    assert again.stdout == process.stdout


@each_case
def test_the_function_finds_and_repairs_the_same(case, tmp_path):
    """Under kustomize the same objects give the same findings, and the same objects come out."""
    text = (case / "input.yaml").read_text()
    objects = [item for document in yaml.safe_load_all(text) for item in opened(document)]
    arguments = arguments_of(case).within(case)
    config = {
        "apiVersion": "dralign.dev/v1alpha1",
        "kind": "Dralign",
        "spec": {"mode": "fix", "alignment": {"strategy": "constraint"}, **arguments.spec},
    }
    wrapped = {
        "apiVersion": "config.kubernetes.io/v1",
        "kind": "ResourceList",
        "items": objects,
        "functionConfig": config,
    }
    process = run(stdin=json.dumps(wrapped).encode(), cwd=tmp_path, entry="function")
    answer = yaml.safe_load(process.stdout)

    command = run("fix", "--align", "constraint", *arguments.fix, cwd=case)
    fixed = [item for document in yaml.safe_load_all(command.stdout) for item in opened(document)]
    assert [unstamped(item) for item in answer["items"]] == fixed
    assert process.returncode == command.returncode

    (tmp_path / "fixed.yaml").write_bytes(command.stdout)
    fixed_arguments = [word if word != "input.yaml" else "fixed.yaml" for word in arguments.fix]
    report = json.loads(run("check", "--format", "json", *fixed_arguments, cwd=tmp_path).stdout)
    said = sorted(
        (finding["rule"], finding["severity"], finding["path"], finding["object"]["name"])
        for finding in report["findings"]
    )
    results = answer.get("results", [])
    assert (
        sorted((r["tags"]["rule"], r["severity"], r["field"]["path"], r["resourceRef"]["name"]) for r in results)
        == said
    )


def opened(document):
    """Yield the objects of a document as kustomize hands them on: lists are opened, their items complete."""
    if document and document["kind"].endswith("List") and "items" in document:
        for item in document["items"]:
            yield from opened({"apiVersion": document["apiVersion"], "kind": document["kind"][:-4], **item})
    elif document:
        yield document


def unstamped(item):
    """Return an object without the mark of the function, and without the annotations that only held it."""
    annotations = item["metadata"].get("annotations", {})
    annotations.pop("dralign.dev/checked", None)
    if not annotations:
        item["metadata"].pop("annotations", None)
    return item
