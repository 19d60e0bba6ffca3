"""Twenty-five mistakes, each made once in a bundle that is right (tests/cases/defects), and what may be said of each."""

import csv
import json
from pathlib import Path

from conformance.run_defects import faults

FOLDER = Path(__file__).parent / "cases" / "defects"
CLEAN = (FOLDER / "input.yaml").read_text()


def mistakes():
    """Return the rows of the table: the rule that must speak, where and how loudly, what else may, right and wrong text."""
    with open(FOLDER / "mistakes.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def text_with(row):
    """Return the bundle with one mistake."""
    right, wrong = json.loads(row["right"]), json.loads(row["wrong"])
    assert CLEAN.count(right) == 1, row["mistake"]
    return CLEAN.replace(right, wrong)


def faults_of(row, found):
    """Say what is wrong with findings, given as rule, severity, ``Kind/name`` and path; ``row`` None is the clean bundle."""
    loud = [
        {
            "rule": rule,
            "severity": severity,
            "object": dict(zip(("kind", "name"), ref.split("/"), strict=True)),
            "path": path,
        }
        for rule, severity, ref, path in found
        if severity != "info"
    ]
    return [f"{finding['rule']} speaks" for finding in loud] if row is None else faults(row, loud)
