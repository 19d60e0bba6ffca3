"""Compares dralign's CEL, quantities and versions with the recorded answers of Kubernetes 1.34 to 1.37.

usage: run_cel.py [DIR] [FILE]…    a folder with devices.json and *.jsonl (or .jsonl.gz), and names of files in it
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cel_judge import FLOORS, devices, judge, names, rows  # noqa: E402  the path comes first

FOLDER = HERE / "cel"
SHOWN = 20


class Tally:
    """Counts of points, and the disagreements themselves."""

    def __init__(self) -> None:
        self.total: Counter[str] = Counter()
        self.agreed: Counter[str] = Counter()
        self.disagreements: list[str] = []

    def add(self, name: str, row: dict, point: str, agrees: bool, shown: str) -> None:
        """Count a point of a row."""
        self.total[point] += 1
        self.agreed[point] += agrees
        if not agrees:
            what = {key: value for key, value in row.items() if key not in ("evals", "id", "family", "tag")}
            self.disagreements.append(f"{name} {row['id']}: {point}: {shown}\n    {json.dumps(what)[:1500]}")

    def met(self, point: str) -> bool:
        """Whether enough rows agree in a point."""
        return self.agreed[point] >= FLOORS.get(point, 1) * self.total[point]


def run(folder: Path, wanted: list[str] | None = None) -> Tally:
    """Judge all rows of a folder, or of some files in it."""
    tally = Tally()
    known = devices(folder) if (folder / "devices.json").exists() else {}
    for name in wanted or names(folder):
        for row in rows(folder, name):
            for point, agrees, shown in judge(name, row, known):
                tally.add(name, row, point, agrees, shown)
    return tally


def main(arguments: list[str]) -> int:
    """Print disagreements and counts; 0 if every point is met."""
    folder = Path(arguments[0]) if arguments else FOLDER
    tally = run(folder, arguments[1:])
    for line in tally.disagreements[:SHOWN]:
        print(line)
    for point, total in sorted(tally.total.items()):
        floor = f" (floor {FLOORS[point]:.0%})" if point in FLOORS else ""
        print(f"{point}: {tally.agreed[point]} of {total}{floor}{'' if tally.met(point) else '  NOT MET'}")
    missed = [point for point in tally.total if not tally.met(point)]
    print(f"agree {tally.agreed.total()} of {tally.total.total()}")
    return 1 if missed or not tally.total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
