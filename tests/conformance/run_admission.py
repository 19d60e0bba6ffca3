"""Compares dralign's judgement of Kubernetes objects with the recorded answers of API servers 1.34 to 1.37.

usage: run_admission.py [DIR] [FILE]…    a folder with *.jsonl and *.tsv (or .gz of them), and names of files in it
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from admission_judge import Point, judge_create, judge_update  # noqa: E402  the path comes first
from admission_rows import RELEASES, Row, creates, documents, older, rows, text_of  # noqa: E402

from dralign.admission import gates, served  # noqa: E402

FOLDER = HERE / "admission"
SHOWN = 20
FLOORS = {"fields": 0.99, "messages": 0.95}
"""Points of which a share may differ; all others must agree in every row."""

_SERVED = {
    "default": {served.SERVED},
    "runtime-config": {served.OFF_BY_DEFAULT},
    "no": {served.NOT_YET, served.REMOVED},
}
Found = Iterator[tuple[str, str, Point]]
"""Name of the file, name of the row, and a point."""


class Tally:
    """Counts of points per file, and the disagreements themselves."""

    def __init__(self) -> None:
        self.total: Counter[tuple[str, str]] = Counter()
        self.agreed: Counter[tuple[str, str]] = Counter()
        self.disagreements: list[str] = []

    def add(self, name: str, row: str, point: Point) -> None:
        """Count a point of a row."""
        what, agrees, shown = point
        self.total[name, what] += 1
        self.agreed[name, what] += agrees
        if not agrees:
            self.disagreements.append(f"{name} {row}: {what}: {shown}"[:1500])

    def met(self, key: tuple[str, str]) -> bool:
        """Whether enough rows agree in a point."""
        return self.agreed[key] >= FLOORS.get(key[1], 1) * self.total[key]


def run(folder: Path, wanted: list[str] | None = None) -> Tally:
    """Judge all rows of a folder, or of some files in it."""
    tally = Tally()
    for name in wanted or PARTS:
        for part, row, point in PARTS[name](folder):
            tally.add(part, row, point)
    return tally


def _creates(name: str, folder: Path) -> Found:
    for asked, mode, answer in creates(folder, name):
        for point in judge_create(asked, mode, answer):
            yield _part(name, mode), f"{asked['id']} {mode} {_mutated(asked)}", point


def _documents(folder: Path) -> Found:
    for asked, mode, answer in documents(folder):
        for point in judge_create(asked, mode, answer):
            place = f"{asked['file']} {asked['docIndex']} {asked.get('itemIndex', '')}"
            yield _part("corpus", mode), f"{place} {mode}", point


def _updates(folder: Path) -> Found:
    asked = {(row["id"],): row for row in rows(folder, "updates")}
    every = [(row, "1.37", row) for row in asked.values()]
    for row, mode, answer in [*every, *older(folder, "updates", asked)]:
        for point in judge_update(row, mode, answer):
            yield _part("updates", mode), f"{row['id']} {mode} {row['what']}", point


def _ratchet(folder: Path) -> Found:
    for row in rows(folder, "ratchet"):
        for point in judge_update(row, "1.37", row, "alpha"):
            yield "ratchet", f"{row['id']} {row['what']}", point


def _releases(folder: Path) -> Found:
    for row in rows(folder, "releases"):
        answers = {**row["answers"], **{f"{release}+": answer for release, answer in row.get("gated", {}).items()}}
        for mode, answer in answers.items():
            for point in judge_create(row, mode, answer):
                yield "releases", f"{row['id']} {mode}", point


def _gates(folder: Path) -> Found:
    for release in RELEASES:
        text = text_of(folder, f"gates-{release}.tsv") or text_of(folder, f"gates-{release}.2.tsv") or ""
        for line in text.splitlines()[1:]:
            name, stage, default = line.split("\t")[:3]
            said = gates.stage(name, release), name in gates.default_features(release)
            yield "gates", f"{release} {name}", ("gates", said == (stage, default == "on"), str(said))


def _served(folder: Path) -> Found:
    head, *lines = (text_of(folder, "served.tsv") or "").splitlines() or [""]
    for line in lines:
        group_version, kind, *answers = line.split("\t")
        for release, answer in zip(head.split("\t")[2:], answers, strict=True):
            state = served.served(group_version, kind, release).state
            yield "served", f"{group_version} {kind} {release}", ("served", state in _SERVED[answer], state)


PARTS = {
    "mutations": lambda folder: _creates("mutations", folder),
    "qos": lambda folder: _creates("qos", folder),
    "corpus": _documents,
    "updates": _updates,
    "ratchet": _ratchet,
    "releases": _releases,
    "gates": _gates,
    "served": _served,
}


def _part(name: str, mode: str) -> str:
    return f"{name}-alpha" if mode == "alpha" else name if mode == "1.37" else f"older-{name}"


def _mutated(row: Row) -> str:
    return json.dumps(row.get("mutations", []))[:200]


def main(arguments: list[str]) -> int:
    """Print disagreements and counts; 0 if every point is met."""
    folder = Path(arguments[0]) if arguments else FOLDER
    tally = run(folder, arguments[1:])
    for line in tally.disagreements[:SHOWN]:
        print(line)
    for key, total in sorted(tally.total.items()):
        floor = f" (floor {FLOORS[key[1]]:.0%})" if key[1] in FLOORS else ""
        print(f"{key[0]}, {key[1]}: {tally.agreed[key]} of {total}{floor}{'' if tally.met(key) else '  NOT MET'}")
    print(f"agree {tally.agreed.total()} of {tally.total.total()}")
    return 1 if not tally.total or not all(tally.met(key) for key in tally.total) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
