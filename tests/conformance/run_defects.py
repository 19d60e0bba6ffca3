"""Checks bundles with one seeded mistake each: the named rule speaks at the named place, and nothing else does.

usage: run_defects.py DIR    a folder with expected.tsv and the files that it names
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "plugin")]

from running import run  # noqa: E402  the path comes first

RANK = {"info": 0, "warning": 1, "error": 2}


def findings_of(path: Path) -> list[dict]:
    """Return what is found in a file at warning and above."""
    process = run("check", path.name, "--format", "json", cwd=path.parent)
    found = json.loads(process.stdout)["findings"]
    return [finding for finding in found if RANK[finding["severity"]] >= RANK["warning"]]


def faults(row: dict[str, str], findings: list[dict]) -> list[str]:
    """Return what is wrong with the findings of one file."""
    rules, allowed = row["rule"].split("|"), row["also_allowed"].split(",")
    hits = [
        finding
        for finding in findings
        if finding["rule"] in rules
        and f"{finding['object']['kind']}/{finding['object']['name']}" in row["object"].split("|")
        and finding["path"].startswith(row["path_prefix"])
        and RANK[finding["severity"]] >= RANK[row["severity_at_least"]]
    ]
    missing = [] if hits else [f"{row['rule']} is silent"]
    return missing + [
        f"{finding['rule']} speaks on {finding['path']}"
        for finding in findings
        if finding["rule"] not in (*rules, *allowed)
    ]


def main(folder: Path) -> int:
    """Check all files and print what differs."""
    with open(folder / "expected.tsv", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    agreed = 0
    for row in rows:
        wrong = faults(row, findings_of(folder / row["file"]))
        agreed += not wrong
        for fault in wrong:
            print(f"{row['file']}: {fault}")
    for clean in sorted(folder.glob("*-clean.yaml")):
        wrong = [f"{finding['rule']} speaks on {finding['path']}" for finding in findings_of(clean)]
        agreed += not wrong
        rows.append({})
        for fault in wrong:
            print(f"{clean.name}: {fault}")
    print(f"agree {agreed} of {len(rows)}")
    return int(agreed != len(rows))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else str(HERE / "defects"))))
