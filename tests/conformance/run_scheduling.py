"""Compare dralign's scheduler with what a real control plane did: run_scheduling.py [DIR]

DIR holds cases (NAME/objects.yaml and outcome.json, packed or not; *.jsonl.gz with one to a line); without it, the stored
cases are used. The choice among nodes that fit is free, what follows from it is not. Messages are compared up to what they
say of preemption.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from scheduling_cases import cases  # noqa: E402  the path comes first
from scheduling_judge import difference  # noqa: E402

FOLDER = HERE / "scheduling"
SHOWN = 20


def run(folder):
    """Run all cases of a folder; return their number, and what disagrees as text."""
    total, differences = 0, []
    for case in cases(folder):
        total += 1
        found = difference(case)
        if found is not None:
            differences.append(f"{case.name}: {case.note}\n{found}")
    return total, differences


def main(arguments):
    """Print disagreements and counts; return 0 if all agree."""
    total, differences = run(Path(arguments[0]) if arguments else FOLDER)
    for text in differences[:SHOWN]:
        print(text[:3000])
    print(f"agree {total - len(differences)} of {total}")
    return 1 if differences or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
