"""Runs folders of objects through the command and compares its findings with what ``expected.tsv`` of each demands.

usage: run_fieldcases.py [DIR]    a folder with <case>/expected.tsv; rows of hosts (args ``-``) are counted, not run
"""

from __future__ import annotations

import csv
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "plugin")]

from dralign import registry  # noqa: E402  the path comes first
from running import run  # noqa: E402

SHOWN = 20
RANK = {"info": 0, "warning": 1, "error": 2}
Row = dict[str, str]


class Answer(NamedTuple):
    """Exit status of a run, and the findings of it; after ``fix``, those of the repaired text."""

    status: int
    findings: list[dict[str, Any]]
    talk: str


def rows_of(case: Path) -> list[Row]:
    """Return the rows of a case."""
    with open(case / "expected.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def answer_of(case: Path, args: list[str]) -> Answer:
    """Run the command in the folder of a case."""
    if args[0] != "fix":
        process = run("check", *args, "--format", "json", cwd=case)
        return Answer(process.returncode, findings_in(process.stdout), process.stderr.decode())
    process = run(*args, cwd=case)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "input.yaml").write_bytes(process.stdout)
        names = [str(Path(folder) / "input.yaml") if name == args[1] else name for name in options_of_check(args[1:])]
        findings = findings_in(run("check", *names, "--format", "json", cwd=case).stdout)
    return Answer(process.returncode, findings, process.stderr.decode())


def options_of_check(args: list[str]) -> Iterator[str]:
    """Yield the arguments of a fix that a check takes too."""
    waiting = iter(args)
    for argument in waiting:
        if argument == "--align":
            next(waiting)
        elif argument != "--unsafe":
            yield argument


def findings_in(output: bytes) -> list[dict[str, Any]]:
    """Return the findings of a JSON answer; none where there is no answer."""
    return json.loads(output)["findings"] if output.strip() else []


def is_on(finding: dict[str, Any], objects: str) -> bool:
    """Say whether a finding is on one of ``Kind/name|Kind/name``."""
    ref = finding["object"]
    return objects == "-" or f"{ref['kind']}/{ref['name'] or ''}" in objects.split("|")


def wrong(row: Row, answer: Answer, known: frozenset[str]) -> str | None:
    """Return what is wrong with an answer by one row; None if nothing is."""
    if answer.status != int(row["exit"]):
        return f"exit {answer.status}, want {row['exit']} {answer.talk[:300]}"
    here = [finding for finding in answer.findings if is_on(finding, row["object"])]
    if row["rule"] == "none":
        silent = named_in(row["note"], known)
        spoke = [finding["rule"] for finding in here if finding["rule"] in silent]
        return f"{spoke[0]} speaks" if spoke else None
    if row["rule"] not in known and not any(rule in known for rule in row["rule"].split("|")):
        return "no such rule yet"
    for finding in here:
        if finding["rule"] in row["rule"].split("|") and finding["path"].startswith(row["path_prefix"]):
            enough = RANK[finding["severity"]] >= RANK[row["severity"]]
            if enough or row["severity"] not in RANK:
                return None
    others = [f"{finding['rule']} {finding['severity']} {finding['path']}" for finding in here]
    return f"silent; here: {others[:4]}"


def named_in(note: str, known: frozenset[str]) -> frozenset[str]:
    """Return the rules that a note names; all of them for ``any rule`` and for an answer that must be empty."""
    words = frozenset(re.findall(r"[a-z-]+", note))
    return (words & known) or (known if note.startswith("any rule") else frozenset())


def main(folder: str) -> int:
    """Compare all cases and print what differs."""
    known = registry.rule_ids()
    agreed = total = hosts = 0
    shown = 0
    for case in sorted(path.parent for path in Path(folder).glob("*/expected.tsv")):
        for (args, _), group in groupby(rows_of(case), key=lambda row: (row["args"], row["run"])):
            rows = list(group)
            if args == "-":
                hosts += len(rows)
                continue
            answer = answer_of(case, args.split())
            for row in rows:
                total += 1
                fault = wrong(row, answer, known)
                agreed += fault is None
                if fault is not None and shown < SHOWN:
                    shown += 1
                    print(f"{case.name} {row['run']}: {row['rule']} on {row['object']} {row['path_prefix']}: {fault}")
    print(f"rows of hosts, which only their programs can show: {hosts}")
    print(f"agree {agreed} of {total}")
    return int(agreed != total)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else str(HERE.parent / "cases")))
